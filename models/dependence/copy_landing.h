// SPDX-License-Identifier: Apache-2.0
// Models:   the promise of a CTA that bytes of asynchronous copies (LDGSTS) are not used before they are known to have
//           landed. Who copied knows it when its warp has waited for the copy's group (LDGDEPBAR and DEPBAR, or a wait
//           for their scoreboard), and whoever has seen a phase of an mbarrier that the copies arrive at. The other
//           warps know it when one that knows has been at a barrier, a fence or an mbarrier.
// Evidence: PTX ISA, cp.async and its memory consistency; the code that nvcc 13.0 writes for it.
// Abstracts: what a barrier, fence or arrival tells one warp it tells all of the CTA; accesses of other CTAs; copies to
//           bytes that other copies or warps still use; what mbarrier was seen before its phase was complete (sm_80).
// Timing:   DEPBAR, a scoreboard's rise. That bytes have landed by themselves in this run does not count.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/dependence/scoreboard_waits.h"
#include "models/isa/values/execute.h"

namespace stc::dependence {

/// Bytes that are used too early.
struct EarlyUse {
  std::uint32_t address = 0;  ///< in the CTA's shared memory
  int lane = 0;
  int copied_by = 0;       ///< warp
  std::uint32_t copy = 0;  ///< its instruction
  bool waited = false;     ///< by that warp; but nobody told this one
  bool is_write = false;
};

class CopyLanding {
 public:
  CopyLanding(std::size_t warps, std::size_t shared_bytes);
  /// Notes that `warp` has executed an instruction of its path at `time` on its own clock. Returns the first use of
  /// bytes that are not known to have landed.
  std::optional<EarlyUse> executed(std::size_t warp, const isa::Instruction& instruction, std::uint32_t index,
                                   const isa::WarpState& state, const isa::ExecuteResult& result, std::uint64_t time);

 private:
  using Id = std::uint32_t;  ///< the how-manieth copy of its warp, from 1 on
  struct Place {             ///< what copies four bytes; id 0: nothing
    std::uint16_t warp = 0;
    Id id = 0;
  };
  struct Group {
    std::uint8_t scoreboard = isa::kNoScoreboard;
    Id last = 0;
    std::uint64_t time = 0;
  };
  struct Warp {
    std::vector<std::uint32_t> copies;  ///< instruction of each
    std::deque<Group> groups;           ///< not waited for
    Id drained = 0;                     ///< what a DEPBAR waits for, known from then on
    std::uint64_t drained_from = 0;
    std::vector<Id> knows;  ///< of each warp
  };

  void wait(std::size_t warp, const isa::Instruction& instruction, std::uint64_t time);
  /// Who waits for all but the `left` latest groups on a scoreboard: the last copy of those issued up to `until`, or 0.
  static Id wait_for(Warp& warp, int scoreboard, std::size_t left, std::uint64_t until);
  std::optional<EarlyUse> check(std::size_t warp, const isa::ExecuteResult& result) const;
  void note_copy(std::size_t warp, std::uint32_t index, const isa::ExecuteResult& result);
  void see_barriers(std::size_t warp, const isa::ExecuteResult& result);
  void tell(std::size_t warp);

  std::vector<Warp> warps_;
  std::vector<Id> told_;                               ///< all warps, of each
  std::vector<Place> places_;                          ///< once there was a copy
  std::map<std::uint32_t, std::vector<Id>> arriving_;  ///< at an mbarrier, of each warp
  std::size_t shared_bytes_;
};

/// "reads shared memory at 0x0400, lane 3, that 'LDGSTS.E.BYPASS.128 ...' at 0x0140 of warp 0 copies: nobody ...".
std::string describe(const EarlyUse& use, const isa::Kernel& kernel);

}  // namespace stc::dependence
