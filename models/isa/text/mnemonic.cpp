// SPDX-License-Identifier: Apache-2.0
// Mnemonics with all modifiers, spelt as NVIDIA's disassembler spells them.
#include <array>

#include "models/isa/opcode_traits.h"
#include "models/isa/text/opcode_text.h"
#include "models/isa/values/execute.h"

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
