// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sampling/line_touches.h"

#include <algorithm>
#include <tuple>

#include "models/isa/opcode_traits.h"
#include "models/sm/coalescer.h"

namespace stc::gpu {
namespace {

auto place_of(const LineTouch& touch) { return std::tie(touch.write, touch.line, touch.step); }

}  // namespace

void add_touches(const isa::Instruction& instruction, const isa::ExecuteResult& result,
                 std::vector<LineTouch>& touches) {
  const bool copies = isa::traits_of(instruction.opcode).unit == isa::ExecutionUnit::kAsyncCopy;
  if (result.access_lanes == 0 || !(copies || result.space == isa::Space::kGlobal)) return;
  sm::LineList list;
  sm::coalesce(result.address.data(), result.access_lanes, result.bytes_per_lane, list);
  for (int i = 0; i < list.count; ++i) {
    const sm::LineAccess& access = list.lines[static_cast<std::size_t>(i)];
    const bool whole = instruction.mem.whole_line();
    touches.push_back({access.line, 0, access.sectors, 0, result.role, result.is_write && !copies, whole});
  }
}

void merge(std::vector<LineTouch>& touches) {
  std::sort(touches.begin(), touches.end(),
            [](const LineTouch& a, const LineTouch& b) { return place_of(a) < place_of(b); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < touches.size(); ++i) {
    if (kept != 0 && place_of(touches[kept - 1]) == place_of(touches[i])) {
      touches[kept - 1].sectors |= touches[i].sectors;
      touches[kept - 1].partitions |= touches[i].partitions;
    } else {
      touches[kept++] = touches[i];
    }
  }
  touches.resize(kept);
}

}  // namespace stc::gpu
