// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_file.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/launch/prepared_launch.h"
#include "sim/network/network_layers.h"

namespace stc::sim {
namespace {

constexpr int kMostTokens = 1 << 20;

std::vector<int> read_batches(const ConfigNode& node) {
  std::vector<int> batches;
  const auto add = [&](const ConfigNode& one) {
    const auto batch = static_cast<int>(one.integer(1, 1 << 16));
    if (!batches.empty() && batch <= batches.back()) one.fail("must be greater than the one before");
    batches.push_back(batch);
  };
  if (!node.is_sequence()) add(node);
  if (node.is_sequence()) {
    for (const ConfigNode& one : node.elements()) add(one);
  }
  if (batches.empty()) node.fail("is empty");
  return batches;
}

NetworkPlan read_plan(const ConfigNode& root, int batch, const ConfigNode& place) {
  NetworkPlan plan;
  plan.input.batch = batch;
  if (const auto sequence = root.find("sequence"))
    plan.input.sequence = static_cast<int>(sequence->integer(1, 1 << 17));
  if (const auto phase = root.find("phase")) plan.input.decode = phase->one_of({"prefill", "decode"}) == "decode";
  if (std::int64_t{batch} * plan.input.sequence > kMostTokens) {
    place.fail(fmt::format("{} times {} tokens are more than {}", batch, plan.input.sequence, kMostTokens));
  }
  read_layers(root.at("layers"), plan.input, 1, plan.layers);
  return plan;
}

void read_options(const ConfigNode& node, NetworkFile& network, std::vector<Override>& of_gpu) {
  node.allow_keys({"l2", "tiles", "launch_cycles"});
  if (const auto l2 = node.find("l2")) network.warm_l2 = l2->one_of({"cold", "warm"}) == "warm";
  if (const auto tiles = node.find("tiles")) network.tiles = static_cast<int>(tiles->integer(1, 100));
  if (const auto cycles = node.find("launch_cycles")) {
    of_gpu.push_back({"launch.overhead_cycles", fmt::format("{}", cycles->integer(0, 1000000))});
  }
}

/// What the kernels refuse shows before the long work.
void require_kernels(const NetworkFile& network) {
  for (const NetworkPlan& plan : network.plans) {
    for (const LayerWork& work : plan.layers) {
      if (!work.product) {
        require_host_memory(static_cast<double>(work.call.bytes()), work.place);
        continue;
      }
      network.products.fitting(*work.product, ElementType::f16, false);
      if (work.prunable) network.products.fitting(*work.product, ElementType::f16, true);
    }
  }
}

}  // namespace

double LayerWork::weight_bytes(bool sparse) const {
  if (!product) return 0;
  constexpr double kDenseBytes = 2, kSparseBytes = 1 + 0.125;  // an f16; half of one and a 2-bit index of each stored
  return static_cast<double>(product->reduction()) * product->k * (sparse ? kSparseBytes : kDenseBytes);
}

NetworkFile read_network_file(const std::string& file, const std::vector<Override>& overrides) {
  const ConfigNode root = ConfigNode::load(file, overrides);
  root.allow_keys({"title", "gpus", "batch", "sequence", "phase", "layers", "options", "kernels"});
  NetworkFile network;
  network.file = file;
  network.title = root.at("title").text();
  std::vector<Override> of_gpu;
  if (const auto options = root.find("options")) read_options(*options, network, of_gpu);
  for (const auto& [name, gpu] : root.at("gpus").items()) {
    network.gpus.push_back({name, read_gpu_config(gpu.file_path(), of_gpu)});
  }
  if (network.gpus.empty()) root.at("gpus").fail("is empty");
  const auto kernels = root.find("kernels");
  network.kernels_folder = kernels ? kernels->file_path() : default_kernels_folder();
  network.products = ConvolutionLibrary::load(network.kernels_folder);
  const ConfigNode batch = root.at("batch");
  for (const int one : read_batches(batch)) network.plans.push_back(read_plan(root, one, batch));
  require_kernels(network);
  return network;
}

}  // namespace stc::sim
