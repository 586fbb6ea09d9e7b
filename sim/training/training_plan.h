// SPDX-License-Identifier: Apache-2.0
// What `stcsim train` is asked: layers, numbers of tokens, and what is to be 2:4. configs/training/README.md shows it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/config_node.h"
#include "sim/launch/run_options.h"

namespace stc::sim {

/// Features of a layer, all multiples of kFeatureMultiple.
struct TrainingLayer {
  int inputs = 0;
  int hidden = 0;  ///< of an MLP; 0: a single linear layer
  int outputs = 0;

  std::string name() const;  ///< "1024 -> 4096", "1024 -> 4096 -> 1024"
};

struct TrainingPlan {
  enum class Sparse : std::uint8_t { kWeights, kActivations };

  std::vector<TrainingLayer> layers;
  std::vector<int> tokens;  ///< ascending; rows of X
  Sparse sparse = Sparse::kWeights;
  std::string masks = "exact";          ///< or "greedy": how the training kernels choose transposable masks
  std::string distribution = "normal";  ///< of the weights
  std::uint64_t seed = 1;

  bool mlp() const { return layers.front().hidden != 0; }
};

/// Largest tile along any feature dimension.
constexpr int kFeatureMultiple = 256;
/// 2:4 activations are compressed along the tokens too.
constexpr int kTokenMultiple = 128;

struct TrainingFile {
  std::string file;
  std::string gpu_file;
  std::vector<Override> gpu_overrides;
  std::string kernels_folder;
  TrainingPlan plan;
  RunOptions options;
};

/// Reads a run file whose workload is train_linear or train_mlp; UserError with the place of what is wrong.
TrainingFile read_training_file(const std::string& file, const std::vector<Override>& overrides);

}  // namespace stc::sim
