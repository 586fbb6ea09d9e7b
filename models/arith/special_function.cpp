// SPDX-License-Identifier: Apache-2.0
#include "models/arith/special_function.h"

#include <algorithm>

#include "models/arith/special_function_tables.h"

namespace stc::arith {
namespace {

constexpr std::uint32_t kSign = 0x80000000u, kInfinity = 0x7f800000u, kNan = 0x7fffffffu, kOne = 0x3f800000u;
constexpr int kMantissaBits = 23, kBias = 127, kLargestExponent = 255;

constexpr int kPlaceBits = 17;    ///< of a place in a part of a table
constexpr int kFirstColumn = 19;  ///< of the square that is summed
constexpr int kSumBits = 58;      ///< behind the point of a sum
constexpr std::uint32_t kPlaces = 1u << kPlaceBits;

/// What is added to all sums of a table, in 2^-58: it makes up for what truncation takes.
constexpr std::int64_t kReciprocalBias = 0x3f380000, kRootBias = -0x20000, kExponentialBias = 0x7e200000,
                       kLogarithmBias = 0x34500000;

/// place^2 without the products of two bits, and the squares of one, that are worth less than 2^kFirstColumn: the
/// square of the lower nine bits, that of bit 9, and twice the products of bit i of the nine with bits 9 to 17 - i.
std::int64_t truncated_square(std::uint32_t place) {
  constexpr int kLower = kFirstColumn / 2;
  const std::uint32_t lower = place & ((1u << kLower) - 1), upper = place - lower;
  std::int64_t dropped = std::int64_t{lower} * lower + (std::int64_t{place >> kLower & 1u} << 2 * kLower);
  for (int i = 0; i < kLower; ++i) {
    const std::uint32_t partners = upper & ((1u << (kFirstColumn - 1 - i)) - 1);
    dropped += (place >> i & 1u) * (std::int64_t{partners} << (i + 1));
  }
  return std::int64_t{place} * place - dropped;
}

/// Of the function whose part this is, at `place` of 2^17.
std::int64_t interpolated(const Quadratic& part, std::uint32_t place, std::int64_t bias) {
  return (std::int64_t{part.c0} << 32) + bias + std::int64_t{part.c1} * place * kPlaces +
         part.c2 * truncated_square(place);
}

/// `value` in 2^-point, not negative, times 2^exponent, truncated to an f32; zero below its normal numbers.
std::uint32_t truncated(std::int64_t value, int point, int exponent) {
  if (value == 0) return 0;
  const int highest = 63 - __builtin_clzll(static_cast<unsigned long long>(value));
  const int biased = highest - point + exponent + kBias;
  if (biased <= 0) return 0;
  if (biased >= kLargestExponent) return kInfinity;
  const std::int64_t mantissa =
      highest >= kMantissaBits ? value >> (highest - kMantissaBits) : value << (kMantissaBits - highest);
  return static_cast<std::uint32_t>(biased) << kMantissaBits | (static_cast<std::uint32_t>(mantissa) & 0x7fffffu);
}

struct Parts {
  explicit Parts(std::uint32_t bits)
      : sign(bits & kSign),
        exponent(static_cast<int>(bits >> kMantissaBits & 0xffu) - kBias),
        mantissa(bits & 0x7fffffu),
        zero((bits & kInfinity) == 0),
        infinite((bits & ~kSign) == kInfinity),
        nan((bits & ~kSign) > kInfinity) {}
  std::uint32_t sign;
  int exponent;
  std::uint32_t mantissa;
  bool zero, infinite, nan;
};

/// |x|, which is below 2^kMantissaBits, in 2^-point, truncated, without what is worth 2^32 and more.
std::uint32_t fixed_point(const Parts& x, int point) {
  const std::uint32_t whole = x.mantissa | 0x800000u;
  const int shift = x.exponent + point - kMantissaBits;
  if (shift <= -32) return 0;
  return shift < 0 ? whole >> -shift : whole << shift;
}

/// By a table of 64 parts for even exponents, then of 64 for odd ones.
std::int64_t of_root_table(const std::array<Quadratic, 128>& table, const Parts& x) {
  const std::size_t part = (x.exponent & 1) * 64 + (x.mantissa >> kPlaceBits);
  return interpolated(table[part], x.mantissa % kPlaces, kRootBias);
}

/// Of the even exponent at or below this one.
int half_exponent(int exponent) { return (exponent - (exponent & 1)) / 2; }

/// Sine of an angle in 2^-25 turns.
std::uint32_t sine_of(std::uint32_t angle, std::uint32_t sign) {
  constexpr int kQuarterBits = 23;
  constexpr std::uint32_t kQuarter = 1u << kQuarterBits;
  const std::uint32_t quarter = angle >> kQuarterBits & 3u;
  const std::uint32_t up = angle % kQuarter, place = (quarter & 1u) != 0 ? kQuarter - 1 - up : up;
  const std::int64_t value = interpolated(kSine[place >> kPlaceBits], place % kPlaces, 0);
  const std::uint32_t lower = quarter >= 2 ? kSign : 0;
  return truncated(std::min(value, std::int64_t{1} << kSumBits), kSumBits, 0) | (sign ^ lower);
}

/// |x| in 2^-25 turns, of which whole ones do not matter.
std::uint32_t angle_of(const Parts& x) {
  constexpr int kPoint = 25;
  return x.zero || x.exponent >= kMantissaBits ? 0 : fixed_point(x, kPoint);
}

/// 1 / x or 1 / sqrt(x) of doubles by the function of f32: what of the mantissa is in the upper words.
std::uint32_t upper_word(std::uint32_t upper, std::uint32_t (*function)(std::uint32_t)) {
  constexpr int kUpperMantissaBits = 20, kUpperBias = 1023, kUpperLargest = 2047;
  const std::uint32_t sign = upper & kSign, mantissa = upper & 0xfffffu;
  const int biased = static_cast<int>(upper >> kUpperMantissaBits & 0x7ffu), exponent = biased - kUpperBias;
  const bool of_root = function == reciprocal_root;
  if (biased == 0 || biased == kUpperLargest) {  // as the same kind of f32
    const std::uint32_t kind = biased == 0 ? 0 : kInfinity | (mantissa != 0 ? 1u : 0u);
    const std::uint32_t special = function(sign | kind);
    if (special == kNan) return kNan;
    return (special & kSign) | ((special & kInfinity) != 0 ? 0x7ff00000u : 0);
  }
  const int low = of_root ? exponent & 1 : 0;  // what of the exponent the function is given
  const std::uint32_t result = function(sign | static_cast<std::uint32_t>(low + kBias) << kMantissaBits |
                                        mantissa << (kMantissaBits - kUpperMantissaBits));
  if (result == kNan) return kNan;
  const int rest = of_root ? half_exponent(exponent) : exponent;
  const int place = static_cast<int>(result >> kMantissaBits & 0xffu) - kBias - rest + kUpperBias;
  if (place <= 0) return sign;
  return (result & kSign) | static_cast<std::uint32_t>(place) << kUpperMantissaBits |
         (result & 0x7fffffu) >> (kMantissaBits - kUpperMantissaBits);
}

/// How many of a binade's parts tanh has, as a power of two, and the first of them: binades from 2^-8 on.
struct Binade {
  int parts_log2;
  std::size_t first;
};
constexpr std::array<Binade, 11> kTangentBinades{
    {{0, 0}, {0, 1}, {0, 2}, {1, 3}, {1, 5}, {2, 7}, {2, 11}, {2, 15}, {3, 19}, {4, 27}, {3, 43}}};
constexpr int kFirstTangentBinade = -8;

}  // namespace

std::uint32_t reciprocal(std::uint32_t bits) {
  const Parts x(bits);
  if (x.nan) return kNan;
  if (x.infinite) return x.sign;
  if (x.zero) return x.sign | kInfinity;
  constexpr int kPartBits = 16;
  const std::int64_t value =
      interpolated(kReciprocal[x.mantissa >> kPartBits], 2 * (x.mantissa & 0xffffu), kReciprocalBias);
  return x.sign | truncated(value, kSumBits, -x.exponent);
}

std::uint32_t reciprocal_root(std::uint32_t bits) {
  const Parts x(bits);
  if (x.nan) return kNan;
  if (x.zero) return x.sign | kInfinity;
  if (x.sign != 0) return kNan;
  if (x.infinite) return 0;
  const bool power_of_four = x.mantissa == 0 && (x.exponent & 1) == 0;
  if (power_of_four) return truncated(std::int64_t{1} << kSumBits, kSumBits, -half_exponent(x.exponent));
  return truncated(of_root_table(kReciprocalRoot, x), kSumBits, -half_exponent(x.exponent));
}

std::uint32_t root(std::uint32_t bits) {
  const Parts x(bits);
  if (x.nan) return kNan;
  if (x.zero) return x.sign;
  if (x.sign != 0) return kNan;
  if (x.infinite) return kInfinity;
  return truncated(of_root_table(kRoot, x), kSumBits, half_exponent(x.exponent));
}

std::uint32_t exponential(std::uint32_t bits) {
  const Parts x(bits);
  if (x.nan) return kNan;
  if (x.zero) return kOne;
  constexpr int kTooLarge = 8;  // exponents from here on
  if (x.infinite || x.exponent >= kTooLarge) return x.sign != 0 ? 0 : kInfinity;
  const auto magnitude = static_cast<std::int32_t>(fixed_point(x, kMantissaBits));
  constexpr std::int32_t kFraction = 0x7fffff;
  // What is not whole is taken to be 2^-23 less than it is.
  const std::int32_t negative = (magnitude & kFraction) == 0 ? -magnitude : ~magnitude;
  const std::int32_t fixed = x.sign != 0 ? negative : magnitude;
  const auto fraction = static_cast<std::uint32_t>(fixed & kFraction);
  const std::int64_t value = interpolated(kExponential[fraction >> kPlaceBits], fraction % kPlaces, kExponentialBias);
  return truncated(value, kSumBits, fixed >> kMantissaBits);
}

std::uint32_t logarithm(std::uint32_t bits) {
  const Parts x(bits);
  if (x.nan) return kNan;
  if (x.zero) return kSign | kInfinity;
  if (x.sign != 0) return kNan;
  if (x.infinite) return kInfinity;
  if (bits == kOne) return 0;
  constexpr int kPoint = 36;  // of the sum with the exponent
  const std::int64_t fraction =
      interpolated(kLogarithm[x.mantissa >> kPlaceBits], x.mantissa % kPlaces, kLogarithmBias) >> (kSumBits - kPoint);
  const std::int64_t sum = std::int64_t{x.exponent} * (std::int64_t{1} << kPoint) + fraction;
  return sum < 0 ? kSign | truncated(~sum, kPoint, 0) : truncated(sum, kPoint, 0);
}

std::uint32_t sine(std::uint32_t turns) {
  const Parts x(turns);
  if (x.nan || x.infinite) return kNan;
  return sine_of(angle_of(x), x.sign);
}

std::uint32_t cosine(std::uint32_t turns) {
  const Parts x(turns);
  if (x.nan || x.infinite) return kNan;
  constexpr std::uint32_t kQuarterTurn = 1u << 23;
  return sine_of(angle_of(x) + kQuarterTurn, 0);
}

std::uint32_t reciprocal_upper_word(std::uint32_t upper) { return upper_word(upper, reciprocal); }

std::uint32_t reciprocal_root_upper_word(std::uint32_t upper) { return upper_word(upper, reciprocal_root); }

std::uint32_t hyperbolic_tangent(std::uint32_t bits) {
  const Parts x(bits);
  if (x.nan) return kNan;
  if (x.zero || x.exponent < kFirstTangentBinade) return bits;
  const auto number = static_cast<std::size_t>(x.exponent - kFirstTangentBinade);
  if (number >= kTangentBinades.size()) return x.sign | kOne;
  const Binade binade = kTangentBinades[number];
  const std::size_t part = binade.first + (x.mantissa >> (kMantissaBits - binade.parts_log2));
  const std::uint32_t place = x.mantissa >> (kMantissaBits - kPlaceBits - binade.parts_log2) & (kPlaces - 1);
  return x.sign | truncated(interpolated(kTangent[part], place, 0), kSumBits, 0);
}

}  // namespace stc::arith
