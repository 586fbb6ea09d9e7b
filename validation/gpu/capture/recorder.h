// SPDX-License-Identifier: Apache-2.0
// What the library knows of the program: its images, kernels, variables and allocations; and how a launch is recorded.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "sim/cudart/abi.h"
#include "validation/gpu/capture/device_calls.h"
#include "validation/gpu/capture/recorded.h"

namespace stc::capture {

struct LaunchCall {
  const DeviceCalls* device = nullptr;
  const void* key = nullptr;  ///< the host's function, or a handle
  remote::LaunchShape shape{};
  void** arguments = nullptr;   ///< or, where there are none:
  const void* block = nullptr;  ///< all of them packed
  void* stream = nullptr;
};

/// What the key of a function is: the host's function, a kernel of a library, a function of a module.
enum class FunctionKind { kSymbol, kKernel, kFunction };

/// Those that change what is run.
void apply_attributes(const cuda::LaunchAttribute* attributes, unsigned count, remote::LaunchShape& shape);

class Recorder {
 public:
  /// Never destroyed: programs launch while they end.
  static Recorder& get();

  void add_image(const void* handle, const void* container);
  /// Of a library that is loaded by hand: the program may throw the bytes away.
  void add_loaded_image(const void* handle, const void* code);
  void add_function(const void* handle, const void* key, const char* name, FunctionKind kind);
  struct Variable {
    const void *image = nullptr, *key = nullptr;
    std::string name;
    std::size_t bytes = 0;
    bool constant = false, managed = false;
    std::uint64_t address = 0;  ///< if it is known
  };
  void add_variable(const Variable& variable);
  /// A handle that stands for a registered function.
  void add_alias(const void* handle, const void* key);
  void add_memory(const void* pointer, std::size_t bytes);
  void remove_memory(const void* pointer);
  void clear_memory();

  bool is_recording() const { return !folder_.empty(); }
  /// The arguments of a kernel by their pointers; none where it is not known.
  std::vector<std::vector<std::uint8_t>> copy_arguments(const void* key, void* const* arguments);
  /// Makes the launch; records it when it is asked for and can be. Returns what the launch returned.
  int record(const LaunchCall& call, const std::function<int()>& launch);

 private:
  struct Image {
    const void* container = nullptr;
    std::vector<std::uint8_t> copy;
    std::string file;  ///< once it is written
  };
  struct Function {
    const void* image = nullptr;
    std::string name;
    FunctionKind kind = FunctionKind::kSymbol;
  };
  Recorder();
  bool is_asked(std::uint64_t number) const;
  /// What is known of a kernel, and the driver's handle of it; nullptr, after a note, where nothing is.
  const Function* find_function(const void* key, void** handle);
  bool describe(const LaunchCall& call, RecordedLaunch& launch);
  bool read_memory(const DeviceCalls& device, const Function& function, RecordedLaunch& launch);
  static void read_again(const DeviceCalls& device, RecordedLaunch& launch);
  bool write_image(Image& image);
  void write(const RecordedLaunch& launch);

  std::recursive_mutex mutex_;
  std::string folder_, asked_;
  std::map<const void*, Image> images_;
  std::map<const void*, Function> functions_;
  std::map<const void*, const void*> aliases_;
  std::vector<Variable> variables_;
  std::map<std::uint64_t, std::size_t> memory_;
  std::uint64_t count_ = 0;
};

}  // namespace stc::capture
