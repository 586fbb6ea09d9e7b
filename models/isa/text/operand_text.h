// SPDX-License-Identifier: Apache-2.0
// What the printers of operands share: how registers, immediates and addresses are spelt.
#pragma once

#include <string>
#include <vector>

#include "models/isa/instruction.h"

namespace stc::isa::operands {

std::string register_name(std::uint8_t index);
std::string uniform_name(std::uint8_t index);
std::string predicate_name(const PredicateOperand& predicate);

/// How an immediate is printed: unsigned or signed hexadecimal, or as the number whose bits it holds.
enum class ImmediateStyle { kHex, kSignedHex, kFloat, kDouble, kHalf, kBrain, kHalfPair, kBrainPair };
constexpr auto kHex = ImmediateStyle::kHex;
constexpr auto kSignedHex = ImmediateStyle::kSignedHex;
constexpr auto kFloat = ImmediateStyle::kFloat;
constexpr auto kDouble = ImmediateStyle::kDouble;

/// One source with its signs, `suffix` and reuse; "" for Operand::Kind::kNone. `bitwise`: negation is printed as "~".
std::string source_text(const Operand& operand, ImmediateStyle style, const char* suffix = "", bool bitwise = false);

/// Collects operands in printing order.
class Operands {
 public:
  explicit Operands(const Instruction& instruction) : i_(instruction) {}
  Operands& text(const std::string& text);
  /// Rd or URd.
  Operands& dest();
  Operands& predicate_dest(std::uint8_t index);
  /// Carry and similar destinations are printed only when they go somewhere.
  Operands& optional_dest(std::uint8_t index);
  Operands& source(const PredicateOperand& predicate) { return text(predicate_name(predicate)); }
  Operands& optional_source(const PredicateOperand& predicate);
  Operands& source(const Operand& operand, ImmediateStyle style = kHex, const char* suffix = "", bool bitwise = false);
  Operands& hex(std::uint32_t value);
  /// Joined by commas.
  std::string str() const;

 private:
  const Instruction& i_;
  std::vector<std::string> parts_;
};

/// "R2.64+0x80"; an offset alone where there is no base.
std::string with_offset(const std::string& base, std::int32_t offset);
/// "desc[UR4][R2.64+0x80]", "[R2.64+UR4+0x80]", "[R3.X16+UR4]".
std::string address(const Instruction& instruction);
/// The same for operations that print their uniform register even where it is URZ.
std::string address_with_uniform(const Instruction& instruction);
/// "c[0x0][R4+0x10]"; `zero_offset` is what an offset of 0 without index is spelt as.
std::string constant_address(const Operand& operand, const std::string& index, const char* zero_offset);

}  // namespace stc::isa::operands
