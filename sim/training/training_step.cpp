// SPDX-License-Identifier: Apache-2.0
#include "sim/training/training_step.h"

#include <utility>

#include "sim/training/cut_tiles.h"

namespace stc::sim {
namespace {

using Part = StepLaunch::Part;
using Content = StepBuffer::Content;

std::uint64_t elements(int rows, int columns) {
  return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
}

/// Collects buffers and launches. Matrices are f16.
class StepBuilder {
 public:
  StepBuilder(const TrainingKernels& kernels, int sms) : kernels_(kernels), sms_(sms) {}
  TrainingStep take() { return std::move(step_); }

  void matrix(const std::string& name, int rows, int columns, DataRole role, Content content = Content::kNothing) {
    step_.buffers.push_back({name, elements(rows, columns) * 2, role, content, rows, columns});
  }
  void gemm(Part part, const std::string& title, bool sparse, const GemmStorage& storage, const std::string& epilogue,
            std::vector<std::string> buffers, std::vector<int> sizes) {
    const TrainingKernel& kernel = kernels_.gemm(sparse, storage, epilogue, sizes[0], sizes[1], sms_);
    step_.launches.push_back({title, part, &kernel, std::move(buffers), std::move(sizes)});
  }
  /// D [m][n] with k as the slow index of A and B. Tiles that do not fill all SMs are cut along k; parts are added up
  /// in memory of their own.
  void gemm_in_parts(Part part, const std::string& title, std::vector<std::string> buffers, std::vector<int> sizes) {
    const GemmStorage storage{"km", "kn", "mn"};
    const TrainingKernel& kernel = kernels_.gemm(false, storage, "parts", sizes[0], sizes[1], sms_);
    const auto tiles = static_cast<int>(kernel.ctas(sizes[0], sizes[1]));
    const int steps = (sizes[2] + kernel.tile_k - 1) / kernel.tile_k;
    const CutTiles cut = cut_tiles(tiles, steps, sms_, kernel.ctas_per_sm);
    if (cut.parts == 1) return gemm(part, title, false, storage, "none", std::move(buffers), std::move(sizes));
    const std::string sums = buffers.back() + ".sums", arrived = buffers.back() + ".arrived";
    const int shared = tiles - cut.whole;
    step_.buffers.push_back({sums, elements(shared * cut.parts, kernel.tile_m * kernel.tile_n) * 4});
    step_.buffers.push_back({arrived, elements(shared, 4)});
    buffers.insert(buffers.end(), {sums, arrived});
    sizes.insert(sizes.end(), {cut.whole, cut.parts});
    step_.launches.push_back({title, part, &kernel, std::move(buffers), std::move(sizes)});
  }
  /// W [rows][columns] to NAME.A, NAME.E and, turned, NAME.AT, NAME.ET; masks to NAME.M if somebody needs them.
  void prune(const std::string& name, int rows, int columns, const std::string& choice, DataRole role,
             bool keep_masks = false) {
    const bool both = choice != "row";
    compressed(name + ".A", name + ".E", rows, columns, role);
    if (both) compressed(name + ".AT", name + ".ET", columns, rows, role);
    if (keep_masks) step_.buffers.push_back({name + ".M", elements(rows, columns) / 8, DataRole::kMetadata});
    std::vector<std::string> buffers = {name, name + ".A", name + ".E"};
    if (both) buffers.insert(buffers.end(), {name + ".AT", name + ".ET", keep_masks ? name + ".M" : ""});
    add_prune("prune " + name, choice, std::move(buffers), rows, columns);
  }
  /// W by the masks of another matrix, whose metadata it shares.
  void prune_like(const std::string& name, const std::string& other, int rows, int columns, DataRole role) {
    for (const char* part : {".A", ".AT"}) step_.buffers.push_back({name + part, elements(rows, columns), role});
    add_prune("prune " + name + " like " + other, "like", {name, other + ".M", name + ".A", name + ".AT"}, rows,
              columns);
  }

 private:
  void compressed(const std::string& values, const std::string& metadata, int rows, int columns, DataRole role) {
    step_.buffers.push_back({values, elements(rows, columns), role});
    step_.buffers.push_back({metadata, elements(rows, columns) / 8, DataRole::kMetadata});
  }
  void add_prune(const std::string& title, const std::string& choice, std::vector<std::string> buffers, int rows,
                 int columns) {
    step_.launches.push_back({title, Part::kPrune, &kernels_.prune(choice), std::move(buffers), {rows, columns}});
  }

  const TrainingKernels& kernels_;
  const int sms_;
  TrainingStep step_;
};

/// One linear layer inside a step: names of its matrices, sizes, and how its GEMMs are launched.
struct Linear {
  std::string x, w, y, dy, dx, dw;
  int tokens, inputs, outputs;
  bool sparse_weights;
};

/// Y = X W^T; with relu2 also `activated`.
void forward(StepBuilder& step, const Linear& l, const std::string& title, const std::string& activated = "") {
  const std::string epilogue = activated.empty() ? "none" : "relu2";
  std::vector<std::string> buffers = l.sparse_weights ? std::vector<std::string>{l.w + ".A", l.w + ".E", l.x, l.y}
                                                      : std::vector<std::string>{l.x, l.w, l.y};
  if (!activated.empty()) buffers.push_back(activated);
  if (l.sparse_weights) {
    step.gemm(Part::kForward, title, true, {"mk", "nk", "nm"}, epilogue, buffers, {l.outputs, l.tokens, l.inputs});
  } else {
    step.gemm(Part::kForward, title, false, {"mk", "nk", "mn"}, epilogue, buffers, {l.tokens, l.outputs, l.inputs});
  }
}

/// dX = dY W; times the slope of the activation at `before` if there is one.
void input_gradient(StepBuilder& step, const Linear& l, const std::string& title, const std::string& before = "") {
  const std::string epilogue = before.empty() ? "none" : "relu2_gradient";
  std::vector<std::string> buffers = l.sparse_weights ? std::vector<std::string>{l.w + ".AT", l.w + ".ET", l.dy, l.dx}
                                                      : std::vector<std::string>{l.dy, l.w, l.dx};
  if (!before.empty()) buffers.push_back(before);
  if (l.sparse_weights) {
    step.gemm(Part::kInputGradient, title, true, {"mk", "nk", "nm"}, epilogue, buffers,
              {l.inputs, l.tokens, l.outputs});
  } else {
    step.gemm(Part::kInputGradient, title, false, {"mk", "kn", "mn"}, epilogue, buffers,
              {l.tokens, l.inputs, l.outputs});
  }
}

void weight_gradient(StepBuilder& step, const Linear& l, const std::string& title) {
  step.gemm_in_parts(Part::kWeightGradient, title, {l.dy, l.x, l.dw}, {l.outputs, l.inputs, l.tokens});
}

void weights(StepBuilder& step, const Linear& l) {
  step.matrix(l.w, l.outputs, l.inputs, DataRole::kWeight, Content::kWeights);
  step.matrix(l.dw, l.outputs, l.inputs, DataRole::kOutput);
}

void linear_step(StepBuilder& step, const Linear& l, const std::string& masks) {
  step.matrix("X", l.tokens, l.inputs, DataRole::kActivation, Content::kUniform);
  step.matrix("dY", l.tokens, l.outputs, DataRole::kActivation, Content::kUniform);
  weights(step, l);
  step.matrix("Y", l.tokens, l.outputs, DataRole::kOutput);
  step.matrix("dX", l.tokens, l.inputs, DataRole::kOutput);
  if (l.sparse_weights) step.prune("W", l.outputs, l.inputs, masks, DataRole::kWeight);
  forward(step, l, "Y = X W^T");
  input_gradient(step, l, "dX = dY W");
  weight_gradient(step, l, "dW = dY^T X");
}

void mlp_buffers(StepBuilder& step, const Linear& first, const Linear& second) {
  step.matrix("X", first.tokens, first.inputs, DataRole::kActivation, Content::kUniform);
  step.matrix("dY", first.tokens, second.outputs, DataRole::kActivation, Content::kUniform);
  weights(step, first);
  weights(step, second);
  for (const char* name : {"H", "A", "dH"}) {
    step.matrix(name, first.tokens, first.outputs, DataRole::kActivation);
  }
  step.matrix("Y", first.tokens, second.outputs, DataRole::kOutput);
  step.matrix("dX", first.tokens, first.inputs, DataRole::kOutput);
}

void weight_mlp_step(StepBuilder& step, const Linear& first, const Linear& second, const std::string& masks) {
  if (first.sparse_weights) {
    step.prune("W1", first.outputs, first.inputs, masks, DataRole::kWeight);
    step.prune("W2", second.outputs, second.inputs, masks, DataRole::kWeight);
  }
  forward(step, first, "H = X W1^T, A = act(H)", "A");
  forward(step, second, "Y = A W2^T");
  weight_gradient(step, second, "dW2 = dY^T A");
  input_gradient(step, second, "dH = (dY W2) act'(H)", "H");
  weight_gradient(step, first, "dW1 = dH^T X");
  input_gradient(step, first, "dX = dH W1");
}

void activation_mlp_step(StepBuilder& step, const Linear& first, const Linear& second, const std::string& masks) {
  const int tokens = first.tokens, hidden = first.outputs, inputs = first.inputs, outputs = second.outputs;
  forward(step, first, "H = X W1^T, A = act(H)", "A");
  step.prune("A", tokens, hidden, masks, DataRole::kActivation, true);
  step.gemm(Part::kForward, "Y = A W2^T", true, {"mk", "nk", "mn"}, "none", {"A.A", "A.E", "W2", "Y"},
            {tokens, outputs, hidden});
  step.gemm(Part::kWeightGradient, "dW2 = (A^T dY)^T", true, {"mk", "kn", "nm"}, "none", {"A.AT", "A.ET", "dY", "dW2"},
            {hidden, outputs, tokens});
  input_gradient(step, second, "dH = (dY W2) act'(H)", "H");
  step.prune_like("dH", "A", tokens, hidden, DataRole::kActivation);
  step.gemm(Part::kWeightGradient, "dW1 = dH^T X", true, {"mk", "kn", "mn"}, "none", {"dH.AT", "A.ET", "X", "dW1"},
            {hidden, inputs, tokens});
  step.gemm(Part::kInputGradient, "dX = dH W1", true, {"mk", "kn", "mn"}, "none", {"dH.A", "A.E", "W1", "dX"},
            {tokens, inputs, hidden});
}

}  // namespace

const char* name_of(StepLaunch::Part part) {
  switch (part) {
    case Part::kForward: return "forward";
    case Part::kInputGradient: return "input gradient";
    case Part::kWeightGradient: return "weight gradient";
    case Part::kPrune: break;
  }
  return "prune";
}

std::uint64_t StepLaunch::ctas() const {
  const std::uint64_t tiles = kernel->ctas(sizes[0], sizes[1]);
  if (sizes.size() < 5) return tiles;
  return static_cast<std::uint64_t>(CutTiles{sizes[3], sizes[4]}.ctas(static_cast<int>(tiles)));
}

double StepLaunch::operations() const { return kernel->prunes() ? 0.0 : 2.0 * sizes[0] * sizes[1] * sizes[2]; }

TrainingStep make_step(const TrainingPlan& plan, const TrainingLayer& layer, int tokens, bool sparse,
                       const TrainingKernels& kernels, int sms) {
  StepBuilder step(kernels, sms);
  const bool weights_sparse = sparse && plan.sparse == TrainingPlan::Sparse::kWeights;
  if (!plan.mlp()) {
    linear_step(step, {"X", "W", "Y", "dY", "dX", "dW", tokens, layer.inputs, layer.outputs, weights_sparse},
                plan.masks);
    return step.take();
  }
  const Linear first{"X", "W1", "H", "dH", "dX", "dW1", tokens, layer.inputs, layer.hidden, weights_sparse};
  const Linear second{"A", "W2", "Y", "dY", "dH", "dW2", tokens, layer.hidden, layer.outputs, weights_sparse};
  mlp_buffers(step, first, second);
  if (sparse && !weights_sparse) {
    activation_mlp_step(step, first, second, plan.masks);
  } else {
    weight_mlp_step(step, first, second, plan.masks);
  }
  return step.take();
}

TrainingStep make_pruning(const std::string& choice, int rows, int columns, const TrainingKernels& kernels) {
  StepBuilder step(kernels, 1);
  step.matrix("W", rows, columns, DataRole::kWeight, Content::kWeights);
  step.prune("W", rows, columns, choice, DataRole::kWeight);
  return step.take();
}

}  // namespace stc::sim
