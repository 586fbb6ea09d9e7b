// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/directed_rounding.h"

#include <cfenv>
#include <cmath>

namespace stc::isa {
namespace {

/// Holds the host's rounding mode for one operation. Operands are volatile so that none is computed outside the scope.
class RoundingScope {
 public:
  explicit RoundingScope(Rounding rounding) : saved_(std::fegetround()) {
    switch (rounding) {
      case Rounding::kNearestEven: std::fesetround(FE_TONEAREST); break;
      case Rounding::kDown: std::fesetround(FE_DOWNWARD); break;
      case Rounding::kUp: std::fesetround(FE_UPWARD); break;
      case Rounding::kZero: std::fesetround(FE_TOWARDZERO); break;
    }
  }
  ~RoundingScope() { std::fesetround(saved_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  int saved_;
};

}  // namespace

double directed_add(double a, double b, Rounding rounding) {
  const volatile double p = a, q = b;
  const RoundingScope scope(rounding);
  const volatile double result = p + q;
  return result;
}

double directed_multiply(double a, double b, Rounding rounding) {
  const volatile double p = a, q = b;
  const RoundingScope scope(rounding);
  const volatile double result = p * q;
  return result;
}

double directed_fma(double a, double b, double c, Rounding rounding) {
  const volatile double p = a, q = b, r = c;
  const RoundingScope scope(rounding);
  const volatile double result = std::fma(p, q, r);
  return result;
}

}  // namespace stc::isa
