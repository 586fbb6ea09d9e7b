// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/base/provenance.h"
#include "sim/base/version.h"
#include "sim/network/network_describe.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;
using Weights = NetworkOutcome::Weights;

Json total_json(const NetworkTotal& total) {
  return {{"time_us", total.time_us},   {"time_under_power_limit_us", total.limited_us},
          {"joules", total.joules},     {"weight_bytes", total.weight_bytes},
          {"launches", total.launches}, {"time_of_prunable_layers_us", total.prunable_us}};
}

Json layer_json(const LayerWork& work, const LayerCost& cost) {
  Json json = {{"name", work.name},
               {"kind", work.kind},
               {"work", work.text},
               {"count", work.count},
               {"operations", work.operations()},
               {"kernels_tried", cost.tried},
               {"dense", cost.dense.json()}};
  if (cost.sparse) {
    json["sparse"] = cost.sparse->json();
    json["speedup"] = cost.speedup();
  }
  return json;
}

Json outcome_json(const NetworkFile& network, const NetworkOutcome& outcome) {
  const NetworkPlan& plan = network.plans[outcome.plan];
  Json layers = Json::array();
  for (std::size_t i = 0; i < plan.layers.size(); ++i) layers.push_back(layer_json(plan.layers[i], outcome.layers[i]));
  const NetworkGpu& gpu = network.gpus[outcome.gpu];
  return {{"name", gpu.name},
          {"gpu", gpu.config.params.name},
          {"config_hash", gpu.config.hash},
          {"batch", plan.input.batch},
          {"sequence", plan.input.sequence},
          {"phase", plan.input.decode ? "decode" : "prefill"},
          {"dense", total_json(outcome.total(plan, Weights::kDense))},
          {"sparse", total_json(outcome.total(plan, Weights::kSparse))},
          {"faster", total_json(outcome.total(plan, Weights::kFaster))},
          {"speedup", outcome.speedup(plan)},
          {"speedup_if_2_4_doubled", outcome.ideal_speedup(plan)},
          {"why", why_not_twice(plan, outcome)},
          {"layers", layers}};
}

}  // namespace

std::string network_json(const NetworkFile& network, const NetworkResult& result) {
  Json outcomes = Json::array();
  for (const NetworkOutcome& outcome : result.outcomes) outcomes.push_back(outcome_json(network, outcome));
  const Json json = {{"schema", "stcsim-network-1"}, {"title", network.title},
                     {"file", network.file},         {"l2", network.warm_l2 ? "warm" : "cold"},
                     {"version", version()},         {"git", git_revision()},
                     {"outcomes", outcomes}};
  return json_text(json, 2) + "\n";
}

}  // namespace stc::sim
