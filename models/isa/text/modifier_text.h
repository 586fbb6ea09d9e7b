// SPDX-License-Identifier: Apache-2.0
// What the printers of modifiers share.
#pragma once

#include <string>

#include "models/isa/instruction.h"

namespace stc::isa::modifiers {

/// Modifiers in printing order: `add("X", condition)` appends ".X".
class Text {
 public:
  Text& add(const char* modifier, bool condition = true) {
    if (condition) text_ += std::string(".") + modifier;
    return *this;
  }
  Text& raw(const std::string& text) {
    text_ += text;
    return *this;
  }
  std::string str() const { return text_; }

 private:
  std::string text_;
};

inline const char* name_of(Compare compare) {
  static constexpr const char* kNames[] = {"F",   "LT",  "EQ",  "LE",  "GT",  "NE",  "GE",  "NUM",
                                           "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "T"};
  return kNames[static_cast<int>(compare)];
}
inline const char* name_of(BoolOp op) {
  static constexpr const char* kNames[] = {"AND", "OR", "XOR"};
  return kNames[static_cast<int>(op)];
}
inline const char* name_of(ScalarType type) {
  static constexpr const char* kNames[] = {"U8",   "S8",   "U16",  "S16", "U32", "S32",   "U64",
                                           "S64",  "F16",  "BF16", "F32", "F64", "F16x2", "BF16_V2",
                                           "E4M3", "E5M2", "U4",   "S4",  "U2",  "S2"};
  return kNames[static_cast<int>(type)];
}
inline const char* name_of(AtomicOp op) {
  static constexpr const char* kNames[] = {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH", "CAS"};
  return kNames[static_cast<int>(op)];
}
/// Rounding of arithmetic; RN is not printed.
inline const char* arithmetic_rounding(Rounding rounding) {
  static constexpr const char* kNames[] = {"", ".RM", ".RP", ".RZ"};
  return kNames[static_cast<int>(rounding)];
}
/// Rounding of conversions to integers.
inline const char* integer_rounding(Rounding rounding) {
  static constexpr const char* kNames[] = {"", ".FLOOR", ".CEIL", ".TRUNC"};
  return kNames[static_cast<int>(rounding)];
}

}  // namespace stc::isa::modifiers
