// SPDX-License-Identifier: Apache-2.0
// What the parts of a GPU count. counters.def names every counter with its unit and meaning, once.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/data_role.h"

namespace stc {

/// Bytes that crossed one level of the memory hierarchy, by role of the data.
struct LevelBytes {
  std::array<std::uint64_t, kDataRoles> read{};
  std::array<std::uint64_t, kDataRoles> write{};
  void add(const LevelBytes& o) {
    for (int i = 0; i < kDataRoles; ++i) {
      read[static_cast<std::size_t>(i)] += o.read[static_cast<std::size_t>(i)];
      write[static_cast<std::size_t>(i)] += o.write[static_cast<std::size_t>(i)];
    }
  }
};

/// Where a resident warp spent a cycle. Exactly one per warp and cycle, so they sum to warp-cycles.
enum class Stall : std::uint8_t {
  kIssued,           ///< issued an instruction
  kNoInstruction,    ///< the instruction has not been fetched yet
  kFixedLatency,     ///< the compiler's stall count had not run out
  kSharedMemory,     ///< scoreboard of LDS, LDSM, STS, SHFL, ATOMS
  kGlobalMemory,     ///< scoreboard of LDG, STG, ATOMG and other global accesses
  kAsyncCopy,        ///< DEPBAR on a group of LDGSTS
  kScoreboardOther,  ///< scoreboard of MUFU, S2R, LDC, conversions ...
  kBarrier,          ///< BAR
  kTensorBusy,       ///< tensor core still takes an earlier matrix instruction
  kPipeBusy,         ///< another math pipe still busy
  kMemoryQueue,      ///< the sub-core's memory-instruction queue is full, or still takes another one
  kRegisterPorts,    ///< register-file read ports taken
  kNotSelected,      ///< eligible, but another warp was issued
  kDispatch,         ///< CTA launch: before the first instruction can issue
  kDrain,            ///< has exited, but its global stores have not left the SM
  kCount
};
constexpr int kStalls = static_cast<int>(Stall::kCount);
const char* name_of(Stall stall);     ///< key in the result, e.g. "tensor_busy"
const char* meaning_of(Stall stall);  ///< the sentence above

struct SmStatistics {
#define STC_SM_COUNTER(member, group, key, unit, meaning) std::uint64_t member = 0;
#define STC_MEMORY_COUNTER(member, group, key, unit, meaning)
#include "models/core/counters.def"
#undef STC_SM_COUNTER
#undef STC_MEMORY_COUNTER
  std::array<std::uint64_t, kStalls> stalls{};  ///< warp-cycles
  LevelBytes register_file;  ///< operands of matrix instructions read, results written, 4 B x 32 lanes a register
  LevelBytes shared;         ///< bytes read from / written to shared memory
  LevelBytes l2;             ///< bytes exchanged with L2
  void add(const SmStatistics& o);
};

struct MemoryStatistics {
#define STC_SM_COUNTER(member, group, key, unit, meaning)
#define STC_MEMORY_COUNTER(member, group, key, unit, meaning) std::uint64_t member = 0;
#include "models/core/counters.def"
#undef STC_SM_COUNTER
#undef STC_MEMORY_COUNTER
  LevelBytes dram;
  void add(const MemoryStatistics& o);
};

/// A counter of one of the two by its place in results, with unit and meaning: a row of counters.def.
template <class Statistics>
struct Counter {
  std::uint64_t Statistics::*value;
  const char* name;   ///< of the member
  const char* group;  ///< of the result, "" when only its spread over SMs is reported
  const char* key;    ///< in the group
  const char* unit;
  const char* meaning;
};
const std::vector<Counter<SmStatistics>>& sm_counters();
const std::vector<Counter<MemoryStatistics>>& memory_counters();

struct CtaRecord {
  std::uint64_t linear_index = 0;
  int sm = 0;
  std::uint64_t start = 0;  ///< cycle of its dispatch to the SM
  std::uint64_t end = 0;    ///< cycle in which its last warp has exited and its stores have left the SM
};

}  // namespace stc
