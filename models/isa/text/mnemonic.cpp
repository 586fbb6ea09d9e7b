// SPDX-License-Identifier: Apache-2.0
#include "models/isa/text/mnemonic.h"

#include <array>

#include "models/isa/opcode_traits.h"
#include "models/isa/text/opcode_text.h"

namespace stc::isa {
namespace {

constexpr std::array<OpcodeText, kOpcodeCount> kModifiers = {
#define STC_OPCODE(name, handler, unit, latency, result, sources, decoder, mnemonic, modifiers_of, operands_of) \
  modifiers::modifiers_of,
#include "models/isa/opcodes.def"
};

}  // namespace

std::string mnemonic(const Instruction& i) {
  return traits_of(i.opcode).mnemonic + kModifiers[static_cast<std::size_t>(i.opcode)](i);
}

}  // namespace stc::isa
