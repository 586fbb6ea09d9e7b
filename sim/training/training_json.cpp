// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sim/base/version.h"
#include "sim/training/training_report.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;

Json launch_json(const LaunchCost& launch) {
  Json json = {{"title", launch.title},
               {"part", name_of(launch.part)},
               {"kernel", launch.kernel},
               {"cycles_elapsed", launch.cycles},
               {"time_us", launch.time_us},
               {"sustained_us", launch.sustained_us},
               {"tflops_dense_equivalent", launch.tflops()},
               {"tensor_busy_fraction", launch.tensor_busy},
               {"l2_bytes", launch.l2_bytes},
               {"dram_bytes", launch.dram_bytes},
               {"bound_by", launch.bound}};
  if (launch.checked) {
    json["check"] = {{"passed", launch.check.failure.empty()}, {"error", launch.check.error}};
    if (!launch.check.failure.empty()) json["check"]["failure"] = launch.check.failure;
  }
  return json;
}

Json step_json(const StepCost& step) {
  Json launches = Json::array();
  for (const LaunchCost& launch : step.launches) launches.push_back(launch_json(launch));
  return {{"time_us", step.time_us()}, {"sustained_us", step.sustained_us()}, {"launches", launches}};
}

Json break_even_json(const LayerReport::BreakEven& found) {
  using Where = LayerReport::BreakEven::Where;
  const char* where = found.where == Where::kWithin ? "at" : found.where == Where::kBelow ? "below" : "above";
  return {{"where", where}, {"tokens", found.tokens}};
}

Json layer_json(const LayerReport& layer) {
  Json points = Json::array(), pruning = Json::array();
  for (const TrainingPoint& point : layer.points) {
    points.push_back({{"tokens", point.tokens},
                      {"speedup", point.speedup()},
                      {"speedup_without_pruning", point.speedup_without_pruning()},
                      {"sustained_speedup", point.sustained_speedup()},
                      {"prune_us", point.sparse.time_us(StepLaunch::Part::kPrune)},
                      {"dense", step_json(point.dense)},
                      {"sparse", step_json(point.sparse)}});
  }
  for (const PruningCost& cost : layer.pruning) {
    pruning.push_back({{"masks", cost.choice},
                       {"time_us", cost.time_us},
                       {"l2_bytes", cost.l2_bytes},
                       {"dram_bytes", cost.dram_bytes}});
  }
  Json json = {{"inputs", layer.layer.inputs}};
  if (layer.layer.hidden != 0) json["hidden"] = layer.layer.hidden;
  json["outputs"] = layer.layer.outputs;
  json["break_even"] = break_even_json(layer.break_even());
  json["points"] = points;
  json["pruning"] = pruning;
  return json;
}

}  // namespace

nlohmann::ordered_json training_json(const TrainingReport& report) {
  const TrainingPlan& plan = report.plan;
  Json layers = Json::array(), quality = Json::object();
  for (const LayerReport& layer : report.layers) layers.push_back(layer_json(layer));
  for (const MaskQuality& one : report.quality) quality[one.choice] = one.magnitude;
  return {{"stcsim", version()},
          {"run_file", report.file},
          {"gpu", report.gpu_name},
          {"clock_mhz", report.clock_mhz},
          {"workload", plan.mlp() ? "train_mlp" : "train_linear"},
          {"sparse", plan.sparse == TrainingPlan::Sparse::kWeights ? "weights" : "activations"},
          {"masks", plan.masks},
          {"weights", plan.distribution},
          {"seed", plan.seed},
          {"layers", layers},
          {"magnitude_kept", quality},
          {"checked_launches", report.checked},
          {"failures", report.failures}};
}

}  // namespace stc::sim
