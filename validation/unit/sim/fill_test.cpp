// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/fill.h"

#include <cstring>

#include "sim/launch/random.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

Fill parse_fill(const std::string& text) {
  return read_fill(ConfigNode::parse("fill: " + text, "f.yaml", {}).at("fill"));
}

template <class T>
std::vector<T> filled(const std::string& text, std::size_t count) {
  std::vector<std::uint8_t> bytes(count * sizeof(T), 0xaa);
  apply_fill(parse_fill(text), bytes);
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(Random, IsTheDocumentedFormula) {
  // SplitMix64 of state 0: mix(0) is 0, so that bits(i) is the published sequence for seed 0.
  const Random random(0);
  EXPECT_EQ(random.bits(0), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(random.bits(1), 0x6e789e6aa1b965f4ULL);
  EXPECT_NE(Random(0, 1).bits(0), random.bits(0));
}

TEST(Random, IntegersCoverTheRangeAndNothingElse) {
  const Random random(5);
  std::vector<int> count(9, 0);
  for (std::uint64_t i = 0; i < 9000; ++i) ++count[static_cast<std::size_t>(random.integer(i, -4, 4) + 4)];
  for (const int c : count) EXPECT_NEAR(c, 1000, 150);
}

TEST(Fill, Zero) { EXPECT_THAT(filled<std::uint32_t>("zero", 3), Each(0u)); }

TEST(Fill, ConstantAndSequence) {
  EXPECT_THAT(filled<std::uint16_t>("{constant: {type: f16, value: 1.5}}", 2), Each(0x3e00));
  EXPECT_THAT(filled<std::uint32_t>("{constant: {type: u32, value: 0x44444444}}", 2), Each(0x44444444u));
  EXPECT_THAT(filled<std::int32_t>("{sequence: {type: i32, start: -1, step: 3}}", 3), ElementsAre(-1, 2, 5));
  EXPECT_THAT(filled<float>("{sequence: {type: f32, start: 0, step: 0.25}}", 3), ElementsAre(0.0F, 0.25F, 0.5F));
}

TEST(Fill, RandomIsUniformAndDeterministic) {
  const auto values = filled<float>("{random_f32: {seed: 3, low: 2, high: 4}}", 4000);
  double mean = 0;
  for (const float value : values) {
    EXPECT_GE(value, 2.0F);
    EXPECT_LE(value, 4.0F);
    mean += static_cast<double>(value) / 4000;
  }
  EXPECT_NEAR(mean, 3.0, 0.05);
  EXPECT_EQ(values, filled<float>("{random_f32: {seed: 3, low: 2, high: 4}}", 4000));
  EXPECT_NE(values, filled<float>("{random_f32: {seed: 4, low: 2, high: 4}}", 4000));
}

TEST(Fill, IntegersInAFloatType) {
  for (const std::uint16_t bits : filled<std::uint16_t>("{integers: {type: f16, seed: 1, low: 1, high: 2}}", 100)) {
    EXPECT_TRUE(bits == 0x3c00 || bits == 0x4000) << bits;
  }
}

TEST(Fill, RandomBytesDefaultToTheWholeRange) {
  const auto values = filled<std::int8_t>("{random_i8: {seed: 1}}", 20000);
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), -128);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 127);
}

TEST(Fill, FileMustHaveTheSize) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.bin", "abc");
  std::vector<std::uint8_t> three(3);
  apply_fill(parse_fill("{file: " + file + "}"), three);
  EXPECT_THAT(three, ElementsAre('a', 'b', 'c'));
  std::vector<std::uint8_t> four(4);
  EXPECT_THAT(user_error([&] { apply_fill(parse_fill("{file: " + file + "}"), four); }),
              HasSubstr("a.bin has 3 bytes, but the buffer has 4"));
}

TEST(Fill, BadOnesAreExplained) {
  EXPECT_THAT(user_error([] { parse_fill("zeros"); }), HasSubstr("did you mean 'zero'?"));
  EXPECT_THAT(user_error([] { parse_fill("{random_f61: {}}"); }), HasSubstr("did you mean 'random_f16'?"));
  EXPECT_THAT(user_error([] { parse_fill("{constant: {type: u8, value: 256}}"); }), HasSubstr("u8 holds 0 .. 255"));
  EXPECT_THAT(user_error([] { parse_fill("{random_f16: {low: 1, high: -1}}"); }),
              HasSubstr("low must not exceed high"));
  EXPECT_THAT(user_error([] { parse_fill("{integers: {type: f16, low: 0.5}}"); }), HasSubstr("must be whole"));
  EXPECT_THAT(user_error([] { parse_fill("{random_f16: {sed: 1}}"); }), HasSubstr("did you mean 'seed'?"));
  EXPECT_THAT(user_error([] { parse_fill("{}"); }), HasSubstr("exactly one fill"));
  EXPECT_THAT(user_error([] { parse_fill("{zero: 1}"); }), HasSubstr("takes nothing; write 'fill: zero'"));
  EXPECT_THAT(user_error([] { parse_fill("{zero: }"); }), HasSubstr("takes nothing; write 'fill: zero'"));
  EXPECT_THAT(user_error([] { parse_fill(""); }), HasSubstr("but is nothing"));
  EXPECT_THAT(user_error([] { parse_fill("''"); }), HasSubstr("unknown fill ''"));
}

TEST(Fill, WhatItsTypeCannotHoldIsRefused) {
  const auto refused = [](const std::string& text) { return user_error([&] { parse_fill(text); }); };
  EXPECT_THAT(refused("{constant: {type: f16, value: 65505}}"), HasSubstr("is 65505, but f16 holds -65504 .. 65504"));
  EXPECT_THAT(refused("{constant: {type: bf16, value: 1e39}}"), HasSubstr("bf16 holds"));
  EXPECT_THAT(refused("{constant: {type: tf32, value: -1e39}}"), HasSubstr("tf32 holds"));
  EXPECT_THAT(refused("{constant: {type: e4m3, value: 449}}"), HasSubstr("e4m3 holds -448 .. 448"));
  EXPECT_THAT(refused("{constant: {type: e5m2, value: 57345}}"), HasSubstr("e5m2 holds -57344 .. 57344"));
  EXPECT_THAT(refused("{constant: {type: f32, value: 3.5e38}}"), HasSubstr("f32 holds"));
  EXPECT_THAT(refused("{constant: {type: f64, value: 1e999}}"), HasSubstr("out of the range of 64-bit numbers"));
  EXPECT_THAT(refused("{random_f16: {low: -1e5, high: 1}}"), HasSubstr("f16 holds"));
  EXPECT_THAT(refused("{random_f16: {high: inf}}"), HasSubstr("must be a finite number"));
  EXPECT_THAT(refused("{sequence: {type: f32, start: 0, step: nan}}"), HasSubstr("must be a finite number"));
  EXPECT_THAT(refused("{sequence: {type: i32, start: 0, step: 0.5}}"), HasSubstr("must be whole, but is 0.5"));
}

TEST(Fill, GreatestValuesAndInfinitiesAreValues) {
  for (const char* type : {"f16", "bf16", "tf32", "e4m3", "e5m2", "f32"}) {
    const ElementType element = element_type_of(type).value();
    const double greatest = greatest_finite(element);
    EXPECT_EQ(decode(element, encode(element, greatest)), greatest) << type;
  }
  EXPECT_THAT(filled<std::uint16_t>("{constant: {type: f16, value: inf}}", 1), Each(0x7c00));
  EXPECT_THAT(filled<std::uint32_t>("{constant: {type: f32, value: -inf}}", 1), Each(0xff800000u));
}

TEST(Fill, ASequenceStaysInItsType) {
  EXPECT_THAT(filled<std::int8_t>("{sequence: {type: i8, start: 126, step: 1}}", 2), ElementsAre(126, 127));
  EXPECT_THAT(user_error([] { filled<std::int8_t>("{sequence: {type: i8, start: 126, step: 1}}", 3); }),
              HasSubstr("the last of 3 elements is 128, but i8 holds -128 .. 127"));
  EXPECT_THAT(user_error([] { filled<std::uint16_t>("{sequence: {type: f16, start: 0, step: -30000}}", 4); }),
              HasSubstr("the last of 4 elements is -90000, but f16 holds"));
}

}  // namespace
}  // namespace stc::sim
