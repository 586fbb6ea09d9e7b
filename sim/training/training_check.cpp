// SPDX-License-Identifier: Apache-2.0
#include "sim/training/training_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "sim/launch/element_type.h"
#include "sim/training/block_masks.h"
#include "sim/training/device_matrix.h"

namespace stc::sim {
namespace {

double to_half(double value) { return decode(ElementType::f16, encode(ElementType::f16, value)); }

/// Names and sizes of a GEMM's arguments.
struct GemmArguments {
  const StepLaunch& launch;
  int m() const { return launch.sizes[0]; }
  int n() const { return launch.sizes[1]; }
  int k() const { return launch.sizes[2]; }
  const std::string& a() const { return launch.buffers[0]; }
  const std::string& e() const { return launch.buffers[1]; }
  const std::string& b() const { return launch.buffers[launch.kernel->sparse ? 2 : 1]; }
  const std::string& d() const { return launch.buffers[launch.kernel->sparse ? 3 : 2]; }
  const std::string& p() const { return launch.buffers.back(); }
};

/// Operands as [m][k] and [n][k], whatever their storage.
WeightMatrix operand_a(const GemmArguments& gemm, isa::GlobalMemory& memory) {
  if (gemm.launch.kernel->sparse) return read_compressed(memory, gemm.a(), gemm.e(), gemm.m(), gemm.k());
  if (gemm.launch.kernel->storage.a == "mk") return read_matrix(memory, gemm.a(), gemm.m(), gemm.k());
  return transposed(read_matrix(memory, gemm.a(), gemm.k(), gemm.m()));
}
WeightMatrix operand_b(const GemmArguments& gemm, isa::GlobalMemory& memory) {
  if (gemm.launch.kernel->storage.b == "nk") return read_matrix(memory, gemm.b(), gemm.n(), gemm.k());
  return transposed(read_matrix(memory, gemm.b(), gemm.k(), gemm.n()));
}
/// D, or what has its shape, as [m][n].
WeightMatrix output(const GemmArguments& gemm, isa::GlobalMemory& memory, const std::string& buffer) {
  if (gemm.launch.kernel->storage.d == "mn") return read_matrix(memory, buffer, gemm.m(), gemm.n());
  return transposed(read_matrix(memory, buffer, gemm.n(), gemm.m()));
}

/// Numbers that were got beside those that were wanted.
struct Difference {
  std::vector<double> got, want;
  void add(double is, double must) {
    got.push_back(is);
    want.push_back(must);
  }
  double largest() const {
    double squares = 0, worst = 0;
    for (const double value : want) squares += value * value;
    const double rms = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(want.size(), 1)));
    for (std::size_t i = 0; i < want.size(); ++i) {
      const double scale = std::fabs(want[i]) + rms;
      const double error = got[i] == want[i] ? 0 : std::fabs(got[i] - want[i]) / scale;
      if (!(error <= worst)) worst = error;  // NaN counts
      if (std::isnan(worst)) return worst;
    }
    return worst;
  }
};

TrainingCheck check_gemm(const StepLaunch& launch, isa::GlobalMemory& memory, std::uint64_t most_products) {
  const GemmArguments gemm{launch};
  const std::string& epilogue = launch.kernel->epilogue;
  const bool fused = launch.kernel->fused();
  const WeightMatrix a = operand_a(gemm, memory), b = operand_b(gemm, memory), d = output(gemm, memory, gemm.d());
  const WeightMatrix p = fused ? output(gemm, memory, gemm.p()) : WeightMatrix();
  const auto m = static_cast<std::size_t>(gemm.m()), n = static_cast<std::size_t>(gemm.n());
  const auto k = static_cast<std::size_t>(gemm.k());
  const std::size_t rows = std::clamp<std::size_t>(most_products / (n * k), 1, m);
  Difference main, other;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t i = row * m / rows;
    const float* x = &a.values[i * k];
    for (std::size_t j = 0; j < n; ++j) {
      const double sum = std::inner_product(x, x + k, &b.values[j * k], 0.0);
      const double slope = epilogue == "relu2_gradient" ? 2 * std::max(p.values[i * n + j], 0.0F) : 1.0;
      main.add(d.values[i * n + j], to_half(to_half(sum) * slope));
      if (epilogue != "relu2") continue;
      const double r = std::max(d.values[i * n + j], 0.0F);  // of what D holds: its own error is counted above
      other.add(p.values[i * n + j], to_half(r * r));
    }
  }
  TrainingCheck check;
  check.error = std::max(main.largest(), other.largest());
  if (std::isnan(main.largest()) || std::isnan(other.largest())) check.error = std::nan("");
  if (!(check.error <= kTrainingErrorLimit)) {
    check.failure = fmt::format("error {:.2e} exceeds {:.2e}", check.error, kTrainingErrorLimit);
  }
  return check;
}

/// Stored values must be those of the matrix, and as many of them as a mask of this choice keeps in magnitude.
std::string check_kept(const WeightMatrix& whole, const WeightMatrix& kept, const std::string& choice) {
  Mask mask(whole.values.size());
  for (std::size_t i = 0; i < mask.size(); ++i) {
    mask[i] = kept.values[i] != 0 ? 1 : 0;
    if (mask[i] != 0 && kept.values[i] != whole.values[i]) {
      return fmt::format("{} holds {} in place of {} at element {}", kept.source, kept.values[i], whole.values[i], i);
    }
  }
  if (choice == "like") return "";
  const double is = kept_share(whole, mask).magnitude, must = kept_share(whole, block_mask(choice, whole)).magnitude;
  if (std::fabs(is - must) <= 1e-6) return "";
  return fmt::format("{} keeps {:.6f} of the magnitude, masks by '{}' keep {:.6f}", kept.source, is, choice, must);
}

std::string check_prune(const StepLaunch& launch, isa::GlobalMemory& memory) {
  const int rows = launch.sizes[0], columns = launch.sizes[1];
  const std::string &choice = launch.kernel->choice, &name = launch.buffers[0];
  const bool like = choice == "like";
  const WeightMatrix whole = read_matrix(memory, name, rows, columns);
  // Masks of another matrix come with its metadata: the masks' name is "OTHER.M".
  const std::string owner = like ? launch.buffers[1].substr(0, launch.buffers[1].size() - 2) : name;
  const WeightMatrix kept = read_compressed(memory, name + ".A", owner + ".E", rows, columns);
  std::string wrong = check_kept(whole, kept, choice);
  if (!wrong.empty() || choice == "row") return wrong;
  const WeightMatrix turned = read_compressed(memory, name + ".AT", owner + ".ET", columns, rows);
  return transposed(turned).values == kept.values ? "" : name + ".AT is not the transpose of " + name + ".A";
}

}  // namespace

TrainingCheck check_launch(const StepLaunch& launch, isa::GlobalMemory& memory, std::uint64_t most_products) {
  if (!launch.kernel->prunes()) return check_gemm(launch, memory, most_products);
  try {
    return {0, check_prune(launch, memory)};
  } catch (const std::invalid_argument& error) {
    return {0, error.what()};
  }
}

}  // namespace stc::sim
