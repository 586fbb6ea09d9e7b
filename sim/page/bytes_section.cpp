// SPDX-License-Identifier: Apache-2.0
// Bytes by level and role, and energy by where it goes.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/text.h"
#include "sim/page/run_page.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_rows.h"

namespace stc::sim {
namespace {

struct RoleStyle {
  DataRole role;
  const char* name;
  const char* colour;
};
constexpr RoleStyle kRoles[] = {{DataRole::kWeight, "weights", "s0"},
                                {DataRole::kMetadata, "metadata", "s3"},
                                {DataRole::kActivation, "activations", "s1"},
                                {DataRole::kOutput, "outputs", "s2"},
                                {DataRole::kOther, "other", "sx"}};

constexpr const char* kPartColours[] = {"sx", "s5", "s6", "s0", "q2", "s2", "s4", "s1", "s7"};
static_assert(std::size(kPartColours) == gpu::kEnergyParts);

std::uint64_t of_role(const LevelBytes& bytes, DataRole role, bool write) {
  return (write ? bytes.write : bytes.read)[static_cast<std::size_t>(role)];
}

/// Empty where no bytes cross the level.
std::string level_chart(const std::vector<PageLaunch>& launches, std::size_t level) {
  double most = 0;
  std::vector<SvgRows::Row> bars;
  for (const PageLaunch& one : launches) {
    const LevelBytes& bytes = *levels_of(one.launch->run)[level].bytes;
    for (const bool write : {false, true}) {
      SvgRows::Row row{fmt::format("{} {}", one.name, write ? "written" : "read"), {}, ""};
      double at = 0;
      for (const RoleStyle& style : kRoles) {
        const auto count = static_cast<double>(of_role(bytes, style.role, write));
        if (count <= 0) continue;
        row.pieces.push_back({style.colour, at / (1 << 20), (at + count) / (1 << 20),
                              fmt::format("{} {}: {}", style.name, write ? "written" : "read", human_bytes(count))});
        at += count;
      }
      row.value = at > 0 ? human_bytes(at) : "-";
      most = std::max(most, at / (1 << 20));
      bars.push_back(row);
    }
  }
  if (most == 0) return "";
  const char* const title = levels_of(launches.front().launch->run)[level].title;
  SvgRows rows({fmt::format("Bytes of {}", title)}, {0, most, "MiB"});
  for (SvgRows::Row& bar : bars) rows.add(std::move(bar));
  return html_figure(title, rows.svg());
}

}  // namespace

std::string bytes_section(const std::vector<PageLaunch>& launches) {
  std::string figures;
  std::vector<std::string> unused;
  const auto levels = levels_of(launches.front().launch->run);
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const std::string chart = level_chart(launches, level);
    if (chart.empty()) unused.emplace_back(levels[level].title);
    figures += chart;
  }
  const std::string none =
      unused.empty() ? "" : fmt::format("<p class=\"soft\">No bytes cross: {}.</p>\n", join(unused, ", "));
  std::vector<LegendEntry> legend;
  for (const RoleStyle& style : kRoles) legend.push_back({style.colour, style.name});
  return html_section("bytes", "Which bytes cross each level?",
                      "By what they are for. Register file: operands and results of matrix instructions.",
                      (figures.empty() ? "" : html_legend(legend) + html_wide_grid(figures)) + none);
}

std::string energy_section(const std::vector<PageLaunch>& launches) {
  const auto known = [](const PageLaunch& one) { return one.launch->run.energy.known; };
  if (!std::all_of(launches.begin(), launches.end(), known)) return "";
  double most = 0;
  std::vector<SvgRows::Row> bars;
  HtmlTable table({{"", HtmlTable::Style::kName},
                   {"energy [mJ]", true},
                   {"with zeros [mJ]", true},
                   {"power [W]", true},
                   {"clock within the limit [MHz]", true},
                   {"time then [us]", true}});
  for (const PageLaunch& one : launches) {
    const gpu::Energy& energy = one.launch->run.energy;
    SvgRows::Row row{one.name, {}, fmt::format("{:.4g} mJ", energy.total() * 1e3)};
    double at = 0;
    for (int i = 0; i < gpu::kEnergyParts; ++i) {
      const double part = energy.joules[static_cast<std::size_t>(i)] * 1e3;
      if (part <= 0) continue;
      const auto kind = static_cast<gpu::EnergyPart>(i);
      row.pieces.push_back({kPartColours[i], at, at + part,
                            fmt::format("{}: {:.4g} mJ: {}", gpu::name_of(kind), part, gpu::meaning_of(kind))});
      at += part;
    }
    most = std::max(most, at);
    bars.push_back(row);
    table.row({one.name, fmt::format("{:.4g}", energy.total() * 1e3),
               fmt::format("{:.4g}", energy.total_of_zeros() * 1e3), fmt::format("{:.0f}", energy.watts()),
               fmt::format("{:.0f}", energy.limited_mhz), fmt::format("{:.2f}", energy.limited_seconds * 1e6)});
  }
  SvgRows rows({"Energy by where it goes", 640}, {0, most > 0 ? most : 1, "mJ, operands of random values"});
  for (SvgRows::Row& bar : bars) rows.add(std::move(bar));
  std::vector<LegendEntry> legend;
  legend.reserve(gpu::kEnergyParts);
  for (int i = 0; i < gpu::kEnergyParts; ++i) {
    legend.push_back({kPartColours[i], gpu::name_of(static_cast<gpu::EnergyPart>(i))});
  }
  return html_section("energy", "Where does the energy go?", "",
                      html_figure("", rows.svg()) + html_legend(legend) + table.html());
}

}  // namespace stc::sim
