// SPDX-License-Identifier: Apache-2.0
#include "validation/functional/functional_runner.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "models/core/architecture.h"
#include "models/dependence/cta_dependences.h"
#include "models/isa/state/address_space.h"
#include "models/isa/values/fault.h"
#include "models/sm/issue_info.h"

namespace stc::functional {
namespace {

/// One CTA: its warps and the barriers they wait at.
class CtaRun {
 public:
  CtaRun(const dependence::KernelUses& uses, isa::CtaState& cta, isa::ExecuteContext& context,
         const std::vector<dependence::DependenceObserver*>& observers)
      : kernel_(uses.kernel),
        cta_(cta),
        context_(context),
        dependences_(uses, dependence::Checked::kAll, (cta.block.count() + isa::kWarpSize - 1) / isa::kWarpSize,
                     cta.shared.size()) {
    const auto threads = static_cast<int>(cta.block.count());
    const int count = (threads + isa::kWarpSize - 1) / isa::kWarpSize;
    for (int i = 0; i < count; ++i) {
      warps_.emplace_back(kernel_.registers);
      isa::start_warp(warps_.back(), kernel_, cta, i);
    }
    waits_.resize(warps_.size());
    for (std::size_t i = 0; cta.linear_index == 0 && i < observers.size(); ++i) dependences_.observe(i, observers[i]);
  }

  std::uint64_t run(int slice) {
    while (std::any_of(warps_.begin(), warps_.end(), [](const isa::WarpState& w) { return !w.exited(); })) {
      bool progress = false;
      for (std::size_t i = 0; i < warps_.size(); ++i) {
        if (!warps_[i].exited() && !waits_[i]) progress = run_warp(i, slice) || progress;
      }
      progress = open_barriers() || progress;
      if (!progress) throw isa::SimulatedFault("kernel '" + kernel_.name + "': every warp waits at a barrier");
    }
    return instructions_;
  }

 private:
  bool run_warp(std::size_t index, int slice) {
    isa::WarpState& warp = warps_[index];
    isa::ExecuteResult result;
    for (int n = 0; n < slice; ++n) {
      const std::size_t at = warp.pc / isa::kInstructionBytes;
      if (at >= kernel_.code.size()) {
        throw isa::SimulatedFault("kernel '" + kernel_.name + "': program counter beyond the code");
      }
      context_.cycle = ++instructions_;
      const isa::LaneMask active = warp.active;
      isa::execute(kernel_.code[at], warp, context_, result);
      const std::string broken = dependences_.executed(warp, static_cast<std::uint32_t>(at), active, result);
      if (!broken.empty()) isa::throw_fault(kernel_.code[at], warp, context_, -1, broken);
      if (result.exited) return true;
      if (!result.barrier) continue;
      arrived_[result.barrier_id] += isa::kWarpSize;
      needed_[result.barrier_id] = result.barrier_threads;
      if (!result.barrier_arrive_only) {
        waits_[index] = result.barrier_id;
        return true;
      }
    }
    return true;
  }

  bool open_barriers() {
    std::uint32_t live = 0;
    for (const isa::WarpState& w : warps_) live += w.exited() ? 0 : isa::kWarpSize;
    bool opened = false;
    for (std::size_t id = 0; id < arrived_.size(); ++id) {
      const std::uint32_t needed = needed_[id] == 0 ? live : needed_[id];
      if (arrived_[id] == 0 || arrived_[id] < needed) continue;
      arrived_[id] = 0;
      for (auto& wait : waits_) {
        if (wait == id) wait.reset();
      }
      opened = true;
    }
    return opened;
  }

  const isa::Kernel& kernel_;
  isa::CtaState& cta_;
  isa::ExecuteContext& context_;
  dependence::CtaDependences dependences_;
  std::vector<isa::WarpState> warps_;
  std::vector<std::optional<std::size_t>> waits_;  // barrier that a warp waits at
  std::array<std::uint32_t, 16> arrived_{};        // threads
  std::array<std::uint32_t, 16> needed_{};
  std::uint64_t instructions_ = 0;
};

}  // namespace

std::uint64_t run_kernel(const isa::Kernel& kernel, const Launch& launch, isa::GlobalMemory& memory,
                         const gpu::GpuParams& gpu, isa::Values values, int slice) {
  isa::ExecuteContext context;
  context.kernel = &kernel;
  context.memory = &memory;
  context.numerics = &gpu.numerics;
  context.values = values;
  context.heap = launch.heap;
  context.output = launch.output;
  const auto reserved = static_cast<std::uint32_t>(gpu.sm.occupancy.reserved_shared_bytes);
  const isa::LaunchFacts facts{static_cast<std::uint32_t>(gpu.sms), reserved, launch.grid_workspace,
                               isa::copy_parameters(kernel, memory, launch.parameters)};
  const std::vector<std::uint8_t> constants =
      isa::launch_constants(kernel, facts, launch.grid, launch.block, launch.parameters, launch.dynamic_shared_bytes);
  const std::size_t shared = std::size_t{reserved} + kernel.static_shared_bytes + launch.dynamic_shared_bytes;
  const auto latency = [&](const isa::MmaOp& op) { return tensor_core::mma_timing(op, gpu.sm.tensor_core).latency; };
  const dependence::KernelUses uses(kernel, latency, sm::issue_cycles(gpu.sm.issue));
  std::uint64_t instructions = 0;
  for (std::uint64_t linear = 0; linear < launch.grid.count(); ++linear) {
    isa::CtaState cta;
    cta.grid = launch.grid;
    cta.block = launch.block;
    cta.linear_index = linear;
    cta.index.x = static_cast<std::uint32_t>(linear % launch.grid.x);
    cta.index.y = static_cast<std::uint32_t>(linear / launch.grid.x % launch.grid.y);
    cta.index.z = static_cast<std::uint32_t>(linear / launch.grid.x / launch.grid.y);
    cta.shared.resize(shared);
    cta.shared_role.resize((shared + 15) / 16);
    cta.constant0 = constants;
    instructions += CtaRun(uses, cta, context, launch.observers).run(slice);
  }
  return instructions;
}

}  // namespace stc::functional
