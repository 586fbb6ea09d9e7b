// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/convolution_plan.h"

#include <fmt/format.h>

#include <limits>

namespace stc::sim {
namespace {

constexpr std::int64_t kMostExtent = 1 << 16;
constexpr std::int64_t kMostWindow = 15;  // rows and columns of a window have a bit each in a kernel's mask

int size_of(const ConfigNode& node, const char* key, std::int64_t low, std::int64_t high) {
  return static_cast<int>(node.at(key).integer(low, high));
}

void require_window(const ConfigNode& node, const char* window, int size, const char* extent, int inside, int pad) {
  if (pad >= size) {
    node.at("pad").fail(fmt::format("is {}, but must be less than {} = {}: a window would lie in the padding alone",
                                    pad, window, size));
  }
  if (size <= inside + 2 * pad) return;
  node.at(window).fail(
      fmt::format("is {}, more than the padded image has: {} + 2 pad = {}", size, extent, inside + 2 * pad));
}

void read_kernel(const ConfigNode& node, ConvolutionPlan& plan) {
  const ConfigNode kernel = node.at("kernel");
  plan.kernel = kernel.text();
  plan.place = kernel.where();
  if (plan.kernel == "best") {
    plan.type = node.at("type").one_of({"f16", "s8"});
    plan.sparse = node.at("pattern").one_of({"2:4", "dense"}) == "2:4";
    return;
  }
  for (const char* key : {"type", "pattern"}) {
    if (const auto given = node.find(key)) given->fail("belongs to 'kernel: best'; a named kernel has its own");
  }
}

}  // namespace

double ConvolutionLayer::operations() const {
  return 2.0 * static_cast<double>(pixels()) * static_cast<double>(reduction()) * k;
}

std::string ConvolutionLayer::text() const {
  return fmt::format("{} x {} x {} x {} -> {}, {}x{}{}", n, h, w, c, k, r, s,
                     stride == 1 ? "" : fmt::format(" / {}", stride));
}

ConvolutionLayer read_convolution_layer(const ConfigNode& node, std::optional<int> n) {
  ConvolutionLayer layer;
  layer.place = node.where();
  layer.n = n && !node.find("n") ? *n : size_of(node, "n", 1, kMostExtent);
  layer.h = size_of(node, "h", 1, kMostExtent);
  layer.w = size_of(node, "w", 1, kMostExtent);
  layer.c = size_of(node, "c", 1, kMostExtent);
  layer.k = size_of(node, "k", 1, kMostExtent);
  layer.r = size_of(node, "r", 1, kMostWindow);
  layer.s = size_of(node, "s", 1, kMostWindow);
  layer.stride = size_of(node, "stride", 1, kMostExtent);
  layer.pad = size_of(node, "pad", 0, kMostWindow);
  require_window(node, "r", layer.r, "h", layer.h, layer.pad);
  require_window(node, "s", layer.s, "w", layer.w, layer.pad);
  return layer;
}

ConvolutionPlan read_convolution_plan(const ConfigNode& node) {
  node.allow_keys({"kernel", "type", "pattern", "n", "h", "w", "c", "k", "r", "s", "stride", "pad", "seed", "input",
                   "low", "high", "scale"});
  ConvolutionPlan plan;
  read_kernel(node, plan);
  plan.layer = read_convolution_layer(node);
  if (const auto seed = node.find("seed")) {
    plan.seed = static_cast<std::uint64_t>(seed->integer(0, std::numeric_limits<std::int64_t>::max()));
  }
  plan.input_place = node.where();
  if (const auto input = node.find("input")) {
    const bool random = input->one_of({"random", "integers"}) == "random";
    plan.input = random ? ConvolutionPlan::Input::kRandom : ConvolutionPlan::Input::kIntegers;
    plan.input_place = input->where();
  }
  if (const auto low = node.find("low")) plan.low = low->number();
  if (const auto high = node.find("high")) plan.high = high->number();
  plan.scale_place = node.where();
  if (const auto scale = node.find("scale")) {
    plan.scale = scale->number();
    plan.scale_place = scale->where();
  }
  return plan;
}

}  // namespace stc::sim
