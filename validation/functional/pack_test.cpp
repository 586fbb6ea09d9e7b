// SPDX-License-Identifier: Apache-2.0
// Conversions to narrow formats (sample_pack.cu): every output against the definition of PTX, and all of them together
// against a hash of what an H200 gave for the same inputs.
#include "validation/functional/kernel_fixture.h"

#include <algorithm>
#include <cmath>

namespace stc::functional {
namespace {

using Words = std::vector<std::uint32_t>;

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Every sign, exponent and upper fraction with low bits around each rounding boundary, fixed-point numbers around the
/// limits of 8 bits, and the integers around them.
Words inputs() {
  Words in;
  for (std::uint32_t high = 0; high < 0x10000; ++high) {
    for (const std::uint32_t low : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x1fffu, 0x3000u, 0x8000u, 0xffffu}) {
      in.push_back(high << 16 | low);
    }
  }
  for (int i = -70000; i < 70000; ++i) {
    const float value = static_cast<float>(i) / 256.0f;
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    in.push_back(bits);
  }
  for (int i = -70000; i < 70000; ++i) in.push_back(static_cast<std::uint32_t>(i));
  return in;
}

std::uint32_t to_tf32(std::uint32_t v, bool to_zero, bool relu) {
  if (std::isnan(float_of(v))) return 0x7fffe000;
  if (relu && (v >> 31) != 0) return 0;
  if (to_zero || std::isinf(float_of(v))) return v & 0xffffe000;
  return (v + 0xfff + (v >> 13 & 1)) & 0xffffe000;
}
/// Ties away from zero; code without the instruction keeps the upper bits of a NaN.
std::uint32_t to_tf32_away(std::uint32_t v) {
  const float value = float_of(v);
  return (v + (std::isfinite(value) ? 0x1000 : 0)) & 0xffffe000;
}
std::uint32_t small(double value, int bits, bool is_signed) {
  const double high = is_signed ? std::ldexp(1, bits - 1) - 1 : std::ldexp(1, bits) - 1;
  const double low = is_signed ? -high - 1 : 0;
  return static_cast<std::uint32_t>(static_cast<int>(std::clamp(value, low, high))) & ((1u << bits) - 1);
}
std::uint32_t small_of_float(std::uint32_t v, bool to_zero, bool is_signed) {
  const double value = float_of(v);
  if (std::isnan(value)) return 0;
  return small(to_zero ? std::trunc(value) : std::nearbyint(value), 8, is_signed);
}

enum class Kind { kTf32, kTf32Away, kFloats, kIntegers };

struct Case {
  const char* kernel;
  Kind kind;
  int bits;
  bool is_signed, to_zero, relu;
  int first_sm;
  std::uint64_t hash;  ///< of an H200's outputs (folded as below); 0: not taken
};

const Case kCases[] = {
    {"tf32_rna", Kind::kTf32Away, 0, false, false, false, 80, 0},
    {"tf32_rn", Kind::kTf32, 0, false, false, false, 90, 0x700454e2fbabe883},
    {"tf32_rn_relu", Kind::kTf32, 0, false, false, true, 90, 0x7d31653e2b398883},
    {"tf32_rz", Kind::kTf32, 0, false, true, false, 90, 0xf215cca9ca55e883},
    {"tf32_rz_relu", Kind::kTf32, 0, false, true, true, 90, 0xfe14225d43850883},
    {"floats_s8", Kind::kFloats, 8, true, false, false, 80, 0x7b3227f4d13d9201},
    {"floats_u8", Kind::kFloats, 8, false, false, false, 80, 0x627d904e9a8e2fb8},
    {"floats_s8_rz", Kind::kFloats, 8, true, true, false, 80, 0x3d3b4a29d863253a},
    {"floats_u8_rz", Kind::kFloats, 8, false, true, false, 80, 0xd2c28ee8519167fa},
    {"integers_u8", Kind::kIntegers, 8, false, false, false, 80, 0x94ec493ebb95741d},
    {"integers_s8", Kind::kIntegers, 8, true, false, false, 80, 0x83898121b8563566},
    {"integers_u4", Kind::kIntegers, 4, false, false, false, 80, 0xc644f23226863dfd},
    {"integers_s4", Kind::kIntegers, 4, true, false, false, 80, 0x1d23c084b266ee6e},
    {"integers_u2", Kind::kIntegers, 2, false, false, false, 80, 0xd40858e059abede1},
    {"integers_s2", Kind::kIntegers, 2, true, false, false, 80, 0x34fb95ccf531d210},
};

std::uint32_t expected(const Case& c, std::uint32_t first, std::uint32_t second) {
  const std::uint32_t kept = first * 2654435761u << 2 * c.bits;
  const auto integer = [&](std::uint32_t v) { return small(static_cast<std::int32_t>(v), c.bits, c.is_signed); };
  switch (c.kind) {
    case Kind::kTf32: return to_tf32(first, c.to_zero, c.relu);
    case Kind::kTf32Away: return to_tf32_away(first);
    case Kind::kFloats:
      return kept | small_of_float(first, c.to_zero, c.is_signed) << 8 | small_of_float(second, c.to_zero, c.is_signed);
    case Kind::kIntegers: return kept | integer(first) << c.bits | integer(second);
  }
  return 0;
}

class PackKernels : public KernelFixture {
 protected:
  Words outputs(const std::string& name, const Words& in) {
    const auto n = static_cast<unsigned>(in.size());
    run(load("sample_pack", name), {(n + 255) / 256, 1, 1}, {256, 1, 1},
        Arguments().add(memory_.find("in")->address).add(reserve(name, 4 * in.size())).add(n));
    return download<std::uint32_t>(name);
  }
};

TEST_P(PackKernels, GiveTheWordsOfTheDefinitionAndOfAnH200) {
  const Words in = inputs();
  upload("in", in);
  for (const Case& c : kCases) {
    if (c.first_sm > GetParam()) continue;
    SCOPED_TRACE(c.kernel);
    const Words out = outputs(c.kernel, in);
    std::uint64_t hash = 1469598103934665603;
    int wrong = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      hash = (hash ^ out[i]) * 0x100000001b3;
      const std::uint32_t want = expected(c, in[i], in[(i + 1) % in.size()]);
      if (out[i] == want || wrong++ > 2) continue;
      ADD_FAILURE() << std::hex << "of " << in[i] << ": " << out[i] << ", expected " << want;
    }
    if (c.hash != 0) {
      EXPECT_EQ(hash, c.hash) << std::hex << hash;
    }
  }
}

TEST_P(PackKernels, TakeConstantsAndLiterals) {
  const Words in{0, 5, 100, 0xffffff00, 0x7fffffff, 0x80000000};
  upload("in", in);
  const Words out = outputs("integers_forms", in);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto v = static_cast<std::int32_t>(in[i]);
    EXPECT_EQ(out[i], (small(v, 8, true) << 8 | 6) << 8 | small(v, 4, true) << 4 | 0xd);
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, PackKernels, ::testing::Values(80, 90));

}  // namespace
}  // namespace stc::functional
