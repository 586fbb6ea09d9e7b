// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/decoder.h"

#include <fmt/format.h>

#include <array>

#include "traces/cubin/cubin_error.h"
#include "traces/cubin/opcode_features.h"
#include "traces/cubin/opcode_table.h"

namespace stc::cubin {
namespace {

/// Rows by 13-bit opcode and family.
class OpcodeIndex {
 public:
  OpcodeIndex() {
    for (const OpcodeRows part :
         {integer_opcodes(), float_opcodes(), conversion_opcodes(), matrix_opcodes(), memory_opcodes(),
          mbarrier_opcodes(), control_opcodes(), warpgroup_opcodes(), bulk_opcodes()}) {
      for (const OpcodeRow& row : part) add(row);
    }
  }
  const OpcodeRow* find(unsigned opcode, CodeFamily family) const { return rows_[index_of(family)][opcode]; }

 private:
  static std::size_t index_of(CodeFamily family) { return static_cast<std::size_t>(family); }
  void add(const OpcodeRow& row) {
    for (unsigned form = 0; form < 16; ++form) {
      if (!((row.forms >> form) & 1)) continue;
      const unsigned opcode = row.base | ((form & 7) << 9) | ((form >> 3) << 12);
      for (const CodeFamily family : {kAmpere, kHopper}) {
        if (row.only_in.value_or(family) == family) rows_[index_of(family)][opcode] = &row;
      }
    }
  }
  std::array<std::array<const OpcodeRow*, 8192>, 2> rows_{};
};

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

isa::Instruction decode_instruction(std::uint64_t low, std::uint64_t high, const InstructionPlace& place) {
  static const OpcodeIndex index;
  const auto opcode = static_cast<unsigned>((low & 0xfff) | ((high >> 27 & 1) << 12));
  const auto fail = [&](const std::string& feature, const std::string& reason) {
    throw UndecodableInstruction(fmt::format("kernel {}, address {:#06x}", place.kernel, place.address), feature,
                                 fmt::format("cannot decode opcode {:#05x} of sm_{} (words {:#018x} {:#018x}): {}",
                                             opcode, place.sm, low, high, reason));
  };
  const Architecture& architecture = architecture_of(place.sm);
  const OpcodeRow* row = index.find(opcode, architecture.family);
  if (row == nullptr) fail(feature_of_opcode(opcode), "unknown opcode");

  isa::Instruction i;
  i.opcode = row->opcode;
  i.sm = static_cast<std::uint8_t>(place.sm);
  i.encoding = static_cast<std::uint16_t>(opcode);
  i.address = place.address;
  i.low = low;
  i.high = high;
  i.control = decode_control(high);

  InstructionBits bits(low, high);
  bits.skip(0, 12);
  bits.skip(91, 1);
  bits.skip(105, 20);  // control field, decoded above
  if (architecture.encoding.profiling_bits) bits.skip(102, 3);
  i.guard.index = bits.get<std::uint8_t>(12, 3);
  i.guard.negate = bits.flag(15);
  i.guard.uniform = uniform_guard(opcode);
  try {
    Encoded encoded{bits, static_cast<int>(opcode >> 9 & 7), (opcode >> 12) != 0, architecture};
    row->rule(encoded, i);
    bits.finish();
  } catch (const UndecodableBits& reason) {
    fail(reason.feature.empty() ? feature_of_form(row->opcode) : reason.feature, reason.what());
  }
  mark_reuse(*row, i);
  return i;
}

}  // namespace stc::cubin
