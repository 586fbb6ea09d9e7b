// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "sim/base/error.h"
#include "sim/base/text.h"
#include "sim/formats/weight_matrix.h"
#include "sim/launch/random.h"

namespace stc::sim {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// Uniform in (0, 1): never 0, so that its logarithm exists.
double open_unit(const Random& random, std::uint64_t index) {
  return (static_cast<double>(random.bits(index) >> 12U) + 0.5) * 0x1p-52;
}

/// Box and Muller's transform of the uniforms 2i and 2i + 1.
double normal(const Random& random, std::uint64_t i) {
  return std::sqrt(-2.0 * std::log(open_unit(random, 2 * i))) * std::cos(2.0 * kPi * open_unit(random, 2 * i + 1));
}

double laplace(const Random& random, std::uint64_t i) {
  const double u = open_unit(random, i) - 0.5;
  return std::copysign(std::log1p(-2.0 * std::fabs(u)), u);
}

/// A normal number over the root of a third of the sum of three squared ones.
double student(const Random& random, std::uint64_t i) {
  double squares = 0;
  for (std::uint64_t j = 1; j <= 3; ++j) {
    const double x = normal(random, 4 * i + j);
    squares += x * x;
  }
  return normal(random, 4 * i) / std::sqrt(squares / 3.0);
}

}  // namespace

const std::vector<std::string>& distribution_names() {
  static const std::vector<std::string> names = {"normal", "laplace", "uniform", "student"};
  return names;
}

WeightMatrix draw_weights(const std::string& distribution, std::uint64_t seed, int rows, int columns) {
  double (*draw)(const Random&, std::uint64_t) = nullptr;
  if (distribution == "normal") draw = normal;
  if (distribution == "laplace") draw = laplace;
  if (distribution == "student") draw = student;
  if (distribution == "uniform") {
    draw = [](const Random& random, std::uint64_t i) { return 2.0 * open_unit(random, i) - 1.0; };
  }
  if (draw == nullptr) throw UserError(unknown_word("distribution", distribution, distribution_names()));
  WeightMatrix weights;
  weights.source = fmt::format("{}, seed {}", distribution, seed);
  weights.rows = rows;
  weights.columns = columns;
  weights.values.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  const Random random(seed);
  for (std::size_t i = 0; i < weights.values.size(); ++i) weights.values[i] = static_cast<float>(draw(random, i));
  return weights;
}

}  // namespace stc::sim
