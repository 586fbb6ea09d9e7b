// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sampling/line_touches.h"

#include <cstddef>

#include "models/isa/opcode_traits.h"
#include "models/memory/address_hash.h"
#include "models/sm/coalescer.h"

namespace stc::gpu {
namespace {

bool same_place(const LineTouch& a, const LineTouch& b) {
  return a.line == b.line && a.write == b.write && a.step == b.step;
}

}  // namespace

void add_touches(const isa::Instruction& instruction, const isa::ExecuteResult& result,
                 std::vector<LineTouch>& touches) {
  const bool copies = isa::traits_of(instruction.opcode).unit == isa::ExecutionUnit::kAsyncCopy;
  if (result.access_lanes == 0 || !(copies || result.space == isa::Space::kGlobal)) return;
  sm::LineList list;
  if (copies && result.rows_apart) {
    sm::coalesce_lines(result.copied_lines, list);
  } else {
    sm::coalesce(result.address.data(), result.access_lanes, result.bytes_per_lane, list);
  }
  for (int i = 0; i < list.count; ++i) {
    const sm::LineAccess& access = list.lines[static_cast<std::size_t>(i)];
    const bool whole = instruction.mem.whole_line();
    touches.push_back({access.line, 0, access.sectors, 0, result.role, result.is_write && !copies, whole});
  }
}

void merge(std::vector<LineTouch>& touches) {
  constexpr std::size_t kMost = std::size_t{1} << 18;
  std::size_t places = 256;  // a power of 2
  while (places < kMost && places < 2 * touches.size()) places *= 2;
  std::vector<std::uint32_t> last_at(places, ~0U);
  std::size_t kept = 0;
  for (const LineTouch& touch : touches) {
    std::uint32_t& last = last_at[memory::mix(touch.line) & (places - 1)];
    if (last < kept && same_place(touches[last], touch)) {
      touches[last].sectors |= touch.sectors;
      touches[last].partitions |= touch.partitions;
    } else {
      last = static_cast<std::uint32_t>(kept);
      touches[kept++] = touch;
    }
  }
  touches.resize(kept);
}

}  // namespace stc::gpu
