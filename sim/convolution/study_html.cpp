// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/provenance.h"
#include "sim/base/text.h"
#include "sim/base/version.h"
#include "sim/convolution/study.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

const char* colour_of(Use use) { return use == Use::kYes ? "s2" : use == Use::kEven ? "s3" : "s1"; }

std::vector<const LayerResult*> layers_on(const ConvolutionResult& result, std::size_t gpu) {
  std::vector<const LayerResult*> layers;
  for (const LayerResult& one : result.layers) {
    if (one.gpu == gpu) layers.push_back(&one);
  }
  return layers;
}

std::string tooltip(const ConvolutionStudy& study, const LayerResult& one) {
  const ConvolutionLayer& layer = study.layers[one.layer].layer;
  return fmt::format("{}: {}, dense {:.2f} us, 2:4 {:.2f} us, {:.3f}x: {}", layer.name, layer.text(),
                     one.dense().time_us, one.sparse().time_us, one.speedup(), one.advice.reason);
}

/// A bar a layer, in the order of the network.
std::string bars(const ConvolutionStudy& study, const ConvolutionResult& result, std::size_t gpu) {
  const auto layers = layers_on(result, gpu);
  std::vector<double> speedups = {1.0}, ticks;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    speedups.push_back(layers[i]->speedup());
    ticks.push_back(static_cast<double>(i + 1));
  }
  const double right = static_cast<double>(layers.size()) + 0.6;
  const PlotAxis x{"layer (number in the table)", Scale::kLinear, 0.4, right, ticks};
  SvgPlot plot({"Speedup of each layer", 900, 300}, x,
               PlotAxis::around("speedup of 2:4", Scale::kLinear, speedups, true));
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const double at = static_cast<double>(i + 1);
    plot.bar(colour_of(layers[i]->advice.use), at - 0.35, at + 0.35, layers[i]->speedup(), tooltip(study, *layers[i]));
  }
  plot.rule({0.4, 1.0}, {right, 1.0});
  return html_figure("Cycles of the fastest dense kernel over cycles of the fastest 2:4 kernel.", plot.svg());
}

std::string over_reduction(const ConvolutionStudy& study, const ConvolutionResult& result, std::size_t gpu) {
  std::vector<double> lengths, speedups = {1.0};
  for (const LayerResult* one : layers_on(result, gpu)) {
    lengths.push_back(static_cast<double>(study.layers[one->layer].layer.reduction()));
    speedups.push_back(one->speedup());
  }
  const PlotAxis x = PlotAxis::around("r s c, the length of a sum", Scale::kLog, lengths);
  const double low = x.low, high = x.high;
  SvgPlot plot({"Speedup over r s c", 900, 320}, x, PlotAxis::around("speedup of 2:4", Scale::kLinear, speedups, true));
  plot.rule({low, 1.0}, {high, 1.0});
  for (const LayerResult* one : layers_on(result, gpu)) {
    const ConvolutionLayer& layer = study.layers[one->layer].layer;
    plot.dot(colour_of(one->advice.use), static_cast<double>(layer.reduction()), one->speedup(), tooltip(study, *one));
    plot.text(static_cast<double>(layer.reduction()), one->speedup(), layer.name);
  }
  return html_figure("2:4 halves the multiplications along r s c; what a CTA does besides stays.", plot.svg());
}

std::string table(const ConvolutionStudy& study, const ConvolutionResult& result, std::size_t gpu) {
  HtmlTable out({{"#", true},
                 {"layer", HtmlTable::Style::kName},
                 {"n x h x w x c -> k, r x s", HtmlTable::Style::kName},
                 {"times", true},
                 {"dense us", true},
                 {"2:4 us", true},
                 {"speedup", true},
                 {"use 2:4?", HtmlTable::Style::kName},
                 {"because", false},
                 {"dense kernel", false},
                 {"2:4 kernel", false}});
  int number = 0;
  for (const LayerResult* one : layers_on(result, gpu)) {
    const NetworkLayer& layer = study.layers[one->layer];
    const std::string note = layer.note.empty() ? "" : fmt::format(" ({})", layer.note);
    out.row({std::to_string(++number), layer.layer.name + note, layer.layer.text(), std::to_string(layer.count),
             fmt::format("{:.2f}", one->dense().time_us), fmt::format("{:.2f}", one->sparse().time_us),
             fmt::format("{:.3f}", one->speedup()), name_of(one->advice.use), one->advice.reason, one->dense().kernel,
             one->sparse().kernel});
  }
  return out.html();
}

std::string gpu_section(const ConvolutionStudy& study, const ConvolutionResult& result, std::size_t gpu) {
  const ConvolutionTotals totals = result.totals_of(study, gpu);
  const auto layers = layers_on(result, gpu);
  const auto yes =
      std::count_if(layers.begin(), layers.end(), [](const LayerResult* one) { return one->advice.use == Use::kYes; });
  std::string body = html_tiles(
      {{"layers that gain", fmt::format("{} of {}", yes, layers.size()), "5 % or more"},
       {"all layers, dense", fmt::format("{:.0f} us", totals.dense_us), "each as often as the network has it"},
       {"2:4 everywhere", fmt::format("{:.3f}x", totals.dense_us / totals.sparse_us),
        fmt::format("{:.0f} us", totals.sparse_us)},
       {"2:4 where it is faster", fmt::format("{:.3f}x", totals.dense_us / totals.best_us),
        fmt::format("{:.0f} us", totals.best_us)}});
  body += html_legend({{"s2", "yes: at least 5 % faster"}, {"s3", "even"}, {"s1", "no"}});
  body += bars(study, result, gpu) + over_reduction(study, result, gpu) + table(study, result, gpu);
  return html_section(fmt::format("gpu{}", gpu), study.gpus[gpu].name, "", body);
}

}  // namespace

std::string study_html(const ConvolutionStudy& study, const ConvolutionResult& result) {
  std::string body = fmt::format("<h1>{}: 2:4 or dense?</h1>\n", escape_html(study.title));
  body += fmt::format(
      "<p class=\"soft\">Forward convolutions in {}, NHWC, L2 {}, each with the fastest of the library's dense kernels "
      "and the "
      "fastest of its 2:4 kernels (weights sparse along c), as stcsim {} ({}) simulates them.</p>\n",
      name_of(study.type), study.warm_l2 ? "warm" : "cold", version(), git_revision());
  body += html_warning(caveat_of_revision(git_revision()));
  for (std::size_t gpu = 0; gpu < study.gpus.size(); ++gpu) body += gpu_section(study, result, gpu);
  return html_page(study.title, body);
}

}  // namespace stc::sim
