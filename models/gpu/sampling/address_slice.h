// SPDX-License-Identifier: Apache-2.0
// Which instructions of a kernel decide the way of its warps and the lines of global memory that they touch. A walk
// that asks for nothing else can pass by the others: of a GEMM that is most of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/gpu/sampling/data_flow.h"
#include "models/isa/state/kernel.h"

namespace stc::gpu {

class AddressSlice {
 public:
  explicit AddressSlice(const isa::Kernel& kernel);
  /// The first that it holds from `instruction` on; without it, the number of all.
  std::size_t next(std::size_t instruction) const { return next_[instruction]; }

 private:
  std::vector<std::uint32_t> next_;
};

}  // namespace stc::gpu
