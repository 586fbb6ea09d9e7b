// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/decoder.h"

#include <fmt/format.h>

#include "traces/cubin/cubin_error.h"
#include "traces/cubin/opcode_features.h"
#include "traces/cubin/opcode_index.h"

namespace stc::cubin {
namespace {

bool uniform_guard(unsigned opcode) {
  if (opcode == 0x9c3 || opcode == 0x15b2) return true;  // S2UR, SYNCS.EXCH
  // The uniform datapath (x80..xbf) is predicated by uniform predicates, except VOTEU.
  const unsigned base = opcode & 0x1ff;
  if ((base >= 0x1b4 && base <= 0x1bc) || base == 0x1c8) return true;  // bulk copies, USETMAXREG
  return base >= 0x080 && base <= 0x0bf && base != 0x086;
}

/// Copies the reuse bits of the control field to the operands they belong to.
void mark_reuse(const OpcodeRow& row, isa::Instruction& i) {
  const auto mark = [&](isa::Operand& o, int bit) {
    if (o.kind == isa::Operand::Kind::kRegister) o.reuse = (i.control.reuse >> bit) & 1;
  };
  mark(i.a, 0);
  // Two-source operations that are encoded like an addition in A * B + C have their second source in slot C.
  mark(i.b, row.forms == kAllC && (i.encoding >> 9) == 1 ? 2 : 1);
  mark(i.c, 2);
}

}  // namespace

isa::Control decode_control(std::uint64_t high) {
  const std::uint64_t bits = high >> 41;
  isa::Control c;
  c.stall = bits & 15;
  c.yield = ((bits >> 4) & 1) == 0;
  c.write_scoreboard = (bits >> 5) & 7;
  c.read_scoreboard = (bits >> 8) & 7;
  c.wait_mask = (bits >> 11) & 63;
  c.reuse = (bits >> 17) & 7;
  return c;
}

void apply_row(const OpcodeRow& row, unsigned opcode, const Architecture& architecture, InstructionBits& bits,
               isa::Instruction& i) {
  i.opcode = row.opcode;
  i.encoding = static_cast<std::uint16_t>(opcode);
  bits.skip(0, 12);
  bits.skip(91, 1);
  bits.skip(105, 20);  // control field, decoded elsewhere
  if (architecture.encoding.profiling_bits) bits.skip(102, 3);
  i.guard.index = bits.get<std::uint8_t>(12, 3);
  i.guard.negate = bits.flag(15);
  i.guard.uniform = uniform_guard(opcode);
  Encoded encoded{bits, static_cast<int>(opcode >> 9 & 7), (opcode >> 12) != 0, architecture};
  row.rule(encoded, i);
  mark_reuse(row, i);
}

isa::Instruction decode_instruction(std::uint64_t low, std::uint64_t high, const InstructionPlace& place) {
  const auto opcode = static_cast<unsigned>((low & 0xfff) | ((high >> 27 & 1) << 12));
  const auto fail = [&](const std::string& feature, const std::string& reason) {
    throw UndecodableInstruction(fmt::format("kernel {}, address {:#06x}", place.kernel, place.address), feature,
                                 fmt::format("cannot decode opcode {:#05x} of sm_{} (words {:#018x} {:#018x}): {}",
                                             opcode, place.sm, low, high, reason));
  };
  const Architecture& architecture = architecture_of(place.sm);
  const OpcodeRow* row = find_row(opcode, architecture.family);
  if (row == nullptr) fail(feature_of_opcode(opcode), "unknown opcode");

  isa::Instruction i;
  i.sm = static_cast<std::uint8_t>(place.sm);
  i.address = place.address;
  i.low = low;
  i.high = high;
  i.control = decode_control(high);
  InstructionBits bits(low, high);
  try {
    apply_row(*row, opcode, architecture, bits, i);
    bits.finish();
  } catch (const UndecodableBits& reason) {
    fail(reason.feature.empty() ? feature_of_form(row->opcode) : reason.feature, reason.what());
  }
  return i;
}

}  // namespace stc::cubin
