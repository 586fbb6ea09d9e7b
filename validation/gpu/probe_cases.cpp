// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/probe_cases.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "validation/kernels/probe_ops.h"

namespace stc::gpu_probe {
namespace {

std::uint64_t mix(std::uint64_t x) {  // SplitMix64's output function
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

std::uint64_t key_of(const ProbeOp& op) {
  std::uint64_t h = 0xCBF29CE484222325ull;
  for (const char letter : op.name) h = (h ^ static_cast<unsigned char>(letter)) * 0x100000001B3ull;
  return mix(h + static_cast<std::uint64_t>(op.selector));
}

struct FloatFormat {
  int exponent_bits, mantissa_bits, bias, stored_bits;
  bool has_infinity;
};

bool float_format(const std::string& name, FloatFormat& format) {
  if (name == "f16")
    format = {5, 10, 15, 16, true};
  else if (name == "bf16")
    format = {8, 7, 127, 16, true};
  else if (name == "tf32")
    format = {8, 10, 127, 32, true};
  else if (name == "f32")
    format = {8, 23, 127, 32, true};
  else if (name == "e4m3")
    format = {4, 3, 7, 8, false};
  else if (name == "e5m2")
    format = {5, 2, 15, 8, true};
  else
    return false;
  return true;
}

std::uint32_t pack(const FloatFormat& f, std::uint32_t sign, int exponent, std::uint32_t mantissa, std::uint64_t low) {
  const int unused = f.stored_bits - 1 - f.exponent_bits - f.mantissa_bits;  // 13 for tf32: filled with noise
  std::uint32_t bits = (sign << (f.exponent_bits + f.mantissa_bits)) |
                       (static_cast<std::uint32_t>(exponent) << f.mantissa_bits) | mantissa;
  bits <<= unused;
  if (unused > 0) bits |= static_cast<std::uint32_t>(low) & ((1u << unused) - 1);
  return bits;
}

enum class Operand { a, b, c, e };

// h supplies: bit 0 sign, bits 3..5 the distribution of a mixed element, bits 8..30 mantissa, 31..39 noise below
// the mantissa of tf32 together with bits 52..55, bits 40..63 the exponent draw.
struct Draw {
  Draw(const FloatFormat& of, std::uint64_t h)
      : f(of),
        sign(static_cast<std::uint32_t>(h & 1)),
        mask((1u << f.mantissa_bits) - 1),
        mantissa(static_cast<std::uint32_t>(h >> 8) & mask),
        low(h >> 31),
        r(static_cast<int>(h >> 40)),
        top((1 << f.exponent_bits) - 1),
        largest(f.has_infinity ? top - 1 : top) {
    const int reach = std::min({f.bias - 1, 24, largest - f.bias - 1});
    wide = f.bias - reach + r % (2 * reach + 1);
  }
  std::uint32_t packed(int exponent, std::uint32_t bits) const { return pack(f, sign, exponent, bits, low); }
  std::uint32_t packed(int exponent) const { return packed(exponent, mantissa); }
  std::uint32_t zero() const { return pack(f, sign, 0, 0, 0); }
  int clip(int exponent) const { return std::clamp(exponent, 0, largest - (f.has_infinity ? 0 : 1)); }

  const FloatFormat& f;
  std::uint32_t sign, mask, mantissa;
  std::uint64_t low;
  int r, top;
  int largest;  ///< exponent of finite numbers
  int wide = 0;
};

std::uint32_t draw_cancellation(const Draw& d, Operand operand) {
  if (operand == Operand::c) {
    const std::uint32_t few = (d.r & 64) != 0 ? ~(d.mask >> 3) : ~0u;
    return d.packed(d.clip(d.f.bias + (d.r >> 8) % 6), d.mantissa & few);
  }
  const std::uint32_t few = ~(d.mask >> std::min(2, d.f.mantissa_bits));
  return d.packed(d.clip(d.f.bias - ((d.r & 7) == 0 ? std::min(10, d.f.bias - 1) : 0)), d.mantissa & few);
}

std::uint32_t draw_subnormal(const Draw& d, Operand operand) {
  if (operand == Operand::a) return d.packed(0);
  if (operand == Operand::b) return d.packed(d.clip(1 + d.r % (d.largest - 1)));
  return d.packed(d.f.exponent_bits == 8 ? d.f.bias - 60 + d.r % 60 : d.r % 4);
}

/// NaNs, infinities, zeros and the largest number among ordinary ones.
std::uint32_t draw_special(const Draw& d) {
  switch (d.r % 128) {
    case 0: return d.packed(d.top, d.f.has_infinity ? d.mantissa : d.mask);
    case 1: return d.f.has_infinity ? pack(d.f, d.sign, d.top, 0, 0) : d.packed(d.top, d.mask - 1);
    case 2:
    case 3:
    case 4:
    case 5: return d.zero();
    case 6: return d.f.has_infinity ? d.packed(d.largest, d.mask) : d.packed(d.top, d.mask - 1);
    default: return d.packed(d.wide);
  }
}

std::uint32_t draw_tiny(const Draw& d, Operand operand) {
  if (operand == Operand::c && ((d.r >> 8) & 1) != 0) return d.zero();
  if (d.f.exponent_bits == 8 && operand != Operand::c) return d.packed(d.f.bias - 81 + d.r % 12);
  if (d.f.exponent_bits == 8) return d.packed(0, d.mantissa >> (d.r % 24));
  if (operand == Operand::c) return d.packed(d.r % 2);
  return d.packed(d.r % std::min(6, d.largest));
}

std::uint32_t draw_float(const FloatFormat& f, Operand operand, Distribution distribution, std::uint64_t h) {
  const Draw d(f, h);
  switch (distribution) {
    case Distribution::normal: return d.packed(d.clip(f.bias - 3 + d.r % 5));
    case Distribution::wide: return d.packed(d.wide);
    case Distribution::raw:
      return static_cast<std::uint32_t>(h >> 8) & (f.stored_bits == 32 ? ~0u : (1u << f.stored_bits) - 1);
    case Distribution::cancellation: return draw_cancellation(d, operand);
    case Distribution::subnormal: return draw_subnormal(d, operand);
    case Distribution::special: return draw_special(d);
    case Distribution::powers: return pack(f, d.sign, d.wide, 0, 0);
    case Distribution::tiny: return draw_tiny(d, operand);
    case Distribution::mixed: return draw_float(f, operand, static_cast<Distribution>((h >> 3) & 7), mix(h));
  }
  return 0;
}

std::uint32_t draw_integer(const std::string& format, Distribution distribution, std::uint64_t h) {
  const int kind = static_cast<int>(distribution) % 3;
  const auto raw = static_cast<std::uint32_t>(h >> 8);
  if (format == "s32") {
    if (kind == 0) return raw;
    const auto distance = static_cast<std::uint32_t>(h >> 40) % (kind == 1 ? 4096u : 65536u);
    return (h & 1) != 0 ? 0x7FFFFFFFu - distance : 0x80000000u + distance;
  }
  const int bits = bits_of(format);
  const std::uint32_t mask = (1u << bits) - 1;
  if (kind != 1) return raw & mask;
  const std::uint32_t half = 1u << (bits - 1);
  const std::uint32_t extremes[] = {half, half - 1, mask, 0, 1, mask, half, half - 1};
  return extremes[h & 7];
}

std::uint32_t draw_nibble(const std::string& format, Metadata metadata, std::uint64_t h) {
  static constexpr std::uint32_t kOrdered[] = {0x4, 0x8, 0xC, 0x9, 0xD, 0xE};
  static constexpr std::uint32_t kDistinct[] = {0x1, 0x2, 0x3, 0x4, 0x6, 0x7, 0x8, 0x9, 0xB, 0xC, 0xD, 0xE};
  const auto r = static_cast<std::uint32_t>(h >> 8);
  switch (metadata) {
    case Metadata::ordered: return format == "tf32" ? ((r & 1) != 0 ? 0xE : 0x4) : kOrdered[r % 6];
    case Metadata::distinct: return kDistinct[r % 12];
    case Metadata::any: return r & 15;
  }
  return 0;
}

void fill(std::uint32_t* words, int registers, const std::string& format, Operand operand, Distribution distribution,
          std::uint64_t case_key) {
  FloatFormat f{};
  const bool is_float = float_format(format, f);
  const int bits = bits_of(format);
  const int per_register = 32 / bits;
  std::uint64_t n = static_cast<std::uint64_t>(operand) << 32;
  for (int i = 0; i < 32 * registers; ++i) {
    words[i] = 0;
    for (int element = 0; element < per_register; ++element, ++n) {
      const std::uint64_t h = mix(case_key + n);
      const std::uint32_t value =
          is_float ? draw_float(f, operand, distribution, h) : draw_integer(format, distribution, h);
      words[i] |= value << (bits * element);
    }
  }
}

#define STC_DENSE_ENTRY(na, nb, nc, shape, sat, d, a, b, c)                                                           \
  add(STC_DENSE_NAME(shape, sat, d, a, b, c), STC_TEXT(STC_DENSE_ID(shape, sat, d, a, b, c)), na, nb, nc, #a, #b, #c, \
      -1);
#define STC_SPARSE_ENTRY(na, nb, nc, shape, sat, d, a, b, c, sel)                                                    \
  add(STC_SPARSE_NAME(shape, sat, d, a, b, c), STC_TEXT(STC_SPARSE_ID(shape, sat, d, a, b, c, sel)), na, nb, nc, #a, \
      #b, #c, sel);
#define STC_TEXT_(id) #id
#define STC_TEXT(id) STC_TEXT_(id)

std::vector<ProbeOp> make_ops() {
  std::vector<ProbeOp> ops;
  const auto add = [&ops](const char* name, const char* id, int na, int nb, int nc, const char* a, const char* b,
                          const char* c, int selector) {
    ProbeOp op;
    op.name = name;
    op.kernel = std::string("probe_") + id;
    op.a_registers = na, op.b_registers = nb, op.c_registers = nc;
    op.a = a, op.b = b, op.c = c;
    op.sparse = selector >= 0;
    op.selector = std::max(selector, 0);
    op.k = nb * 128 / bits_of(op.b);  // B holds k * 8 elements in 32 lanes
    op.needs_sm89 = op.a == "e4m3" || op.a == "e5m2";
    ops.push_back(op);
  };
  STC_DENSE_OPS(STC_DENSE_ENTRY)
  STC_SPARSE_OPS(STC_SPARSE_ENTRY)
  return ops;
}

}  // namespace

const std::vector<ProbeOp>& probe_ops() {
  static const std::vector<ProbeOp> ops = make_ops();
  return ops;
}

const char* name_of(Distribution distribution) {
  static constexpr const char* kNames[] = {"normal",  "wide",   "raw",  "cancellation", "subnormal",
                                           "special", "powers", "tiny", "mixed"};
  return kNames[static_cast<int>(distribution)];
}

const char* name_of(Metadata metadata) {
  static constexpr const char* kNames[] = {"ordered", "distinct", "any"};
  return kNames[static_cast<int>(metadata)];
}

Distribution distribution_of(std::uint64_t case_index) {
  return static_cast<Distribution>(case_index / kChunk % kDistributions);
}

Metadata metadata_of(std::uint64_t case_index) {
  return static_cast<Metadata>(case_index / kChunk / kDistributions % kMetadataClasses);
}

void Images::resize(const ProbeOp& op, std::size_t cases) {
  a.assign(cases * 32 * static_cast<std::size_t>(op.a_registers), 0);
  b.assign(cases * 32 * static_cast<std::size_t>(op.b_registers), 0);
  c.assign(cases * 32 * static_cast<std::size_t>(op.c_registers), 0);
  e.assign(cases * 32, 0);
}

void make_case(const ProbeOp& op, std::uint64_t case_index, Images& images, std::size_t slot) {
  const std::uint64_t case_key = mix(key_of(op) ^ (case_index * 0xD1342543DE82EF95ull));
  const Distribution distribution = distribution_of(case_index);
  const auto place = [slot](std::vector<std::uint32_t>& image, int registers) {
    return image.data() + slot * 32 * static_cast<std::size_t>(registers);
  };
  fill(place(images.a, op.a_registers), op.a_registers, op.a, Operand::a, distribution, case_key);
  fill(place(images.b, op.b_registers), op.b_registers, op.b, Operand::b, distribution, case_key);
  fill(place(images.c, op.c_registers), op.c_registers, op.c, Operand::c, distribution, case_key);
  if (!op.sparse) return;
  std::uint32_t* e = place(images.e, 1);
  std::uint64_t n = static_cast<std::uint64_t>(Operand::e) << 32;
  for (int lane = 0; lane < 32; ++lane)
    for (int nibble = 0; nibble < 8; ++nibble, ++n)
      e[lane] |= draw_nibble(op.a, metadata_of(case_index), mix(case_key + n)) << (4 * nibble);
}

std::uint64_t hash_words(const std::uint32_t* words, std::size_t count) {
  std::uint64_t h = 0xCBF29CE484222325ull;
  for (std::size_t i = 0; i < count; ++i) h = (h ^ words[i]) * 0x100000001B3ull;
  return h;
}

int bits_of(const std::string& format) {
  if (format == "f16" || format == "bf16") return 16;
  if (format == "e4m3" || format == "e5m2" || format == "s8" || format == "u8") return 8;
  if (format == "s4" || format == "u4") return 4;
  return 32;
}

std::uint32_t encode(const std::string& format, double value) {
  FloatFormat f{};
  if (!float_format(format, f)) {
    const int bits = bits_of(format);
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(value)) & (bits == 32 ? ~0u : (1u << bits) - 1);
  }
  const std::uint32_t sign = std::signbit(value) ? 1 : 0;
  if (value == 0) return pack(f, sign, 0, 0, 0);
  int exponent = std::ilogb(value) + f.bias;
  exponent = std::max(exponent, 1);
  const double scaled = std::ldexp(std::fabs(value), f.mantissa_bits + f.bias - exponent);
  const auto significand = static_cast<std::uint32_t>(scaled);
  const std::uint32_t hidden = 1u << f.mantissa_bits;
  if (significand != scaled || exponent >= (1 << f.exponent_bits) - (f.has_infinity ? 1 : 0))
    throw std::invalid_argument("value is not exact in " + format);
  if (significand < hidden) return pack(f, sign, 0, significand, 0);
  return pack(f, sign, exponent, significand - hidden, 0);
}

}  // namespace stc::gpu_probe
