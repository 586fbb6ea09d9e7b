// SPDX-License-Identifier: Apache-2.0
#include "sim/base/version.h"

#include <nlohmann/json.hpp>
#include "sim/explore/explore_report.h"

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

Json case_json(const ExploreReport& report, const CaseReport& one) {
  const Sweep& sweep = report.plan->sweep;
  const SweepCase& question = report.question(one);
  const SweepShape& shape = sweep.shapes[question.shape];
  return {{"gpu", sweep.gpus[question.gpu].name},
          {"shape", {{"name", shape.name}, {"m", shape.m}, {"n", shape.n}, {"k", shape.k}}},
          {"type", isa::name_of(question.type)},
          {"pattern", question.pattern.name()},
          {"kept_fraction", question.pattern.kept_fraction()},
          {"reference", question.reference},
          {"best_point", one.ok ? Json(report.point(one).name) : Json()},
          {"cycles", report.result(one).cycles},
          {"time_us", one.time_us},
          {"tflops", one.tflops},
          {"speedup", one.speedup},
          {"ideal_speedup", one.ideal},
          {"tensor_ceiling", one.tensor_ceiling},
          {"limited_by", one.limit.by},
          {"reason", one.limit.reason},
          {"instruction",
           {{"name", one.op.name()},
            {"k", one.op.k},
            {"interval", one.timing.interval},
            {"array_cycles", one.timing.step_cycles},
            {"collect_cycles", one.timing.collect_cycles},
            {"operand_registers", one.timing.operand_registers}}},
          {"metadata_overhead", one.metadata_overhead},
          {"legal_masks", question.pattern.legal_masks()},
          {"kept", {{"magnitude", one.kept.magnitude}, {"energy", one.kept.energy}}},
          {"selector",
           {{"gates", one.selector.gates()},
            {"gates_relative_to_2_4", one.relative_gates},
            {"mux_inputs", one.selector.mux_inputs},
            {"multiplexers", one.selector.multiplexers},
            {"select_wires", one.selector.select_wires},
            {"activation_wires", one.selector.activation_wires},
            {"metadata_bits_per_step", one.selector.metadata_bits_per_step}}},
          {"pareto", one.pareto}};
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
