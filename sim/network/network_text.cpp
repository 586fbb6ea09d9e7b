// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/text.h"
#include "sim/network/network_describe.h"

namespace stc::sim {
namespace {

using Weights = NetworkOutcome::Weights;

/// In lines of 80 columns.
std::string wrapped(const std::string& text) {
  constexpr std::size_t kWidth = 80;
  std::string out;
  std::size_t column = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(' ', from), text.size());
    const bool fits = column == 0 || column + 1 + (end - from) <= kWidth;
    out += column == 0 ? "" : fits ? " " : "\n";
    column = (column == 0 || !fits ? 0 : column + 1) + (end - from);
    out.append(text, from, end - from);
    from = end + 1;
  }
  return out + "\n";
}

std::string layer_line(const LayerWork& work, const LayerCost& cost, double all_us) {
  const std::string sparse = cost.sparse ? fmt::format("{:.2f}", cost.sparse->time_us) : "-";
  return fmt::format("{:<18} {:>5} {:<21} {:>9.2f} {:>9} {:>6} {:>5.1f}\n", shortened_to(work.name, 18), work.count,
                     shortened_to(work.text, 21), cost.dense.time_us, sparse,
                     cost.sparse ? fmt::format("{:.2f}", cost.speedup()) : "",
                     100 * work.count * cost.dense.time_us / all_us);
}

std::string total_line(const char* name, const NetworkTotal& total, double dense_us) {
  const std::string joules = total.joules > 0 ? fmt::format("{:.3f}", total.joules) : "-";
  const double us = total.time_us;
  return fmt::format("{:<24} {:>12.1f} {:>8.3f} {:>12.1f} {:>9} {:>9}\n", name, us, dense_us / us,
                     total.weight_bytes / (1 << 20), joules,
                     total.joules > 0 ? fmt::format("{:.0f}", total.joules / total.limited_us * 1e6) : "-");
}

std::string outcome_text(const NetworkFile& network, const NetworkOutcome& outcome) {
  const NetworkPlan& plan = network.plans[outcome.plan];
  const NetworkTotal dense = outcome.total(plan, Weights::kDense);
  std::string out = fmt::format("{} on {}, {}, L2 {}\n", network.title, network.gpus[outcome.gpu].name,
                                text_of(plan.input, has_tokens(plan)), network.warm_l2 ? "warm" : "cold");
  out += fmt::format("{:<18} {:>5} {:<21} {:>9} {:>9} {:>6} {:>5}\n", "layer", "times", "work", "dense us", "2:4 us",
                     "gain", "share");
  for (std::size_t i = 0; i < plan.layers.size(); ++i)
    out += layer_line(plan.layers[i], outcome.layers[i], dense.time_us);
  out += fmt::format("{:<24} {:>12} {:>8} {:>12} {:>9} {:>9}\n", "", "us", "speedup", "weights MiB", "joules", "watts");
  out += total_line("dense", dense, dense.time_us);
  out += total_line("2:4 wherever it may", outcome.total(plan, Weights::kSparse), dense.time_us);
  out += total_line("2:4 where it is faster", outcome.total(plan, Weights::kFaster), dense.time_us);
  out += wrapped(why_not_twice(plan, outcome));
  const std::string rest = untouched(plan, outcome);
  if (!rest.empty()) out += wrapped("What 2:4 leaves alone: " + rest + ".");
  return out;
}

/// From which batch on it pays, when there are several.
std::string sweep_text(const NetworkFile& network, const NetworkResult& result, std::size_t gpu) {
  std::string out = fmt::format("{} on {} over the batch\n{:>8} {:>14} {:>14} {:>9}\n", network.title,
                                network.gpus[gpu].name, "batch", "dense us", "2:4 us", "speedup");
  for (const NetworkOutcome& outcome : result.outcomes) {
    if (outcome.gpu != gpu) continue;
    const NetworkPlan& plan = network.plans[outcome.plan];
    out += fmt::format("{:>8} {:>14.1f} {:>14.1f} {:>9.3f}\n", plan.input.batch,
                       outcome.total(plan, Weights::kDense).time_us, outcome.total(plan, Weights::kFaster).time_us,
                       outcome.speedup(plan));
  }
  return out;
}

}  // namespace

std::string network_text(const NetworkFile& network, const NetworkResult& result) {
  std::string out;
  for (const NetworkOutcome& outcome : result.outcomes)
    out += (out.empty() ? "" : "\n") + outcome_text(network, outcome);
  for (std::size_t gpu = 0; network.plans.size() > 1 && gpu < network.gpus.size(); ++gpu) {
    out += "\n" + sweep_text(network, result, gpu);
  }
  return out + fmt::format("\n{} launches simulated, {} remembered\n", result.simulated, result.remembered);
}

}  // namespace stc::sim
