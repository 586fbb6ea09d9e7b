// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "sim/base/text.h"
#include "sim/training/training_report.h"

namespace stc::sim {
namespace {

std::string what_is_sparse(const TrainingPlan& plan) {
  return plan.sparse == TrainingPlan::Sparse::kWeights ? "weights" : "activations";
}

/// The launch of the other step that does the same part of the work; nullptr when there is none.
const LaunchCost* same_launch(const StepCost& step, const std::string& title, StepLaunch::Part part, int nth) {
  const LaunchCost* of_part = nullptr;
  for (const LaunchCost& launch : step.launches) {
    if (launch.title == title) return &launch;
    if (launch.part == part && nth-- == 0) of_part = &launch;
  }
  return of_part;
}

std::string time_cell(const LaunchCost* launch) {
  return launch == nullptr ? "-" : fmt::format("{:.1f}", launch->time_us);
}

std::string launch_row(const std::string& title, const LaunchCost* dense, const LaunchCost* sparse) {
  const bool both = dense != nullptr && sparse != nullptr;
  const auto bound = [](const LaunchCost* launch) { return launch == nullptr ? "-" : launch->bound; };
  return fmt::format("    {:<24}{:>10}{:>10}{:>8}  {}\n", title, time_cell(dense), time_cell(sparse),
                     both ? fmt::format("{:.2f}", dense->time_us / sparse->time_us) : "",
                     fmt::format("{}/{}", bound(dense), bound(sparse)));
}

std::string launches(const TrainingPoint& point) {
  std::string out = fmt::format("\n    {:<24}{:>10}{:>10}{:>8}  {}\n",
                                fmt::format("at {} tokens", grouped(static_cast<std::uint64_t>(point.tokens))),
                                "dense us", "2:4 us", "speedup", "bound (dense/2:4)");
  for (const LaunchCost& launch : point.sparse.launches) {
    if (launch.part == StepLaunch::Part::kPrune) out += launch_row(launch.title, nullptr, &launch);
  }
  int counts[4] = {};
  for (const LaunchCost& launch : point.dense.launches) {
    const int nth = counts[static_cast<std::size_t>(launch.part)]++;
    out += launch_row(launch.title, &launch, same_launch(point.sparse, launch.title, launch.part, nth));
  }
  return out;
}

std::string layer_text(const LayerReport& layer) {
  std::string out = fmt::format("\nlayer {}\n    {:>10}{:>12}{:>12}{:>12}{:>12}{:>16}\n", layer.layer.name(), "tokens",
                                "dense us", "2:4 us", "prune us", "speedup", "without prune");
  for (const TrainingPoint& point : layer.points) {
    out +=
        fmt::format("    {:>10}{:>12.1f}{:>12.1f}{:>12.1f}{:>12.3f}{:>16.3f}\n",
                    grouped(static_cast<std::uint64_t>(point.tokens)), point.dense.time_us(), point.sparse.time_us(),
                    point.sparse.time_us(StepLaunch::Part::kPrune), point.speedup(), point.speedup_without_pruning());
  }
  out += fmt::format("    2:4 pays from {} tokens on\n", layer.break_even().text());
  const TrainingPoint& most = layer.points.back();
  if (std::isfinite(most.sustained_speedup())) {
    out += fmt::format("    under the power limit, {} tokens: {:.1f} us dense, {:.1f} us 2:4, {:.3f}\n",
                       grouped(static_cast<std::uint64_t>(most.tokens)), most.dense.sustained_us(),
                       most.sparse.sustained_us(), most.sustained_speedup());
  }
  out += launches(layer.points.back());
  out += fmt::format("\n    {:<26}{:>11}{:>14}\n", "pruning and compressing", "us", "DRAM MiB");
  for (const PruningCost& cost : layer.pruning) {
    out += fmt::format("    {:<26}{:>11.1f}{:>14.1f}\n", cost.choice, cost.time_us,
                       static_cast<double>(cost.dram_bytes) / (1 << 20));
  }
  return out;
}

std::string quality_text(const TrainingReport& report) {
  std::string out =
      fmt::format("\nmagnitude kept of weights ({}, seed {})\n", report.plan.distribution, report.plan.seed);
  double exact = 0;
  for (const MaskQuality& one : report.quality) exact = one.choice == "exact" ? one.magnitude : exact;
  for (const MaskQuality& one : report.quality) {
    out += fmt::format("    {:<26}{:>10.2f} %{:>14.2f} % of exact\n", one.choice, 100 * one.magnitude,
                       100 * one.magnitude / exact);
  }
  return out;
}

}  // namespace

std::string training_text(const TrainingReport& report) {
  std::string out = fmt::format("Does 2:4 pay for training? {}, 2:4 {}, masks {}\non {}\n",
                                report.plan.mlp() ? "MLPs" : "Linear layers", what_is_sparse(report.plan),
                                report.plan.masks, report.gpu_name);
  for (const LayerReport& layer : report.layers) out += layer_text(layer);
  out += quality_text(report);
  if (report.checked > 0) {
    out += fmt::format("\nchecks: {} launches compared with a reference, {} wrong\n", report.checked,
                       report.failures.size());
  }
  for (const std::string& failure : report.failures) out += "    FAILED " + failure + "\n";
  return out;
}

}  // namespace stc::sim
