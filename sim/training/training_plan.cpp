// SPDX-License-Identifier: Apache-2.0
#include "sim/training/training_plan.h"

#include <fmt/format.h>

#include <limits>

#include "sim/base/error.h"
#include "sim/formats/weight_matrix.h"
#include "sim/launch/manifest.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kMostFeatures = 65536;
constexpr std::int64_t kMostTokens = 1 << 22;

int read_features(const ConfigNode& node) {
  const std::int64_t features = node.integer(1, kMostFeatures);
  if (features % kFeatureMultiple != 0) {
    const std::int64_t below = features / kFeatureMultiple * kFeatureMultiple;
    node.fail(fmt::format("is {}, but must be a multiple of {}, a tile of the training kernels ({}{})", features,
                          kFeatureMultiple, below > 0 ? fmt::format("{} or ", below) : "", below + kFeatureMultiple));
  }
  return static_cast<int>(features);
}

TrainingLayer read_layer(const ConfigNode& node, bool mlp) {
  const std::vector<ConfigNode> sizes = node.elements();
  if (sizes.size() != 2) {
    node.fail(fmt::format("must be {}, but holds {} sizes", mlp ? "[inputs and outputs, hidden]" : "[inputs, outputs]",
                          sizes.size()));
  }
  const int first = read_features(sizes[0]), second = read_features(sizes[1]);
  return mlp ? TrainingLayer{first, second, first} : TrainingLayer{first, 0, second};
}

void read_tokens(const ConfigNode& node, TrainingPlan& plan) {
  for (const ConfigNode& element : node.elements()) {
    const auto tokens = static_cast<int>(element.integer(1, kMostTokens));
    if (!plan.tokens.empty() && tokens <= plan.tokens.back()) element.fail("must be larger than the one before");
    if (plan.sparse == TrainingPlan::Sparse::kActivations && tokens % kTokenMultiple != 0) {
      element.fail(fmt::format("is {}, but 2:4 activations need a multiple of {}", tokens, kTokenMultiple));
    }
    plan.tokens.push_back(tokens);
  }
  if (plan.tokens.empty()) node.fail("must hold at least one number of tokens");
}

TrainingPlan read_plan(const ConfigNode& node, bool mlp) {
  TrainingPlan plan;
  node.allow_keys({"layers", "tokens", "sparse", "masks", "weights", "seed"});
  const ConfigNode layers = node.at("layers");
  for (const ConfigNode& layer : layers.elements()) plan.layers.push_back(read_layer(layer, mlp));
  if (plan.layers.empty()) layers.fail("must hold at least one layer");
  if (const auto sparse = node.find("sparse")) {
    const bool activations = sparse->one_of({"weights", "activations"}) == "activations";
    if (activations && !mlp) sparse->fail("is 'activations', which only train_mlp has");
    plan.sparse = activations ? TrainingPlan::Sparse::kActivations : TrainingPlan::Sparse::kWeights;
  }
  read_tokens(node.at("tokens"), plan);
  if (const auto masks = node.find("masks")) plan.masks = masks->one_of({"exact", "greedy"});
  if (const auto weights = node.find("weights")) plan.distribution = weights->one_of(distribution_names());
  if (const auto seed = node.find("seed")) {
    plan.seed = static_cast<std::uint64_t>(seed->integer(0, std::numeric_limits<std::int64_t>::max()));
  }
  return plan;
}

RunOptions read_options(const ConfigNode& node) {
  for (const char* key : {"compare_dense", "l2"}) {
    if (const auto given = node.find(key)) {
      given->fail("is not for training: dense always runs beside 2:4, and a launch finds L2 as the one before left it");
    }
  }
  return read_run_options(node, true);
}

}  // namespace

std::string TrainingLayer::name() const {
  return hidden == 0 ? fmt::format("{} -> {}", inputs, outputs)
                     : fmt::format("{} -> {} -> {}", inputs, hidden, outputs);
}

TrainingFile read_training_file(const std::string& file, const std::vector<Override>& overrides) {
  TrainingFile training;
  training.file = file;
  std::vector<Override> own;
  for (const Override& set : overrides) {
    const bool of_gpu = set.path.rfind("gpu.", 0) == 0;
    of_gpu ? training.gpu_overrides.push_back({set.path.substr(4), set.value}) : own.push_back(set);
  }
  const ConfigNode root = ConfigNode::load(file, own);
  root.allow_keys({"gpu", "workload", "options", "kernels"});
  training.gpu_file = root.at("gpu").file_path();
  const auto kernels = root.find("kernels");
  training.kernels_folder = kernels ? kernels->file_path() : default_kernels_folder();
  const ConfigNode workload = root.at("workload");
  workload.allow_keys({"train_linear", "train_mlp"});
  const auto linear = workload.find("train_linear"), mlp = workload.find("train_mlp");
  if (linear.has_value() == mlp.has_value()) workload.fail("must be one of train_linear and train_mlp");
  training.plan = read_plan(linear ? *linear : *mlp, mlp.has_value());
  if (const auto options = root.find("options")) training.options = read_options(*options);
  return training;
}

}  // namespace stc::sim
