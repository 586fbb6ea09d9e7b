// SPDX-License-Identifier: Apache-2.0
// A cubin of validation/functional/cubins, one of its kernels, buffers and a launch; for both architectures.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "traces/cubin/cubin.h"
#include "validation/functional/functional_runner.h"
#include "validation/gpus.h"

namespace stc::functional {

class KernelFixture : public ::testing::TestWithParam<int> {  // parameter: sm version
 protected:
  isa::Kernel load(const std::string& module, const std::string& kernel) {
    const std::string path = "validation/functional/cubins/sm_" + std::to_string(GetParam()) + "/" + module + ".cubin";
    isa::Kernel loaded = cubin::open_cubin(path).decode(kernel);
    isa::place_variables(loaded, memory_);
    return loaded;
  }

  template <class T>
  std::uint64_t upload(const std::string& name, const std::vector<T>& values) {
    isa::Allocation& buffer = memory_.allocate(name, values.size() * sizeof(T));
    std::memcpy(buffer.data.data(), values.data(), buffer.bytes);
    return buffer.address;
  }
  std::uint64_t reserve(const std::string& name, std::size_t bytes) { return memory_.allocate(name, bytes).address; }

  template <class T>
  std::vector<T> download(const std::string& name) {
    const isa::Allocation& buffer = *memory_.find(name);
    std::vector<T> values(buffer.bytes / sizeof(T));
    std::memcpy(values.data(), buffer.data.data(), values.size() * sizeof(T));
    return values;
  }

  std::uint64_t run(const isa::Kernel& kernel, isa::Dim3 grid, isa::Dim3 block, const Arguments& arguments,
                    std::uint32_t dynamic_shared_bytes = 0, int slice = 200) {
    Launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.dynamic_shared_bytes = dynamic_shared_bytes;
    launch.parameters = arguments.bytes();
    launch.grid_workspace = grid_workspace_;
    launch.output = &output_;
    if (!heap_) heap_.emplace(memory_, isa::DeviceHeap::kDefaultBytes);
    launch.heap = &*heap_;
    return run_kernel(kernel, launch, memory_, validation::gpu_of(kernel.sm_version), isa::Values::kFull, slice);
  }

  isa::GlobalMemory memory_;
  std::optional<isa::DeviceHeap> heap_;
  isa::DeviceOutput output_;
  std::uint64_t grid_workspace_ = 0;
};

}  // namespace stc::functional
