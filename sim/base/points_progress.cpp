// SPDX-License-Identifier: Apache-2.0
#include "sim/base/points_progress.h"

#include <fmt/format.h>

#include "sim/base/streams.h"

namespace stc::sim {

PointsProgress::PointsProgress(const std::string& study, std::size_t missing, double cost, std::size_t reused,
                               int workers)
    : work_("points", missing, cost), all_(missing) {
  say(fmt::format("{}: {} points to run on {} workers{}\n", study, all_, workers,
                  reused == 0 ? "" : fmt::format(", {} known from before", reused)));
}

void PointsProgress::finished(const std::string& point, double cost, bool failed, const std::string& outcome) {
  ++done_;
  work_.finished(cost, failed);
  if (work_.shown()) return;
  say(fmt::format("{}/{} {}: {}, about {} to go\n", done_, all_, point, outcome, work_.to_go()));
}

}  // namespace stc::sim
