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

#include "validation/gpu/capture/recorded.h"

namespace stc::capture {

struct LaunchCall {
  const void* key = nullptr;  ///< the host's function, or a handle
  remote::LaunchShape shape{};
  void** arguments = nullptr;
  void* stream = nullptr;
};

class Recorder {
 public:
  /// Never destroyed: programs launch while they end.
  static Recorder& get();

  void add_image(const void* handle, const void* container);
  /// Of a library that is loaded by hand: the program may throw the bytes away.
  void add_loaded_image(const void* handle, const void* code);
  void add_function(const void* handle, const void* key, const char* name, bool is_handle);
  struct Variable {
    const void *image = nullptr, *key = nullptr;
    std::string name;
    std::size_t bytes = 0;
    bool constant = false, managed = false;
  };
  void add_variable(const Variable& variable);
  /// A handle that stands for a registered function.
  void add_alias(const void* handle, const void* key);
  void add_memory(const void* pointer, std::size_t bytes);
  void remove_memory(const void* pointer);
  void clear_memory();

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
    bool is_handle = false;  ///< its key is a kernel of a library
  };
  Recorder();
  bool is_asked(std::uint64_t number) const;
  bool describe(const LaunchCall& call, RecordedLaunch& launch);
  bool read_memory(const Function& function, RecordedLaunch& launch);
  void read_again(RecordedLaunch& launch);
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
