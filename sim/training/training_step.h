// SPDX-License-Identifier: Apache-2.0
// One training step of a linear layer or an MLP as a list of launches on one memory.
//
// Linear:  Y = X W^T;  dX = dY W,  dW = dY^T X.                         X [tokens][inputs], W [outputs][inputs]
// MLP:     H = X W1^T, A = act(H), Y = A W2^T;  dW2, dH = (dY W2) act'(H), dW1, dX.   act(h) = max(h, 0)^2
//
// dW sums over all tokens into few tiles; those that do not fill all SMs are cut along the tokens (cut_tiles.h).
//
// 2:4 weights: each W is pruned and compressed both ways first, so that Y and dX are sparse; dW stays dense. 2:4
// activations: A is pruned both ways after the first GEMM and dH by the same masks, which leaves two GEMMs dense.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/data_role.h"
#include "sim/training/training_kernels.h"
#include "sim/training/training_plan.h"

namespace stc::sim {

/// A buffer of the step. Those with a stream hold numbers before the step: random(seed, stream) in -reach .. reach, or
/// weights drawn from the plan's distribution.
struct StepBuffer {
  std::string name;
  std::uint64_t bytes = 0;
  DataRole role = DataRole::kOther;
  enum class Content : std::uint8_t { kNothing, kUniform, kWeights } content = Content::kNothing;
  int rows = 0, columns = 0;  ///< of a matrix that holds numbers before
};

struct StepLaunch {
  enum class Part : std::uint8_t { kForward, kInputGradient, kWeightGradient, kPrune };
  std::string title;  ///< "Y = X W^T"
  Part part = Part::kForward;
  const TrainingKernel* kernel = nullptr;
  std::vector<std::string> buffers;  ///< arguments in their order; "" is a null pointer
  std::vector<int> sizes;            ///< then m, n, k, or rows, columns; whole tiles and parts of the others

  std::uint64_t ctas() const;
  double operations() const;  ///< dense-equivalent, 2 m n k; 0 for one that prunes
};
const char* name_of(StepLaunch::Part part);

struct TrainingStep {
  std::vector<StepBuffer> buffers;
  std::vector<StepLaunch> launches;
};

/// The step of a layer on a GPU of so many SMs; `sparse`: with what the plan wants to be 2:4.
TrainingStep make_step(const TrainingPlan& plan, const TrainingLayer& layer, int tokens, bool sparse,
                       const TrainingKernels& kernels, int sms);

/// Only the pruning of W [rows][columns] by this choice of masks (exact, greedy or row).
TrainingStep make_pruning(const std::string& choice, int rows, int columns, const TrainingKernels& kernels);

}  // namespace stc::sim
