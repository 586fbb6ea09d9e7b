// SPDX-License-Identifier: Apache-2.0
#include "sim/convolution/problem.h"

#include <fmt/format.h>

#include <cmath>

#include "models/sparsity/compress.h"
#include "sim/base/error.h"
#include "sim/launch/random.h"

namespace stc::sim {
namespace {

constexpr std::uint64_t kStreamWeights = 1;
constexpr std::uint64_t kStreamX = 2;
constexpr double kLargestF16 = 65504.0;
constexpr double kMostExact = 16777216.0;  // f32 holds every whole number up to here

void require_range(const ConvolutionProblem& problem, const std::string& place) {
  const auto fail = [&](const std::string& why) {
    throw UserError(fmt::format("{}: inputs from {} to {}: {}", place, problem.low, problem.high, why));
  };
  if (!std::isfinite(problem.low) || !std::isfinite(problem.high) || problem.low > problem.high) {
    fail("low must not exceed high, both finite");
  }
  const double largest = std::fmax(std::fabs(problem.low), std::fabs(problem.high));
  const double sum = largest * largest * static_cast<double>(problem.layer.reduction());
  if (problem.kernel.gemm.element == ElementType::f16 && sum * problem.scale > kLargestF16) {
    fail(fmt::format("a sum of r s c = {} products may exceed {}, the largest f16", problem.layer.reduction(),
                     kLargestF16));
  }
  if (!problem.integers) return;
  if (problem.low != std::floor(problem.low) || problem.high != std::floor(problem.high)) fail("must be whole numbers");
  const double most = problem.kernel.gemm.element == ElementType::f16 ? 2048.0 : 127.0;
  if (largest > most) fail(fmt::format("{} holds whole numbers up to {}", name_of(problem.kernel.gemm.element), most));
  if (sum > kMostExact) fail("a sum may exceed 2^24, beyond which f32 no longer holds every whole number");
}

std::vector<float> draw(const ConvolutionProblem& problem, std::uint64_t stream, std::int64_t count) {
  const Random random(problem.seed, stream);
  const auto low = static_cast<std::int64_t>(problem.low), high = static_cast<std::int64_t>(problem.high);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = problem.integers ? static_cast<float>(random.integer(i, low, high))
                                 : static_cast<float>(random.real(i, problem.low, problem.high));
  }
  if (!problem.integers) round_elements(values, problem.kernel.gemm.element);
  return values;
}

}  // namespace

GemmProblem ConvolutionProblem::as_gemm() const {
  GemmProblem gemm;
  gemm.kernel = kernel.gemm;
  gemm.m = layer.k;
  gemm.n = static_cast<int>(layer.pixels());
  gemm.k = static_cast<int>(layer.reduction());
  gemm.seed = seed;
  gemm.integers = integers;
  gemm.low = low;
  gemm.high = high;
  return gemm;
}

ConvolutionProblem resolve_convolution(const ConvolutionPlan& plan, const ConvolutionKernel& kernel) {
  const std::string why = why_unfit(kernel, plan.layer);
  if (!why.empty()) throw UserError(fmt::format("{}: {}", plan.layer.place, why));
  ConvolutionProblem problem;
  problem.kernel = kernel;
  problem.layer = plan.layer;
  problem.seed = plan.seed;
  const bool s8 = kernel.gemm.element == ElementType::i8;
  problem.integers = s8 || plan.input == ConvolutionPlan::Input::kIntegers;
  // Reals so small that no sum leaves the range of f16; whole numbers that leave room for sums as well.
  const double reach = s8 ? 4.0 : problem.integers ? 2.0 : 1.0;
  problem.low = plan.low.value_or(-reach);
  problem.high = plan.high.value_or(reach);
  if (s8 && !plan.scale) {
    throw UserError(fmt::format("{}: needs 'scale': an s8 kernel writes the sum times scale, rounded, at most 127",
                                plan.scale_place));
  }
  problem.scale = plan.scale.value_or(1.0);
  if (!std::isfinite(problem.scale) || problem.scale <= 0 ||
      problem.scale != static_cast<double>(static_cast<float>(problem.scale))) {
    throw UserError(fmt::format("{}: is {}, but must be a positive f32", plan.scale_place, problem.scale));
  }
  require_range(problem, plan.input_place);
  return problem;
}

ConvolutionProblem with_kernel(const ConvolutionProblem& problem, const ConvolutionKernel& kernel) {
  ConvolutionProblem other = problem;
  other.kernel = kernel;
  return other;
}

ConvolutionTensors make_tensors(const ConvolutionProblem& problem) {
  const ConvolutionLayer& layer = problem.layer;
  ConvolutionTensors tensors;
  tensors.weights = draw(problem, kStreamWeights, layer.k * layer.reduction());
  tensors.x = draw(problem, kStreamX, std::int64_t{layer.n} * layer.h * layer.w * layer.c);
  if (problem.kernel.sparse()) {
    // c is a multiple of four, so that no group of a row crosses from one position of the window to the next.
    const sparsity::Pattern pattern = problem.kernel.gemm.pattern();
    const auto length = static_cast<int>(layer.reduction());
    auto indices = sparsity::prune_by_magnitude(pattern, layer.k, length, tensors.weights.data());
    tensors.weights =
        sparsity::decompress(sparsity::compress(pattern, layer.k, length, tensors.weights.data(), std::move(indices)));
  }
  return tensors;
}

double host_bytes(const ConvolutionProblem& problem, bool values) {
  const ConvolutionLayer& layer = problem.layer;
  const double weights = static_cast<double>(layer.k) * problem.length();
  const double x = static_cast<double>(layer.n) * layer.h * layer.w * layer.c;
  const double d = static_cast<double>(layer.pixels()) * layer.k;
  const double buffers = (weights + x + d) * problem.kernel.element_bytes();
  // The tensors, and A in rows while it is compressed: ordered, its indices, its stored values.
  return values ? buffers + (x + weights) * sizeof(float) + 2.0 * weights * sizeof(float) : buffers;
}

}  // namespace stc::sim
