// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/sweep_progress.h"

#include <fmt/format.h>

#include "sim/base/streams.h"
#include "sim/base/text.h"
#include "sim/base/work_off.h"

namespace stc::sim {

SweepProgress::SweepProgress(const SweepPlan& plan, const std::deque<std::size_t>& missing, std::size_t reused,
                             int workers)
    : plan_(plan), work_("points", missing.size(), cost_of(plan.points, missing)), all_(missing.size()) {
  say(fmt::format("{}: {} points to run on {} workers{}\n", plan.sweep.file, all_, workers,
                  reused == 0 ? "" : fmt::format(", {} known from before", reused)));
}

void SweepProgress::finished(std::size_t point, const PointResult& result) {
  ++done_;
  work_.finished(plan_.points[point].cost, !result.ok());
  if (work_.shown()) return;
  const std::string outcome =
      result.ok() ? fmt::format("{} cycles", grouped(result.cycles)) : fmt::format("failed: {}", result.failure);
  say(fmt::format("{}/{} {}: {}, about {} to go\n", done_, all_, plan_.points[point].name, outcome, work_.to_go()));
}

}  // namespace stc::sim
