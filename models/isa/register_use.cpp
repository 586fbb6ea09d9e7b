// SPDX-License-Identifier: Apache-2.0
// Which general registers an instruction reads and writes, with the width of each operand.
#include "models/isa/execute.h"
#include "models/isa/resource_use.h"

namespace stc::isa {
namespace {

bool is_64bit(ScalarType type) {
  return type == ScalarType::kU64 || type == ScalarType::kS64 || type == ScalarType::kF64;
}

/// Operations whose `dest` is a uniform register (or that have none).
bool has_general_dest(Opcode opcode) {
  if (is_uniform_operation(opcode)) return false;
  switch (opcode) {
    case Opcode::kStg:
    case Opcode::kSts:
    case Opcode::kStl:
    case Opcode::kSt:
    case Opcode::kStsm:
    case Opcode::kLdgsts:
    case Opcode::kRed:
    case Opcode::kSyncsExchange:
    case Opcode::kSyncsPhase:
    case Opcode::kSyncsInvalidate:
    case Opcode::kArrives:
    case Opcode::kFenceView:
    case Opcode::kQspc: return false;
    default: return true;
  }
}

int words_of(unsigned bytes) { return bytes > 4 ? static_cast<int>(bytes / 4) : 1; }

int dest_registers(const Instruction& in) {
  switch (in.opcode) {
    case Opcode::kImadWide:
    case Opcode::kDadd:
    case Opcode::kDmul:
    case Opcode::kDfma:
    case Opcode::kSyncsArrive:
    case Opcode::kLepc: return 2;
    case Opcode::kCs2r: return in.mod.is_64bit ? 2 : 1;
    case Opcode::kF2f:
    case Opcode::kF2i:
    case Opcode::kI2f:
    case Opcode::kFrnd: return is_64bit(in.mod.dest_type) ? 2 : 1;
    case Opcode::kHmma:
    case Opcode::kImma: return in.mma.c_registers();
    case Opcode::kDmma: return 4;
    case Opcode::kLdsm: return in.mem.matrices;
    case Opcode::kLdc:
    case Opcode::kLdg:
    case Opcode::kLds:
    case Opcode::kLdl:
    case Opcode::kLd:
    case Opcode::kAtomg:
    case Opcode::kAtoms:
    case Opcode::kAtom: return words_of(in.mem.bytes);
    default: return 1;
  }
}

struct SourceCounts {
  int a = 1, b = 1, c = 1;
};

SourceCounts source_registers(const Instruction& in) {
  switch (in.opcode) {
    case Opcode::kImadWide:
    case Opcode::kImadHi: return {1, 1, 2};
    case Opcode::kDadd:
    case Opcode::kDmul:
    case Opcode::kDfma:
    case Opcode::kDsetp: return {2, 2, 2};
    case Opcode::kF2f:
    case Opcode::kF2i:
    case Opcode::kI2f:
    case Opcode::kFrnd: return {1, is_64bit(in.mod.source_type) ? 2 : 1, 1};
    case Opcode::kHmma:
    case Opcode::kImma: return {in.mma.a_registers(), in.mma.b_registers(), in.mma.c_registers()};
    case Opcode::kDmma: return {2, 2, 4};
    case Opcode::kMatch: return {in.mod.is_64bit ? 2 : 1, 1, 1};
    case Opcode::kBrx:
    case Opcode::kJmp:
    case Opcode::kCall:
    case Opcode::kRet: return {2, 1, 1};
    default: return {};
  }
}

enum class MemoryShape { kNone, kAccess, kStore, kAtomic, kCopy };

MemoryShape memory_shape(Opcode opcode) {
  switch (opcode) {
    case Opcode::kLdc:
    case Opcode::kLdg:
    case Opcode::kLds:
    case Opcode::kLdl:
    case Opcode::kLd:
    case Opcode::kLdsm:
    case Opcode::kQspc:
    case Opcode::kSyncsExchange:
    case Opcode::kSyncsArrive:
    case Opcode::kSyncsPhase:
    case Opcode::kSyncsInvalidate:
    case Opcode::kArrives:
    case Opcode::kCctl:
    case Opcode::kCctll: return MemoryShape::kAccess;
    case Opcode::kStg:
    case Opcode::kSts:
    case Opcode::kStl:
    case Opcode::kSt:
    case Opcode::kStsm: return MemoryShape::kStore;
    case Opcode::kAtomg:
    case Opcode::kAtoms:
    case Opcode::kAtom:
    case Opcode::kRed: return MemoryShape::kAtomic;
    case Opcode::kLdgsts: return MemoryShape::kCopy;
    default: return MemoryShape::kNone;
  }
}

void add_source(RegisterUse& use, int slot, std::uint8_t first, int count, bool reuse) {
  if (first == kRegisterZero || count == 0) return;
  RegisterRange& range = use.sources[static_cast<std::size_t>(use.source_count++)];
  range.first = first;
  range.count = static_cast<std::uint8_t>(count);
  range.slot = static_cast<std::uint8_t>(slot);
  range.reuse = reuse;
}

}  // namespace

bool is_atomic(Opcode opcode) { return memory_shape(opcode) == MemoryShape::kAtomic; }

RegisterUse register_use(const Instruction& in) {
  RegisterUse use;
  const auto reuse = [&](int slot) { return slot < 3 && ((in.control.reuse >> slot) & 1) != 0; };
  const SourceCounts counts = source_registers(in);
  const auto add_operand = [&](const Operand& o, int slot, int count) {
    if (o.kind == Operand::Kind::kRegister) add_source(use, slot, o.index, count, o.reuse || reuse(slot));
  };
  add_operand(in.a, 0, counts.a);
  add_operand(in.b, 1, counts.b);
  add_operand(in.c, 2, counts.c);
  add_source(use, 3, in.metadata_register, 1, false);

  const MemoryFields& mem = in.mem;
  const MemoryShape shape = memory_shape(in.opcode);
  const int data_words = in.opcode == Opcode::kStsm ? mem.matrices : words_of(mem.bytes);
  const int address_words = mem.address_64bit ? 2 : 1;
  switch (shape) {
    case MemoryShape::kNone: break;
    case MemoryShape::kAccess: add_source(use, 0, mem.address_register, address_words, reuse(0)); break;
    case MemoryShape::kStore:
      add_source(use, 0, mem.address_register, address_words, reuse(0));
      add_source(use, 1, mem.data_register, data_words, reuse(1));
      break;
    case MemoryShape::kAtomic:
      add_source(use, 0, mem.address_register, address_words, reuse(0));
      if (mem.atomic == AtomicOp::kCas) add_source(use, 1, mem.compare_register, data_words, reuse(1));
      add_source(use, mem.atomic == AtomicOp::kCas ? 2 : 1, mem.data_register, data_words, false);
      break;
    case MemoryShape::kCopy:
      add_source(use, 0, mem.shared_register, 1, reuse(0));
      add_source(use, 1, mem.address_register, address_words, reuse(1));
      break;
  }

  if (has_general_dest(in.opcode) && in.dest != kRegisterZero) {
    use.dests[0].first = in.dest;
    use.dests[0].count = static_cast<std::uint8_t>(dest_registers(in));
    use.dest_count = 1;
  }
  return use;
}

}  // namespace stc::isa
