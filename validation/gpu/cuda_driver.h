// SPDX-License-Identifier: Apache-2.0
// The CUDA driver API as far as the silicon-side programs need it: one context, modules from cubin files, buffers,
// launches, times. Every failing call throws std::runtime_error with the call and CUDA's message.
#pragma once

#include <cuda.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stc::silicon {

void check(CUresult result, const char* call);
#define STC_CUDA(call) ::stc::silicon::check(call, #call)

/// What the numbers were measured on.
struct DeviceFacts {
  std::string name;
  int sm_version = 0;  ///< 80, 90
  int sms = 0;
  int l2_bytes = 0;
  int max_clock_khz = 0;
  int driver = 0;  ///< CUDA version of the driver, 13000 for 13.0
};

class Context {
 public:
  explicit Context(int ordinal = 0);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  const DeviceFacts& facts() const { return facts_; }

 private:
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  DeviceFacts facts_;
};

class Module {
 public:
  explicit Module(const std::string& path);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  CUfunction function(const std::string& name) const;
  /// Address of a __device__ or __constant__ variable; 0 when there is none.
  CUdeviceptr variable(const std::string& name) const;
  /// Writes one; false when the driver knows none of this name and size.
  bool set_variable(const std::string& name, const std::vector<std::uint8_t>& data) const;

 private:
  CUmodule module_ = nullptr;
};

class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  CUdeviceptr address() const { return address_; }
  std::size_t bytes() const { return bytes_; }
  void write(const void* from, std::size_t bytes);
  void read(void* to, std::size_t bytes) const;
  void clear();

 private:
  CUdeviceptr address_ = 0;
  std::size_t bytes_ = 0;
};

/// Kernel arguments in order; keeps their storage alive.
class Arguments {
 public:
  void add_pointer(CUdeviceptr pointer) { add_word(pointer); }
  void add_i32(std::int32_t value) { add_word(static_cast<std::uint32_t>(value)); }
  void add_word(std::uint64_t value) { values_.push_back({value}); }
  /// A struct.
  void add_bytes(const std::vector<std::uint8_t>& bytes);
  std::vector<void*> pointers();

 private:
  std::vector<std::vector<std::uint64_t>> values_;  // words, so that they are aligned
};

struct LaunchShape {
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {32, 1, 1};
  unsigned dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::optional<std::array<unsigned, 3>> cluster;  ///< CTAs per cluster; none: what the kernel fixes
  bool non_portable_cluster = false;
};

/// Launches on the default stream; raises the kernel's shared-memory limit and allows its large clusters when needed.
/// Does not wait.
void launch(CUfunction function, const LaunchShape& shape, Arguments& arguments);
void synchronize();

/// A pair of events; elapsed time in microseconds.
class Stopwatch {
 public:
  Stopwatch();
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  void start() { STC_CUDA(cuEventRecord(start_, nullptr)); }
  void stop() { STC_CUDA(cuEventRecord(stop_, nullptr)); }
  double microseconds();  ///< waits for the stop event

 private:
  CUevent start_ = nullptr, stop_ = nullptr;
};

}  // namespace stc::silicon
