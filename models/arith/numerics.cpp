// SPDX-License-Identifier: Apache-2.0
#include "models/arith/numerics.h"

#include <stdexcept>
#include <string>

namespace stc::arith {

// Block lengths and F of dense operations reproduce published outputs of A100, H100 and H200 bit for bit (Khattak &
// Mikaitis, MATLAB-tensor-core, BSD-2-Clause). The floors are theirs too (arXiv 2512.07004): emin of the result less
// the carry bits of the adder.
Numerics Numerics::sm80() {
  Numerics rules;
  rules.f16 = {8, 24, -132, -20, 23};
  rules.tf32 = {4, 24, -132, -20, 23};
  rules.fp8 = {16, 13, -132, -20, 13};
  rules.fp8_native = false;
  rules.int4_native = true;
  return rules;
}

Numerics Numerics::sm90() {
  Numerics rules;
  rules.f16 = {16, 25, -133, -21, 23};
  rules.tf32 = {8, 25, -133, -21, 23};
  rules.fp8 = {32, 13, -133, -21, 13};
  rules.fp8_native = false;
  rules.int4_native = false;
  return rules;
}

Numerics Numerics::of(int sm_version) {
  if (sm_version == 80) return sm80();
  if (sm_version == 90) return sm90();
  throw std::invalid_argument("no matrix-unit rules for sm_" + std::to_string(sm_version) + " (known: 80, 90)");
}

}  // namespace stc::arith
