// SPDX-License-Identifier: Apache-2.0
// Why a sparse kernel is not as much faster than its dense twin as it multiplies less: the gap between the ideal and
// the simulated speedup in parts, each from runs of both kernels.
//
// The ideal is the ratio of the times for which tensor cores must multiply, 2 for 2:4. From the simulated GPU the
// limits (sim/config/ideal_limits.h) are lifted one after the other, from the outside in; a limit's part is what the
// speedup gains when it is lifted with all outside of it. What is missing to the ideal when all are lifted is the
// kernel's own. The parts sum to the gap because each begins where the one before ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stc::sim {

/// A kernel under the limits that are left.
struct WaterfallRun {
  std::uint64_t cycles_elapsed = 0;
  std::uint64_t tensor_busy_cycles = 0;  ///< of all tensor cores
};

/// Both kernels with some limits lifted.
struct WaterfallStep {
  std::string lifted;  ///< the key of the limit lifted last; empty: none
  std::string title;   ///< of that limit
  std::string meaning;
  std::string command;  ///< with which `stcsim run` gives these cycles
  WaterfallRun sparse;
  std::optional<WaterfallRun> dense;
};

struct Waterfall {
  std::vector<WaterfallStep> steps;  ///< the simulated GPU first, all limits lifted last
  int tensor_cores = 0;              ///< of the GPU

  bool compares() const { return steps.front().dense.has_value(); }
  /// Cycles in which the tensor cores of the whole GPU do nothing but multiply.
  double least_cycles(bool dense) const;
  double ideal() const;  ///< speedup
  double speedup(std::size_t step) const;

  /// A bar: what a limit takes.
  struct Part {
    std::string key, title, meaning, command;
    double speedup = 0;                   ///< from the one with the limit lifted down to that under it; may be negative
    double cycles = 0, dense_cycles = 0;  ///< that it adds to each kernel
  };
  /// From the ideal to the simulated speedup: the kernel's own part first, then the limits from the inside out.
  std::vector<Part> parts() const;
};

/// Lines for people.
std::string waterfall_table(const Waterfall& waterfall);

}  // namespace stc::sim
