// SPDX-License-Identifier: Apache-2.0
// Does 2:4 pay for training? What the simulated steps say: speedup at each number of tokens, the break-even, what
// pruning costs and what its masks keep. As a table of 80 columns, as JSON and as a page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/training/training_run.h"

namespace stc::sim {

/// A layer at a number of tokens.
struct TrainingPoint {
  int tokens = 0;
  StepCost dense, sparse;

  double speedup() const { return dense.time_us() / sparse.time_us(); }
  /// As if pruning took no time: it recurs each step, unless one keeps the masks.
  double speedup_without_pruning() const;
  /// Of launches that keep the board's power limit; NaN when the energy of one is not known.
  double sustained_speedup() const { return dense.sustained_us() / sparse.sustained_us(); }
};

struct PruningCost {
  std::string choice;
  double time_us = 0;
  std::uint64_t dram_bytes = 0, l2_bytes = 0;
};

struct LayerReport {
  TrainingLayer layer;
  std::vector<TrainingPoint> points;  ///< by rising tokens
  std::vector<PruningCost> pruning;   ///< of the layer's largest matrix; activations: at the most tokens

  /// Tokens from which on the 2:4 step is the faster one, by straight lines between the simulated numbers.
  struct BreakEven {
    enum class Where : std::uint8_t { kBelow, kWithin, kAbove } where = Where::kWithin;
    double tokens = 0;  ///< kWithin; else the least or the greatest simulated number
    std::string text() const;
  };
  BreakEven break_even() const;
};

/// Share of the weights' magnitude that masks keep.
struct MaskQuality {
  std::string choice;
  double magnitude = 0;
};

struct TrainingReport {
  std::string file, gpu_name;
  double clock_mhz = 0;
  TrainingPlan plan;
  std::vector<LayerReport> layers;
  std::vector<MaskQuality> quality;
  std::vector<std::string> failures;  ///< of checks
  int checked = 0;                    ///< launches
};

/// Magnitude kept of weights drawn from the plan's distribution: unstructured 50 %, by row, exact and greedy.
std::vector<MaskQuality> mask_quality(const TrainingPlan& plan);

std::string training_text(const TrainingReport& report);
nlohmann::ordered_json training_json(const TrainingReport& report);
std::string training_html(const TrainingReport& report);

}  // namespace stc::sim
