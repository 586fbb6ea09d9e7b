// SPDX-License-Identifier: Apache-2.0
// Plots of stalls and of the matrix-instruction microbenchmarks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "sim/base/text.h"
#include "sim/compare/html_charts.h"
#include "sim/compare/report_table.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

/// Stalls that belong together share a colour.
struct StallClass {
  const char* name;
  const char* colour;
  std::vector<const char*> members;
};
const std::vector<StallClass>& stall_classes() {
  static const std::vector<StallClass> classes = {
      {"issued", "s0", {"issued"}},
      {"tensor core busy", "s1", {"tensor_busy"}},
      {"shared memory", "s2", {"shared_memory"}},
      {"global memory, asynchronous copies", "s6", {"global_memory", "async_copy"}},
      {"memory queue", "s3", {"memory_queue"}},
      {"barrier", "s4", {"barrier"}},
      {"pipes, register ports", "s7", {"pipe_busy", "register_ports", "scoreboard_other"}},
      {"fixed latency, fetch", "s5", {"fixed_latency", "no_instruction"}},
      {"not selected, dispatch", "sx", {"not_selected", "dispatch"}},
  };
  return classes;
}

double share_of(const ComparedPoint& point, const StallClass& of) {
  double sum = 0, all = 0;
  for (const auto& [name, cycles] : point.stalls) {
    all += cycles;
    if (std::find(of.members.begin(), of.members.end(), name) != of.members.end()) sum += cycles;
  }
  return all > 0 ? sum / all : 0.0;
}

/// Measured operations of all warps of a CTA per clock.
double rate(const ComparedPoint& point, double cycles) {
  return point.point.operations * point.point.field_number("warps") / cycles;
}

struct Curve {
  int chains;
  std::vector<const ComparedPoint*> points;  ///< by warps
};

/// "micro_mma_sp_m16n8k32_f32_f16_f16_f32_c4" is instruction mma_sp_..._f32 with 4 chains.
bool split_kernel(const std::string& kernel, std::string& instruction, int& chains) {
  const std::size_t place = kernel.rfind("_c");
  if (kernel.rfind("micro_mma_", 0) != 0 || place == std::string::npos) return false;
  const auto number = parse_integer(kernel.substr(place + 2));
  if (!number || kernel.find("_shared") != std::string::npos) return false;
  instruction = kernel.substr(6, place - 6);
  chains = static_cast<int>(*number);
  return true;
}

/// "mma_sp_m16n8k32_f32_f16_f16_f32" as "mma.sp m16n8k32 f32.f16": shape, accumulator, operands.
std::string short_name(const std::string& instruction) {
  std::vector<std::string> parts = split(instruction, '_');
  const bool sparse = parts.size() > 1 && parts[1] == "sp";
  if (sparse) parts.erase(parts.begin() + 1);
  return parts.size() < 4 ? instruction
                          : fmt::format("mma{} {} {}.{}", sparse ? ".sp" : "", parts[1], parts[2], parts[3]);
}

constexpr std::array<int, 4> kShownChains = {1, 2, 4, 8};

}  // namespace

std::string stall_chart(const CompareReport& report) {
  std::vector<const ComparedPoint*> worst;
  for (const ComparedPoint* point : worst_points(report, report.points.size())) {
    if (!point->stalls.empty() && point->point.kind != ComparePoint::Kind::kLibraryGemm && worst.size() < 15)
      worst.push_back(point);
  }
  if (worst.empty()) return "";
  constexpr double kWidth = 1080, kRow = 40, kBar = 15;
  const double height = kRow * static_cast<double>(worst.size()) + 4;
  std::string marks;
  double y = 0;
  for (const ComparedPoint* point : worst) {
    const std::string metric = point->headline();
    marks += fmt::format("<text class=\"value\" x=\"0\" y=\"{:.1f}\">{}  {}</text>", y + 12,
                         percent(point->error(metric), true), escape_html(point->point.id));
    double x = 0;
    for (const StallClass& stall : stall_classes()) {
      const double width = share_of(*point, stall) * kWidth;
      if (width < 0.5) continue;
      marks += fmt::format(
          "<rect class=\"bar {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"><title>{}: {:.1f} "
          "%</title></rect>",
          stall.colour, x, y + 17, std::max(width - 1.5, 0.5), kBar, stall.name, 100 * width / kWidth);
      x += width;
    }
    y += kRow;
  }
  std::vector<LegendEntry> legend;
  for (const StallClass& stall : stall_classes()) {
    const bool used =
        std::any_of(worst.begin(), worst.end(), [&](const ComparedPoint* p) { return share_of(*p, stall) > 0; });
    if (used) legend.push_back({stall.colour, stall.name});
  }
  return html_legend(legend) +
         fmt::format(
             "<svg role=\"img\" aria-label=\"Share of warp-cycles by stall of the {0} points with the largest errors\" "
             "viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\">{3}</svg>\n",
             worst.size(), kWidth, height, marks);
}

std::string throughput_charts(const CompareReport& report) {
  std::map<std::string, std::map<int, std::vector<const ComparedPoint*>>> instructions;
  for (const ComparedPoint& point : report.points) {
    if (point.point.kind != ComparePoint::Kind::kMicro || point.point.group != "mma" || !point.failure.empty())
      continue;
    std::string instruction;
    int chains = 0;
    if (!split_kernel(point.point.tasks.front().kernel, instruction, chains)) continue;
    if (std::find(kShownChains.begin(), kShownChains.end(), chains) == kShownChains.end()) continue;
    instructions[instruction][chains].push_back(&point);
  }
  std::string figures;
  for (auto& [instruction, curves] : instructions) {
    std::vector<double> warps, rates = {0};
    for (auto& [chains, points] : curves) {
      std::sort(points.begin(), points.end(), [](const ComparedPoint* a, const ComparedPoint* b) {
        return a->point.field_number("warps") < b->point.field_number("warps");
      });
      for (const ComparedPoint* point : points) {
        warps.push_back(point->point.field_number("warps"));
        rates.push_back(rate(*point, point->point.measured.at("cycles")));
        rates.push_back(rate(*point, point->simulated.at("cycles")));
      }
    }
    PlotAxis x{"warps", Scale::kLinear, 0, *std::max_element(warps.begin(), warps.end()) + 1, {1, 2, 4, 6, 8, 12, 16}};
    x.ticks.erase(std::remove_if(x.ticks.begin(), x.ticks.end(), [&](double t) { return t > x.high; }), x.ticks.end());
    SvgPlot plot({fmt::format("{}: instructions per clock of an SM over warps, for 1, 2, 4 and 8 chains", instruction),
                  300, 215},
                 x, PlotAxis::around("instructions/clock", Scale::kLinear, rates, true));
    for (const auto& [chains, points] : curves) {
      const auto place = std::find(kShownChains.begin(), kShownChains.end(), chains);
      const std::string colour = fmt::format("q{}", place - kShownChains.begin());
      std::vector<SvgPlot::Place> places;
      for (const ComparedPoint* point : points) {
        places.emplace_back(point->point.field_number("warps"), rate(*point, point->simulated.at("cycles")));
      }
      plot.line(colour, places);
      for (const ComparedPoint* point : points) {
        plot.dot(colour, point->point.field_number("warps"), rate(*point, point->point.measured.at("cycles")),
                 fmt::format("{} chains, {:.0f} warps: {:.4f} simulated, {:.4f} measured", chains,
                             point->point.field_number("warps"), rate(*point, point->simulated.at("cycles")),
                             rate(*point, point->point.measured.at("cycles"))));
      }
    }
    figures += html_figure(short_name(instruction), plot.svg());
  }
  if (figures.empty()) return "";
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < kShownChains.size(); ++i) {
    legend.push_back({fmt::format("q{}", i),
                      fmt::format("{} chain{}", kShownChains[i], kShownChains[i] == 1 ? "" : "s"),
                      LegendEntry::Mark::kLine});
  }
  legend.push_back({"q2", "discs: measured; lines: simulated"});
  return html_legend(legend) + html_grid(figures);
}

}  // namespace stc::sim
