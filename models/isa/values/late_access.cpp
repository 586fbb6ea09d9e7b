// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/late_access.h"

#include "models/isa/values/load_log.h"

namespace stc::isa {
namespace {

LateAccess& note(Execution& x, const LanePointers& pointers, MakeAccess make) {
  LateAccess& access = x.context.late->add(x.context.cycle);
  access.instruction = &x.instruction;
  access.warp = &x.warp;
  access.lanes = x.lanes;
  access.make = make;
  access.buffer = x.context.buffer;
  access.pointers = pointers;
  access.in_parts = false;
  access.reduction.reset();
  return access;
}

void note_data(const Execution& x, LateAccess& access) {
  const MemoryFields& mem = x.instruction.mem;
  for (int word = 0; word * 4 < mem.bytes; ++word) {
    const bool zero = mem.data_register == kRegisterZero;
    access.data[static_cast<std::size_t>(word)] = source_register(x, zero ? kRegisterZero : mem.data_register + word);
  }
}

void store_data(const LateAccess& access) {
  for (LaneMask m = access.lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(m));
    const std::size_t bytes = access.in_parts ? access.counts[lane] : access.instruction->mem.bytes;
    std::uint32_t words[4];
    for (std::size_t word = 0; 4 * word < bytes; ++word) words[word] = access.data[word][lane];
    put_part(access.reduction, access.pointers[lane], words, bytes);
  }
}

}  // namespace

void access_memory(Execution& x, const LanePointers& pointers, MakeAccess make) {
  if (x.context.late == nullptr || lanes_in_global(x) == 0) {
    make(x, pointers);
  } else {
    note(x, pointers, make);
    x.result.ends_late = true;
  }
}

void store_memory(Execution& x, const LanePointers& pointers, MakeAccess make) {
  if (x.context.late == nullptr || lanes_in_global(x) != x.lanes) {
    access_memory(x, pointers, make);
  } else {
    note_data(x, note(x, pointers, nullptr));
  }
}

void store_parts(Execution& x, const LanePointers& to, const LanePointers& from, const LaneCounts& counts,
                 const std::optional<AtomicForm>& reduction) {
  LateAccess* const access = x.context.late == nullptr ? nullptr : &note(x, to, nullptr);
  if (access != nullptr) access->in_parts = true, access->counts = counts, access->reduction = reduction;
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(m));
    if (access == nullptr) {
      put_part(reduction, to[lane], from[lane], counts[lane]);
      continue;
    }
    std::uint32_t words[4]{};
    std::memcpy(words, from[lane], counts[lane]);
    for (std::size_t word = 0; word < 4; ++word) access->data[word][lane] = words[word];
  }
}

bool make_late_accesses(ExecuteContext& context, std::uint64_t cycle) {
  bool changed = false;
  context.late->take(cycle, [&](const LateAccess& access) {
    if (context.stored != nullptr) context.stored->add(access.buffer);
    if (access.make == nullptr) {
      store_data(access);
      return;
    }
    ExecuteResult result;
    Execution x{*access.instruction, *access.warp, context, result, access.lanes};
    access.make(x, access.pointers);
    changed |= result.memory_changed;
  });
  return changed;
}

}  // namespace stc::isa
