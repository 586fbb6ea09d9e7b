// SPDX-License-Identifier: Apache-2.0
#include "traces/blocks/safe_body.h"

#include <algorithm>

#include "models/core/architecture.h"
#include "models/isa/opcode_traits.h"
#include "models/isa/register_use.h"
#include "models/isa/resource_use.h"

namespace stc::blocks {
namespace {

using isa::ExecutionUnit;
using isa::Opcode;
using isa::Operand;

Instruction nop_for(const Instruction& i) {
  Instruction nop;
  nop.opcode = Opcode::kNop;
  nop.sm = i.sm;
  nop.control = i.control;
  nop.control.reuse = 0;
  nop.control.read_scoreboard = nop.control.write_scoreboard = isa::kNoScoreboard;
  return nop;
}

bool is_memory_access(Opcode opcode) {
  switch (opcode) {
    case Opcode::kLds:
    case Opcode::kLdsm:
    case Opcode::kSts:
    case Opcode::kStsm:
    case Opcode::kLdg:
    case Opcode::kStg:
    case Opcode::kLdgsts: return true;
    default: return false;
  }
}

int log2_of(int bytes) {
  int log2 = 2;
  while (1 << log2 < bytes) ++log2;
  return log2;
}

int within(int offset, int window, int alignment) {
  const int wrapped = ((offset % window) + window) % window;
  return wrapped / alignment * alignment;
}

void point_at_shared(Instruction& i, const Reserved& reserved) {
  const bool matrices = i.mem.matrices != 0;
  const int bytes = matrices ? 16 : i.mem.bytes;
  i.mem.address_register = static_cast<std::uint8_t>(reserved.shared(log2_of(bytes)));
  i.mem.offset = within(i.mem.offset, kSharedOffsets, bytes);
  i.mem.index_scale = 1;
  if (i.mem.uniform_register != isa::kUniformZero) i.mem.uniform_register = kZeroUniform;
}

void point_at_global(Instruction& i, const Reserved& reserved) {
  i.mem.address_register = static_cast<std::uint8_t>(reserved.global(log2_of(i.mem.bytes)));
  i.mem.offset = within(i.mem.offset, i.opcode == Opcode::kLdgsts ? 1024 : kGlobalOffsets, i.mem.bytes);
  if (i.mem.uniform_register != isa::kUniformZero) i.mem.uniform_register = kZeroUniform;
  if (i.mem.descriptor != isa::kUniformZero) i.mem.descriptor = kDescriptorUniform;
  if (i.opcode != Opcode::kLdgsts) return;
  i.mem.shared_register = static_cast<std::uint8_t>(reserved.shared(log2_of(i.mem.bytes)));
  i.mem.shared_offset = kCopyOffset + within(i.mem.shared_offset, kSharedOffsets, i.mem.bytes);
}

void keep_predicates(Instruction& i) {
  const auto below_loop = [](std::uint8_t& index) {
    if (index == kBlockPredicates) index = kBlockPredicates - 1;
  };
  below_loop(i.dest_predicate0), below_loop(i.dest_predicate1);
  for (isa::PredicateOperand* p : {&i.source_predicate0, &i.source_predicate1, &i.source_predicate2}) {
    below_loop(p->index);
  }
  const bool never = i.guard.index == isa::kPredicateTrue && i.guard.negate;
  if (!never) i.guard = {isa::kPredicateTrue, false, i.guard.uniform};
}

void keep_constants(Instruction& i) {
  const std::uint32_t parameters = architecture_of(kSmVersion).constants.parameters;
  for (Operand* o : {&i.a, &i.b, &i.c}) {
    if (o->kind != Operand::Kind::kConstant) continue;
    o->bank = 0;
    o->value = parameters + o->value % 16 / 8 * 8;
  }
}

bool uses_kept_uniforms(const std::vector<Instruction>& body) {
  const auto kept = [](int resource) {
    return isa::is_uniform_register(resource) && resource >= isa::kFirstUniform + kBlockUniformRegisters;
  };
  for (const Instruction& i : body) {
    const isa::ResourceUse use = isa::resource_use(i);
    for (const isa::ResourceRead& read : use.reads) {
      if (kept(read.resource) && !is_memory_access(i.opcode)) return true;
    }
    for (const isa::ResourceWrite& write : use.writes) {
      if (kept(write.resource)) return true;
    }
  }
  return false;
}

}  // namespace

int registers_of(const std::vector<Instruction>& body) {
  int registers = 0;
  for (const Instruction& i : body) {
    const isa::RegisterUse use = isa::register_use(i);
    for (int s = 0; s < use.source_count; ++s) {
      const isa::RegisterRange& range = use.sources[static_cast<std::size_t>(s)];
      registers = std::max(registers, range.first + range.count);
    }
    for (int d = 0; d < use.dest_count; ++d) {
      const isa::RegisterRange& range = use.dests[static_cast<std::size_t>(d)];
      registers = std::max(registers, range.first + range.count);
    }
  }
  return registers;
}

Reserved reserved_above(int registers) { return {std::max(8, (registers + 3) / 4 * 4)}; }

bool runs_in_block(const Instruction& i) {
  if (is_memory_access(i.opcode)) {
    const bool global = i.opcode == Opcode::kLdg || i.opcode == Opcode::kStg || i.opcode == Opcode::kLdgsts;
    return !global || (i.mem.address_64bit && i.mem.bytes >= 4);
  }
  for (const Operand* o : {&i.a, &i.b, &i.c}) {
    if (o->kind == Operand::Kind::kConstantUniformBase) return false;
  }
  if (i.opcode == Opcode::kUldc && i.mem.bytes > 8) return false;
  switch (i.opcode) {
    case Opcode::kNop:
    case Opcode::kLdgdepbar:
    case Opcode::kDepbar:
    case Opcode::kShfl: return true;
    case Opcode::kR2p:
    case Opcode::kUr2up:
    case Opcode::kLepc:
    case Opcode::kElect:
    case Opcode::kQspc:
    case Opcode::kCgaerrbar:
    case Opcode::kEndcollective: return false;
    default: break;
  }
  switch (isa::traits_of(i.opcode).unit) {
    case ExecutionUnit::kAlu:
    case ExecutionUnit::kFma:
    case ExecutionUnit::kImad:
    case ExecutionUnit::kFmaInteger:
    case ExecutionUnit::kFmaWide:
    case ExecutionUnit::kHalf:
    case ExecutionUnit::kFp64:
    case ExecutionUnit::kMufu:
    case ExecutionUnit::kConversion:
    case ExecutionUnit::kDivisionCheck:
    case ExecutionUnit::kStatus:
    case ExecutionUnit::kCrossLane:
    case ExecutionUnit::kTensor:
    case ExecutionUnit::kUniform: return true;
    default: return false;
  }
}

Instruction made_safe(Instruction i, const Reserved& reserved) {
  if (!runs_in_block(i)) return nop_for(i);
  keep_predicates(i);
  keep_constants(i);
  if (i.opcode == Opcode::kUldc) i.mem.uniform_register = isa::kUniformZero;  // an offset of any size
  if (i.metadata_register != isa::kRegisterZero) {
    i.metadata_register = static_cast<std::uint8_t>(reserved.metadata());
  }
  switch (i.opcode) {
    case Opcode::kLds:
    case Opcode::kLdsm:
    case Opcode::kSts:
    case Opcode::kStsm: point_at_shared(i, reserved); break;
    case Opcode::kLdg:
    case Opcode::kStg:
    case Opcode::kLdgsts: point_at_global(i, reserved); break;
    default: break;
  }
  return i;
}

bool make_safe(const std::vector<Instruction>& found, Block& block) {
  std::vector<Instruction>& body = block.body = found;
  // Whose registers count: addresses and metadata do not.
  for (Instruction& i : body) {
    if (!runs_in_block(i)) i = nop_for(i);
    i.metadata_register = i.metadata_register == isa::kRegisterZero ? isa::kRegisterZero : 0;
    if (is_memory_access(i.opcode)) {
      i.mem.address_register = 0;
      if (i.mem.shared_register != isa::kRegisterZero) i.mem.shared_register = 0;
    }
  }
  block.reserved = reserved_above(registers_of(body));
  for (Instruction& i : body) i = made_safe(i, block.reserved);
  return !uses_kept_uniforms(body);
}

}  // namespace stc::blocks
