// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/crossover_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/crossover/region_chart.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

/// The kind of the fastest contender at a density, or nothing when none ran.
std::optional<ContenderKind> kind_of_winner(const CrossoverReport& report, const Contest& contest, std::size_t i) {
  if (!contest.winners[i]) return std::nullopt;
  return report.contender(contest.answers[*contest.winners[i]]).kind;
}

double cycles_of(const CrossoverReport& report, const Answer& answer) {
  return static_cast<double>(report.result(answer).run.cycles_elapsed);
}

/// Fewest cycles of the kind at a density; 0 when none ran.
double best_cycles(const CrossoverReport& report, const Contest& contest, ContenderKind kind, double density) {
  double best = 0;
  for (const Answer& answer : contest.answers) {
    if (!answer.ok || report.contender(answer).kind != kind) continue;
    if (kind == ContenderKind::kUnstructured && report.question(answer).density != density) continue;
    const double cycles = cycles_of(report, answer);
    if (best == 0 || cycles < best) best = cycles;
  }
  return best;
}

/// Where the best unstructured contender overtakes the kind.
BreakEven overtakes(const CrossoverReport& report, const Contest& contest, ContenderKind rival) {
  std::vector<std::pair<double, double>> speedups;
  for (const double density : contest.densities) {
    if (rival == ContenderKind::kStructured && !fits_structured(density)) continue;
    const double own = best_cycles(report, contest, ContenderKind::kUnstructured, density);
    const double other = best_cycles(report, contest, rival, density);
    if (own > 0 && other > 0) speedups.emplace_back(1 - density, other / own);
  }
  return break_even(speedups);
}

/// Half way between neighbouring sparsities; where the break-even of the two winners lies when it does so between them.
double border(const CrossoverReport& report, const Contest& contest, std::size_t i) {
  const double low = 1 - contest.densities[i], high = 1 - contest.densities[i + 1];
  const auto before = kind_of_winner(report, contest, i), after = kind_of_winner(report, contest, i + 1);
  if (before && after && *before != *after) {
    if (*after == ContenderKind::kStructured) return std::clamp(0.5, low, high);
    const BreakEven at = overtakes(report, contest, *before);
    if (at.where == BreakEven::Where::kAt && at.sparsity > low && at.sparsity < high) return at.sparsity;
  }
  return (low + high) / 2;
}

RegionBar bar_of(const CrossoverReport& report, const Contest& contest) {
  const StudyShape& shape = report.plan->study.shapes[contest.shape];
  RegionBar bar{shape.name, {}, {}};
  for (std::size_t i = 0; i < contest.densities.size(); ++i) {
    const auto kind = kind_of_winner(report, contest, i);
    if (!kind) continue;
    const Answer& answer = contest.answers[*contest.winners[i]];
    const double from = i == 0 ? 1 - contest.densities[i] : border(report, contest, i - 1);
    const double to = i + 1 == contest.densities.size() ? 1 - contest.densities[i] : border(report, contest, i);
    bar.parts.push_back({from, to, static_cast<int>(*kind),
                         fmt::format("{}: {} is fastest at {:.4g} % zeros, {:.1f} us", shape.sizes(),
                                     report.contender(answer).name, 100 * (1 - contest.densities[i]), answer.time_us)});
  }
  for (const ContenderKind rival : {ContenderKind::kDense, ContenderKind::kStructured}) {
    const BreakEven at = overtakes(report, contest, rival);
    if (at.where != BreakEven::Where::kAt) continue;
    bar.lines.push_back({at.sparsity, rival == ContenderKind::kDense ? "= dense" : "= 2:4"});
  }
  return bar;
}

const std::vector<std::string>& region_colours() {
  static const std::vector<std::string> colours = {"s0", "s3", "s2"};
  return colours;
}

/// A colour for each format, whatever the element type; 1:2 stands where 2:4 does.
std::string colour_of(const Contender& contender) {
  static const std::vector<std::string> formats = {"dense", "csr_csr", "csr", "sp24", "ell", "coo", "csc", "bitmap"};
  const auto found = std::find(formats.begin(), formats.end(), contender.format);
  return fmt::format("s{}", found == formats.end() ? 3 : found - formats.begin());
}

std::string caption(const CrossoverReport& report, const Contest& contest) {
  const Study& study = report.plan->study;
  return fmt::format("{}, {} ({}), {}", study.gpus[contest.gpu].name, study.shapes[contest.shape].name,
                     study.shapes[contest.shape].sizes(), contest.element);
}

using Quantity = std::function<double(const Answer&)>;

/// A curve for each contender; those without a density of their own are level lines.
std::string curves(const CrossoverReport& report, const Contest& contest, const std::string& label,
                   const Quantity& quantity, bool rule_at_one) {
  double low = 1, high = 0;
  for (const double density : contest.densities) {
    low = std::min(low, 1 - density);
    high = std::max(high, 1 - density);
  }
  if (low >= high) return "";  // one density: the table says it all
  std::vector<double> values;
  for (const Answer& answer : contest.answers) {
    if (answer.ok && quantity(answer) > 0) values.push_back(quantity(answer));
  }
  if (values.empty()) return "";
  if (rule_at_one) values.push_back(1);
  SvgPlot plot({caption(report, contest) + ": " + label, 400, 280}, {"zeros, %", Scale::kLinear, 100 * low, 100 * high},
               PlotAxis::around(label, Scale::kLog, values));
  if (rule_at_one) plot.rule({100 * low, 1}, {100 * high, 1}, "break-even");
  const std::vector<Contender>& contenders = report.plan->study.contenders;
  for (std::size_t contender = 0; contender < contenders.size(); ++contender) {
    std::vector<SvgPlot::Place> places;
    for (const Answer& answer : contest.answers) {
      if (!answer.ok || report.question(answer).contender != contender || quantity(answer) <= 0) continue;
      const double y = quantity(answer);
      if (contenders[contender].kind != ContenderKind::kUnstructured) {
        const double from = contenders[contender].kind == ContenderKind::kDense ? low : std::clamp(0.5, low, high);
        places = {{100 * from, y}, {100 * high, y}};
        continue;
      }
      const double x = 100 * (1 - report.question(answer).density);
      places.emplace_back(x, y);
      plot.dot(colour_of(contenders[contender]), x, y,
               fmt::format("{} at {:.4g} % zeros: {:.4g} {}", contenders[contender].name, x, y, label));
    }
    if (places.size() > 1) plot.line(colour_of(contenders[contender]), places);
  }
  return html_figure(caption(report, contest), plot.svg());
}

std::string format_legend(const CrossoverReport& report) {
  std::vector<LegendEntry> entries;
  for (const Contender& contender : report.plan->study.contenders) {
    const bool known = std::any_of(entries.begin(), entries.end(),
                                   [&](const LegendEntry& entry) { return entry.name == contender.format; });
    if (!known) entries.push_back({colour_of(contender), contender.format, LegendEntry::Mark::kLine});
  }
  return html_legend(entries);
}

std::string all_curves(const CrossoverReport& report, const std::string& label, const Quantity& quantity, bool at_one) {
  std::string figures;
  for (const Contest& contest : report.contests) figures += curves(report, contest, label, quantity, at_one);
  return format_legend(report) + "<div class=\"grid-of wide\">\n" + figures + "</div>\n";
}

}  // namespace

std::string region_charts(const CrossoverReport& report) {
  const Study& study = report.plan->study;
  std::string out = html_legend(
      {{region_colours()[0], "dense"}, {region_colours()[1], "2:4"}, {region_colours()[2], "unstructured"}});
  std::vector<std::pair<std::size_t, std::string>> done;
  for (const Contest& first : report.contests) {
    const auto key = std::make_pair(first.gpu, first.element);
    if (std::find(done.begin(), done.end(), key) != done.end()) continue;
    done.push_back(key);
    std::vector<RegionBar> bars;
    for (const Contest& contest : report.contests) {
      if (contest.gpu == first.gpu && contest.element == first.element && contest.densities.size() > 1) {
        bars.push_back(bar_of(report, contest));
      }
    }
    if (bars.empty()) continue;
    const std::string title = fmt::format("{}, {}: fastest way to multiply", study.gpus[first.gpu].name, first.element);
    out += html_figure(title, region_chart(title, bars, region_colours()));
  }
  return out;
}

std::string speedup_curves(const CrossoverReport& report) {
  return all_curves(
      report, "speedup over dense", [](const Answer& answer) { return answer.speedup; }, true);
}

std::string byte_curves(const CrossoverReport& report) {
  const auto storage = [&](const Answer& answer) {
    const StorageBytes& bytes = report.result(answer).storage;
    return static_cast<double>(bytes.values + bytes.indices);
  };
  const auto dram = [&](const Answer& answer) {
    const LevelBytes& bytes = report.result(answer).run.bytes.back();
    return static_cast<double>(total_bytes(bytes.read) + total_bytes(bytes.write));
  };
  return "<h3>Storage of the sparse operand</h3>\n" + all_curves(report, "bytes stored", storage, false) +
         "<h3>DRAM</h3>\n" + all_curves(report, "bytes of DRAM", dram, false);
}

}  // namespace stc::sim
