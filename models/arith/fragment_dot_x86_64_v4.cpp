// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "models/arith/fragment_cpu.h"
#include "models/arith/fragment_integer_sum.h"
#include "models/arith/fragment_sum.h"

namespace stc::arith::fragment {
namespace {

struct X86v4 {
  static constexpr int kWords = 16, kGroups = 2;
  static constexpr bool kPermutes = true;
  STC_LANES __m128i quad(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
  STC_LANES __m512i broadcast(const void* p) { return _mm512_maskz_broadcast_i32x4(0xffff, quad(p)); }
  template <class Row, class Index>
  STC_LANES __m512i quads(const Row* rows, const Index* select, std::ptrdiff_t step) {
    __m512i all = _mm512_castsi128_si512(quad(rows[select[0]]));
    all = _mm512_inserti32x4(all, quad(rows[select[step]]), 1);
    all = _mm512_inserti32x4(all, quad(rows[select[2 * step]]), 2);
    return _mm512_inserti32x4(all, quad(rows[select[3 * step]]), 3);
  }
  STC_LANES VectorTypes<64>::I repeat(VectorTypes<16>::I quad) {
    return reinterpret_cast<VectorTypes<64>::I>(_mm512_maskz_broadcast_i32x4(0xffff, reinterpret_cast<__m128i>(quad)));
  }
  STC_LANES __m512 multiply_add(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
  STC_LANES void turn(const std::uint32_t* words, VectorTypes<64>::H (&rows)[2]) {
    // Row k of column c is half 8 c + k.
    const VectorTypes<64>::H first = {0, 8,  16, 24, 32, 40, 48, 56, 1, 9,  17, 25, 33, 41, 49, 57,
                                      2, 10, 18, 26, 34, 42, 50, 58, 3, 11, 19, 27, 35, 43, 51, 59};
    const __m512i low = _mm512_loadu_si512(words), high = _mm512_loadu_si512(words + 16);
    for (int i = 0; i < 2; ++i) {
      const auto index = reinterpret_cast<__m512i>(first + static_cast<std::int16_t>(4 * i));
      rows[i] = reinterpret_cast<VectorTypes<64>::H>(_mm512_permutex2var_epi16(low, index, high));
    }
  }
  /// Of 16 words, or 32 halves, those that `index` names once each has the number of its column added.
  STC_LANES __m512i permute_words(const void* words, Vectors<X86v4>::I index) {
    const Vectors<X86v4>::I column = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    return _mm512_maskz_permutexvar_epi32(0xffff, reinterpret_cast<__m512i>(index | column), _mm512_loadu_si512(words));
  }
  STC_LANES __m512i permute_halves(const void* halves, Vectors<X86v4>::H index) {
    const Vectors<X86v4>::H column = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
                                      0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
    return _mm512_maskz_permutexvar_epi16(0xffffffff, reinterpret_cast<__m512i>(index | column),
                                          _mm512_loadu_si512(halves));
  }
};

}  // namespace

bool compute_on_x86_64_v4(const FragmentDot& dot, std::uint32_t* d) { return compute_any<X86v4>(dot, d); }
void compute_on_x86_64_v4(const FragmentIntegers& dot, std::uint32_t* d) { compute_integers<X86v4>(dot, d); }

}  // namespace stc::arith::fragment
