// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/generic_pointer.h"

#include "models/isa/state/address_space.h"

namespace stc::isa {
namespace {

const std::uint8_t* within(const std::vector<std::uint8_t>& memory, std::uint64_t offset, std::size_t bytes) {
  return offset <= memory.size() && bytes <= memory.size() - offset ? memory.data() + offset : nullptr;
}

}  // namespace

const std::uint8_t* generic_pointer(const Execution& x, int lane, std::uint64_t address, std::size_t bytes) {
  constexpr std::uint64_t kOffset = 0xffffffffULL;
  if ((address & ~kOffset) == kSharedWindow) {
    const auto place = static_cast<std::uint32_t>(address);
    const CtaState* cta = x.warp.cta;
    if (rank_of(place) != cta->cluster_rank) {
      const CtaCluster* const cluster = cta->cluster;
      cta = cluster != nullptr && rank_of(place) < cluster->size() ? (*cluster)[rank_of(place)] : nullptr;
    }
    return cta != nullptr ? within(cta->shared, offset_in_cta(place), bytes) : nullptr;
  }
  if ((address & ~kOffset) != kLocalWindow) return x.context.memory->translate(address, bytes);
  if (x.warp.local.empty()) return nullptr;  // the thread has not written any
  return within(x.warp.local[static_cast<std::size_t>(lane)], address & kOffset, bytes);
}

std::optional<std::string> generic_text(const Execution& x, int lane, std::uint64_t address) {
  std::string text;
  for (;; ++address) {
    const std::uint8_t* const character = generic_pointer(x, lane, address, 1);
    if (character == nullptr) return std::nullopt;
    if (*character == 0) return text;
    text.push_back(static_cast<char>(*character));
  }
}

}  // namespace stc::isa
