// SPDX-License-Identifier: Apache-2.0
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

using Part = Waterfall::Part;

constexpr double kWide = 460;
constexpr const char* kEnd = "s0";
constexpr const char* kLoss = "s1";
constexpr const char* kGain = "s2";
/// Of the parts of both kernels' cycles, in their order; the least cycles come first.
constexpr const char* kStepColours[] = {"s2", "s5", "s3", "s1", "s4", "s6", "q1", "sx", "s7"};

std::string cycles_text(double cycles) {
  return grouped(static_cast<std::uint64_t>(std::llround(std::max(0.0, cycles))));
}

std::string speedup_chart(const Waterfall& waterfall, const std::vector<Part>& parts) {
  double highest = waterfall.ideal(), at = waterfall.ideal();
  for (const Part& part : parts) highest = std::max(highest, at -= part.speedup);
  SvgRows rows({"From the ideal to the simulated speedup", kWide}, {0, highest, "speedup over the dense kernel"});
  at = waterfall.ideal();
  rows.add({"ideal", {{kEnd, 0, at, fmt::format("ideal: {:.3f}", at)}}, fmt::format("{:.2f}x", at), true, true});
  for (const Part& part : parts) {
    const double to = at - part.speedup;
    rows.add({part.title,
              {{part.speedup >= 0 ? kLoss : kGain, at, to,
                fmt::format("{}: {:+.3f}, from {:.3f} to {:.3f}", part.title, -part.speedup, at, to)}},
              fmt::format("{:+.2f}", -part.speedup),
              false,
              true});
    at = to;
  }
  rows.add({"simulated", {{kEnd, 0, at, fmt::format("simulated: {:.3f}", at)}}, fmt::format("{:.2f}x", at), true});
  return rows.svg();
}

/// Cycles of each kernel, stacked; a part that takes cycles away is left out of the bar, which is then too long by it.
std::string cycles_chart(const Waterfall& waterfall, const std::vector<Part>& parts) {
  double most = 0;
  std::vector<SvgRows::Row> bars;
  for (const bool dense : {false, true}) {
    if (dense && !waterfall.compares()) continue;
    double at = waterfall.least_cycles(dense);
    SvgRows::Row row{waterfall.compares() ? (dense ? "dense" : "sparse") : "launch", {}, "", true};
    row.pieces.push_back({kEnd, 0, at, fmt::format("multiplying: {} cycles", cycles_text(at))});
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double cycles = dense ? parts[i].dense_cycles : parts[i].cycles;
      if (cycles <= 0) continue;
      row.pieces.push_back({kStepColours[i % std::size(kStepColours)], at, at + cycles,
                            fmt::format("{}: {} cycles", parts[i].title, cycles_text(cycles))});
      at += cycles;
    }
    const auto& simulated = waterfall.steps.front();
    row.value = grouped((dense ? *simulated.dense : simulated.sparse).cycles_elapsed);
    most = std::max(most, at);
    bars.push_back(row);
  }
  SvgRows rows({"Cycles by what takes them", kWide}, {0, most, "SM cycles, launch overhead included"});
  for (SvgRows::Row& bar : bars) rows.add(std::move(bar));
  std::vector<LegendEntry> legend = {{kEnd, "multiplying"}};
  for (std::size_t i = 0; i < parts.size(); ++i)
    legend.push_back({kStepColours[i % std::size(kStepColours)], parts[i].title});
  return rows.svg() + html_legend(legend);
}

std::string parts_table(const Waterfall& waterfall, const std::vector<Part>& parts) {
  std::vector<HtmlTable::Column> columns = {{"limit", HtmlTable::Style::kName}};
  if (waterfall.compares()) columns.insert(columns.end(), {{"part", true}, {"speedup", true}});
  columns.emplace_back("cycles", true);
  if (waterfall.compares()) columns.emplace_back("dense", true);
  columns.emplace_back("what it is");
  HtmlTable table(columns);
  const auto row = [&](const std::string& title, const std::string& part, const std::string& speedup,
                       const std::string& cycles, const std::string& dense, const std::string& meaning) {
    std::vector<std::string> cells = {title};
    if (waterfall.compares()) cells.insert(cells.end(), {part, speedup});
    cells.push_back(cycles);
    if (waterfall.compares()) cells.push_back(dense);
    cells.push_back(meaning);
    table.row(cells);
  };
  const bool compares = waterfall.compares();
  row("ideal", "", compares ? fmt::format("{:.3f}", waterfall.ideal()) : "", cycles_text(waterfall.least_cycles(false)),
      compares ? cycles_text(waterfall.least_cycles(true)) : "", "tensor cores do nothing but multiply");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t step = waterfall.steps.size() - 1 - i;
    const WaterfallStep& under = waterfall.steps[step];
    row(parts[i].title, fmt::format("{:+.3f}", -parts[i].speedup),
        compares ? fmt::format("{:.3f}", waterfall.speedup(step)) : "", grouped(under.sparse.cycles_elapsed),
        compares ? grouped(under.dense->cycles_elapsed) : "", parts[i].meaning);
  }
  return table.html();
}

std::string commands(const std::vector<Part>& parts) {
  std::string out = "<details><summary>The command of each row</summary><ul class=\"notes\">\n";
  for (const Part& part : parts) {
    out += fmt::format("<li>{}: <code>{}</code></li>\n", escape_html(part.title), escape_html(part.command));
  }
  return out + "</ul></details>\n";
}

}  // namespace

std::string waterfall_section(const Waterfall& waterfall) {
  const std::vector<Part> parts = waterfall.parts();
  const bool compares = waterfall.compares();
  std::string charts;
  if (compares) charts += html_figure("From the ideal to the simulated speedup", speedup_chart(waterfall, parts));
  charts += html_figure("Cycles by what takes them", cycles_chart(waterfall, parts));
  return html_section("why", compares ? fmt::format("Why not {:.3g}x?", waterfall.ideal()) : "Where does the time go?",
                      "Each row is a run of the kernels with the limits of the rows below it lifted (options.ideal): "
                      "from a machine that "
                      "does nothing but multiply to the GPU as it is. A part is what its limit takes when it is put "
                      "back, so the parts sum "
                      "to the gap; put back in another order, limits that overlap would share it in another way.",
                      html_wide_grid(charts) + parts_table(waterfall, parts) + commands(parts));
}

}  // namespace stc::sim
