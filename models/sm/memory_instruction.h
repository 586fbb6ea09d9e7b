// SPDX-License-Identifier: Apache-2.0
// A memory instruction as the load/store unit sees it, and what it asks L2 for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/core/data_role.h"
#include "models/core/prefetch.h"
#include "models/sm/cluster_network.h"
#include "models/sm/coalescer.h"
#include "models/sm/issue_info.h"

namespace stc::sm {

/// What goes to each CTA of a cluster. Of nearly all instructions nothing does: then nothing is copied.
class RemoteParts : public std::vector<RemotePart> {
 public:
  RemoteParts() = default;
  RemoteParts(std::vector<RemotePart> parts) : vector(std::move(parts)) {}  // NOLINT(google-explicit-constructor)
  ~RemoteParts() = default;
  RemoteParts(const RemoteParts&) = default;
  RemoteParts(RemoteParts&&) = default;
  RemoteParts& operator=(const RemoteParts& other) {
    if (!empty() || !other.empty()) vector::operator=(other);
    return *this;
  }
  RemoteParts& operator=(RemoteParts&&) = default;
};

/// A memory instruction between issue and completion.
struct MemoryInstruction {
  MemoryKind kind = MemoryKind::kNone;
  std::uint16_t warp = 0;
  std::uint32_t generation = 0;
  std::uint32_t address = 0;  ///< in the kernel's code, bytes
  std::uint8_t sub_core = 0;
  std::uint8_t write_scoreboard = isa::kNoScoreboard;
  std::uint8_t read_scoreboard = isa::kNoScoreboard;
  std::uint8_t data_registers = 0;
  std::uint8_t sent_registers = 0;
  std::uint8_t source_registers = 0;
  bool idle = false;                 ///< a shared access of which no lane takes part
  bool beside_matrix = false;        ///< left its sub-core while operands of a matrix instruction were collected
  std::uint8_t parts = 0;            ///< of an LDS: what it gathers, one after the other
  std::uint8_t idle_parts = 0;       ///< of them without lanes
  std::uint8_t further_latency = 0;  ///< of a shuffle: cycles for an index in a register, a predicate as result
  bool bypass_l1 = false;
  bool whole_line = false;  ///< .LTC128B
  DataRole role = DataRole::kOther;
  std::uint32_t copy_group = 0;
  Cycle issued = 0;
  int wavefronts = 0;                   ///< SYNCS: barriers
  int zero_wavefronts = 0;              ///< of a copy: rows of zeros for lanes that fetch nothing
  bool checks_phase = false;            ///< SYNCS.PHASECHK
  bool resumed = false;                 ///< and its warp was suspended before it
  bool waits_for_sum = false;           ///< of an atomic: lanes at one address wait for one another
  bool local = false;                   ///< local memory
  RemoteParts remote;                   ///< of kRemote
  std::vector<LineBytes> stored_bytes;  ///< of each line, where a store to local memory takes less than words
  LineList lines;                       ///< last: most instructions fill in a few

  /// It will be looked at soon: those of all SMs are more than the processor's caches hold.
  void expect() const {
    constexpr std::size_t kBytesAtOnce = 64;
    const char* const here = reinterpret_cast<const char*>(this);
    prefetch(here);
    prefetch(here + kBytesAtOnce);
  }
};

/// Sends one request for sectors of a line towards L2. `token` comes back with the response.
struct LineQuery {
  LineAccess access;
  bool write = false;
  bool atomic = false;
  bool whole_line = false;
  std::uint16_t intake = 0;  ///< of a read, see memory::SentQuery
  DataRole role = DataRole::kOther;
  std::uint32_t instruction = 0;  ///< that it is for, by its address
  std::uint32_t token = 0;
  bool waits_for_sum = false;  ///< of an atomic
  int leaves_in = 0;           ///< of an atomic: cycles until its last packet has left the SM
  int more_packets = 0;        ///< of a store, see memory::SentQuery
  bool joins = false;          ///< the same
};

}  // namespace stc::sm
