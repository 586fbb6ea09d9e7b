// SPDX-License-Identifier: Apache-2.0
// Models:   a sub-core's way to its tensor core when that computes in steps: operands out of the warp's registers, D
//           back into them when it is complete. It drives the unit's clock, which rests while the unit is empty.
// Evidence: see models/tensor_core/tensor_core.h.
// Abstracts: operands are read at issue, all at once.
// Timing:   the clock rises in the middle of a cycle, when its SM has acted: an instruction enters in the cycle in
//           which it is issued. D is in the registers before the first cycle after the instruction's latency. Who uses
//           its registers sooner and may (a store reads its data a cycle after issue) finds it settled.
#pragma once

#include <exception>
#include <functional>
#include <systemc>
#include <vector>

#include "models/sm/warp_context.h"
#include "models/tensor_core/tensor_core.h"

namespace stc::sm {

class TensorCorePort : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(TensorCorePort);
  TensorCorePort(sc_core::sc_module_name name, const tensor_core::TensorCoreParams& params,
                 const arith::Numerics& numerics);

  /// Called when the unit cannot compute an instruction; the simulation is to stop.
  std::function<void(std::exception_ptr)> on_fault;

  /// Starts a matrix instruction of `warp`, whose D fills `results`, in the current cycle.
  void issue(WarpContext& warp, const isa::Instruction& instruction, const RegisterSet& results,
             const arith::Numerics& numerics);
  /// Brings D of `warp`'s instructions that lie in `registers` into them now.
  void settle(const WarpContext& warp, const RegisterSet& registers);
  /// Between launches, when the unit is empty.
  void reset() { pending_.clear(); }

 private:
  struct Pending {
    WarpContext* warp = nullptr;
    std::uint32_t generation = 0;  ///< the warp slot's tenant that issued it
    const isa::Instruction* instruction = nullptr;
    RegisterSet results;
    tensor_core::MmaRequest request;
    const arith::Numerics* numerics = nullptr;
    bool settled = false;
  };

  void drive_clock();
  void take(const tensor_core::MmaResult& result);

  sc_core::sc_signal<bool> clock_;
  sc_core::sc_signal<tensor_core::MmaRequest> request_;
  sc_core::sc_signal<bool> ready_;
  sc_core::sc_signal<tensor_core::MmaResults> result_;
  tensor_core::TensorCore unit_;
  sc_core::sc_event edge_;
  tensor_core::MmaRequest offered_;  ///< enters at the next rising edge
  std::vector<Pending> pending_;
  std::uint64_t issued_ = 0;
};

}  // namespace stc::sm
