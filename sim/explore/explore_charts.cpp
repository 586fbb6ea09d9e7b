// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/explore_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "sim/explore/chart_groups.h"
#include "sim/explore/svg_charts.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

constexpr std::array<std::pair<DataRole, const char*>, 5> kRoles = {{{DataRole::kWeight, "weights"},
                                                                     {DataRole::kMetadata, "metadata"},
                                                                     {DataRole::kActivation, "activations"},
                                                                     {DataRole::kOutput, "outputs"},
                                                                     {DataRole::kOther, "other"}}};

std::string limit_legend(const ExploreReport& report) {
  std::vector<LegendEntry> entries;
  for (const std::string& limit : limits()) {
    const bool used = std::any_of(report.cases.begin(), report.cases.end(),
                                  [&](const CaseReport& one) { return one.ok && one.limit.by == limit; });
    if (used) entries.push_back({colour_of_limit(limit), limit});
  }
  entries.push_back({"sx", "ceiling of the tensor core"});
  return html_legend(entries);
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

double level_total(const LevelBytes& level) {
  return static_cast<double>(total_bytes(level.read) + total_bytes(level.write));
}

}  // namespace

std::string speedup_charts(const ExploreReport& report) {
  std::string figures;
  for (const ChartGroup& group : groups_by_shape(report)) {
    double least_kept = 1, most = 1;
    for (const CaseReport* one : group.cases) {
      least_kept = std::min(least_kept, 1.0 / one->ideal);
      most = std::max({most, one->ideal, one->tensor_ceiling});
    }
    // With room for names to the left of the sparsest patterns.
    PlotAxis x{"kept fraction N/M", Scale::kLog, least_kept / 2.1, 1.25, {}};
    for (const double tick : {0.0625, 0.125, 0.25, 0.375, 0.5, 0.75, 1.0}) {
      if (tick >= least_kept / 1.15) x.ticks.push_back(tick);
    }
    PlotAxis y{"speedup over dense", Scale::kLog, 0.7, most * 1.15, {}};
    for (const double tick : {0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0}) {
      if (tick <= y.high) y.ticks.push_back(tick);
    }
    SvgPlot plot({"Speedup against kept fraction, " + group.name, 420, 320}, x, y);
    plot.rule({1.0, 1.0}, {least_kept, 1.0 / least_kept}, "");
    std::vector<MarkName> names;  // in logarithms, as the axes are
    for (const CaseReport* one : group.cases) {
      const std::string pattern = report.question(*one).pattern.name();
      const double kept = 1.0 / one->ideal;
      plot.dot("sx", kept, one->tensor_ceiling, fmt::format("{}: ceiling {:.2f}x", pattern, one->tensor_ceiling), 2.6);
      if (!one->ok) continue;
      plot.dot(colour_of_limit(one->limit.by), kept, one->speedup,
               fmt::format("{}: {:.2f}x of {:.2f}x, limited by {}: {}", pattern, one->speedup, one->ideal,
                           one->limit.by, one->limit.reason),
               4.5);
      names.push_back({std::log(kept), std::log(one->speedup), pattern});
    }
    for (const MarkName& name : joined_names(names, 0.02, 0.02))
      plot.text(std::exp(name.x), std::exp(name.y), name.name);
    figures += html_figure(group.name, plot.svg());
  }
  return limit_legend(report) + "<div class=\"grid-of wide\">\n" + figures + "</div>\n";
}

std::string heat_maps(const ExploreReport& report) {
  double high = 1;
  for (const CaseReport& one : report.cases) high = std::max(high, one.speedup);
  std::string figures;
  for (const ChartGroup& group : groups_by_gpu(report)) {
    std::set<int> ns, ms;
    std::map<std::pair<int, int>, std::vector<double>> speedups;
    std::map<std::pair<int, int>, double> ideals;
    for (const CaseReport* one : group.cases) {
      const sparsity::Pattern& pattern = report.question(*one).pattern;
      if (pattern.dense() || !one->ok || one->speedup <= 0) continue;
      const std::pair<int, int> place = {pattern.stored_elements(), pattern.group_elements()};
      ns.insert(place.first);
      ms.insert(place.second);
      speedups[place].push_back(one->speedup);
      ideals[place] = one->ideal;
    }
    if (speedups.empty()) continue;
    HeatMap map{"Speedup over N and M, " + group.name, "N", "M", {}, {}, {}};
    for (const int m : ms) map.columns.push_back(std::to_string(m));
    for (const int n : ns) {
      map.rows.push_back(std::to_string(n));
      map.cells.emplace_back();
      for (const int m : ms) {
        const auto found = speedups.find({n, m});
        if (found == speedups.end()) {
          map.cells.back().emplace_back();
          continue;
        }
        const double mean = geometric_mean(found->second);
        map.cells.back().push_back(HeatCell{mean, fmt::format("{:.2f}", mean),
                                            fmt::format("{}:{}: {:.2f}x, {:.0f} % of the ideal {:.2f}x", n, m, mean,
                                                        100 * mean / ideals[found->first], ideals[found->first])});
      }
    }
    figures += html_figure(group.name, heat_map(map, 0.8, high));
  }
  return "<div class=\"grid-of wide\">\n" + figures + "</div>\n";
}

constexpr std::size_t kBarsOfNarrowChart = 6;

std::string byte_charts(const ExploreReport& report) {
  static const std::array<const char*, 4> titles = {"register file (tensor operands)", "shared memory", "L2", "DRAM"};
  std::vector<LegendEntry> legend;
  for (std::size_t role = 0; role < kRoles.size(); ++role)
    legend.push_back({fmt::format("s{}", role), kRoles[role].second});
  std::string out = html_legend(legend);
  for (const ChartGroup& group : groups_by_shape(report)) {
    std::string figures;
    for (std::size_t level = 0; level < level_keys().size(); ++level) {
      std::vector<StackedBar> bars;
      for (const CaseReport* one : group.cases) {
        const CaseReport* dense = dense_of(report, *one);
        const double whole = dense == nullptr ? 0 : level_total(report.result(*dense).bytes[level]);
        if (!one->ok || whole <= 0) continue;
        StackedBar bar;
        bar.name = report.question(*one).pattern.name();
        for (std::size_t role = 0; role < kRoles.size(); ++role) {
          const auto index = static_cast<std::size_t>(kRoles[role].first);
          const LevelBytes& bytes = report.result(*one).bytes[level];
          const auto moved = static_cast<double>(bytes.read[index] + bytes.write[index]);
          bar.parts.push_back({100 * moved / whole, fmt::format("s{}", role),
                               fmt::format("{}, {}: {} bytes, {:.1f} % of dense", bar.name, kRoles[role].second,
                                           short_number(moved), 100 * moved / whole)});
        }
        bars.push_back(bar);
      }
      if (!bars.empty())
        figures += html_figure(
            titles[level], stacked_bars(fmt::format("Bytes, {}, {}", titles[level], group.name), "% of dense", bars));
    }
    // Few bars: all levels side by side.
    const char* width = group.cases.size() > kBarsOfNarrowChart ? " wide" : "";
    out += fmt::format("<h3>{}</h3>\n<div class=\"grid-of{}\">\n{}</div>\n", escape_html(group.name), width, figures);
  }
  return out;
}

std::string metadata_table(const ExploreReport& report) {
  HtmlTable table({{"GPU and type", HtmlTable::Style::kName},
                   {"pattern", false},
                   {"legal masks", true},
                   {"index / value bits", true},
                   {"of L2 reads", true},
                   {"mux inputs", true},
                   {"size", true},
                   {"of the multipliers", true},
                   {"selects", true},
                   {"activations", true}});
  for (const ChartGroup& group : groups_by_gpu(report)) {
    std::set<std::string> seen;
    for (const CaseReport* one : group.cases) {
      const sparsity::Pattern& pattern = report.question(*one).pattern;
      if (pattern.dense() || !seen.insert(pattern.name()).second) continue;
      double metadata = 0, all = 0;
      for (const CaseReport* other : group.cases) {
        if (!other->ok || !(report.question(*other).pattern == pattern)) continue;
        const LevelBytes& bytes = report.result(*other).bytes[2];
        metadata += static_cast<double>(bytes.read[static_cast<std::size_t>(DataRole::kMetadata)]);
        all += static_cast<double>(total_bytes(bytes.read));
      }
      table.row({group.name, pattern.name(), std::to_string(pattern.legal_masks()),
                 fmt::format("{:.2f} %", 100 * one->metadata_overhead),
                 all > 0 ? fmt::format("{:.2f} %", 100 * metadata / all) : "-",
                 std::to_string(one->selector.mux_inputs), fmt::format("{:.2f}", one->relative_size),
                 one->area ? fmt::format("{:.1f} %", 100 * one->area->relative()) : "-",
                 fmt::format("{:.0f}", one->selector.select_wires),
                 fmt::format("{:.0f}", one->selector.activation_wires)});
    }
  }
  return table.html();
}

std::string pareto_charts(const ExploreReport& report) {
  std::string figures;
  for (const ChartGroup& group : groups_by_shape(report)) {
    double least = 100, most = 1;
    for (const CaseReport* one : group.cases) {
      if (!one->ok) continue;
      least = std::min(least, 100 * one->kept.magnitude);
      most = std::max(most, one->speedup);
    }
    SvgPlot plot({"Pareto front, " + group.name, 420, 320},
                 {"speedup over dense", Scale::kLinear, 0.6, std::ceil(most * 2 + 0.6) / 2, {}},
                 {"kept magnitude, %", Scale::kLinear, std::floor(least / 10 - 0.2) * 10, 105, {}});
    std::vector<MarkName> names;
    for (const CaseReport* one : group.cases) {
      if (!one->ok) continue;
      const std::string pattern = report.question(*one).pattern.name();
      const double radius = std::round(10 * std::min(16.0, 2.5 + 2.0 * std::sqrt(one->relative_size))) / 10;
      plot.dot(one->pareto ? "s2" : "sx", one->speedup, 100 * one->kept.magnitude,
               fmt::format("{}: {:.2f}x, {:.1f} % of the magnitude kept, gates {:.2f} of 2:4", pattern, one->speedup,
                           100 * one->kept.magnitude, one->relative_size),
               radius);
      if (one->pareto) names.push_back({one->speedup, 100 * one->kept.magnitude, pattern});
    }
    for (const MarkName& name : joined_names(names, 0.01, 0.5)) plot.text(name.x, name.y, name.name);
    figures += html_figure(group.name, plot.svg());
  }
  return "<div class=\"grid-of wide\">\n" + figures + "</div>\n";
}

}  // namespace stc::sim
