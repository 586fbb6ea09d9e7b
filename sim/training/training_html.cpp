// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/text.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_plot.h"
#include "sim/training/training_report.h"

namespace stc::sim {
namespace {

constexpr std::size_t kColours = 8;

std::string colour_of(std::size_t layer) { return fmt::format("s{}", layer % kColours); }

/// Speedup of all layers over tokens.
std::string speedup_chart(const TrainingReport& report) {
  std::vector<double> tokens, speedups = {1.0};
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < report.layers.size(); ++i) {
    legend.push_back({colour_of(i), report.layers[i].layer.name(), LegendEntry::Mark::kLine});
    for (const TrainingPoint& point : report.layers[i].points) {
      tokens.push_back(point.tokens);
      speedups.push_back(point.speedup());
    }
  }
  SvgPlot plot({"Speedup of a training step over its number of tokens", 640, 340},
               PlotAxis::around("tokens", Scale::kLog, tokens),
               PlotAxis::around("dense / 2:4, pruning included", Scale::kLinear, speedups));
  const auto [least, most] = std::minmax_element(tokens.begin(), tokens.end());
  plot.rule({*least, 1}, {*most, 1}, "2:4 pays above");
  for (std::size_t i = 0; i < report.layers.size(); ++i) {
    std::vector<SvgPlot::Place> line;
    for (const TrainingPoint& point : report.layers[i].points) {
      line.emplace_back(point.tokens, point.speedup());
      plot.dot(colour_of(i), point.tokens, point.speedup(),
               fmt::format("{}, {} tokens: {:.3f}", report.layers[i].layer.name(), point.tokens, point.speedup()));
    }
    plot.line(colour_of(i), line);
  }
  return html_figure("", plot.svg()) + html_legend(legend);
}

/// Time of a step at the most tokens, by part: a bar for dense and one for 2:4 of each layer.
std::string part_chart(const TrainingReport& report) {
  using Part = StepLaunch::Part;
  // Bars begin at zero, so the sum of all parts is drawn first and the first part last.
  constexpr Part kParts[] = {Part::kForward, Part::kInputGradient, Part::kWeightGradient, Part::kPrune};
  double most = 0;
  for (const LayerReport& layer : report.layers) {
    most = std::max({most, layer.points.back().dense.time_us(), layer.points.back().sparse.time_us()});
  }
  const auto layers = static_cast<double>(report.layers.size());
  PlotAxis across{"layer", Scale::kLinear, 0, layers};
  for (const LayerReport& layer : report.layers) {
    across.ticks.push_back(static_cast<double>(across.ticks.size()) + 0.5);
    across.names.push_back(layer.layer.name());
  }
  SvgPlot plot({"Time of a training step by its parts", 640, 300}, across,
               PlotAxis::around("us", Scale::kLinear, {most}, true));
  for (std::size_t i = 0; i < report.layers.size(); ++i) {
    for (const bool sparse : {false, true}) {
      const TrainingPoint& point = report.layers[i].points.back();
      const StepCost& step = sparse ? point.sparse : point.dense;
      const double left = static_cast<double>(i) + (sparse ? 0.52 : 0.15);
      double top = step.time_us();
      plot.text(left, top + 0.05 * most, sparse ? "2:4" : "dense");  // above the bar
      for (std::size_t part = std::size(kParts); part-- > 0;) {
        const double us = step.time_us(kParts[part]);
        plot.bar(colour_of(part), left, left + 0.33, top,
                 fmt::format("{}, {}: {} {:.1f} us", report.layers[i].layer.name(), sparse ? "2:4" : "dense",
                             name_of(kParts[part]), us));
        top -= us;
      }
    }
  }
  std::vector<LegendEntry> legend;
  for (std::size_t part = 0; part < std::size(kParts); ++part)
    legend.push_back({colour_of(part), name_of(kParts[part])});
  return html_figure("", plot.svg()) + html_legend(legend);
}

std::string verdict_table(const TrainingReport& report) {
  HtmlTable table({{"layer", HtmlTable::Style::kName},
                   {"tokens", true},
                   {"dense us", true},
                   {"2:4 us", true},
                   {"of it pruning us", true},
                   {"speedup", true},
                   {"without pruning", true},
                   {"2:4 pays from tokens", true}});
  for (const LayerReport& layer : report.layers) {
    for (const TrainingPoint& point : layer.points) {
      table.row({layer.layer.name(), grouped(static_cast<std::uint64_t>(point.tokens)),
                 fmt::format("{:.1f}", point.dense.time_us()), fmt::format("{:.1f}", point.sparse.time_us()),
                 fmt::format("{:.1f}", point.sparse.time_us(StepLaunch::Part::kPrune)),
                 fmt::format("{:.3f}", point.speedup()), fmt::format("{:.3f}", point.speedup_without_pruning()),
                 layer.break_even().text()},
                point.tokens == layer.points.back().tokens ? "total" : "");
    }
  }
  return table.html();
}

std::string us_or_dash(double us) { return std::isfinite(us) ? fmt::format("{:.1f}", us) : "-"; }

std::string launch_table(const LayerReport& layer) {
  HtmlTable table({{"step", false},
                   {"launch", HtmlTable::Style::kName},
                   {"part", false},
                   {"us", true},
                   {"us under power limit", true},
                   {"TFLOPS", true},
                   {"tensor cores busy %", true},
                   {"L2 MiB", true},
                   {"DRAM MiB", true},
                   {"bound by", false}});
  const TrainingPoint& point = layer.points.back();
  for (const bool sparse : {false, true}) {
    const StepCost& step = sparse ? point.sparse : point.dense;
    for (const LaunchCost& launch : step.launches) {
      const auto mib = [](std::uint64_t bytes) {
        return fmt::format("{:.1f}", static_cast<double>(bytes) / (1 << 20));
      };
      table.row({sparse ? "2:4" : "dense", launch.title, name_of(launch.part), fmt::format("{:.1f}", launch.time_us),
                 us_or_dash(launch.sustained_us), launch.operations > 0 ? fmt::format("{:.1f}", launch.tflops()) : "-",
                 fmt::format("{:.1f}", 100 * launch.tensor_busy), mib(launch.l2_bytes), mib(launch.dram_bytes),
                 launch.bound});
    }
    table.row({sparse ? "2:4" : "dense", "all", "", fmt::format("{:.1f}", step.time_us()),
               us_or_dash(step.sustained_us()), "", "", "", "", ""},
              "total");
  }
  return table.html();
}

std::string pruning_tables(const TrainingReport& report) {
  HtmlTable cost({{"layer", HtmlTable::Style::kName}, {"masks", false}, {"us", true}, {"DRAM MiB", true}});
  for (const LayerReport& layer : report.layers) {
    for (const PruningCost& one : layer.pruning) {
      cost.row({layer.layer.name(), one.choice, fmt::format("{:.1f}", one.time_us),
                fmt::format("{:.1f}", static_cast<double>(one.dram_bytes) / (1 << 20))});
    }
  }
  HtmlTable kept({{"masks", false}, {"magnitude kept %", true}});
  for (const MaskQuality& one : report.quality) kept.row({one.choice, fmt::format("{:.2f}", 100 * one.magnitude)});
  return cost.html() + kept.html();
}

std::string tiles(const TrainingReport& report) {
  std::vector<HtmlTile> tiles;
  for (const LayerReport& layer : report.layers) {
    const TrainingPoint& last = layer.points.back();
    tiles.push_back({layer.layer.name(), fmt::format("{:.2f}x", last.speedup()),
                     fmt::format("at {} tokens; 2:4 pays from {} on", grouped(static_cast<std::uint64_t>(last.tokens)),
                                 layer.break_even().text())});
  }
  return html_tiles(tiles);
}

}  // namespace

std::string training_html(const TrainingReport& report) {
  const bool weights = report.plan.sparse == TrainingPlan::Sparse::kWeights;
  std::string body = fmt::format(
      "<h1>Does 2:4 pay for my training?</h1>\n<p>{} on {}, 2:4 {}, masks {}. A step is "
      "forward, input gradient and weight gradient, f16, launch after launch on one memory; "
      "2:4 prunes and compresses in every step.</p>\n",
      report.plan.mlp() ? "MLPs" : "Linear layers", escape_html(report.gpu_name), weights ? "weights" : "activations",
      report.plan.masks);
  if (!report.failures.empty()) body += html_warning("A check failed: " + report.failures.front());
  body += tiles(report);
  body += html_section("speedup", "Speedup against tokens",
                       "Few tokens do not repay pruning, whose cost does not depend on them.",
                       speedup_chart(report) + verdict_table(report));
  body += html_section("parts", "Where the time goes", "At the most tokens.", part_chart(report));
  std::size_t number = 0;
  for (const LayerReport& layer : report.layers) {
    body += html_section(fmt::format("layer{}", number++), "Launches of " + layer.layer.name(),
                         fmt::format("At {} tokens.", grouped(static_cast<std::uint64_t>(layer.points.back().tokens))),
                         launch_table(layer));
  }
  body += html_section("pruning", "Pruning: cost and quality",
                       "exact: the best of the 90 masks that are 2:4 along rows and columns; greedy: by falling "
                       "magnitude; row: along rows only, so that the transpose stays dense.",
                       pruning_tables(report));
  return html_page("2:4 training on " + report.gpu_name, body);
}

}  // namespace stc::sim
