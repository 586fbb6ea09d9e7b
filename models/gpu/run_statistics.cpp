// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/run_statistics.h"

#include <algorithm>
#include <tuple>

namespace stc::gpu {

int most_resident(const std::vector<CtaRecord>& ctas) {
  // Arrivals and departures in order of SM and time; one that leaves in a cycle makes room for one that comes in it.
  std::vector<std::tuple<int, std::uint64_t, int>> changes;
  changes.reserve(2 * ctas.size());
  for (const CtaRecord& cta : ctas) {
    changes.emplace_back(cta.sm, cta.start, 1);
    changes.emplace_back(cta.sm, cta.end, -1);
  }
  std::sort(changes.begin(), changes.end());
  int resident = 0, most = 0;
  for (const auto& change : changes) {
    resident += std::get<2>(change);
    most = std::max(most, resident);
  }
  return most;
}

}  // namespace stc::gpu
