// SPDX-License-Identifier: Apache-2.0
// Runs a kernel for its values alone: warps in turn, no clock. What the timing model computes must agree with it. Every
// warp's control codes are checked: a dependence that they do not keep is a fault.
#pragma once

#include <cstdint>
#include <vector>

#include "models/dependence/warp_dependences.h"
#include "models/gpu/gpu_params.h"
#include "models/isa/values/execute.h"

namespace stc::functional {

struct Launch {
  isa::Dim3 grid;
  isa::Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::uint8_t> parameters;
  std::uint64_t grid_workspace = 0;
  isa::DeviceHeap* heap = nullptr;
  isa::DeviceOutput* output = nullptr;
  std::vector<dependence::DependenceObserver*> observers;  ///< of the first CTA's warps
};

/// Packs arguments as the compiler lays them out: each aligned to its size.
class Arguments {
 public:
  template <class T>
  Arguments& add(T value) {
    while (bytes_.size() % sizeof(T) != 0) bytes_.push_back(0);
    const auto* p = reinterpret_cast<const std::uint8_t*>(&value);
    bytes_.insert(bytes_.end(), p, p + sizeof(T));
    return *this;
  }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Executes all CTAs one after the other and returns the number of warp instructions. Throws isa::SimulatedFault, also
/// when the warps of a CTA wait for each other at barriers. `slice` is the number of instructions that a warp runs
/// before the next one gets its turn; a correct kernel's results do not depend on it.
std::uint64_t run_kernel(const isa::Kernel& kernel, const Launch& launch, isa::GlobalMemory& memory,
                         const gpu::GpuParams& gpu, isa::Values values = isa::Values::kFull, int slice = 200);

}  // namespace stc::functional
