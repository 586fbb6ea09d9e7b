// SPDX-License-Identifier: Apache-2.0
// Executes a CTA for its way and its addresses alone: no clock, no matrix products, no writes of global memory. Its
// warps run one after the other, past barriers, so it is for kernels in which no warp's way depends on what another one
// wrote (DataFlow finds those).
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/sampling/address_slice.h"
#include "models/isa/values/execute.h"
#include "models/isa/values/late_access.h"
#include "models/sm/launch_context.h"

namespace stc::gpu {

class CtaWalk {
 public:
  explicit CtaWalk(const sm::LaunchContext& launch);

  /// All warps of CTA `linear_index` stand at the kernel's entry.
  void begin(std::uint64_t linear_index);
  int warps() const { return static_cast<int>(warps_.size()); }
  isa::WarpState& warp(int index) { return warps_[static_cast<std::size_t>(index)]; }
  const isa::Instruction& next(int index) const;
  /// Executes the next instruction of a warp. The result holds until the next call.
  const isa::ExecuteResult& step(int index);
  /// Goes by the next instructions of a warp that do nothing of what is asked for.
  void pass_by(int index, const AddressSlice& slice) {
    const std::size_t at = warp(index).pc / isa::kInstructionBytes;
    if (at < launch_.kernel->code.size())
      warp(index).pc = static_cast<std::uint32_t>(slice.next(at) * isa::kInstructionBytes);
  }

 private:
  const sm::LaunchContext& launch_;
  isa::CtaState cta_;
  std::vector<isa::WarpState> warps_;
  isa::ExecuteContext context_;
  isa::ExecuteResult result_;
  isa::LateAccesses never_made_;
};

/// Whether `instruction` has just sent the whole warp back to an earlier place.
inline bool went_back(const isa::Instruction& instruction, const isa::WarpState& warp, const isa::ExecuteResult& done) {
  return done.branched && warp.pc <= instruction.address;
}

}  // namespace stc::gpu
