// SPDX-License-Identifier: Apache-2.0
#include "models/core/statistics.h"

namespace stc {
namespace {

struct StallText {
  const char* name;
  const char* meaning;
};
constexpr StallText kStallTexts[kStalls] = {
    {"issued", "issued an instruction"},
    {"no_instruction", "the next instruction has not been fetched yet"},
    {"fixed_latency", "the compiler's stall count had not run out"},
    {"shared_memory", "scoreboard of a shared-memory access or shuffle"},
    {"global_memory", "scoreboard of a global-memory access"},
    {"async_copy", "waits for a group of asynchronous copies"},
    {"scoreboard_other", "scoreboard of a special-function, conversion, constant or special-register instruction"},
    {"barrier", "waits for other warps at a CTA barrier"},
    {"tensor_busy", "the tensor core still takes an earlier matrix instruction"},
    {"pipe_busy", "another math pipe is busy"},
    {"memory_queue", "the sub-core's queue of memory instructions is full or still takes another one"},
    {"register_ports", "register-file read ports are taken"},
    {"not_selected", "could issue, but another warp was chosen"},
    {"dispatch", "the CTA is being launched"},
    {"drain", "has exited, but its global stores have not left the SM"},
};

}  // namespace

const char* name_of(Stall stall) { return kStallTexts[static_cast<std::size_t>(stall)].name; }
const char* meaning_of(Stall stall) { return kStallTexts[static_cast<std::size_t>(stall)].meaning; }

const std::vector<Counter<SmStatistics>>& sm_counters() {
#define STC_SM_COUNTER(member, group, key, unit, meaning) {&SmStatistics::member, #member, group, key, unit, meaning},
#define STC_MEMORY_COUNTER(member, group, key, unit, meaning)
  static const std::vector<Counter<SmStatistics>> counters = {
#include "models/core/counters.def"
  };
#undef STC_SM_COUNTER
#undef STC_MEMORY_COUNTER
  return counters;
}

const std::vector<Counter<MemoryStatistics>>& memory_counters() {
#define STC_SM_COUNTER(member, group, key, unit, meaning)
#define STC_MEMORY_COUNTER(member, group, key, unit, meaning) \
  {&MemoryStatistics::member, #member, group, key, unit, meaning},
  static const std::vector<Counter<MemoryStatistics>> counters = {
#include "models/core/counters.def"
  };
#undef STC_SM_COUNTER
#undef STC_MEMORY_COUNTER
  return counters;
}

void SmStatistics::add(const SmStatistics& o) {
  for (const Counter<SmStatistics>& counter : sm_counters()) this->*counter.value += o.*counter.value;
  for (std::size_t i = 0; i < stalls.size(); ++i) stalls[i] += o.stalls[i];
  register_file.add(o.register_file);
  shared.add(o.shared);
  l2.add(o.l2);
}

void MemoryStatistics::add(const MemoryStatistics& o) {
  for (const Counter<MemoryStatistics>& counter : memory_counters()) this->*counter.value += o.*counter.value;
  dram.add(o.dram);
}

}  // namespace stc
