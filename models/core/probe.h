// SPDX-License-Identifier: Apache-2.0
// Who wants to see what happens on a GPU while it runs derives from Probe and gives it to the launch. Everything that
// it is told of is also counted (models/core/statistics.h), and nothing else is. Cycles count from the launch's
// beginning.
#pragma once

#include <cstdint>

#include "models/core/data_role.h"
#include "models/core/statistics.h"

namespace stc {

/// A warp by its place.
struct WarpPlace {
  int sm = 0;
  int sub_core = 0;
  std::uint64_t cta = 0;  ///< linear index
  int warp = 0;           ///< in its CTA
};

/// A warp instruction was issued and executed.
struct IssueEvent {
  WarpPlace at;
  std::uint64_t cycle = 0;
  std::uint32_t address = 0;  ///< in the kernel's code, bytes
  std::uint32_t lanes = 0;    ///< that executed it
  int tensor_cycles = 0;      ///< of a matrix instruction: that a tensor core is busy with it
};

/// A warp spent the cycles [begin, end) in one way, before or in the issue of an instruction. kIssued: the cycle of its
/// issue. kDrain: behind the warp's last.
struct StallEvent {
  WarpPlace at;
  Stall reason = Stall::kIssued;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t address = 0;  ///< of the instruction, in the kernel's code, bytes
};

/// A memory instruction was issued that takes wavefronts of its SM's data stage, then or later.
struct WavefrontEvent {
  WarpPlace at;
  std::uint64_t cycle = 0;    ///< of the issue
  std::uint32_t address = 0;  ///< in the kernel's code, bytes
  std::uint64_t shared = 0;   ///< counter shared_wavefronts
  std::uint64_t copies = 0;   ///< counter copy_wavefronts
  std::uint64_t conflicts = 0;
};

/// L1 has sectors that a memory instruction reads.
struct L1HitEvent {
  int sm = 0;
  std::uint64_t cycle = 0;
  std::uint32_t instruction = 0;  ///< its address in the kernel's code, bytes
  int sectors = 0;                ///< of 32 bytes
};

/// An SM asks L2 for sectors of a line, or sends it some.
struct MemoryEvent {
  int sm = 0;
  std::uint64_t cycle = 0;
  std::uint64_t address = 0;  ///< of the 128-byte line
  int sectors = 0;            ///< of 32 bytes
  bool write = false;
  DataRole role = DataRole::kOther;
  std::uint32_t instruction = 0;  ///< that it is for: its address in the kernel's code, bytes
};

/// An L2 partition looks for sectors that are read: one of them, or each of the two on a far line's way.
struct L2Event {
  std::uint64_t cycle = 0;
  int hits = 0;    ///< sectors of 32 bytes
  int misses = 0;  ///< the same, that device memory is asked for
};

/// L2 reads or writes device memory.
struct DramEvent {
  std::uint64_t cycle = 0;
  std::uint64_t sectors = 0;  ///< of 32 bytes
  bool write = false;
};

class Probe {
 public:
  virtual ~Probe() = default;
  /// True: only cta_begin() and cta_end() are called, and warps run as if nobody listened.
  virtual bool only_ctas() const { return false; }
  /// True: SMs run ahead of each other, on several threads, as if nobody listened. Then events of different SMs come in
  /// any order, several at once; those of one SM, and those of memory, come in theirs, one at a time. CTAs begin and
  /// end while no others come.
  virtual bool takes_sms_apart() const { return false; }
  virtual void issue(const IssueEvent&) {}
  virtual void stall(const StallEvent&) {}
  virtual void wavefronts(const WavefrontEvent&) {}
  virtual void l1_hit(const L1HitEvent&) {}
  virtual void memory_request(const MemoryEvent&) {}
  virtual void l2_access(const L2Event&) {}
  virtual void dram_access(const DramEvent&) {}
  /// Its `end` is not known yet.
  virtual void cta_begin(const CtaRecord&) {}
  virtual void cta_end(const CtaRecord&) {}
};

}  // namespace stc
