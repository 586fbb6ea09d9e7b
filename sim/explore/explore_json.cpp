// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sim/base/version.h"
#include "sim/explore/case_columns.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;

Json gpus_json(const Sweep& sweep) {
  Json out = Json::array();
  for (const GpuVariant& gpu : sweep.gpus) {
    Json changes = Json::object();
    for (const Override& change : gpu.changes) changes[change.path] = change.value;
    out.push_back(
        {{"name", gpu.name}, {"part", gpu.config.params.name}, {"changes", changes}, {"config_hash", gpu.config.hash}});
  }
  return out;
}

/// A point's result without the time that the simulator took.
Json point_json(const SweepPoint& point, const PointResult& result) {
  Json out = {{"point", point.name},
              {"m", point.problem.m},
              {"n", point.problem.n},
              {"k", point.problem.k},
              {"kernel", point.problem.kernel.name}};
  Json body = result.json();
  body.erase("wall_s");
  out.update(body);
  return out;
}

}  // namespace

Json explore_json(const ExploreReport& report) {
  const SweepPlan& plan = *report.plan;
  Json cases = Json::array(), points = Json::array(), unfit = Json::array();
  for (const CaseReport& one : report.cases) cases.push_back(case_json(report, one));
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    points.push_back(point_json(plan.points[i], report.results->points[i]));
  }
  for (const UnfitTile& tile : plan.unfit) {
    const SweepCase& question = plan.sweep.cases[tile.of_case];
    unfit.push_back({{"gpu", plan.sweep.gpus[question.gpu].name},
                     {"shape", plan.sweep.shapes[question.shape].name},
                     {"type", isa::name_of(question.type)},
                     {"pattern", question.pattern.name()},
                     {"reason", tile.reason}});
  }
  return {{"schema", "stcsim-explore-1"},
          {"title", plan.sweep.title},
          {"gpus", gpus_json(plan.sweep)},
          {"weights", report.weights},
          {"options",
           {{"kernels", plan.sweep.compiled ? "compiled" : "built"},
            {"l2", plan.sweep.warm_l2 ? "warm" : "cold"},
            {"pad", plan.sweep.pad}}},
          {"cases", cases},
          {"points", points},
          {"tiles_that_do_not_fit", unfit},
          {"provenance", {{"version", version()}, {"git", git_revision()}}}};
}

}  // namespace stc::sim
