// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sampling/data_flow.h"

#include <algorithm>

#include "models/isa/values/special_register.h"

namespace stc::gpu {
namespace {

using isa::ExecutionUnit;

bool reads_memory(isa::Opcode opcode) {
  switch (isa::traits_of(opcode).unit) {
    case ExecutionUnit::kSharedLoad:
    case ExecutionUnit::kMbarrier:
    case ExecutionUnit::kGlobalLoad:
    case ExecutionUnit::kGlobalAtomic:
    case ExecutionUnit::kWarpgroup:
    case ExecutionUnit::kVotes: return true;
    default: return false;
  }
}

bool accesses_memory(isa::Opcode opcode) {
  switch (isa::traits_of(opcode).unit) {
    case ExecutionUnit::kSharedLoad:
    case ExecutionUnit::kSharedStore:
    case ExecutionUnit::kMbarrier:
    case ExecutionUnit::kGlobalLoad:
    case ExecutionUnit::kGlobalStore:
    case ExecutionUnit::kGlobalAtomic:
    case ExecutionUnit::kAsyncCopy: return true;
    default: return false;
  }
}

bool brings_data(const isa::Instruction& in) {
  switch (in.opcode) {
    case isa::Opcode::kS2r:
    case isa::Opcode::kS2ur:
    case isa::Opcode::kCs2r: return isa::tells_place_or_time(in.mod.special_register);
    default: return reads_memory(in.opcode) || isa::is_matrix(in.opcode);
  }
}

/// Registers of `in` that make up an address.
std::vector<int> address_registers(const isa::Instruction& in) {
  std::vector<int> registers;
  const isa::MemoryFields& mem = in.mem;
  const auto add = [&](int first, bool none, bool pair) {
    if (none) return;
    registers.push_back(first);
    if (pair) registers.push_back(first + 1);
  };
  add(mem.address_register, mem.address_register == isa::kRegisterZero, mem.address_64bit);
  add(mem.shared_register, mem.shared_register == isa::kRegisterZero, false);
  add(isa::kFirstUniform + mem.uniform_register, mem.uniform_register == isa::kUniformZero, mem.uniform_is_64bit);
  return registers;
}

bool steers(const isa::Instruction& in, const isa::ResourceRead& read, const std::vector<int>& addresses) {
  const ExecutionUnit unit = isa::traits_of(in.opcode).unit;
  if (unit == ExecutionUnit::kBranch || in.opcode == isa::Opcode::kBar || in.opcode == isa::Opcode::kNanosleep)
    return true;
  if (!accesses_memory(in.opcode)) return false;
  if (read.slot == isa::UseSlot::kGuard || isa::is_predicate(read.resource)) return true;
  return std::find(addresses.begin(), addresses.end(), static_cast<int>(read.resource)) != addresses.end();
}

}  // namespace

DataFlow::DataFlow(const isa::Kernel& kernel) {
  for (const isa::Instruction& in : kernel.code) {
    const isa::ResourceUse found = isa::resource_use(in);
    const std::vector<int> addresses = address_registers(in);
    Use use;
    for (const isa::ResourceRead& read : found.reads) {
      use.reads.push_back(read.resource);
      if (steers(in, read, addresses)) use.steers.push_back(read.resource);
      if (read.slot == isa::UseSlot::kGuard) use.guards.push_back(read.resource);
    }
    for (const isa::ResourceWrite& write : found.writes) use.writes.push_back(write.resource);
    use.brings_data = stc::gpu::brings_data(in);
    uses_.push_back(std::move(use));
  }
}

int WarpData::follow(const DataFlow::Use& use, Executed by) {
  const auto holds = [this](std::uint16_t resource) { return data_[resource]; };
  const auto is_guard = [&use](std::uint16_t resource) {
    return std::find(use.guards.begin(), use.guards.end(), resource) != use.guards.end();
  };
  for (const std::uint16_t resource : use.steers) {
    if (holds(resource) && (by != Executed::kByNone || is_guard(resource))) return resource;
  }
  const bool decided_by_data = std::any_of(use.guards.begin(), use.guards.end(), holds);
  const bool data = decided_by_data || (by != Executed::kByNone &&
                                        (use.brings_data || std::any_of(use.reads.begin(), use.reads.end(), holds)));
  for (const std::uint16_t resource : use.writes) {
    if (data || by == Executed::kByAll) data_[resource] = data;
  }
  return -1;
}

}  // namespace stc::gpu
