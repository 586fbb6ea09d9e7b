// SPDX-License-Identifier: Apache-2.0
// Models:   two levels of instruction cache of an SM and the stream that fills the first ahead of execution.
// Evidence: configs/gpus/*.yaml, sm.fetch: straight-line code of 1 to 160 KiB, pass by pass (micro_code); jumps into
//           code of 80 KiB 0 to 800 cycles behind a kernel's beginning (first_accesses.csv).
// Abstracts: the sub-cores' own small caches; sharing of the second level between SMs; L2 behind it (rate and latency),
//           into which each SM brings the code for itself alone.
// Timing:   a line comes from the next level after its latency, one line per interval; the lines that follow a line in
//           use are asked for with it. The second level holds a kernel's first lines when the kernel begins; more come
//           one after the other. One that is asked for before waits for that, but no longer than if it were not to
//           come.
#pragma once

#include <cstdint>
#include <vector>

#include "models/sm/event_queue.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

constexpr std::uint32_t kCodeLineBytes = 128;

class InstructionCache {
 public:
  explicit InstructionCache(const FetchParams& params);

  /// Nothing in the first level, the first lines of the code in the second. `emptied`: a launch after all caches were
  /// emptied: its first line comes late, and lines behind the first ones come from device memory when they first run.
  void reset(std::uint32_t code_bytes, bool emptied = false);
  /// Cycle from which instructions of `line` can be issued, asked for at `now`.
  Cycle fetch(std::uint32_t line, Cycle now);

 private:
  /// Least-recently-used contents of one level, by line of the kernel's code.
  class Level {
   public:
    void reset(std::size_t lines, std::size_t capacity);
    bool use(std::uint32_t line);
    void add(std::uint32_t line);

   private:
    std::vector<std::uint64_t> used_;  // 0: not here
    std::size_t capacity_ = 0, here_ = 0;
    std::uint64_t clock_ = 0;
  };

  void ask(std::uint32_t line, Cycle now);
  Cycle launch_delay(std::uint32_t line, Cycle now) const;

  const FetchParams params_;
  Level first_, second_;
  std::vector<Cycle> ready_;  // of lines in the first level
  std::vector<bool> in_l2_;
  Cycle port_free_ = 0;
  Cycle begin_ = 0;  // when the first line was asked for
  bool begun_ = false, emptied_ = false;
};

}  // namespace stc::sm
