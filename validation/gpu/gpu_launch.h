// SPDX-License-Identifier: Apache-2.0
// A prepared launch on a real GPU: the same buffers, bytes and arguments that the simulator gets.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/launch/prepared_launch.h"
#include "validation/gpu/cuda_driver.h"
#include "validation/gpu/l2_flush.h"
#include "validation/gpu/placed_memory.h"

namespace stc::silicon {

/// The cubin that this GPU runs: of a module in a folder sm_80 or sm_90 the same file of the other folder, if it is
/// there.
std::string module_for(const DeviceFacts& facts, const std::string& module);

/// Uploads the buffers of a launch and runs it as often as wanted.
class GpuLaunch {
 public:
  explicit GpuLaunch(const sim::PreparedLaunch& prepared);
  /// Buffers that exist already, in the order of prepared.buffers; nothing is uploaded.
  GpuLaunch(const sim::PreparedLaunch& prepared, const std::vector<CUdeviceptr>& buffers);
  /// The next launch of a sequence: buffers are those of the first of `before`, which is not empty, variables those of
  /// a launch of the same module.
  GpuLaunch(const sim::PreparedLaunch& prepared, const std::vector<std::unique_ptr<GpuLaunch>>& before);

  void run();
  /// Of a sequence's next launch: gives variables what the run file sets. The first finds them set.
  void set_symbols();
  /// One launch between two events, in microseconds.
  double timed_run();
  /// Contents of a buffer, or of a variable that `symbols` sets, now; std::runtime_error when the launch has none of
  /// that name.
  std::vector<std::uint8_t> contents(const std::string& buffer) const;
  /// Contents of the buffers and of the module's variables as before the first run.
  void restore();
  /// Of the whole sequence.
  const std::vector<sim::PreparedBuffer>& buffers() const { return home_->prepared_.buffers; }
  int registers() const { return registers_; }
  /// CTAs per cluster: of the launch, or what the kernel fixes; none: no clusters.
  std::optional<isa::Dim3> cluster() const;
  std::uint32_t static_shared_bytes() const { return static_cast<std::uint32_t>(static_shared_bytes_); }

 private:
  void place_buffers();
  void prepare(const std::vector<CUdeviceptr>& addresses);
  std::uint64_t address_of(const std::string& buffer) const;
  /// What the variables of the module hold before the launch: their initial values, or what the run file sets.
  void read_variables();

  const sim::PreparedLaunch& prepared_;
  std::shared_ptr<Module> module_;
  const GpuLaunch* home_ = this;  ///< the launch that has the buffers
  CUfunction function_ = nullptr;
  std::unique_ptr<PlacedMemory> placed_;
  std::vector<std::unique_ptr<DeviceBuffer>> owned_;
  std::vector<CUdeviceptr> addresses_;  ///< of prepared_.buffers
  std::vector<sim::SymbolValue> variables_;
  std::vector<sim::SymbolValue> symbols_;  ///< those of the run file, a part of variables_
  Arguments arguments_;
  LaunchShape shape_;
  Stopwatch stopwatch_;
  int registers_ = 0;
  int static_shared_bytes_ = 0;
};

}  // namespace stc::silicon
