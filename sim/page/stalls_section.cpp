// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "sim/page/run_page.h"
#include "sim/report/html_page.h"
#include "sim/report/svg_rows.h"

namespace stc::sim {
namespace {

constexpr double kLeastShare = 0.5;  // per cent; what is less everywhere has no row

double percent(const LaunchResult& launch, int stall) {
  const auto& stalls = launch.run.total.stalls;
  const auto sum = static_cast<double>(std::accumulate(stalls.begin(), stalls.end(), std::uint64_t{0}));
  return sum > 0 ? 100 * static_cast<double>(stalls[static_cast<std::size_t>(stall)]) / sum : 0;
}

/// Stalls that matter in some launch, those of the first in their order.
std::vector<int> stalls_of(const std::vector<PageLaunch>& launches) {
  std::vector<int> order;
  for (int stall = 0; stall < kStalls; ++stall) {
    const auto matters = [stall](const PageLaunch& one) { return percent(*one.launch, stall) >= kLeastShare; };
    if (std::any_of(launches.begin(), launches.end(), matters)) order.push_back(stall);
  }
  const LaunchResult& first = *launches.front().launch;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return percent(first, a) > percent(first, b); });
  return order;
}

}  // namespace

std::string stalls_section(const std::vector<PageLaunch>& launches) {
  const std::vector<int> order = stalls_of(launches);
  double most = 0;
  for (const PageLaunch& one : launches) {
    for (const int stall : order) most = std::max(most, percent(*one.launch, stall));
  }
  std::string figures;
  for (const PageLaunch& one : launches) {
    SvgRows rows({"Where the warps of " + one.name + " spend their cycles"}, {0, most, "% of warp-cycles"});
    for (const int stall : order) {
      const auto reason = static_cast<Stall>(stall);
      const double share = percent(*one.launch, stall);
      rows.add({name_of(reason),
                {{one.colour, 0, share, fmt::format("{}: {:.1f} %: {}", name_of(reason), share, meaning_of(reason))}},
                fmt::format("{:.1f} %", share)});
    }
    figures += html_figure(one.name, rows.svg());
  }
  HtmlTable table({{"reason", HtmlTable::Style::kName}, {"what it means"}});
  for (const int stall : order) table.row({name_of(static_cast<Stall>(stall)), meaning_of(static_cast<Stall>(stall))});
  return html_section("stalls", "Where do warps spend their cycles?",
                      "Every cycle of every resident warp has one reason; issued is the cycle in which it issues an "
                      "instruction.",
                      html_wide_grid(figures) + table.html());
}

}  // namespace stc::sim
