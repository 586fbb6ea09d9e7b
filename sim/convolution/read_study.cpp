// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/convolution/study.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kMostImages = 1 << 16;
constexpr std::int64_t kMostOften = 1 << 20;

std::vector<std::string> names_of(const ConfigNode& map) {
  std::vector<std::string> names;
  for (const auto& [name, node] : map.items()) names.push_back(name);
  map.allow_keys(names);  // finds a name that is given twice
  if (names.empty()) map.fail("is empty");
  return names;
}

NetworkLayer read_layer(const std::string& name, const ConfigNode& node, std::optional<int> images) {
  node.allow_keys({"n", "h", "w", "c", "k", "r", "s", "stride", "pad", "count", "note"});
  NetworkLayer layer;
  layer.layer = read_convolution_layer(node, images);
  layer.layer.name = name;
  if (const auto count = node.find("count")) layer.count = static_cast<int>(count->integer(1, kMostOften));
  if (const auto note = node.find("note")) layer.note = note->text();
  return layer;
}

}  // namespace

ConvolutionStudy read_convolution_study(const std::string& file, const std::vector<Override>& overrides) {
  const ConfigNode root = ConfigNode::load(file, overrides);
  root.allow_keys({"title", "gpus", "type", "n", "layers", "options", "kernels"});
  ConvolutionStudy study;
  study.file = file;
  study.title = root.at("title").text();
  for (const std::string& name : names_of(root.at("gpus"))) {
    study.gpus.push_back({name, read_gpu_config(root.at("gpus").at(name).file_path(), {})});
  }
  study.type = element_type_of(root.at("type").one_of({"f16", "s8"})).value();
  std::optional<int> images;
  if (const auto n = root.find("n")) images = static_cast<int>(n->integer(1, kMostImages));
  const ConfigNode layers = root.at("layers");
  for (const std::string& name : names_of(layers)) study.layers.push_back(read_layer(name, layers.at(name), images));
  if (const auto options = root.find("options")) {
    options->allow_keys({"l2"});
    if (const auto l2 = options->find("l2")) study.warm_l2 = l2->one_of({"cold", "warm"}) == "warm";
  }
  const auto kernels = root.find("kernels");
  study.library = ConvolutionLibrary::load(kernels ? kernels->file_path() : default_kernels_folder());
  for (const NetworkLayer& layer : study.layers) {
    for (const bool sparse : {false, true}) study.library.fitting(layer.layer, study.type, sparse);
  }
  return study;
}

}  // namespace stc::sim
