// SPDX-License-Identifier: Apache-2.0
#include "traces/blocks/instruction_pool.h"

#include <algorithm>

#include "models/isa/opcode_traits.h"
#include "traces/blocks/safe_body.h"
#include "traces/cubin/instruction_members.h"

namespace stc::blocks {
namespace {

using isa::ExecutionUnit;
using isa::Opcode;
using isa::Operand;

Kind kind_of_memory(Opcode opcode) {
  switch (opcode) {
    case Opcode::kLds: return Kind::kSharedLoad;
    case Opcode::kLdsm: return Kind::kMatrixLoad;
    case Opcode::kSts:
    case Opcode::kStsm: return Kind::kSharedStore;
    case Opcode::kLdg: return Kind::kGlobalLoad;
    case Opcode::kStg: return Kind::kGlobalStore;
    case Opcode::kLdgsts: return Kind::kCopy;
    case Opcode::kShfl: return Kind::kShuffle;
    default: return Kind::kNone;
  }
}

/// Numbers of registers and values of immediates aside.
Instruction form_of(const Instruction& instruction) {
  Instruction i = instruction;
  const auto number = [](std::uint8_t& index, std::uint8_t none) { index = index == none ? none : std::uint8_t{0}; };
  i.control = {};
  i.address = i.target = 0;
  i.guard = {isa::kPredicateTrue, false, i.guard.uniform};
  number(i.dest, isa::kRegisterZero);
  for (Operand* o : {&i.a, &i.b, &i.c}) {
    if (o->kind == Operand::Kind::kRegister) number(o->index, isa::kRegisterZero);
    if (o->kind == Operand::Kind::kUniform) number(o->index, isa::kUniformZero);
    o->value = 0;
    o->bank = 0;
    o->reuse = false;
  }
  for (std::uint8_t* p : {&i.dest_predicate0, &i.dest_predicate1, &i.source_predicate0.index,
                          &i.source_predicate1.index, &i.source_predicate2.index}) {
    number(*p, isa::kPredicateTrue);
  }
  number(i.mem.address_register, isa::kRegisterZero);
  number(i.mem.data_register, isa::kRegisterZero);
  number(i.mem.shared_register, isa::kRegisterZero);
  number(i.mem.uniform_register, isa::kUniformZero);
  number(i.mem.descriptor, isa::kUniformZero);
  i.mem.offset = i.mem.shared_offset = 0;
  i.mem.index_scale = 1;
  i.mod.lut = i.mod.lut1 = i.mod.shift = 0;
  i.metadata_register = 0;
  i.selector = 0;
  return i;
}

}  // namespace

Kind kind_of(const Instruction& i) {
  switch (isa::traits_of(i.opcode).unit) {
    case ExecutionUnit::kAlu: return Kind::kAlu;
    case ExecutionUnit::kFma: return Kind::kFma;
    case ExecutionUnit::kImad:
    case ExecutionUnit::kFmaInteger: return Kind::kImad;
    case ExecutionUnit::kFmaWide: return Kind::kWide;
    case ExecutionUnit::kHalf: return Kind::kHalf;
    case ExecutionUnit::kFp64: return i.opcode == Opcode::kDmma ? Kind::kNone : Kind::kDouble;
    case ExecutionUnit::kMufu:
    case ExecutionUnit::kConversion: return Kind::kSpecial;
    case ExecutionUnit::kUniform: return Kind::kUniform;
    case ExecutionUnit::kTensor:
      if (i.opcode == Opcode::kBmma) return Kind::kNone;
      if (i.mma.sparse) return Kind::kSparseMatrix;
      return i.opcode == Opcode::kImma ? Kind::kIntegerMatrix : Kind::kMatrix;
    default: return kind_of_memory(i.opcode);
  }
}

const char* name_of(Kind kind) {
  constexpr const char* kNames[] = {"alu",     "fma",  "imad",   "wide", "half", "double", "special",
                                    "uniform", "lds",  "ldsm",   "sts",  "ldg",  "stg",    "ldgsts",
                                    "shfl",    "hmma", "mma_sp", "imma", "none"};
  return kNames[static_cast<std::size_t>(kind)];
}

void InstructionPool::add(const isa::Kernel& kernel) {
  for (const Instruction& i : kernel.code) {
    const Kind kind = kind_of(i);
    const bool never = i.guard.index == isa::kPredicateTrue && i.guard.negate;
    if (kind == Kind::kNone || never || !runs_in_block(i)) continue;
    const cubin::MemberValues members = cubin::members_of(form_of(i));
    if (!known_.insert(std::vector<std::uint32_t>(members.begin(), members.end())).second) continue;
    std::vector<std::vector<Instruction>>& operations = forms_[kind];
    const auto same = [&i](const std::vector<Instruction>& forms) { return forms.front().opcode == i.opcode; };
    const auto at = std::find_if(operations.begin(), operations.end(), same);
    if (at == operations.end()) {
      operations.push_back({i});
    } else {
      at->push_back(i);
    }
  }
}

const std::vector<std::vector<Instruction>>& InstructionPool::of(Kind kind) const {
  static const std::vector<std::vector<Instruction>> kNothing;
  const auto at = forms_.find(kind);
  return at == forms_.end() ? kNothing : at->second;
}

}  // namespace stc::blocks
