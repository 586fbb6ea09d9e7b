// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/probe_directed.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace stc::gpu_probe {
namespace {

double two_to(int exponent) { return std::ldexp(1.0, exponent); }

DotCase dot(const char* probe, std::string detail, std::vector<double> a, std::vector<double> b, double c = 0) {
  DotCase result;
  result.probe = probe;
  result.detail = std::move(detail);
  result.a = std::move(a);
  result.b = std::move(b);
  result.c = c;
  return result;
}

DotCase with_c_bits(DotCase result, std::uint32_t bits) {
  result.c_is_bits = true;
  result.c_bits = bits;
  return result;
}

/// P1: which products share a block. +1024 - 1024 + 2^-16: the last survives only in a later block.
void add_block_map(const ProbeOp& op, std::vector<DotCase>& cases) {
  const auto depth = static_cast<std::size_t>(stored_depth(op));
  for (std::size_t i = 0; i + 1 < depth; i += 4)
    for (std::size_t s = 0; s < depth; ++s) {
      if (s == i || s == i + 1) continue;
      std::vector<double> a(depth, 0.0), b(depth, 0.0);
      a[i] = 32, b[i] = 32, a[i + 1] = -32, b[i + 1] = 32, a[s] = two_to(-8), b[s] = two_to(-8);
      cases.push_back(dot(
          "P1",
          "+1024 at " + std::to_string(i) + ", -1024 at " + std::to_string(i + 1) + ", 2^-16 at " + std::to_string(s),
          a, b));
    }
}

/// P2: fraction bits kept below the largest exponent.
void add_fraction_bits(const ProbeOp& op, std::vector<DotCase>& cases) {
  const auto depth = static_cast<std::size_t>(stored_depth(op));
  const std::size_t tiny = std::min<std::size_t>(depth - 1, 8);
  for (int f = 20; f <= 28; ++f) {
    std::vector<double> a(1, 1.0), b(1, 1.0);
    for (std::size_t i = 0; i < tiny; ++i) a.push_back(two_to(-(f / 2))), b.push_back(two_to(-(f - f / 2)));
    cases.push_back(dot("P2", "1 + " + std::to_string(tiny) + " x 2^-" + std::to_string(f), a, b));
    cases.push_back(dot("P2", "1 - 2^-" + std::to_string(f), {1, -two_to(-(f / 2))}, {1, two_to(-(f - f / 2))}));
    cases.push_back(dot("P2", "c=1, " + std::to_string(tiny) + " x 2^-" + std::to_string(f),
                        std::vector<double>(a.begin() + 1, a.end()), std::vector<double>(b.begin() + 1, b.end()), 1));
  }
}

/// P3: the exponent floor of the alignment, and subnormal C.
void add_exponent_floor(const ProbeOp& op, std::vector<DotCase>& cases) {
  const auto depth = static_cast<std::size_t>(stored_depth(op));
  const auto pair = [&cases](const char* text, double a0, double b0, double a1, double b1, double c = 0) {
    cases.push_back(dot("P3", text, {a0, a1}, {b0, b1}, c));
  };
  if (op.a == "bf16") {
    for (const int e : {-76, -77})
      cases.push_back(dot("P3", "every product 2^-76 x 2^" + std::to_string(e), std::vector<double>(depth, two_to(-76)),
                          std::vector<double>(depth, two_to(e))));
    pair("127*2^-80 x 2^-76 + 2^-78 x 2^-78", 127 * two_to(-80), two_to(-76), two_to(-78), two_to(-78));
    pair("255*2^-80 x 2^-77 + 2^-78 x 2^-79", 255 * two_to(-80), two_to(-77), two_to(-78), two_to(-79));
    pair("7*2^-80 x 73*2^-78 + 2^-79 x 2^-79", 7 * two_to(-80), 73 * two_to(-78), two_to(-79), two_to(-79));
    pair("33*2^-80 x 31*2^-79 + 2^-79 x 2^-80", 33 * two_to(-80), 31 * two_to(-79), two_to(-79), two_to(-80));
  }
  if (op.a == "tf32") {
    pair("511*2^-80 x 2^-78 + 2^-79 x 2^-79", 511 * two_to(-80), two_to(-78), two_to(-79), two_to(-79));
    for (const int e : {-76, -77})
      cases.push_back(dot("P3", "every product 2^-76 x 2^" + std::to_string(e), std::vector<double>(depth, two_to(-76)),
                          std::vector<double>(depth, two_to(e))));
  }
  if (op.a == "f16" && op.c == "f16") {
    for (const int e : {-24, -23, -22}) {
      const std::string text = "2^-12 x 2^-13 + 2^" + std::to_string(e) + " squared";
      pair(text.c_str(), two_to(-12), two_to(-13), two_to(e), two_to(e));
    }
    for (const int e : {-21, -22, -23}) {
      const std::string text = "c=2^-24, 2^-12 x 2^-13, minus 2^" + std::to_string(e) + " squared";
      pair(text.c_str(), two_to(-12), two_to(-13), -two_to(e), two_to(e), two_to(-24));
    }
  }
}

/// P4 to P6: zeros, their signs, infinities and NaN.
void add_special(const ProbeOp& op, std::vector<DotCase>& cases) {
  const auto depth = static_cast<std::size_t>(stored_depth(op));
  if (op.a == "f16")
    cases.push_back(dot("P4", "0 x 2^15 + 2^-12 x 2^-13", {0, two_to(-12)}, {two_to(15), two_to(-13)}));
  const std::vector<double> zeros(depth, 0.0), ones(depth, 1.0), minus(depth, -0.0);
  cases.push_back(dot("P5", "1 - 1, c=+0", {1, -1}, {1, 1}));
  cases.push_back(dot("P5", "1 - 1, c=-0", {1, -1}, {1, 1}, -0.0));
  cases.push_back(dot("P5", "all products -0, c=-0", minus, ones, -0.0));
  cases.push_back(dot("P5", "all products -0, c=+0", minus, ones, 0.0));
  cases.push_back(dot("P5", "all products +0, c=-0", zeros, ones, -0.0));
  cases.push_back(dot("P5", "c=-1, product 1", {1}, {1}, -1));
  if (op.a == "bf16" || op.a == "tf32") cases.push_back(dot("P5", "-(2^-75 x 2^-76)", {-two_to(-75)}, {two_to(-76)}));
  if (op.c == "f16" && op.a == "f16") cases.push_back(dot("P5", "-(2^-13 x 2^-13)", {-two_to(-13)}, {two_to(-13)}));
  const std::uint32_t nan = op.c == "f16" ? 0xFE01u : 0xFFC00123u;
  const std::uint32_t infinity = op.c == "f16" ? 0x7C00u : 0x7F800000u;
  cases.push_back(with_c_bits(dot("P6", "c = NaN with payload", {1}, {1}), nan));
  cases.push_back(with_c_bits(dot("P6", "c = +Inf", {1}, {1}), infinity));
  const std::uint32_t one = encode(op.a, 1), one_b = encode(op.b, 1);
  const auto bits = [&cases](const char* text, std::vector<std::uint32_t> a, std::vector<std::uint32_t> b) {
    DotCase result = dot("P6", text, {}, {});
    result.a_bits = std::move(a);
    result.b_bits = std::move(b);
    cases.push_back(result);
  };
  if (op.a == op.b && op.a != "e4m3") {
    const std::uint32_t inf = op.a == "f16" ? 0x7C00u : op.a == "bf16" ? 0x7F80u : op.a == "e5m2" ? 0x7Cu : 0x7F800000u;
    const std::uint32_t sign = 1u << (bits_of(op.a) - 1);
    bits("Inf x 1", {inf}, {one_b});
    bits("Inf x 0", {inf}, {0});
    bits("0 x Inf", {0}, {inf});
    std::vector<std::uint32_t> a(depth, 0), b(depth, one_b);
    a.front() = inf, a.back() = inf | sign;
    bits("+Inf first, -Inf last", a, b);
  }
  if (op.a == "tf32") {
    bits("tf32 NaN only in the low 13 bits", {0x7F800001u}, {one_b});
    bits("tf32 NaN in bit 13", {0x7F802000u}, {one_b});
    bits("tf32 1 with low bits set", {0x3F801FFFu}, {one_b});
  }
  if (op.a == "e4m3") bits("e4m3 NaN", {0x7F}, {one_b});
  (void)one;
}

/// P8: is saturation applied once, or after each internal block?
void add_saturation(const ProbeOp& op, std::vector<DotCase>& cases) {
  const auto depth = static_cast<std::size_t>(stored_depth(op));
  const bool signed_b = op.b[0] == 's';
  if (op.a[0] != 's' && !signed_b) return;
  std::vector<double> up(depth, 1), one(depth, 1);
  std::vector<double>& changing = op.a[0] == 's' ? up : one;
  for (std::size_t i = depth / 2; i < depth; ++i) changing[i] = -1;
  std::vector<double> down_a = up, down_b = one;
  for (double& v : op.a[0] == 's' ? down_a : down_b) v = -v;
  cases.push_back(with_c_bits(dot("P8", "c = max, first half +1, second half -1", up, one), 0x7FFFFFFFu));
  cases.push_back(with_c_bits(dot("P8", "c = min, first half +1, second half -1", up, one), 0x80000000u));
  cases.push_back(with_c_bits(dot("P8", "c = max, first half -1, second half +1", down_a, down_b), 0x7FFFFFFFu));
  cases.push_back(with_c_bits(dot("P8", "c = min, first half -1, second half +1", down_a, down_b), 0x80000000u));
}

/// The stored index (A) or k (B) of element `i` of register `r` in lane `t` of a quad; `depth_register` counts
/// registers along k.
int index_of(int per_register, int t, int depth_register, int i) {
  return per_register * t + i + 4 * per_register * depth_register;
}

template <typename Value>
void fill_a(const ProbeOp& op, Images& images, std::size_t slot, Value value) {
  const int bits = bits_of(op.a), per = 32 / bits, registers = op.a_registers;
  std::uint32_t* image = images.a.data() + slot * 32 * static_cast<std::size_t>(registers);
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < registers; ++r)
      for (int i = 0; i < per; ++i) {
        const int row = lane / 4 + 8 * (r & 1);
        image[lane * registers + r] |= value(row, index_of(per, lane % 4, r >> 1, i)) << (bits * i);
      }
}

template <typename Value>
void fill_b(const ProbeOp& op, Images& images, std::size_t slot, Value value) {
  const int bits = bits_of(op.b), per = 32 / bits, registers = op.b_registers;
  std::uint32_t* image = images.b.data() + slot * 32 * static_cast<std::size_t>(registers);
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < registers; ++r)
      for (int i = 0; i < per; ++i) image[lane * registers + r] |= value(index_of(per, lane % 4, r, i)) << (bits * i);
}

void fill_words(std::vector<std::uint32_t>& image, std::size_t slot, int registers, std::uint32_t word) {
  const auto begin = image.begin() + static_cast<std::ptrdiff_t>(slot * 32 * static_cast<std::size_t>(registers));
  std::fill(begin, begin + 32 * registers, word);
}

}  // namespace

int stored_depth(const ProbeOp& op) { return op.sparse ? op.k / 2 : op.k; }

std::vector<DotCase> directed_cases(const ProbeOp& op) {
  std::vector<DotCase> cases;
  if (op.c == "s32") {
    add_saturation(op, cases);
    return cases;
  }
  const bool fp8 = op.needs_sm89;
  if (!fp8) add_block_map(op, cases);
  if (!fp8) add_fraction_bits(op, cases);
  add_exponent_floor(op, cases);
  add_special(op, cases);
  return cases;
}

void write_dot(const ProbeOp& op, const DotCase& dot, Images& images, std::size_t slot) {
  const auto at = [](const std::vector<std::uint32_t>& bits, const std::vector<double>& values, int index,
                     const std::string& format) -> std::uint32_t {
    const auto i = static_cast<std::size_t>(index);
    if (!bits.empty()) return i < bits.size() ? bits[i] : 0u;
    return i < values.size() ? encode(format, values[i]) : 0u;
  };
  fill_a(op, images, slot, [&](int, int j) { return at(dot.a_bits, dot.a, j, op.a); });
  // Nibble 0x4 keeps the first two granules of each group (the first value of each pair for tf32).
  const auto stored_index = [&op](int k) {
    if (!op.sparse) return k;
    if (op.a == "tf32") return k % 2 == 0 ? k / 2 : -1;
    const int pair = bits_of(op.a) == 4 ? 4 : 2;
    return k % (2 * pair) < pair ? k / (2 * pair) * pair + k % (2 * pair) : -1;
  };
  fill_b(op, images, slot, [&](int k) {
    const int j = stored_index(k);
    return j < 0 ? 0u : at(dot.b_bits, dot.b, j, op.b);
  });
  std::uint32_t c = dot.c_is_bits ? dot.c_bits : encode(op.c, dot.c);
  if (op.c == "f16") c |= c << 16;
  fill_words(images.c, slot, op.c_registers, c);
  if (op.sparse) fill_words(images.e, slot, 1, 0x44444444u);
}

void write_selection(const ProbeOp& op, int nibble, int batch, int pass, Images& images, std::size_t slot) {
  const std::uint32_t one = encode(op.a, 1);
  fill_a(op, images, slot, [&](int row, int j) { return j == row + 16 * batch ? one : 0u; });
  fill_b(op, images, slot, [&](int k) { return encode(op.b, 1 + ((k >> (2 * pass)) & 3)); });
  fill_words(images.e, slot, 1, 0x11111111u * static_cast<std::uint32_t>(nibble));
}

double result_of_row(const ProbeOp& op, const std::uint32_t* d_image, int row) {
  const int lane = row % 8 * 4;
  if (op.c == "f16") {
    const std::uint32_t half = d_image[lane * op.c_registers + row / 8] & 0xFFFF;
    if ((half & 0x7C00) == 0) return std::ldexp(half & 0x3FF, -24);
    return std::ldexp(1024 + (half & 0x3FF), static_cast<int>(half >> 10 & 31) - 25);
  }
  const std::uint32_t word = d_image[lane * op.c_registers + 2 * (row / 8)];
  if (op.c == "s32") return static_cast<std::int32_t>(word);
  float value = 0;
  std::memcpy(&value, &word, sizeof value);
  return static_cast<double>(value);
}

}  // namespace stc::gpu_probe
