// SPDX-License-Identifier: Apache-2.0
#include "models/dependence/cta_dependences.h"

#include "models/isa/text/listing.h"

namespace stc::dependence {

void CtaDependences::begin() {
  warps_.assign(warps_.size(), WarpDependences());
  copies_ = CopyLanding(warps_.size(), shared_bytes_);
}

std::string CtaDependences::executed(const isa::WarpState& warp, std::uint32_t index, isa::LaneMask active,
                                     const isa::ExecuteResult& result) {
  const auto number = static_cast<std::size_t>(warp.index_in_cta);
  WarpDependences& own = warps_[number];
  const auto broken = own.issued(*kernel_, index, active, result.lanes, result.branched);
  if (broken && checked_ == Checked::kAll) return describe(*broken, kernel_->kernel);
  const isa::Instruction& instruction = kernel_->kernel.code[index];
  const auto early = copies_.executed(number, instruction, index, warp, result, own.time());
  return early ? isa::listing_text(instruction) + " " + describe(*early, kernel_->kernel) : "";
}

}  // namespace stc::dependence
