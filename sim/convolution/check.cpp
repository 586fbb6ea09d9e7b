// SPDX-License-Identifier: Apache-2.0
#include "sim/convolution/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/launch/random.h"

namespace stc::sim {
namespace {

/// The window of a pixel as one row [r][s][c]: zeros where it reaches into the padding.
void gather(const ConvolutionLayer& layer, const std::vector<float>& x, std::int64_t pixel, std::vector<double>& row) {
  const std::int64_t image = std::int64_t{layer.p()} * layer.q();
  const std::int64_t n = pixel / image, p = pixel % image / layer.q(), q = pixel % layer.q();
  std::fill(row.begin(), row.end(), 0.0);
  for (int r = 0; r < layer.r; ++r) {
    const std::int64_t y = p * layer.stride + r - layer.pad;
    for (int s = 0; s < layer.s; ++s) {
      const std::int64_t at = q * layer.stride + s - layer.pad;
      if (y < 0 || y >= layer.h || at < 0 || at >= layer.w) continue;
      const std::int64_t from = ((n * layer.h + y) * layer.w + at) * layer.c;
      std::copy_n(x.begin() + from, layer.c, row.begin() + (std::int64_t{r} * layer.s + s) * layer.c);
    }
  }
}

double dot(const std::vector<double>& row, const float* weights) {
  double partial[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= row.size(); i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane)
      partial[lane] += row[i + lane] * static_cast<double>(weights[i + lane]);
  }
  for (; i < row.size(); ++i) partial[0] += row[i] * static_cast<double>(weights[i]);
  return (partial[0] + partial[1]) + (partial[2] + partial[3]);
}

/// What a kernel writes for a sum that its accumulator holds exactly.
double rounded(const ConvolutionProblem& problem, double sum) {
  const float scaled = static_cast<float>(sum) * static_cast<float>(problem.scale);
  const ElementType type = problem.kernel.gemm.element;
  if (type == ElementType::f16) return decode(type, encode(type, static_cast<double>(scaled)));
  return std::clamp(std::nearbyint(static_cast<double>(scaled)), -128.0, 127.0);
}

double element_of(const isa::BufferBytes& d, ElementType type, std::size_t index) {
  const auto width = static_cast<std::size_t>(bytes_of(type));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &d[index * width], width);
  return decode(type, bits);
}

}  // namespace

GemmCheck check_convolution(const ConvolutionProblem& problem, const arith::Numerics& numerics,
                            const ConvolutionTensors& tensors, const isa::BufferBytes& d, std::uint64_t most_products) {
  const ConvolutionLayer& layer = problem.layer;
  const auto channels = static_cast<std::size_t>(layer.k), length = static_cast<std::size_t>(layer.reduction());
  const auto pixels = static_cast<std::size_t>(layer.pixels());
  const std::size_t checked = std::clamp<std::size_t>(most_products / (channels * length), 1, pixels);
  const Random random(problem.seed, 3);
  GemmCheck check;
  check.exact = problem.integers;
  check.limit = check.exact ? 0.0 : gemm_error_limit(problem.as_gemm(), numerics) + 0x1p-11;
  check.rows = static_cast<int>(checked);
  check.rows_in_all = static_cast<int>(pixels);
  double difference = 0, norm = 0;
  bool all_equal = true;
  std::vector<double> row(length);
  for (std::size_t i = 0; i < checked; ++i) {
    const auto first = static_cast<std::int64_t>(i * pixels / checked);
    const auto last = static_cast<std::int64_t>((i + 1) * pixels / checked) - 1;
    const std::int64_t pixel = random.integer(i, first, last);
    gather(layer, tensors.x, pixel, row);
    for (std::size_t channel = 0; channel < channels; ++channel) {
      const double sum = dot(row, &tensors.weights[channel * length]);
      const double wanted = check.exact ? rounded(problem, sum) : sum * problem.scale;
      const double value =
          element_of(d, problem.kernel.gemm.element, static_cast<std::size_t>(pixel) * channels + channel);
      difference += (value - wanted) * (value - wanted);
      norm += wanted * wanted;
      if (all_equal && value != wanted) {
        all_equal = false;
        check.first_mismatch = fmt::format("D[pixel {}, channel {}] is {}, must be {}", pixel, channel, value, wanted);
      }
    }
  }
  check.error = norm > 0 ? std::sqrt(difference / norm) : 1.0;
  // A reference of zeros would match a kernel that never wrote D.
  check.passed = norm > 0 && (check.exact ? all_equal : check.error <= check.limit);
  if (!check.exact) check.first_mismatch.clear();
  return check;
}

}  // namespace stc::sim
