// SPDX-License-Identifier: Apache-2.0
// A network on simulated GPUs: each different launch once, side by side in processes; what the network costs dense,
// with 2:4 weights wherever it may, and with 2:4 only where that is faster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/network/network_cost.h"
#include "sim/network/network_file.h"

namespace stc::sim {

/// A layer on a GPU: the fastest of the kernels that were simulated, at the clock that keeps the board's power limit.
struct LayerCost {
  NetworkCost dense;
  std::optional<NetworkCost> sparse;  ///< none: nothing in it can be 2:4
  std::size_t tried = 1;              ///< kernels

  const NetworkCost& with_sparse() const { return sparse ? *sparse : dense; }
  const NetworkCost& faster() const { return sparse && sparse->limited_us < dense.limited_us ? *sparse : dense; }
  double speedup() const { return dense.time_us / with_sparse().time_us; }
};

struct NetworkTotal {
  double time_us = 0, limited_us = 0, joules = 0;
  double prunable_us = 0;  ///< of layers whose weights may be 2:4
  double weight_bytes = 0;
  int launches = 0;
};

/// A network at one batch on one GPU.
struct NetworkOutcome {
  std::size_t gpu = 0, plan = 0;
  std::vector<LayerCost> layers;  ///< as in the plan

  enum class Weights { kDense, kSparse, kFaster };
  NetworkTotal total(const NetworkPlan& of, Weights weights) const;
  /// Dense over 2:4 wherever that is faster.
  double speedup(const NetworkPlan& of) const;
  /// The same if 2:4 made every layer that can have it twice as fast.
  double ideal_speedup(const NetworkPlan& of) const;
};

struct NetworkResult {
  std::vector<NetworkOutcome> outcomes;  ///< GPU after GPU, batch after batch
  std::size_t simulated = 0, remembered = 0;
};

/// Costs of launches are remembered from run to run in $STC_CACHE/networks.jsonl (sim/result/remembered.h).
/// RuntimeError when a kernel ends with a fault.
NetworkResult run_network(const NetworkFile& network, int jobs);

std::string network_text(const NetworkFile& network, const NetworkResult& result);
std::string network_json(const NetworkFile& network, const NetworkResult& result);
std::string network_html(const NetworkFile& network, const NetworkResult& result);

}  // namespace stc::sim
