// SPDX-License-Identifier: Apache-2.0
#include "models/sm/execution_unit.h"

#include <algorithm>

#include "models/isa/values/fault.h"
#include "models/isa/values/special_register.h"

namespace stc::sm {

void ExecutionUnit::begin_launch(const LaunchContext* launch, std::size_t ctas, std::size_t warps_per_cta) {
  launch_ = launch;
  dependences_.clear();
  if (launch->dependences != nullptr) {
    dependences_.resize(ctas, {*launch->dependences, launch->checked, warps_per_cta, launch->shared_bytes_per_cta});
  }
  context_ = {};
  context_.kernel = launch->kernel;
  context_.memory = launch->memory;
  context_.heap = launch->heap;
  context_.output = launch->output;
  context_.numerics = launch->numerics;
  context_.values = launch->values;
  context_.unused = launch->unused;
  const auto tells_time = [](const isa::Instruction& one) {
    return one.opcode == isa::Opcode::kNanosleep || isa::tells_place_or_time(one.mod.special_register);
  };
  tells_time_ = std::any_of(launch->kernel->code.begin(), launch->kernel->code.end(), tells_time);
  context_.sm_id = sm_;
  context_.poison = launch->poison;
  context_.unset_symbols = launch->unset_symbols;
  context_.copies_take_time = true;
  context_.takes_lines = launch->dependences == nullptr;
  late_.clear();
  context_.late = &late_;
  context_.stored = launch->stored;
  loads_.clear();
  if (launch->stored != nullptr) context_.loads = &loads_;
}

void ExecutionUnit::begin_cta(int slot) {
  if (launch_->dependences != nullptr) dependences_[static_cast<std::size_t>(slot)].begin();
}

const isa::ExecuteResult& ExecutionUnit::execute(WarpContext& warp, const isa::Instruction& instruction,
                                                 const IssueInfo& info, TensorCorePort* tensor_core, Cycle now) {
  const Cycle cycle = now - launch_->start_cycle;
  if (cycle != context_.cycle) {
    context_.cycle = cycle;
    if (tells_time_)
      context_.global_timer_ns = static_cast<std::uint64_t>(static_cast<double>(cycle) * 1e3 / launch_->clock_mhz);
  }
  context_.warp_slot = warp.slot;
  if (warp.matrix_results.overlap(info.registers, now)) use_matrix_result(warp, instruction, info, tensor_core, now);
  const isa::LaneMask active = warp.state.active;
  compute(warp, instruction, info, tensor_core);
  if (launch_->dependences != nullptr) check_dependences(warp, instruction, active);
  return result_;
}

void ExecutionUnit::compute(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
                            TensorCorePort* tensor_core) {
  if (!launch_->tensor_core_steps) {
    isa::execute(instruction, warp.state, context_, result_);
    return;
  }
  // The tensor core computes its instructions itself, in its own time.
  context_.values = info.is_tensor ? isa::Values::kAddresses : launch_->values;
  isa::execute(instruction, warp.state, context_, result_);
  if (info.is_tensor && result_.lanes != 0) tensor_core->issue(warp, instruction, info.results, *launch_->numerics);
}

/// A matrix instruction's registers are used before it is complete: too early, or by somebody who reads them late.
void ExecutionUnit::use_matrix_result(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
                                      TensorCorePort* tensor_core, Cycle now) {
  const auto early = warp.matrix_results.early_use(instruction, now);
  if (early) fault(warp, instruction, describe(*early, *launch_->kernel));
  if (launch_->tensor_core_steps) tensor_core->settle(warp, info.registers);
}

void ExecutionUnit::check_dependences(const WarpContext& warp, const isa::Instruction& instruction,
                                      isa::LaneMask active) {
  const std::string broken = dependences_[static_cast<std::size_t>(warp.cta_slot)].executed(
      warp.state, instruction.address / isa::kInstructionBytes, active, result_);
  if (!broken.empty()) fault(warp, instruction, broken);
}

void ExecutionUnit::fault(const WarpContext& warp, const isa::Instruction& instruction, const std::string& what) const {
  isa::throw_fault(instruction, warp.state, context_, -1, what);
}

}  // namespace stc::sm
