// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "models/arith/fragment_cpu.h"
#include "models/arith/fragment_integer_sum.h"
#include "models/arith/fragment_sum.h"

namespace stc::arith::fragment {
namespace {

struct X86v3 {
  static constexpr int kWords = 8, kGroups = 2;
  static constexpr bool kPermutes = false;
  STC_LANES __m128i quad(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
  STC_LANES __m256i broadcast(const void* p) { return _mm256_broadcastsi128_si256(quad(p)); }
  template <class Row, class Index>
  STC_LANES __m256i quads(const Row* rows, const Index* select, std::ptrdiff_t step) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(quad(rows[select[0]])), quad(rows[select[step]]), 1);
  }
  STC_LANES VectorTypes<32>::I repeat(VectorTypes<16>::I quad) {
    return reinterpret_cast<VectorTypes<32>::I>(_mm256_broadcastsi128_si256(reinterpret_cast<__m128i>(quad)));
  }
  STC_LANES __m256 multiply_add(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
  STC_LANES void turn(const std::uint32_t* words, VectorTypes<32>::H (&rows)[4]) {
    VectorTypes<16>::H single[8];
    turn_halves(words, single);
    for (std::ptrdiff_t i = 0; i < 4; ++i) {
      const __m256i first = _mm256_castsi128_si256(reinterpret_cast<__m128i>(single[2 * i]));
      rows[i] = reinterpret_cast<VectorTypes<32>::H>(
          _mm256_inserti128_si256(first, reinterpret_cast<__m128i>(single[2 * i + 1]), 1));
    }
  }
};

}  // namespace

bool compute_on_x86_64_v3(const FragmentDot& dot, std::uint32_t* d) { return compute_any<X86v3>(dot, d); }
void compute_on_x86_64_v3(const FragmentIntegers& dot, std::uint32_t* d) { compute_integers<X86v3>(dot, d); }

}  // namespace stc::arith::fragment
