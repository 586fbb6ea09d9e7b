// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sim/base/version.h"
#include "sim/crossover/answer_columns.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;

Json break_even_json(const BreakEven& at) {
  switch (at.where) {
    case BreakEven::Where::kBelow: return {{"below", at.sparsity}};
    case BreakEven::Where::kAt: return {{"at", at.sparsity}};
    case BreakEven::Where::kBeyond: return {{"beyond", at.sparsity}};
    case BreakEven::Where::kUnknown: break;
  }
  return nullptr;
}

Json contest_json(const CrossoverReport& report, const Contest& contest) {
  const Study& study = report.plan->study;
  Json answers = Json::array(), winners = Json::array(), overtakes = Json::array();
  for (const Answer& answer : contest.answers) answers.push_back(answer_json(report, answer));
  for (std::size_t i = 0; i < contest.densities.size(); ++i) {
    const auto winner = contest.winners[i];
    winners.push_back({{"sparsity", 1 - contest.densities[i]},
                       {"contender", winner ? Json(report.contender(contest.answers[*winner]).name) : Json()}});
  }
  for (const Contest::Overtakes& one : contest.overtakes) {
    overtakes.push_back({{"contender", study.contenders[one.contender].name},
                         {"dense", break_even_json(one.dense)},
                         {"structured", break_even_json(one.structured)}});
  }
  Json out = contest_head_json(report, contest);
  out.update({{"answers", answers}, {"winners", winners}, {"break_even", overtakes}});
  return out;
}

}  // namespace

Json crossover_json(const CrossoverReport& report) {
  const Study& study = report.plan->study;
  Json gpus = Json::array(), contests = Json::array(), medians = Json::array();
  for (const GpuVariant& gpu : study.gpus) {
    gpus.push_back({{"name", gpu.name}, {"part", gpu.config.params.name}, {"config_hash", gpu.config.hash}});
  }
  for (const Contest& contest : report.contests) contests.push_back(contest_json(report, contest));
  for (const Median& median : report.medians) {
    Json speedups = Json::array();
    for (const auto& [sparsity, speedup] : median.speedups) {
      speedups.push_back({{"sparsity", sparsity}, {"speedup_vs_dense", speedup}});
    }
    medians.push_back({{"gpu", study.gpus[median.gpu].name},
                       {"contender", study.contenders[median.contender].name},
                       {"shapes", median.shapes},
                       {"speedups", speedups},
                       {"break_even", break_even_json(median.dense)}});
  }
  return {{"schema", "stcsim-crossover-1"},
          {"title", study.title},
          {"options",
           {{"values", study.full_values ? "full" : "addresses"},
            {"l2", study.warm_l2 ? "warm" : "cold"},
            {"pad", study.pad},
            {"seed", study.seed}}},
          {"gpus", gpus},
          {"contests", contests},
          {"medians", medians},
          {"provenance", {{"version", version()}, {"git", git_revision()}}}};
}

}  // namespace stc::sim
