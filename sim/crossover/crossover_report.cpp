// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/crossover_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/median.h"

namespace stc::sim {
namespace {

class Reporter {
 public:
  Reporter(const StudyPlan& plan, const StudyResults& results) {
    report_.plan = &plan;
    report_.results = &results;
  }

  CrossoverReport run() {
    const StudyPlan& plan = *report_.plan;
    for (std::size_t i = 0; i < plan.cases.size(); ++i) {
      contest_of(plan.cases[i]).answers.push_back(answer_to(i));
    }
    for (Contest& contest : report_.contests) judge(contest);
    for (std::size_t gpu = 0; gpu < plan.study.gpus.size(); ++gpu) {
      for (std::size_t contender = 0; contender < plan.study.contenders.size(); ++contender) {
        add_median(gpu, contender);
      }
    }
    return std::move(report_);
  }

 private:
  Contest& contest_of(const StudyCase& one) {
    const std::string& element = report_.plan->study.contenders[one.contender].element;
    for (Contest& contest : report_.contests) {
      if (contest.gpu == one.gpu && contest.shape == one.shape && contest.element == element) return contest;
    }
    Contest contest;
    contest.gpu = one.gpu;
    contest.shape = one.shape;
    contest.element = element;
    contest.densities = report_.plan->study.densities_of(report_.plan->study.shapes[one.shape]);
    report_.contests.push_back(std::move(contest));
    return report_.contests.back();
  }

  Answer answer_to(std::size_t index) const {
    const StudyCase& one = report_.plan->cases[index];
    const StudyShape& shape = report_.plan->study.shapes[one.shape];
    Answer answer;
    answer.of_case = index;
    answer.best = one.points.front();
    bool any_wrong = false;
    for (const std::size_t point : one.points) {
      const StudyResult& result = report_.results->points[point];
      any_wrong = any_wrong || !result.wrong.empty();
      if (!result.run.ok()) continue;
      if (!answer.ok || result.run.cycles_elapsed < report_.result(answer).run.cycles_elapsed) answer.best = point;
      answer.ok = true;
    }
    answer.ok = answer.ok && !any_wrong;
    if (!answer.ok) return answer;
    answer.time_us = report_.result(answer).run.time_us;
    answer.tflops = 2e-6 * shape.m * shape.n * shape.k / answer.time_us;
    return answer;
  }

  double cycles(const Answer& answer) const { return static_cast<double>(report_.result(answer).run.cycles_elapsed); }

  void judge(Contest& contest) const {
    for (std::size_t i = 0; i < contest.answers.size(); ++i) {
      const ContenderKind kind = report_.contender(contest.answers[i]).kind;
      if (!contest.answers[i].ok) continue;
      if (kind == ContenderKind::kDense) contest.dense = i;
      if (kind == ContenderKind::kStructured) contest.structured = i;
    }
    for (Answer& answer : contest.answers) {
      if (!answer.ok) continue;
      if (contest.dense) answer.speedup = cycles(contest.answers[*contest.dense]) / cycles(answer);
      if (contest.structured) answer.against_24 = cycles(contest.answers[*contest.structured]) / cycles(answer);
    }
    for (const double density : contest.densities) contest.winners.push_back(winner(contest, density));
    for (std::size_t contender = 0; contender < report_.plan->study.contenders.size(); ++contender) {
      add_overtakes(contest, contender);
    }
  }

  bool competes(const Answer& answer, double density) const {
    switch (report_.contender(answer).kind) {
      case ContenderKind::kDense: return true;
      case ContenderKind::kStructured: return fits_structured(density);
      case ContenderKind::kUnstructured: break;
    }
    return report_.question(answer).density == density;
  }

  std::optional<std::size_t> winner(const Contest& contest, double density) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < contest.answers.size(); ++i) {
      const Answer& answer = contest.answers[i];
      if (!answer.ok || !competes(answer, density)) continue;
      if (!best || cycles(answer) < cycles(contest.answers[*best])) best = i;
    }
    return best;
  }

  void add_overtakes(Contest& contest, std::size_t contender) const {
    Contest::Overtakes overtakes;
    overtakes.contender = contender;
    std::vector<std::pair<double, double>> over_dense, over_structured;
    bool competes = false;
    for (const Answer& answer : contest.answers) {
      if (report_.question(answer).contender != contender) continue;
      if (report_.contender(answer).kind != ContenderKind::kUnstructured) return;
      competes = true;
      if (!answer.ok) continue;
      const double density = report_.question(answer).density;
      if (answer.speedup > 0) over_dense.emplace_back(1 - density, answer.speedup);
      if (answer.against_24 > 0 && fits_structured(density))
        over_structured.emplace_back(1 - density, answer.against_24);
    }
    if (!competes) return;
    overtakes.dense = break_even(over_dense);
    overtakes.structured = break_even(over_structured);
    contest.overtakes.push_back(overtakes);
  }

  void add_median(std::size_t gpu, std::size_t contender) {
    if (report_.plan->study.contenders[contender].kind != ContenderKind::kUnstructured) return;
    Median median;
    median.gpu = gpu;
    median.contender = contender;
    for (const double density : report_.plan->study.densities) {
      std::vector<double> speedups;
      for (const Contest& contest : report_.contests) {
        if (contest.gpu != gpu || !report_.plan->study.shapes[contest.shape].matrix.empty()) continue;
        for (const Answer& answer : contest.answers) {
          const StudyCase& one = report_.question(answer);
          if (one.contender == contender && one.density == density && answer.speedup > 0) {
            speedups.push_back(answer.speedup);
          }
        }
      }
      if (speedups.empty()) continue;
      median.shapes = std::max(median.shapes, speedups.size());
      median.speedups.emplace_back(1 - density, mean_median(std::move(speedups)));
    }
    if (median.speedups.empty()) return;
    median.dense = break_even(median.speedups);
    report_.medians.push_back(std::move(median));
  }

  CrossoverReport report_;
};

}  // namespace

BreakEven break_even(const std::vector<std::pair<double, double>>& speedups) {
  if (speedups.empty()) return {};
  if (speedups.front().second >= 1) return {BreakEven::Where::kBelow, speedups.front().first};
  for (std::size_t i = 1; i < speedups.size(); ++i) {
    const auto [x1, y1] = speedups[i];
    if (y1 < 1) continue;
    const auto [x0, y0] = speedups[i - 1];
    return {BreakEven::Where::kAt, x0 + (x1 - x0) * std::log(1 / y0) / std::log(y1 / y0)};
  }
  return {BreakEven::Where::kBeyond, speedups.back().first};
}

std::string BreakEven::text() const {
  switch (where) {
    case Where::kBelow: return fmt::format("< {:.4g} %", 100 * sparsity);
    case Where::kAt: return fmt::format("{:.1f} %", 100 * sparsity);
    case Where::kBeyond: return fmt::format("> {:.4g} %", 100 * sparsity);
    case Where::kUnknown: break;
  }
  return "-";
}

std::size_t CrossoverReport::failures() const {
  return static_cast<std::size_t>(std::count_if(results->points.begin(), results->points.end(),
                                                [](const StudyResult& result) { return !result.run.ok(); }));
}

std::size_t CrossoverReport::wrong() const {
  return static_cast<std::size_t>(std::count_if(results->points.begin(), results->points.end(),
                                                [](const StudyResult& result) { return !result.wrong.empty(); }));
}

CrossoverReport make_crossover_report(const StudyPlan& plan, const StudyResults& results) {
  return Reporter(plan, results).run();
}

}  // namespace stc::sim
