// SPDX-License-Identifier: Apache-2.0
#include "models/arith/fragment_dot.h"

#include "models/arith/fragment_cpu.h"

namespace stc::arith {
namespace {

/// `Variant`s of the functions of fragment_cpu.h that this processor can run.
template <class Variant>
std::vector<Variant> find_variants() {
  std::vector<Variant> all;
#ifdef STC_X86_64_VARIANTS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("bmi2")) {
    all.push_back({"x86-64-v4", fragment::compute_on_x86_64_v4});
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
    all.push_back({"x86-64-v3", fragment::compute_on_x86_64_v3});
  }
#endif
  all.push_back({"any", fragment::compute_on_any});
  return all;
}

/// A sum of products fits in 32 bits: |product| < 4, so F + 2 bits each. A float holds F + 2 bits of a product's 22.
bool fits(const FragmentDot& dot) {
  const FusedDotRules& rules = dot.rules;
  const int rest = dot.format == FragmentFormat::tf32 ? 3 : 7;  // a register has so many more elements of a row
  return rules.fraction_bits >= 23 && rules.fraction_bits <= 28 &&
         (std::int64_t{rules.block_length} << (rules.fraction_bits + 2)) <= (std::int64_t{1} << 31) &&
         rules.f32_result_fraction == 23 && ((rules.block_length | dot.depth | dot.b_rows) & rest) == 0 &&
         dot.depth <= kMaxFragmentDepth && dot.b_rows <= kMaxFragmentBRows;
}

}  // namespace

std::vector<FragmentDotVariant> fragment_dot_variants() { return find_variants<FragmentDotVariant>(); }
std::vector<FragmentIntegersVariant> fragment_integers_variants() { return find_variants<FragmentIntegersVariant>(); }

bool fragment_dot(const FragmentDot& dot, std::uint32_t* d) {
  static bool (*const compute)(const FragmentDot&, std::uint32_t*) =
      find_variants<FragmentDotVariant>().front().compute;
  return fits(dot) && compute(dot, d);
}

void fragment_integers(const FragmentIntegers& dot, std::uint32_t* d) {
  static void (*const compute)(const FragmentIntegers&, std::uint32_t*) =
      find_variants<FragmentIntegersVariant>().front().compute;
  compute(dot, d);
}

}  // namespace stc::arith
