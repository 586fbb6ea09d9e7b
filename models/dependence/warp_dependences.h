// SPDX-License-Identifier: Apache-2.0
// Models:   the promise of a warp's control codes: no register (R, UR, P, UP) is read or overwritten before an earlier
//           instruction has written or read it; accumulators of a warpgroup not before their group was waited for; no
//           memory is accessed before a CTA barrier holds the warp.
// Evidence: latency_table.h, scoreboard_waits.h, group_waits.h, kBarrierCycles.
// Abstracts: operands kept by reuse bits; convergence barriers; what instructions wait for beside control codes (pipes,
//           fetch, other warps), so that a wait or a cycle that is missing shows in every run.
// Timing:   the warp's own clock: stall counts along the path that it takes, and taken branches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/dependence/group_waits.h"
#include "models/dependence/kernel_uses.h"
#include "models/isa/state/warp.h"

namespace stc::dependence {

/// From BAR.SYNC until it holds the warp: an access of memory that is issued sooner does not wait for the other warps.
/// nvcc, CUTLASS, CUB and Triton keep six cycles (194 barriers, 96 of them so long); on an H200 a GEMM with an LDSM one
/// cycle behind its barrier read metadata that other warps had not copied.
constexpr int kBarrierCycles = 6;

enum class Hazard : std::uint8_t { kReadAfterWrite, kWriteAfterWrite, kWriteAfterRead, kAccessAfterBarrier };

/// One instruction that depends on an earlier one.
struct Dependence {
  Hazard hazard = Hazard::kReadAfterWrite;
  int resource = 0;                                ///< of a barrier: none
  std::uint32_t producer = 0, consumer = 0;        ///< instructions of the kernel
  std::uint64_t producer_at = 0, consumer_at = 0;  ///< of the warp's instructions: the how-manieth
  bool scoreboard = false;
  Operation operation;          ///< scoreboard: the producer
  bool waited = false;          ///< scoreboard: it was waited for
  bool group = false;           ///< an accumulator of a warpgroup whose group was not waited for
  int needed = 0, elapsed = 0;  ///< else: cycles
  bool holds() const { return !group && (scoreboard ? waited : elapsed >= needed); }
};

/// For tests: sees every dependence and every wait.
class DependenceObserver {
 public:
  virtual ~DependenceObserver() = default;
  virtual void on_issue(std::uint32_t instruction, const std::optional<Operation>& operation) = 0;
  virtual void on_wait(std::uint32_t instruction, std::size_t scoreboard, const ScoreboardWaits& waits) = 0;
  virtual void on_dependence(const Dependence& dependence) = 0;
};

class WarpDependences {
 public:
  void observe(DependenceObserver* observer) { observer_ = observer; }
  /// Notes that the warp has issued an instruction for `lanes` of its path `active`. Returns the first dependence that
  /// does not hold.
  std::optional<Dependence> issued(const KernelUses& kernel, std::uint32_t instruction, isa::LaneMask active,
                                   isa::LaneMask lanes, bool branched);
  /// When that was, on the warp's own clock.
  std::uint64_t time() const { return time_; }

 private:
  struct Access {
    std::uint64_t time = 0, at = 0;
    std::uint32_t instruction = 0;
    isa::LaneMask lanes = 0;
    Reader reader = Reader::kAlu;
    FixedWrite write;
    bool with_sources = false;  ///< of the write: see RegisterWrite
    bool scoreboard = false;
    Operation operation;
  };
  struct Register {
    std::vector<Access> writes, reads;
  };

  void wait(const isa::Instruction& instruction, std::uint32_t index);
  void wait_for(std::uint32_t index, std::size_t scoreboard);
  bool arrived(const Access& write) const;
  void check_read(const RegisterRead& read, isa::LaneMask lanes);
  void check_write(const RegisterWrite& write, isa::LaneMask lanes);
  void note_read(const RegisterRead& read, const Access& access);
  void note_write(const RegisterWrite& write, Access access);
  void report(Dependence dependence, const Access& earlier);
  void check_groups(std::uint32_t instruction);
  void check_barrier(const isa::Instruction& instruction);
  bool is_past(const Access& read) const;

  DependenceObserver* observer_ = nullptr;
  std::vector<Register> registers_ = std::vector<Register>(isa::kResources);
  ScoreboardWaits waits_;
  GroupWaits groups_;
  std::uint64_t time_ = 0, next_time_ = 0, at_ = 0;
  std::uint8_t drained_ = 0;  ///< scoreboards that a DEPBAR waits for, known from `drained_from_` on
  std::uint32_t drained_by_ = 0;
  std::uint64_t drained_from_ = 0;
  std::optional<Access> barrier_;  ///< the last one
  std::optional<Operation> told_;  ///< the last that has answered from then on, of a DEPBAR with a count
  std::uint32_t instruction_ = 0;
  const InstructionUses* uses_ = nullptr;
  std::optional<Dependence> broken_;
};

/// "reads R4 before HMMA.16816.F32 ... at 0x0220 has written it: needs 24 cycles, stall counts give 22".
std::string describe(const Dependence& dependence, const isa::Kernel& kernel);

}  // namespace stc::dependence
