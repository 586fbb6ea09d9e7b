// SPDX-License-Identifier: Apache-2.0
// Models:   what the instructions of an SM compute, and what the order in which they are issued may not break.
// Evidence: models/isa; models/dependence.
// Abstracts: operands are read and results written at issue, but for those of a tensor core that computes in steps, and
//           for stores and atomics of global memory, which are made at the end of the cycle.
// Timing:   none here: it tells what was done, and others what that takes.
#pragma once

#include <string>
#include <vector>

#include "models/dependence/cta_dependences.h"
#include "models/isa/values/execute.h"
#include "models/isa/values/late_access.h"
#include "models/isa/values/load_log.h"
#include "models/sm/launch_context.h"
#include "models/sm/tensor_core_port.h"
#include "models/sm/warp_context.h"

namespace stc::sm {

class ExecutionUnit {
 public:
  explicit ExecutionUnit(int sm) : sm_(sm) {}

  /// For a launch of which `ctas` CTAs of `warps_per_cta` warps are here at once.
  void begin_launch(const LaunchContext* launch, std::size_t ctas, std::size_t warps_per_cta);
  /// A CTA begins in place `slot`.
  void begin_cta(int slot);
  /// Executes the next instruction of `warp`. Throws isa::SimulatedFault for a fault of the program. `tensor_core`:
  /// null unless it computes in steps. The result holds until the next call.
  const isa::ExecuteResult& execute(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
                                    TensorCorePort* tensor_core, Cycle now);
  /// Whether in cycle `now`, the last, something of global memory was left for the end of the cycle: stores and atomics
  /// that are to be made, loads that may have to be made again.
  bool leaves_work(Cycle now) const {
    const std::uint64_t cycle = now - launch_->start_cycle;
    return (!late_.empty() && late_.last_cycle() == cycle) || (!loads_.empty() && loads_.last_cycle() == cycle);
  }
  /// Makes stores and atomics of `cycle`; returns whether an atomic has changed memory.
  bool make_writes(Cycle cycle) { return isa::make_late_accesses(context_, cycle - launch_->start_cycle); }
  /// Loads again what was loaded in `cycle` and somebody may have stored to since.
  void repeat_loads(Cycle cycle) {
    if (context_.loads != nullptr) isa::repeat_loads(context_, cycle - launch_->start_cycle);
  }
  /// Of the last instruction.
  const isa::ExecuteContext& context() const { return context_; }
  /// Ends the launch: the instruction of `warp` does what it must not.
  [[noreturn]] void fault(const WarpContext& warp, const isa::Instruction& instruction, const std::string& what) const;

 private:
  void compute(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
               TensorCorePort* tensor_core);
  void use_matrix_result(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
                         TensorCorePort* tensor_core, Cycle now);
  void check_dependences(const WarpContext& warp, const isa::Instruction& instruction, isa::LaneMask active);

  const int sm_;
  const LaunchContext* launch_ = nullptr;
  isa::ExecuteContext context_;
  isa::ExecuteResult result_;
  isa::LateAccesses late_;
  isa::LoadLog loads_;
  bool tells_time_ = false;                              // the kernel reads the global timer or sleeps by it
  std::vector<dependence::CtaDependences> dependences_;  // by place of a CTA, if they are checked
};

}  // namespace stc::sm
