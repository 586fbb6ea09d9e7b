// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace stc::sim {

using Weights = NetworkOutcome::Weights;

bool has_tokens(const NetworkPlan& plan) {
  return std::any_of(plan.layers.begin(), plan.layers.end(), [](const LayerWork& work) {
    return work.kind != "convolution" && work.kind != "add_relu" && work.kind != "max_pool" &&
           work.kind != "average_pool" && work.kind != "linear";
  });
}

std::string text_of(const NetworkInput& input, bool has_tokens) {
  if (!has_tokens) return fmt::format("batch {}", input.batch);
  if (input.decode) return fmt::format("batch {}, a new token behind {} each", input.batch, input.sequence);
  return fmt::format("batch {}, {} tokens each", input.batch, input.sequence);
}

namespace {

/// Where the clock falls; otherwise empty.
std::string within_power_limit(const NetworkTotal& dense, const NetworkTotal& faster) {
  constexpr double kWorthSaying = 1.001;
  if (dense.limited_us < kWorthSaying * dense.time_us && faster.limited_us < kWorthSaying * faster.time_us) return "";
  return fmt::format(
      " That is at the boost clock. Within the power limit, which joules and watts are for, it takes {:.1f} us dense, "
      "{:.1f} us with 2:4 ({:.2f}x).",
      dense.limited_us, faster.limited_us, dense.limited_us / faster.limited_us);
}

}  // namespace

std::string why_not_twice(const NetworkPlan& plan, const NetworkOutcome& outcome) {
  const NetworkTotal dense = outcome.total(plan, Weights::kDense), faster = outcome.total(plan, Weights::kFaster);
  if (dense.prunable_us == 0) return "No layer has weights that may be 2:4.";
  return fmt::format(
             "{:.0f} % of the dense time is in layers whose weights may be 2:4. Twice as fast they would make {:.2f}x; "
             "they become {:.2f}x as fast, which makes {:.2f}x.",
             100 * dense.prunable_us / dense.time_us, outcome.ideal_speedup(plan),
             dense.prunable_us / faster.prunable_us, outcome.speedup(plan)) +
         within_power_limit(dense, faster);
}

std::string untouched(const NetworkPlan& plan, const NetworkOutcome& outcome) {
  std::map<std::string, double> by_kind;
  double all = 0;
  for (std::size_t i = 0; i < plan.layers.size(); ++i) {
    const double time = plan.layers[i].count * outcome.layers[i].dense.time_us;
    all += time;
    if (!plan.layers[i].prunable) by_kind[plan.layers[i].kind] += time;
  }
  std::vector<std::pair<std::string, double>> kinds(by_kind.begin(), by_kind.end());
  std::sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [kind, time] : kinds)
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", kind, 100 * time / all);
  return text;
}

}  // namespace stc::sim
