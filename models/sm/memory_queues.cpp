// SPDX-License-Identifier: Apache-2.0
#include "models/sm/memory_queues.h"

#include <algorithm>

namespace stc::sm {

void MemoryQueues::reset() {
  sub_cores_.assign(sub_cores_.size(), {});
  state_ = {};
  unused_.clear();
  for (const auto& place : places_) unused_.push_back(place.get());
}

MemoryInstruction& MemoryQueues::next_place() {
  if (unused_.empty()) {
    places_.push_back(std::make_unique<MemoryInstruction>());
    unused_.push_back(places_.back().get());
  }
  return *unused_.back();
}

void MemoryQueues::push() {
  MemoryInstruction* const place = unused_.back();
  unused_.pop_back();
  if (!unused_.empty()) unused_.back()->expect();
  SubCoreQueue& to = of(place->sub_core);
  if (to.queue.empty()) to.through = through(*place);
  to.queue.push_back(place);
  ++state_.waiting;
}

Cycle MemoryQueues::ready(const SubCoreQueue& from) const {
  const Cycle sends = std::max(from.through, from.sends);
  return from.queue.front()->source_registers == 0 ? sends : std::max(sends, from.ports_free);
}

Cycle MemoryQueues::next() const {
  Cycle earliest = kNever;
  if (!may_move()) return earliest;
  for (const SubCoreQueue& from : sub_cores_) {
    if (!from.queue.empty()) earliest = std::min(earliest, std::max(ready(from), state_.arrival_free));
  }
  return earliest;
}

const MemoryInstruction* MemoryQueues::move(Cycle now) {
  std::size_t turn = state_.turn;
  for (std::size_t i = 0; i < sub_cores_.size(); ++i) {
    SubCoreQueue& from = sub_cores_[turn];
    turn = turn + 1 == sub_cores_.size() ? 0 : turn + 1;
    if (from.queue.empty() || ready(from) > now) continue;
    MemoryInstruction& instruction = *from.queue.front();
    state_.sm.push_back(&instruction);
    from.queue.pop_front();
    if (!from.queue.empty()) from.through = through(*from.queue.front());
    if (from.queue.size() > 1) from.queue[1]->expect();
    --state_.waiting;
    instruction.beside_matrix = from.collecting_until > now;
    from.sends = now + sending_cycles(instruction);
    from.reading = instruction.source_registers != 0 ? &instruction : nullptr;
    from.read = now + reading_cycles(instruction);
    if (from.reading != nullptr) from.ports_free = from.read;
    state_.registers += held_registers(instruction);
    state_.arrival_free = now + static_cast<Cycle>(params_.sm_interval);
    state_.turn = turn;
    return &instruction;
  }
  return nullptr;
}

int MemoryQueues::held_registers(const MemoryInstruction& instruction) const {
  return instruction.kind == MemoryKind::kAsyncCopy ? params_.copy_registers : instruction.source_registers;
}

bool MemoryQueues::may_store_next() const {
  const auto stores = [](const MemoryInstruction& one) {
    return one.kind == MemoryKind::kGlobalStore || one.kind == MemoryKind::kGlobalAtomic;
  };
  if (!empty()) return stores(front());
  return std::any_of(sub_cores_.begin(), sub_cores_.end(),
                     [&](const SubCoreQueue& from) { return !from.queue.empty() && stores(*from.queue.front()); });
}

Cycle MemoryQueues::sending_cycles(const MemoryInstruction& instruction) const {
  if (instruction.source_registers == 0) return 1;  // nothing to read: the idle LDS before a copy
  return std::max(static_cast<Cycle>(params_.address_interval), reading_cycles(instruction));
}

const MemoryInstruction& MemoryQueues::pop() {
  MemoryInstruction* const first = state_.sm.front();
  state_.sm.pop_front();
  state_.registers -= held_registers(*first);
  SubCoreQueue& from = of(first->sub_core);
  if (from.reading == first) from.reading = nullptr;
  if (state_.sm.size() > 1) state_.sm[1]->expect();
  unused_.push_back(first);
  return *first;
}

}  // namespace stc::sm
