// SPDX-License-Identifier: Apache-2.0
// What a study found out: for every GPU, shape and element type who is fastest at which sparsity, and where one becomes
// faster than another.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/crossover/study_run.h"

namespace stc::sim {

/// The best of a case's kernels.
struct Answer {
  std::size_t of_case = 0;
  std::size_t best = 0;   ///< point with the fewest elapsed cycles; of equals the first
  bool ok = false;        ///< at least one kernel ran, and none was wrong
  double time_us = 0;     ///< with launch overhead
  double tflops = 0;      ///< dense-equivalent: 2mnk of the shape over time_us
  double speedup = 0;     ///< elapsed cycles of the dense contender over its own; 0: not known
  double against_24 = 0;  ///< the same over the 2:4 contender
};

/// Where a contender overtakes a rival, as a share of zeros. Between two densities that were run, the logarithm of the
/// speedup is taken to be linear.
struct BreakEven {
  enum class Where : std::uint8_t { kUnknown, kBelow, kAt, kBeyond };
  Where where = Where::kUnknown;  ///< below or beyond all that was run: `sparsity` is the outermost one
  double sparsity = 0;

  std::string text() const;  ///< "81.3 %", "< 50 %", "> 99 %", "-"
};
/// `speedups`: sparsity and speedup, ascending in sparsity.
BreakEven break_even(const std::vector<std::pair<double, double>>& speedups);

/// Contenders of one element type on one GPU and shape.
struct Contest {
  std::size_t gpu = 0, shape = 0;
  std::string element;
  std::vector<Answer> answers;       ///< in the order of the plan
  std::optional<std::size_t> dense;  ///< index into `answers`
  std::optional<std::size_t> structured;
  std::vector<double> densities;                    ///< descending
  std::vector<std::optional<std::size_t>> winners;  ///< for each density, index into `answers`

  struct Overtakes {
    std::size_t contender = 0;
    BreakEven dense, structured;
  };
  std::vector<Overtakes> overtakes;  ///< each unstructured contender
};

/// Medians over the shapes of a GPU.
struct Median {
  std::size_t gpu = 0, contender = 0;
  std::vector<std::pair<double, double>> speedups;  ///< sparsity, median speedup over dense; ascending in sparsity
  std::size_t shapes = 0;
  BreakEven dense;
};

struct CrossoverReport {
  const StudyPlan* plan = nullptr;
  const StudyResults* results = nullptr;
  std::vector<Contest> contests;
  std::vector<Median> medians;

  const StudyCase& question(const Answer& answer) const { return plan->cases[answer.of_case]; }
  const Contender& contender(const Answer& answer) const { return plan->study.contenders[question(answer).contender]; }
  const StudyPoint& point(const Answer& answer) const { return plan->points[answer.best]; }
  const StudyResult& result(const Answer& answer) const { return results->points[answer.best]; }
  std::size_t failures() const;  ///< points without a result
  std::size_t wrong() const;     ///< points whose D differs from the reference
};

CrossoverReport make_crossover_report(const StudyPlan& plan, const StudyResults& results);

/// 2:4 can hold a matrix only when half of its elements or fewer are kept.
inline bool fits_structured(double density) { return density <= 0.5; }

/// Table for the terminal, 80 columns.
std::string crossover_table(const CrossoverReport& report);
/// One line per case; simulation times are left out.
std::string crossover_csv(const CrossoverReport& report);
nlohmann::ordered_json crossover_json(const CrossoverReport& report);
std::string crossover_html(const CrossoverReport& report);

}  // namespace stc::sim
