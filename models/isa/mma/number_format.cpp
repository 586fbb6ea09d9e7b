// SPDX-License-Identifier: Apache-2.0
#include "models/isa/mma/number_format.h"

namespace stc::isa {

const char* name_of(NumberFormat format) {
  switch (format) {
    case NumberFormat::f16: return "f16";
    case NumberFormat::bf16: return "bf16";
    case NumberFormat::tf32: return "tf32";
    case NumberFormat::e4m3: return "e4m3";
    case NumberFormat::e5m2: return "e5m2";
    case NumberFormat::f32: return "f32";
    case NumberFormat::s8: return "s8";
    case NumberFormat::u8: return "u8";
    case NumberFormat::s4: return "s4";
    case NumberFormat::u4: return "u4";
    case NumberFormat::b1: return "b1";
    case NumberFormat::s32: return "s32";
  }
  return "?";
}

}  // namespace stc::isa
