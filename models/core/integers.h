// SPDX-License-Identifier: Apache-2.0
// Division of whole numbers that are not negative.
#pragma once

namespace stc {

/// a / b, rounded up.
template <class Integer>
constexpr Integer ceil_div(Integer a, Integer b) {
  return (a + b - 1) / b;
}

/// The least multiple of `unit` that is not below `value`.
template <class Integer>
constexpr Integer round_up(Integer value, Integer unit) {
  return ceil_div(value, unit) * unit;
}

}  // namespace stc
