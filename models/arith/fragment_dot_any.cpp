// SPDX-License-Identifier: Apache-2.0
#include "models/arith/fragment_cpu.h"
#include "models/arith/fragment_integer_sum.h"
#include "models/arith/fragment_sum.h"

namespace stc::arith::fragment {
namespace {

struct Any {
  static constexpr int kWords = 4, kGroups = 2;
  static constexpr bool kPermutes = false;
  using I = Vectors<Any>::I;
  STC_LANES I broadcast(const void* p) { return Vectors<Any>::load<I>(p); }
  template <class Row, class Index>
  STC_LANES I quads(const Row* rows, const Index* select, std::ptrdiff_t) {
    return Vectors<Any>::load<I>(rows[*select]);
  }
  STC_LANES I repeat(I quad) { return quad; }
  STC_LANES Vectors<Any>::F multiply_add(Vectors<Any>::F a, Vectors<Any>::F b, Vectors<Any>::F c) { return a * b + c; }
  STC_LANES void turn(const std::uint32_t* words, Vectors<Any>::H (&rows)[8]) { turn_halves(words, rows); }
};

}  // namespace

bool compute_on_any(const FragmentDot& dot, std::uint32_t* d) { return compute_any<Any>(dot, d); }
void compute_on_any(const FragmentIntegers& dot, std::uint32_t* d) { compute_integers<Any>(dot, d); }

}  // namespace stc::arith::fragment
