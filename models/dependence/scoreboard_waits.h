// SPDX-License-Identifier: Apache-2.0
// Models:   what a warp knows of its variable-latency instructions from the scoreboards that it has waited for, however
//           long they took.
// Evidence: Huerta et al. 2025 (counters, when they rise); nvcc 13.0 leaves earlier loads of a batch without scoreboard
//           and waits for the last one's: units answer in order (Unit).
//           DEPBAR.LE SB, n: nvcc waits so for the first of a chain of DMMA that share a scoreboard (CUTLASS's f64 GEMM
//           on sm_90); all but the last n have answered, where one unit that answers in order has that scoreboard.
// Abstracts: a scoreboard of several units, of which DEPBAR with a count above zero tells nothing; groups of copies,
//           copy_landing.h.
// Timing:   a scoreboard rises one cycle after issue: who waits in the very next cycle has not waited for it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/isa/instruction.h"

namespace stc::dependence {

using isa::kScoreboards;
constexpr int kScoreboardRise = 2;  ///< cycles from issue until a wait sees the scoreboard
constexpr int kDepbarCycles = 4;    ///< from DEPBAR until what it waits for holds

/// Who answers. Results of all but kGlobal come in the order of issue; shuffles are kShared (ptxas waits for a SHFL in
/// place of the LDSM before it: Triton's attention on sm_80).
enum class Unit : std::uint8_t {
  kShared,
  kCopy,
  kGlobal,
  kConstant,
  kSpecial,
  kStatus,
  kDouble,
  kVotes,
  kMatrixMoves,  ///< MOVM
  kOther
};
constexpr std::size_t kUnits = 10;
Unit unit_of(isa::Opcode opcode);
inline bool answers_in_order(Unit unit) { return unit != Unit::kGlobal && unit != Unit::kOther; }

/// Sources are read in the order of issue, by one queue for loads, stores and shuffles.
inline Unit queue_of(Unit unit) { return unit == Unit::kGlobal ? Unit::kShared : unit; }

/// A variable-latency instruction of a warp; `id` counts its instructions.
struct Operation {
  std::uint32_t id = 0;
  Unit unit = Unit::kOther;
  std::uint8_t write_scoreboard = isa::kNoScoreboard;
  std::uint8_t read_scoreboard = isa::kNoScoreboard;
};

class ScoreboardWaits {
 public:
  void issued(const Operation& operation, std::uint64_t time);
  /// BAR that does not defer: what stood before it in the queue of memory instructions has read its sources (nvcc puts
  /// no scoreboard on STS ahead of it).
  void passed_barrier();
  /// To be called before the waits of an instruction that issues at `time`.
  void advance(std::uint64_t time);
  void wait(std::size_t scoreboard);
  /// The last operation on `scoreboard` that has answered when no more than `left` are; none that can be told of.
  std::optional<Operation> answered(std::size_t scoreboard, std::size_t left);
  /// What DEPBAR waited for is there.
  void told_of(const Operation& answered);
  bool result_arrived(const Operation& operation) const;
  bool sources_read(const Operation& operation) const;
  /// Would waiting for `scoreboard` now tell that the result has come, the sources are read?
  bool tells_result(std::size_t scoreboard, const Operation& operation) const;
  bool tells_sources(std::size_t scoreboard, const Operation& operation) const;

 private:
  using PerUnit = std::array<std::uint32_t, kUnits>;
  void count(const Operation& operation);
  void queue_on(std::size_t scoreboard, const Operation& operation);

  Operation recent_;  // its scoreboards have not risen
  std::uint64_t recent_time_ = 0;
  bool has_recent_ = false;
  std::uint32_t counted_ = 0;                                // operations up to this one have raised their scoreboards
  std::array<PerUnit, kScoreboards> last_result_{};          // on a scoreboard
  std::array<PerUnit, kScoreboards> last_read_{};            // by queue
  std::array<std::uint32_t, kScoreboards> waited_{};         // all up to this one, of that scoreboard
  PerUnit results_{}, reads_{};                              // all up to this one, of that unit or queue
  std::array<std::vector<Operation>, kScoreboards> queued_;  // the latest, all of one unit
};

}  // namespace stc::dependence
