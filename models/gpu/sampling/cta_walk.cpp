// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sampling/cta_walk.h"

#include "models/gpu/sampling/sampling_refused.h"
#include "models/sm/cta_slots.h"

namespace stc::gpu {

CtaWalk::CtaWalk(const sm::LaunchContext& launch) : launch_(launch) {
  cta_.grid = launch.grid;
  cta_.block = launch.block;
  cta_.shared.resize(launch.shared_bytes_per_cta);
  cta_.shared_role.resize((launch.shared_bytes_per_cta + 15) / 16);
  cta_.constant0 = launch.constant0;
  const std::uint64_t count = (launch.block.count() + isa::kWarpSize - 1) / isa::kWarpSize;
  warps_.assign(count, isa::WarpState(launch.kernel->registers));
  context_.kernel = launch.kernel;
  context_.memory = launch.memory;
  context_.numerics = launch.numerics;
  context_.values = isa::Values::kAddresses;
  context_.copies_take_time = true;
  context_.late = &never_made_;
  context_.unused = launch.unused;
  context_.takes_lines = true;
}

void CtaWalk::begin(std::uint64_t linear_index) {
  cta_.linear_index = linear_index;
  cta_.index = sm::index_in(launch_.grid, linear_index);
  for (int i = 0; i < warps(); ++i) isa::start_warp(warp(i), *launch_.kernel, cta_, i);
}

const isa::Instruction& CtaWalk::next(int index) const {
  const std::size_t at = warps_[static_cast<std::size_t>(index)].pc / isa::kInstructionBytes;
  if (at >= launch_.kernel->code.size()) throw SamplingRefused("a warp runs out of the kernel's code");
  return launch_.kernel->code[at];
}

const isa::ExecuteResult& CtaWalk::step(int index) {
  isa::execute(next(index), warp(index), context_, result_);
  never_made_.clear();
  return result_;
}

}  // namespace stc::gpu
