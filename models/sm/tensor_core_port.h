// SPDX-License-Identifier: Apache-2.0
// Models:   a sub-core's way to its tensor core when that computes in steps: operands out of the warp's registers, D
//           back into them when it is complete.
// Evidence: see models/tensor_core/tensor_core.h.
// Abstracts: operands are read at issue, all at once.
// Timing:   D is in the registers before the first cycle after the instruction's latency. Who uses its registers sooner
//           and may (a store reads its data a cycle after issue) finds it settled.
#pragma once

#include <vector>

#include "models/arith/numerics.h"
#include "models/sm/warp_context.h"
#include "models/tensor_core/tensor_core.h"

namespace stc::sm {

class TensorCorePort {
 public:
  TensorCorePort(const char* name, const tensor_core::TensorCoreParams& params);

  /// Starts a matrix instruction of `warp`, whose D fills `results`, in the current cycle.
  void issue(WarpContext& warp, const isa::Instruction& instruction, const RegisterSet& results,
             const arith::Numerics& numerics);
  /// Brings D of `warp`'s instructions that lie in `registers` into them now.
  void settle(const WarpContext& warp, const RegisterSet& registers);
  void reset();

 private:
  struct Pending {
    std::uint64_t tag = 0;
    WarpContext* warp = nullptr;
    std::uint32_t generation = 0;  ///< the warp slot's tenant that issued it
    const isa::Instruction* instruction = nullptr;
    RegisterSet results;
    tensor_core::MmaRequest request;
    bool settled = false;
  };

  void write_back(std::uint64_t tag, const std::vector<std::uint32_t>& d);

  tensor_core::TensorCore unit_;
  std::vector<Pending> pending_;
  std::uint64_t issued_ = 0;
};

}  // namespace stc::sm
