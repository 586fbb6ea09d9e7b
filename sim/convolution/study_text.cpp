// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/base/provenance.h"
#include "sim/base/text.h"
#include "sim/base/version.h"
#include "sim/convolution/study.h"

namespace stc::sim {
namespace {

constexpr std::size_t kNameWidth = 14;

std::string totals_text(const ConvolutionTotals& totals) {
  const auto line = [&](const char* name, double us) {
    return fmt::format("{:<{}} {:>6} {:>9.1f} {:>9.1f} {:>7.3f}\n", name, kNameWidth, "", totals.dense_us, us,
                       totals.dense_us / us);
  };
  return line("all layers", totals.sparse_us) + line("the faster one", totals.best_us);
}

nlohmann::ordered_json layer_json(const NetworkLayer& layer, const LayerResult& one) {
  const ConvolutionLayer& l = layer.layer;
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
  for (const KernelTime& time : one.times) kernels.push_back(time.json());
  return {{"name", l.name},
          {"count", layer.count},
          {"note", layer.note},
          {"shape",
           {{"n", l.n},
            {"h", l.h},
            {"w", l.w},
            {"c", l.c},
            {"k", l.k},
            {"r", l.r},
            {"s", l.s},
            {"stride", l.stride},
            {"pad", l.pad},
            {"p", l.p()},
            {"q", l.q()}}},
          {"operations", l.operations()},
          {"dense", one.dense().kernel},
          {"sparse", one.sparse().kernel},
          {"speedup", one.speedup()},
          {"use_sparse", name_of(one.advice.use)},
          {"because", one.advice.because},
          {"reason", one.advice.reason},
          {"kernels", kernels}};
}

}  // namespace

std::string study_table(const ConvolutionStudy& study, const ConvolutionResult& result) {
  std::string out;
  for (std::size_t gpu = 0; gpu < study.gpus.size(); ++gpu) {
    out += fmt::format("{}{} on {}, {}, L2 {}\n", gpu == 0 ? "" : "\n", study.title, study.gpus[gpu].name,
                       name_of(study.type), study.warm_l2 ? "warm" : "cold");
    out += fmt::format("{:<{}} {:>6} {:>9} {:>9} {:>7}  {:<4}  {}\n", "layer", kNameWidth, "r s c", "dense us",
                       "2:4 us", "speedup", "2:4?", "because");
    for (const LayerResult& one : result.layers) {
      if (one.gpu != gpu) continue;
      const ConvolutionLayer& layer = study.layers[one.layer].layer;
      out += fmt::format("{:<{}} {:>6} {:>9.2f} {:>9.2f} {:>7.3f}  {:<4}  {}\n", shortened_to(layer.name, kNameWidth),
                         kNameWidth, layer.reduction(), one.dense().time_us, one.sparse().time_us, one.speedup(),
                         name_of(one.advice.use), shortened_to(one.advice.because, 22));
    }
    out += totals_text(result.totals_of(study, gpu));
  }
  return out;
}

std::string study_json(const ConvolutionStudy& study, const ConvolutionResult& result) {
  nlohmann::ordered_json json = {{"schema", "stcsim-conv-1"},
                                 {"title", study.title},
                                 {"file", study.file},
                                 {"type", name_of(study.type)},
                                 {"l2", study.warm_l2 ? "warm" : "cold"},
                                 {"version", version()},
                                 {"git", git_revision()}};
  nlohmann::ordered_json gpus = nlohmann::ordered_json::array();
  for (std::size_t gpu = 0; gpu < study.gpus.size(); ++gpu) {
    nlohmann::ordered_json layers = nlohmann::ordered_json::array();
    for (const LayerResult& one : result.layers) {
      if (one.gpu == gpu) layers.push_back(layer_json(study.layers[one.layer], one));
    }
    const ConvolutionTotals totals = result.totals_of(study, gpu);
    gpus.push_back({{"name", study.gpus[gpu].name},
                    {"gpu", study.gpus[gpu].config.params.name},
                    {"config_hash", study.gpus[gpu].config.hash},
                    {"total_us", {{"dense", totals.dense_us}, {"sparse", totals.sparse_us}, {"best", totals.best_us}}},
                    {"layers", layers}});
  }
  json["gpus"] = gpus;
  return json_text(json, 2) + "\n";
}

}  // namespace stc::sim
