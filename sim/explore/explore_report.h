// SPDX-License-Identifier: Apache-2.0
// What a sweep found out: for every case its best tile, its speedup over dense on the same GPU, and why it is no more.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/tensor_core/selector_area.h"
#include "sim/explore/explore_run.h"
#include "sim/formats/weight_quality.h"

namespace stc::sim {

/// What keeps a case from being faster.
struct Limit {
  std::string by;      ///< multipliers, operand feed, shared memory, L2, DRAM, issue, latency, launch, failed
  std::string reason;  ///< one sentence with numbers
};

struct CaseReport {
  std::size_t of_case = 0;
  std::size_t best = 0;             ///< point with the fewest cycles; of equals the first
  std::vector<std::size_t> points;  ///< all tiles
  bool ok = false;                  ///< at least one tile ran
  double time_us = 0;               ///< with launch overhead
  double tflops = 0;                ///< 2mnk of the layer, without padding, over time_us
  double ideal = 1;                 ///< M/N
  double speedup = 0;               ///< cycles of dense over cycles; each the best of its tiles. 0: not known
  double tensor_ceiling = 0;        ///< the same if matrix instructions issued back to back all the time
  Limit limit;
  tensor_core::MmaTiming timing;
  isa::MmaOp op;
  tensor_core::SelectorCost selector;
  std::optional<tensor_core::SelectorArea> area;  ///< by synthesis
  double relative_size = 0;      ///< of the selection network, 2:4 is 1: area where both were synthesised, else gates
  double metadata_overhead = 0;  ///< index bits over value bits
  KeptShare kept;                ///< of the sweep's weights
  bool pareto = false;  ///< no other case of its GPU, shape and type is as good in speed, kept magnitude and size, and
                        ///< better in one
};

struct ExploreReport {
  const SweepPlan* plan = nullptr;
  const SweepResults* results = nullptr;
  std::string weights;            ///< source of the weights
  std::vector<CaseReport> cases;  ///< in the order of Sweep::cases

  const SweepCase& question(const CaseReport& report) const { return plan->sweep.cases[report.of_case]; }
  const SweepPoint& point(const CaseReport& report) const { return plan->points[report.best]; }
  const PointResult& result(const CaseReport& report) const { return results->points[report.best]; }
  std::size_t failures() const;
};

/// Kept magnitude and energy by pattern name.
using QualityTable = std::map<std::string, KeptShare>;
QualityTable pattern_quality(const Sweep& sweep, std::string& source);

ExploreReport make_explore_report(const SweepPlan& plan, const SweepResults& results, const QualityTable& quality,
                                  const std::string& weights);

/// Table for the terminal.
std::string explore_table(const ExploreReport& report);
/// One line per case; one line per point; simulation times (the only figures that differ from run to run).
std::string cases_csv(const ExploreReport& report);
std::string points_csv(const ExploreReport& report);
std::string times_csv(const ExploreReport& report);
nlohmann::ordered_json explore_json(const ExploreReport& report);
std::string explore_html(const ExploreReport& report);

}  // namespace stc::sim
