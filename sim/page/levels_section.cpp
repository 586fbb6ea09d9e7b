// SPDX-License-Identifier: Apache-2.0
// Roofline with the levels of the memory hierarchy, and how much of each level was used.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/text.h"
#include "sim/page/run_page.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_plot.h"
#include "sim/report/svg_rows.h"

namespace stc::sim {
namespace {

constexpr const char* kLevelColours[] = {"q3", "q2", "q1", "q0"};  // by level, from the inside out

/// Bytes that each level of levels_of() moves in a cycle at most, whole GPU.
std::array<double, 4> most_bytes_per_cycle(const gpu::GpuParams& gpu) {
  constexpr double kRegisterBytes = 4 * 32;
  const auto& tensor = gpu.sm.tensor_core;
  const auto& crossbar = gpu.memory.crossbar;
  const double operands = tensor.operand_registers_per_pass * kRegisterBytes / tensor.cycles_per_pass;
  const double shared = static_cast<double>(gpu.sm.lsu.data_width_bytes) / gpu.sm.lsu.wavefront_interval;
  return {operands * gpu.sm.sub_cores * gpu.sms, shared * gpu.sms,
          std::min(crossbar.read_bytes_per_cycle, crossbar.sm_read_bytes_per_cycle * gpu.sms),
          gpu.memory.hbm.bytes_per_cycle};
}

/// Of L2 what is read; of the register file what matrix instructions read; of others both ways.
double bytes_of(const gpu::RunStatistics& run, std::size_t level) {
  const LevelBytes& bytes = *levels_of(run)[level].bytes;
  const bool reads_alone = level == 0 || level == 2;
  return static_cast<double>(total_bytes(bytes.read) + (reads_alone ? 0 : total_bytes(bytes.write)));
}

double flops_of(const gpu::RunStatistics& run) { return 2 * static_cast<double>(run.total.tensor_logical_macs); }

/// Of the tensor cores while they are busy with the launch's instructions, TFLOPS.
double tensor_roof(const gpu::RunStatistics& run, const gpu::GpuParams& gpu) {
  if (run.total.tensor_busy_cycles == 0) return 0;
  const double per_cycle =
      flops_of(run) / static_cast<double>(run.total.tensor_busy_cycles) * gpu.sms * gpu.sm.sub_cores;
  return per_cycle * run.clock_mhz * 1e-6;
}

struct Point {
  double intensity = 0;  ///< FLOPs for each byte
  double tflops = 0;
};

Point point_of(const gpu::RunStatistics& run, std::size_t level) {
  const double bytes = bytes_of(run, level);
  return {bytes > 0 ? flops_of(run) / bytes : 0, flops_of(run) / std::max(run.time_us(), 1e-9) * 1e-6};
}

/// One for each launch: a sloping roof a level, the tensor cores' flat one, and a dot a level.
std::string roofline(const PageLaunch& one, const gpu::GpuParams& gpu) {
  const gpu::RunStatistics& run = one.launch->run;
  const auto levels = levels_of(run);
  const std::array<double, 4> rates = most_bytes_per_cycle(gpu);
  const double top = tensor_roof(run, gpu);
  std::vector<double> across, up = {top, point_of(run, 0).tflops};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double tera_bytes = rates[i] * run.clock_mhz * 1e-6;
    across.push_back(top / tera_bytes);
    if (point_of(run, i).intensity > 0) across.push_back(point_of(run, i).intensity);
  }
  PlotAxis x = PlotAxis::around("FLOPs for each byte of the level", Scale::kLog, across);
  x.low /= 2;
  x.high *= 2;
  PlotAxis y = PlotAxis::around("TFLOPS, dense-equivalent", Scale::kLog, up);
  y.low /= 4;
  SvgPlot plot({"Roofline of " + one.name, 460, 320}, x, y);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double slope = rates[i] * run.clock_mhz * 1e-6;
    const double from = std::max(x.low, y.low / slope);
    plot.line(kLevelColours[i], {{from, from * slope}, {top / slope, top}, {x.high, top}});
    const Point point = point_of(run, i);
    if (point.intensity <= 0) continue;
    plot.dot(kLevelColours[i], point.intensity, point.tflops,
             fmt::format("{}: {:.1f} FLOPs for each byte, {:.1f} TFLOPS; at most {:.1f}", levels[i].title,
                         point.intensity, point.tflops, std::min(top, point.intensity * slope)),
             5);
    plot.text(point.intensity, point.tflops, levels[i].title);
  }
  plot.rule({x.low, top}, {x.high, top}, "");
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < levels.size(); ++i)
    legend.push_back({kLevelColours[i], levels[i].title, LegendEntry::Mark::kLine});
  return html_figure(one.name, plot.svg() + html_legend(legend));
}

/// Tensor cores and levels, per cent of what they can give in the cycles in which CTAs ran.
std::string use_chart(const PageLaunch& one, const gpu::GpuParams& gpu) {
  const gpu::RunStatistics& run = one.launch->run;
  SvgRows rows({"Use of the levels by " + one.name}, {0, 100, "% of what it can give from first CTA to last"});
  const auto add = [&](const std::string& name, double share, const std::string& text) {
    rows.add({name, {{one.colour, 0, 100 * share, text}}, fmt::format("{:.1f} %", 100 * share)});
  };
  const double busy = tensor_busy_fraction(run, gpu);
  add("tensor cores", busy, fmt::format("tensor cores busy for {:.1f} % of the cycles", 100 * busy));
  const auto rates = most_bytes_per_cycle(gpu);
  const auto levels = levels_of(run);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double offered = rates[i] * static_cast<double>(run.cycles);
    add(levels[i].title, offered > 0 ? bytes_of(run, i) / offered : 0,
        fmt::format("{}: {} of {}", levels[i].title, human_bytes(bytes_of(run, i)), human_bytes(offered)));
  }
  return html_figure(one.name, rows.svg());
}

}  // namespace

std::string levels_section(const std::vector<PageLaunch>& launches, const gpu::GpuParams& gpu) {
  std::string uses, roofs;
  for (const PageLaunch& one : launches) {
    uses += use_chart(one, gpu);
    if (one.launch->run.total.tensor_busy_cycles != 0) roofs += roofline(one, gpu);
  }
  std::string body = html_wide_grid(uses);
  if (!roofs.empty()) {
    body +=
        "<p class=\"soft\">Roofline: a level that moves as many bytes as it can allows no more than its slope; the "
        "flat "
        "roof is what the tensor cores reach with these instructions, operand feed included. A dot that lies far below "
        "all roofs says that none of them is the limit.</p>\n" +
        html_wide_grid(roofs);
  }
  return html_section(
      "levels", "How much of each level is used?",
      "Register file: operands that matrix instructions read, of what their collection can bring. L2: what is "
      "read. Shared memory and DRAM: both ways.",
      body);
}

}  // namespace stc::sim
