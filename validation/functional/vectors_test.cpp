// SPDX-License-Identifier: Apache-2.0
// Atomics on vectors and on 128 bits, minimum and maximum of three halves, and f64 matrices of 16 rows, as sm_90 has
// them; what else it has is refused by name.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "models/isa/values/float_bits.h"
#include "traces/cubin/cubin_error.h"
#include "validation/functional/kernel_fixture.h"

namespace stc::functional {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::uint32_t>;

class Vectors : public KernelFixture {
 protected:
  void launch(const std::string& kernel, const Arguments& arguments) {
    run(load("sample_vectors", kernel), {1, 1, 1}, {32, 1, 1}, arguments);
  }
  std::string refusal(const std::string& kernel) {
    try {
      load("sample_vectors", kernel);
    } catch (const cubin::CubinError& error) {
      return error.what();
    }
    return "runs";
  }
};
INSTANTIATE_TEST_SUITE_P(Sm, Vectors, ::testing::Values(90));

/// Lanes 0..31 go to places 0..3 in turn.
std::vector<int> places() {
  std::vector<int> at;
  for (int i = 0; i < 32; ++i) at.push_back(i % 4);
  return at;
}

TEST_P(Vectors, SumsOfHalves) {
  for (const std::string name : {"sum_half4", "sum_half8", "sum_bfloat4", "sum_bfloat8"}) {
    const bool bfloat = name.find("bfloat") != std::string::npos;
    const std::uint32_t words = name.back() == '8' ? 4 : 2;
    const auto packed = [&](float f) {
      const std::uint32_t bits = isa::as_bits(f);
      return bfloat ? isa::f32_to_bf16(bits) : isa::f32_to_f16(bits);
    };
    Words values, expected(4 * words);
    std::vector<float> low(4 * words), high(4 * words);
    for (std::uint32_t i = 0; i < 32; ++i) {
      for (std::uint32_t w = 0; w < words; ++w) {
        const auto a = static_cast<float>(i / 4 + w), b = -static_cast<float>(w + 1);
        values.push_back(packed(a) | packed(b) << 16);
        low[i % 4 * words + w] += a;
        high[i % 4 * words + w] += b;
      }
    }
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = packed(low[i]) | packed(high[i]) << 16;
    memory_ = {};
    const std::uint64_t sums = reserve("sums", 16 * words), in = upload("in", values), at = upload("at", places());
    launch(name, Arguments().add(sums).add(in).add(at));
    EXPECT_EQ(download<std::uint32_t>("sums"), expected) << name;
  }
}

TEST_P(Vectors, SumsOfFloatsAndWhatTheyFound) {
  std::vector<float> values, found, sums(16);
  for (int i = 0; i < 128; ++i) values.push_back(static_cast<float>(i));
  for (std::size_t i = 0; i < 128; ++i) {
    float& sum = sums[i / 4 % 4 * 4 + i % 4];
    found.push_back(sum);
    sum += values[i];
  }
  const std::uint64_t out = reserve("out", 64), in = upload("in", values), at = upload("at", places());
  launch("sum_float4", Arguments().add(out).add(in).add(at).add(reserve("found", 512)));
  EXPECT_EQ(download<float>("out"), sums);
  EXPECT_EQ(download<float>("found"), found);
  launch("sum_float2", Arguments().add(reserve("pairs", 32)).add(in).add(at));
  std::vector<float> pairs(8);
  for (std::size_t i = 0; i < 64; ++i) pairs[i / 2 % 4 * 2 + i % 2] += values[i];
  EXPECT_EQ(download<float>("pairs"), pairs);
}

TEST_P(Vectors, SumsThroughAGenericAddress) {
  run(load("sample_debug", "debug_sums"), {1, 1, 1}, {32, 1, 1}, Arguments().add(reserve("sums", 32)));
  EXPECT_EQ(download<float>("sums"), (std::vector<float>{16, 32, 48, 240, 16, 32, 48, 256}));
}

using Quads = std::vector<std::array<std::uint64_t, 2>>;

TEST_P(Vectors, ExchangesOf16Bytes) {
  upload("chain", Quads{{500, 501}});
  launch("exchange_quads", Arguments().add(memory_.find("chain")->address).add(reserve("found", 1024)));
  Quads left{{500, 501}};
  for (std::uint64_t i = 0; i < 31; ++i) left.push_back({2 * i, 2 * i + 1});
  const Quads found = download<Quads::value_type>("found");
  EXPECT_EQ(Quads(found.begin(), found.begin() + 32), left);
  EXPECT_EQ(Quads(found.begin() + 32, found.end()), left);
  EXPECT_EQ(download<Quads::value_type>("chain"), (Quads{{62, 63}}));
}

TEST_P(Vectors, CompareAndSwapOf16BytesComparesAllOfThem) {
  Quads pairs, after;
  for (std::uint64_t i = 0; i < 32; ++i) {
    // Of every four, one differs in its first half, one in its second.
    pairs.push_back({i + (i % 4 == 1), i + 1 + (i % 4 == 2)});
    after.push_back(i % 4 == 1 || i % 4 == 2 ? pairs.back() : Quads::value_type{1000 + i, 1000 + i});
  }
  launch("swap_quads", Arguments().add(upload("pairs", pairs)).add(reserve("found", 1536)));
  const Quads found = download<Quads::value_type>("found");
  EXPECT_EQ(Quads(found.begin(), found.begin() + 32), pairs);
  EXPECT_EQ(Quads(found.begin() + 32, found.begin() + 64), pairs);
  EXPECT_EQ(Quads(found.begin() + 64, found.end()), after);
  EXPECT_EQ(download<Quads::value_type>("pairs"), after);
}

TEST_P(Vectors, ExtremesOfThreeHalves) {
  constexpr std::uint32_t kOne = 0x3c00, kTwo = 0x4000, kMinusTwo = 0xc000, kNan = 0x7fff, kZero = 0,
                          kMinusZero = 0x8000;
  const std::uint32_t low[][5] = {
      {kOne, kTwo, kMinusTwo, kTwo, kMinusTwo}, {kMinusTwo, kOne, kTwo, kTwo, kMinusTwo},
      {kNan, kOne, kTwo, kTwo, kOne},           {kOne, kTwo, kNan, kTwo, kOne},
      {kNan, kNan, kOne, kOne, kOne},           {kMinusZero, kZero, kMinusZero, kZero, kMinusZero}};
  const std::size_t rows = std::size(low);
  Words in(96), out;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto& high = low[(i + 1) % rows];
    for (std::size_t s = 0; s < 3; ++s) in[3 * i + s] = low[i][s] | high[s] << 16;
    const auto with_nan = [&](const std::uint32_t* row, std::size_t result) {
      const bool nan = row[0] == kNan || row[1] == kNan || row[2] == kNan;
      return nan ? kNan : row[result];
    };
    for (const std::size_t r : {3, 4}) out.push_back(low[i][r] | high[r] << 16);
    for (const std::size_t r : {3, 4}) out.push_back(with_nan(low[i], r) | with_nan(high, r) << 16);
  }
  launch("extremes", Arguments().add(upload("in", in)).add(reserve("out", 512)));
  const Words got = download<std::uint32_t>("out");
  EXPECT_EQ(Words(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(out.size())), out);
}

/// Within the errors that the PTX ISA allows, NaN and infinities included.
TEST_P(Vectors, ApproximationsOf16BitFloats) {
  const float values[] = {0,     0.5f,  -0.5f, 1,     -1,       3.25f, -3.25f,   8,
                          -8.5f, 0.01f, -20,   15.5f, -0.0625f, 11,    INFINITY, -INFINITY};
  const auto half = [&](std::size_t i) { return isa::f32_to_f16(isa::as_bits(values[i % 16])); };
  const auto bfloat = [&](std::size_t i) { return isa::f32_to_bf16(isa::as_bits(values[i % 16])); };
  Words halves, bfloats;
  for (std::size_t i = 0; i < 32; ++i) {
    halves.push_back(half(i) | half(i + 5) << 16);
    bfloats.push_back(bfloat(i) | bfloat(i + 5) << 16);
  }
  halves[31] = 0x7e007e00;
  launch("approximations", Arguments().add(upload("h", halves)).add(upload("b", bfloats)).add(reserve("out", 512)));
  const Words out = download<std::uint32_t>("out");
  for (std::size_t i = 0; i < 31; ++i) {
    for (const unsigned shift : {0u, 16u}) {
      const auto as_half = [&](std::uint32_t w) { return isa::as_float(isa::f16_to_f32(w >> shift & 0xffffu)); };
      const auto as_bfloat = [&](std::uint32_t w) { return isa::as_float(isa::bf16_to_f32(w >> shift & 0xffffu)); };
      const float h = as_half(halves[i]), b = as_bfloat(bfloats[i]);
      EXPECT_NEAR(as_half(out[4 * i]), std::tanh(h), 0x1p-10);
      if (std::exp2(h) < 65520) {
        EXPECT_NEAR(as_half(out[4 * i + 1]), std::exp2(h), std::exp2(h) * 0x1p-9 + 0x1p-24);
      }
      EXPECT_NEAR(as_bfloat(out[4 * i + 2]), std::tanh(b), 0x1p-8);
      if (!std::isinf(b)) {
        EXPECT_NEAR(as_bfloat(out[4 * i + 3]), std::exp2(b), std::exp2(b) * 0x1p-7);
      }
    }
  }
  EXPECT_EQ(out[4 * 31], 0x7fff7fffu);
  EXPECT_EQ(out[4 * 31 + 1], 0x7fff7fffu);
}

/// What an H200 made of the last shape of mma_double.bin, through compiled code.
TEST_P(Vectors, DoubleMatricesOf16Rows) {
  constexpr std::size_t kCases = 8, kLanes = 32 * kCases, kA = 8, kB = 4, kC = 4;
  std::ifstream file("validation/measured/h200/mma_double.bin", std::ios::binary);
  const auto read = [&](std::size_t per_lane) {
    std::vector<std::uint64_t> images(kLanes * per_lane);
    file.read(reinterpret_cast<char*>(images.data()), static_cast<std::streamsize>(images.size() * 8));
    return images;
  };
  file.seekg(-static_cast<std::streamoff>(kLanes * (kA + kB + 2 * kC) * 8), std::ios::end);
  const std::uint64_t a = upload("a", read(kA)), b = upload("b", read(kB)), c = upload("c", read(kC));
  const std::uint64_t d = reserve("d", kLanes * kC * 8);
  run(load("sample_vectors", "double_products"), {kCases, 1, 1}, {32, 1, 1}, Arguments().add(a).add(b).add(c).add(d));
  const std::vector<std::uint64_t> expected = read(kC);
  ASSERT_TRUE(file);
  EXPECT_EQ(download<std::uint64_t>("d"), expected);
}

TEST_P(Vectors, RefusalsNameTheFeature) {
  EXPECT_THAT(refusal("half_extreme"), HasSubstr("uses atomic minimum and maximum of 16-bit floats (1 instruction)"));
  EXPECT_THAT(refusal("mapped_load"), HasSubstr("uses accesses to memory-mapped I/O (.mmio) (1 instruction)"));
  EXPECT_THAT(refusal("alias_fence"), HasSubstr("jumps by uniform predicates (2), which are not"));
}

}  // namespace
}  // namespace stc::functional
