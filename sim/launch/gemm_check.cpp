// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/gemm_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "sim/launch/random.h"

namespace stc::sim {
namespace {

constexpr int kColumns = 4;  // columns of D computed together, so that a row of A is read once for all of them
constexpr int kLanes = 4;    // independent partial sums, which the compiler turns into vector registers

/// sums[c] = row . columns[c], each over k elements.
void dot_products(const double* row, const std::array<const float*, kColumns>& columns, int k,
                  std::array<double, kColumns>& sums) {
  double partial[kColumns][kLanes] = {};
  int i = 0;
  for (; i + kLanes <= k; i += kLanes) {
    for (int c = 0; c < kColumns; ++c) {
      const float* column = columns[static_cast<std::size_t>(c)] + i;
      for (int lane = 0; lane < kLanes; ++lane) partial[c][lane] += row[i + lane] * static_cast<double>(column[lane]);
    }
  }
  for (int c = 0; c < kColumns; ++c) {
    double sum = (partial[c][0] + partial[c][1]) + (partial[c][2] + partial[c][3]);
    for (int rest = i; rest < k; ++rest)
      sum += row[rest] * static_cast<double>(columns[static_cast<std::size_t>(c)][rest]);
    sums[static_cast<std::size_t>(c)] = sum;
  }
}

double element_of(const isa::BufferBytes& d, ElementType type, std::size_t index) {
  const auto width = static_cast<std::size_t>(bytes_of(type));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &d[index * width], width);
  return decode(type, bits);
}

}  // namespace

double gemm_error_limit(const GemmProblem& problem, const arith::Numerics& numerics) {
  const bool tf32 = problem.kernel.element == ElementType::tf32;
  const double stored_k = static_cast<double>(problem.k) * problem.kernel.stored / problem.kernel.group;
  // Each instruction of 8-bit floats cuts its sum to 13 fraction bits (models/isa/mma/warpgroup_mma.h).
  if (problem.kernel.element == ElementType::e4m3) return stored_k / 32 * 0x1p-13;
  const arith::FusedDotRules rules = tf32 ? numerics.tf32() : numerics.f16();
  const bool signs_cancel = std::fabs(problem.low + problem.high) <= 0.01 * (problem.high - problem.low);
  const double of_products = signs_cancel ? 0.0 : rules.block_length * std::ldexp(1.0, -rules.fraction_bits);
  return std::fmax(1e-6, stored_k / rules.block_length * (0x1p-25 + of_products));
}

GemmCheck check_gemm(const GemmProblem& problem, const arith::Numerics& numerics, const GemmMatrices& matrices,
                     const isa::BufferBytes& d, std::uint64_t most_products) {
  const auto m = static_cast<std::size_t>(problem.m);
  const auto n = static_cast<std::size_t>(problem.n);
  const auto k = static_cast<std::size_t>(problem.k);
  const std::size_t rows = std::clamp<std::size_t>(most_products / (n * k), 1, m);
  const Random random(problem.seed, 3);

  GemmCheck check;
  check.exact = problem.integers;
  check.limit = check.exact ? 0.0 : gemm_error_limit(problem, numerics);
  check.rows = static_cast<int>(rows);
  check.rows_in_all = problem.m;
  double difference = 0;
  double norm = 0;
  bool all_equal = true;
  std::vector<double> row(k);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t first = r * m / rows;
    const std::size_t last = (r + 1) * m / rows - 1;
    const auto i =
        static_cast<std::size_t>(random.integer(r, static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)));
    std::copy_n(&matrices.a[i * k], k, row.begin());
    for (std::size_t j = 0; j < n; j += kColumns) {
      std::array<const float*, kColumns> columns{};
      for (std::size_t c = 0; c < kColumns; ++c) columns[c] = &matrices.b[std::min(j + c, n - 1) * k];
      std::array<double, kColumns> sums{};
      dot_products(row.data(), columns, problem.k, sums);
      for (std::size_t c = 0; c < kColumns && j + c < n; ++c) {
        const double value = element_of(d, problem.kernel.accumulator, i * n + j + c);
        difference += (value - sums[c]) * (value - sums[c]);
        norm += sums[c] * sums[c];
        if (all_equal && value != sums[c]) {
          all_equal = false;
          check.first_mismatch = fmt::format("D[{},{}] is {}, must be {}", i, j + c, value, sums[c]);
        }
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
