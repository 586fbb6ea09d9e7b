// SPDX-License-Identifier: Apache-2.0
// Models:   what an executed memory instruction asks of the load/store unit: the addresses of its lanes become
//           wavefronts of the data stage, lines with their sectors, parts for other CTAs (address generation).
// Evidence: coalescer.h; configs/gpus/*.yaml, sm.lsu.
// Abstracts: nothing of the address pattern.
// Timing:   none here; the LSU takes its time with what comes out.
#pragma once

#include "models/core/statistics.h"
#include "models/isa/values/execute.h"
#include "models/sm/memory_instruction.h"
#include "models/sm/warp_context.h"

namespace stc::sm {

class MemoryAccess {
 public:
  MemoryAccess(int sm, const SmParams& params, SmStatistics& statistics)
      : sm_(sm), params_(params.lsu), warp_slots_(params.occupancy.max_warps), statistics_(statistics) {}

  void begin_launch(const isa::Kernel* kernel) { kernel_ = kernel; }
  /// Makes `request` of `instruction`, which `warp` has just executed with `result` at `now`. Counts its accesses to
  /// shared memory and, in `warp`, its stores and copies.
  void make(WarpContext& warp, const isa::Instruction& instruction, const IssueInfo& info,
            const isa::ExecuteResult& result, Cycle now, MemoryInstruction& request);

 private:
  /// What the parts of make() work on.
  struct Access {
    WarpContext& warp;
    const isa::Instruction& instruction;
    const isa::ExecuteResult& result;
    MemoryInstruction& request;
  };

  Wavefronts by_kind(const Access& access);
  Wavefronts shared(const Access& access);
  std::uint8_t shuffle_cycles(const Access& access) const;
  Wavefronts shared_matrices(const Access& access);
  Wavefronts by_space(const Access& access);
  Wavefronts copy(const Access& access);
  void close_copies(const Access& access);
  Wavefronts local(const Access& access);
  Wavefronts global(const Access& access);
  void atomic_wavefronts(const Access& access, Wavefronts& fronts) const;
  void count_bytes(const isa::ExecuteResult& result, std::uint64_t bytes);
  void count_wavefronts(const Access& access, MemoryKind kind, const Wavefronts& fronts);
  std::uint64_t first_local_line(const WarpContext& warp) const;

  const int sm_;
  const LsuParams params_;
  const int warp_slots_;
  SmStatistics& statistics_;
  const isa::Kernel* kernel_ = nullptr;
};

}  // namespace stc::sm
