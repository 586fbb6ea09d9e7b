// SPDX-License-Identifier: Apache-2.0
// Which instructions of a kernel decide the way of its warps and the lines of global memory that they touch. A walk
// that asks for nothing else can pass by the others: of a GEMM that is most of them.
#pragma once

#include <cstddef>
#include <vector>

#include "models/gpu/sampling/data_flow.h"
#include "models/isa/state/kernel.h"

namespace stc::gpu {

class AddressSlice {
 public:
  explicit AddressSlice(const isa::Kernel& kernel);
  bool holds(std::size_t instruction) const { return held_[instruction]; }

 private:
  std::vector<bool> held_;
};

}  // namespace stc::gpu
