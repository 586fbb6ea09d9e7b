// SPDX-License-Identifier: Apache-2.0
#include "models/isa/register_use.h"

#include "models/isa/resource_use.h"

namespace stc::isa {
namespace {

bool is_64bit(ScalarType type) {
  return type == ScalarType::kU64 || type == ScalarType::kS64 || type == ScalarType::kF64;
}

int words_of(unsigned bytes) { return bytes > 4 ? static_cast<int>(bytes / 4) : 1; }

/// General registers of the result.
int dest_registers(const Instruction& in) {
  switch (traits_of(in.opcode).result) {
    case Result::kOne: return 1;
    case Result::kTwo: return 2;
    case Result::kFour: return in.mma.m / 2;  // of each 8 rows
    case Result::kByWidth: return in.mod.is_64bit ? 2 : 1;
    case Result::kByType: return is_64bit(in.mod.dest_type) ? 2 : 1;
    case Result::kBytes: return words_of(in.mem.bytes);
    case Result::kMatrices: return in.mem.matrices;
    case Result::kMatrix: return in.mma.c_registers();
    case Result::kNone:
    case Result::kPredicates:
    case Result::kUniform:
    case Result::kUniformPair:
    case Result::kUniformBytes:
    case Result::kUniformMasked:
    case Result::kUniformVote:
    case Result::kLaneToUniform: break;
  }
  return 0;
}

void add_source(RegisterUse& use, int slot, std::uint8_t first, int count, bool reuse) {
  if (first == kRegisterZero || count == 0) return;
  RegisterRange& range = use.sources[static_cast<std::size_t>(use.source_count++)];
  range.first = first;
  range.count = static_cast<std::uint8_t>(count);
  range.slot = static_cast<std::uint8_t>(slot);
  range.reuse = reuse;
}

bool reuses(const Instruction& in, int slot) { return ((in.control.reuse >> slot) & 1) != 0; }

void add_memory_sources(const Instruction& in, RegisterUse& use) {
  const MemoryFields& mem = in.mem;
  const int address_words = mem.address_64bit ? 2 : 1;
  const auto add_address = [&](int slot) {
    add_source(use, slot, mem.address_register, address_words, reuses(in, slot));
  };
  switch (traits_of(in.opcode).sources) {
    case Sources::kAddress: add_address(0); break;
    case Sources::kStore:
      add_address(0);
      add_source(use, 1, mem.data_register, words_of(mem.bytes), reuses(in, 1));
      break;
    case Sources::kStoreMatrices:
      add_address(0);
      add_source(use, 1, mem.data_register, mem.matrices, reuses(in, 1));
      break;
    case Sources::kAtomic: {
      const bool compares = mem.atomic == AtomicOp::kCas;
      add_address(0);
      if (compares) add_source(use, 1, mem.compare_register, words_of(mem.bytes), reuses(in, 1));
      add_source(use, compares ? 2 : 1, mem.data_register, words_of(mem.bytes), false);
      break;
    }
    case Sources::kCopy:
      add_source(use, 0, mem.shared_register, 1, reuses(in, 0));
      add_address(1);
      break;
    case Sources::kOperands:
    case Sources::kWideSum:
    case Sources::kDoubles:
    case Sources::kByWidth:
    case Sources::kByType:
    case Sources::kTarget:
    case Sources::kMatrix:
    case Sources::kWarpgroupMatrix:
    case Sources::kDoubleMatrix:
    case Sources::kPredicates: break;
  }
}

}  // namespace

SourceCounts source_counts(const Instruction& in) {
  if (in.opcode == Opcode::kUiadd3 && in.mod.is_64bit) return {2, 2, 2};
  switch (traits_of(in.opcode).sources) {
    case Sources::kWideSum: return {1, 1, 2};
    case Sources::kDoubles: return {2, 2, 2};
    case Sources::kByWidth: return {in.mod.is_64bit ? 2 : 1, 1, 1};
    case Sources::kByType: return {1, is_64bit(in.mod.source_type) ? 2 : 1, 1};
    case Sources::kTarget: return {2, 1, 1};
    case Sources::kMatrix: return {in.mma.a_registers(), in.mma.b_registers(), in.mma.c_registers()};
    case Sources::kWarpgroupMatrix: return {in.mma.a_registers(), 4, in.mma.c_registers()};
    case Sources::kDoubleMatrix: return {in.mma.m * in.mma.k / 16, in.mma.k / 2, in.mma.m / 2};
    case Sources::kOperands:
    case Sources::kPredicates:
    case Sources::kAddress:
    case Sources::kStore:
    case Sources::kStoreMatrices:
    case Sources::kAtomic:
    case Sources::kCopy: break;
  }
  return {};
}

RegisterUse register_use(const Instruction& in) {
  RegisterUse use;
  const SourceCounts counts = source_counts(in);
  const auto add_operand = [&](const Operand& o, int slot, int count) {
    if (o.kind == Operand::Kind::kRegister) add_source(use, slot, o.index, count, o.reuse || reuses(in, slot));
  };
  add_operand(in.a, 0, counts.a);
  add_operand(in.b, 1, counts.b);
  add_operand(in.c, 2, counts.c);
  add_source(use, 3, in.metadata_register, 1, false);

  add_memory_sources(in, use);

  if (const int results = dest_registers(in); results != 0 && in.dest != kRegisterZero) {
    use.dests[0].first = in.dest;
    use.dests[0].count = static_cast<std::uint8_t>(results);
    use.dest_count = 1;
  }
  return use;
}

}  // namespace stc::isa
