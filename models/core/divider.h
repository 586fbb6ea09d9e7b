// SPDX-License-Identifier: Apache-2.0
// Division by a number that stays the same for long: a multiplication, where the processor's own takes twenty cycles.
#pragma once

#include <cstdint>

namespace stc {

class Divider {
 public:
  /// `by` is not 0.
  constexpr explicit Divider(std::uint64_t by = 1) : by_(by), inverse_(~std::uint64_t{0} / by) {}

  constexpr std::uint64_t by() const { return by_; }
  constexpr std::uint64_t quotient(std::uint64_t n) const {
    const std::uint64_t least = at_least(n);
    return n - least * by_ >= by_ ? least + 1 : least;
  }
  constexpr std::uint64_t remainder(std::uint64_t n) const {
    const std::uint64_t rest = n - at_least(n) * by_;
    return rest >= by_ ? rest - by_ : rest;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  /// The quotient or one less: inverse_ is 2^64 / by_ less one at the most.
  constexpr std::uint64_t at_least(std::uint64_t n) const {
    return static_cast<std::uint64_t>(static_cast<Wide>(n) * inverse_ >> 64);
  }

  std::uint64_t by_;
  std::uint64_t inverse_;
};

}  // namespace stc
