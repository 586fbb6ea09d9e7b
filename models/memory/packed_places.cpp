// SPDX-License-Identifier: Apache-2.0
#include "models/memory/packed_places.h"

#include <algorithm>

#include "models/isa/state/global_memory.h"
#include "models/memory/line_request.h"

namespace stc::memory {
namespace {

constexpr std::uint64_t kSmall = 1U << 20U;  // larger ones get pages of their own
constexpr std::uint64_t kGranuleLines = 512 / kLineBytes;

}  // namespace

void PackedPlaces::lay_out(const isa::GlobalMemory* values) {
  buffers_.clear();
  first_ = end_ = 0;
  if (values == nullptr) return;
  std::uint64_t place = 0;
  for (const isa::Allocation& allocation : values->allocations()) {
    if (allocation.bytes == 0 || allocation.bytes >= kSmall) continue;
    const std::uint64_t lines = (allocation.bytes + kLineBytes - 1) / kLineBytes;
    const std::uint64_t first = allocation.address / kLineBytes;
    buffers_.push_back({first, first + lines, place});
    if (first_ == end_) first_ = first;
    end_ = first + lines;
    place += (lines + kGranuleLines - 1) / kGranuleLines * kGranuleLines;
  }
}

std::uint64_t PackedPlaces::search(std::uint64_t line) const {
  const auto after = std::upper_bound(buffers_.begin(), buffers_.end(), line,
                                      [](std::uint64_t value, const Buffer& buffer) { return value < buffer.first; });
  if (after == buffers_.begin() || line >= (after - 1)->end) return line;
  return (after - 1)->place + line - (after - 1)->first;
}

}  // namespace stc::memory
