// SPDX-License-Identifier: Apache-2.0
// MUFU gives an H200's bits: hashes of its results for blocks of 2^23 operands (measured/h200/special_functions.csv),
// which together are all operands there are. With STC_ALL_OPERANDS set every block is compared (15 minutes of one
// core), else those in which something begins or ends.
#include "models/arith/special_function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "validation/gpu/mixed.h"

namespace stc::arith {
namespace {

/// The multiplication that PTX's sin and cos begin with, FMUL.FTZ.RZ.
std::uint32_t turns_of(std::uint32_t radians) {
  const std::uint32_t sign = radians & 0x80000000u;
  if ((radians & 0x7f800000u) == 0) return sign;
  float x = 0;
  std::memcpy(&x, &radians, sizeof x);
  const double exact = double{x} * double{0.15915494f};
  auto product = static_cast<float>(exact);
  if (std::abs(product) > std::abs(exact)) product = std::nextafter(product, 0.0f);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &product, sizeof bits);
  return (bits & 0x7f800000u) != 0 ? bits : sign;
}

using Function = std::uint32_t (*)(std::uint32_t);
const std::map<std::string, Function> kFunctions{
    {"rcp", reciprocal},
    {"rsqrt", reciprocal_root},
    {"sqrt", root},
    {"ex2", exponential},
    {"lg2", logarithm},
    {"sin", [](std::uint32_t x) { return sine(turns_of(x)); }},
    {"cos", [](std::uint32_t x) { return cosine(turns_of(x)); }},
    {"tanh", hyperbolic_tangent},
    {"rcp_f64", reciprocal_upper_word},
    {"rsqrt_f64", reciprocal_root_upper_word},
};

/// Blocks of each function that are always compared: zero and subnormal numbers, exponents -8, -1, 0, 1 and 6, infinity
/// and NaN, and of negative numbers -1.
const std::set<std::uint32_t> kBlocks{0x00000000, 0x3b800000, 0x3f000000, 0x3f800000,
                                      0x40000000, 0x42800000, 0x7f800000, 0xbf000000};

class SpecialFunctions : public testing::TestWithParam<std::string> {};

TEST_P(SpecialFunctions, GiveAnH200sBits) {
  const Function function = kFunctions.at(GetParam());
  const bool all = std::getenv("STC_ALL_OPERANDS") != nullptr;
  std::ifstream file("validation/measured/h200/special_functions.csv");
  std::size_t compared = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream row(line);
    std::string name, first_word, count_word, hash_word;
    std::getline(row, name, ',') && std::getline(row, first_word, ',') && std::getline(row, count_word, ',') &&
        std::getline(row, hash_word);
    if (name != GetParam()) continue;
    const auto first = static_cast<std::uint32_t>(std::stoul(first_word, nullptr, 16));
    if (!all && kBlocks.count(first) == 0) continue;
    std::uint64_t hash = 0;
    for (std::uint32_t i = 0; i < std::stoul(count_word); ++i) hash += mixed(first + i, function(first + i));
    EXPECT_EQ(hash, std::stoull(hash_word, nullptr, 16)) << GetParam() << " from " << first_word << " on";
    ++compared;
  }
  EXPECT_EQ(compared, all ? 512 : kBlocks.size());
}

INSTANTIATE_TEST_SUITE_P(, SpecialFunctions,
                         testing::Values("rcp", "rsqrt", "sqrt", "ex2", "lg2", "sin", "cos", "tanh", "rcp_f64",
                                         "rsqrt_f64"),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace stc::arith
