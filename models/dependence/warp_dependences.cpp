// SPDX-License-Identifier: Apache-2.0
#include "models/dependence/warp_dependences.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/isa/text/listing.h"

namespace stc::dependence {
namespace {

constexpr std::uint64_t kLongestRead = 8;  // no instruction of fixed latency reads its sources later
constexpr std::size_t kFewReads = 4;
constexpr std::uint16_t kDefersBlocking = 16;  // variant of BAR

isa::LaneMask lanes_of(int resource, isa::LaneMask lanes) {
  const bool of_warp = isa::is_uniform_register(resource) || resource >= isa::kFirstUniformPredicate;
  return of_warp ? ~isa::LaneMask{0} : lanes;
}

/// Loads, stores, atomics and copies by lanes; of bulk copies, mbarriers and warpgroups nothing is known here.
bool accesses_memory(const isa::Instruction& instruction) {
  using isa::ExecutionUnit;
  switch (isa::traits_of(instruction.opcode).unit) {
    case ExecutionUnit::kGlobalLoad:
    case ExecutionUnit::kGlobalStore:
    case ExecutionUnit::kGlobalAtomic:
    case ExecutionUnit::kSharedLoad:
    case ExecutionUnit::kSharedStore:
    case ExecutionUnit::kAsyncCopy: return true;
    case ExecutionUnit::kNone:
    case ExecutionUnit::kAlu:
    case ExecutionUnit::kVotes:
    case ExecutionUnit::kFma:
    case ExecutionUnit::kImad:
    case ExecutionUnit::kFmaInteger:
    case ExecutionUnit::kFmaWide:
    case ExecutionUnit::kHalf:
    case ExecutionUnit::kFp64:
    case ExecutionUnit::kMufu:
    case ExecutionUnit::kConversion:
    case ExecutionUnit::kDivisionCheck:
    case ExecutionUnit::kStatus:
    case ExecutionUnit::kCrossLane:
    case ExecutionUnit::kConstant:
    case ExecutionUnit::kTensor:
    case ExecutionUnit::kUniform:
    case ExecutionUnit::kBranch:
    case ExecutionUnit::kShuffle:
    case ExecutionUnit::kCopyFence:
    case ExecutionUnit::kMbarrier:
    case ExecutionUnit::kBulk:
    case ExecutionUnit::kWarpgroup: return false;
  }
  return false;
}

template <class Accesses, class Predicate>
void erase_where(Accesses& accesses, Predicate predicate) {
  accesses.erase(std::remove_if(accesses.begin(), accesses.end(), predicate), accesses.end());
}

}  // namespace

std::optional<Dependence> WarpDependences::issued(const KernelUses& kernel, std::uint32_t instruction,
                                                  isa::LaneMask active, isa::LaneMask lanes, bool branched) {
  const isa::Instruction& in = kernel.kernel.code[instruction];
  uses_ = &kernel.instructions[instruction];
  instruction_ = instruction;
  time_ = next_time_;
  broken_.reset();
  wait(in, instruction);
  for (const RegisterRead& read : uses_->guards) check_read(read, active);
  if (lanes != 0) {
    for (const RegisterRead& read : uses_->reads) check_read(read, lanes);
    for (const RegisterWrite& write : uses_->writes) check_write(write, lanes);
    check_groups(instruction);
    check_barrier(in);
  }
  ++at_;
  Access access{time_, at_, instruction, lanes, Reader::kAlu, {}, false, uses_->scoreboard, {}};
  std::optional<Operation> operation;
  if (uses_->scoreboard) {
    operation = Operation{static_cast<std::uint32_t>(at_), uses_->unit, in.control.write_scoreboard,
                          in.control.read_scoreboard};
    // A predicate that comes without a register comes with the sources' scoreboard.
    if (uses_->predicates_only && operation->write_scoreboard >= kScoreboards) {
      operation->write_scoreboard = in.control.read_scoreboard;
    }
    access.operation = *operation;
    waits_.issued(*operation, time_);
  }
  if (in.opcode == isa::Opcode::kBar) {
    if ((in.mod.variant & kDefersBlocking) == 0) waits_.passed_barrier();
    if (in.mod.bar != isa::BarMode::kArrive) barrier_ = access;
  }
  if (observer_ != nullptr) observer_->on_issue(instruction, operation);
  if (lanes != 0) {
    for (const RegisterWrite& write : uses_->writes) note_write(write, access);
    for (const RegisterRead& read : uses_->reads) note_read(read, access);
  }
  const int stalled = stall_cycles(in.control, kernel.cycles);
  next_time_ = time_ + static_cast<std::uint64_t>(branched ? branch_cycles(stalled, kernel.cycles) : stalled);
  return broken_;
}

void WarpDependences::wait(const isa::Instruction& instruction, std::uint32_t index) {
  waits_.advance(time_);
  if (drained_ != 0 && time_ >= drained_from_) {
    for (std::size_t s = 0; s < kScoreboards; ++s) {
      if ((drained_ >> s & 1) != 0) wait_for(drained_by_, s);
    }
    drained_ = 0;
  }
  if (told_ && time_ >= drained_from_) {
    waits_.told_of(*told_);
    told_.reset();
  }
  for (std::size_t s = 0; s < kScoreboards; ++s) {
    if ((instruction.control.wait_mask >> s & 1) != 0) wait_for(index, s);
  }
  if (instruction.opcode != isa::Opcode::kDepbar) return;
  drained_ = instruction.mod.depbar_wait_zero;
  if (instruction.mod.depbar_count == 0 && instruction.mod.depbar_scoreboard < kScoreboards) {
    drained_ = static_cast<std::uint8_t>(drained_ | 1u << instruction.mod.depbar_scoreboard);
  }
  if (instruction.mod.depbar_count != 0 && instruction.mod.depbar_scoreboard < kScoreboards) {
    told_ = waits_.answered(instruction.mod.depbar_scoreboard, instruction.mod.depbar_count);
  }
  drained_by_ = index;
  drained_from_ = time_ + kDepbarCycles;
}

void WarpDependences::wait_for(std::uint32_t index, std::size_t scoreboard) {
  if (observer_ != nullptr) observer_->on_wait(index, scoreboard, waits_);
  waits_.wait(scoreboard);
}

void WarpDependences::check_barrier(const isa::Instruction& instruction) {
  if (!barrier_ || !accesses_memory(instruction)) return;
  Dependence d;
  d.hazard = Hazard::kAccessAfterBarrier;
  d.needed = kBarrierCycles;
  report(d, *barrier_);
  barrier_.reset();
}

void WarpDependences::report(Dependence dependence, const Access& earlier) {
  dependence.producer = earlier.instruction;
  dependence.consumer = instruction_;
  dependence.producer_at = earlier.at;
  dependence.consumer_at = at_ + 1;
  dependence.elapsed = static_cast<int>(std::min<std::uint64_t>(time_ - earlier.time, 1000));
  dependence.scoreboard = earlier.scoreboard;
  dependence.operation = earlier.operation;
  if (observer_ != nullptr) observer_->on_dependence(dependence);
  if (!dependence.holds() && !broken_) broken_ = dependence;
}

void WarpDependences::check_groups(std::uint32_t instruction) {
  const auto early = groups_.issued(*uses_, instruction);
  if (!early || broken_) return;
  broken_.emplace();
  broken_->group = true;
  broken_->hazard = early->writes ? Hazard::kWriteAfterWrite : Hazard::kReadAfterWrite;
  broken_->resource = early->resource;
  broken_->producer = early->producer;
  broken_->consumer = instruction;
}

bool WarpDependences::arrived(const Access& write) const {
  return waits_.result_arrived(write.operation) || (write.with_sources && waits_.sources_read(write.operation));
}

void WarpDependences::check_read(const RegisterRead& read, isa::LaneMask lanes) {
  lanes = lanes_of(read.resource, lanes);
  for (const Access& write : registers_[read.resource].writes) {
    if ((write.lanes & lanes) == 0) continue;
    Dependence d;
    d.resource = read.resource;
    if (write.scoreboard) {
      d.waited = arrived(write);
    } else {
      d.needed = read_after_write(read.resource, write.write, read.reader);
    }
    report(d, write);
  }
}

void WarpDependences::check_write(const RegisterWrite& write, isa::LaneMask lanes) {
  lanes = lanes_of(write.resource, lanes);
  const Register& r = registers_[write.resource];
  // Who answers in order writes in order; who reads in order reads before a later one writes.
  const auto same_unit = [&](const Access& earlier) {
    return uses_->scoreboard && earlier.scoreboard && earlier.operation.unit == uses_->unit;
  };
  const auto same_queue = [&](const Access& earlier) {
    return uses_->scoreboard && earlier.scoreboard && queue_of(earlier.operation.unit) == queue_of(uses_->unit);
  };
  for (const Access& earlier : r.writes) {
    if ((earlier.lanes & lanes) == 0 || (same_unit(earlier) && answers_in_order(uses_->unit))) continue;
    Dependence d;
    d.hazard = Hazard::kWriteAfterWrite;
    d.resource = write.resource;
    if (earlier.scoreboard) {
      d.waited = arrived(earlier);
    } else {
      d.needed = write_after_write(earlier.write, write.write.writer);
    }
    report(d, earlier);
  }
  for (const Access& earlier : r.reads) {
    if ((earlier.lanes & lanes) == 0 || same_queue(earlier)) continue;
    Dependence d;
    d.hazard = Hazard::kWriteAfterRead;
    d.resource = write.resource;
    if (earlier.scoreboard) {
      d.waited = waits_.sources_read(earlier.operation);
    } else {
      d.needed = write_after_read(earlier.reader, write.write.writer);
      // On sm_80 nvcc issues DFMA one cycle behind an IMAD that reads what it overwrites.
      if (uses_->unit == Unit::kDouble) d.needed = std::min(d.needed, 1);
    }
    report(d, earlier);
  }
}

bool WarpDependences::is_past(const Access& read) const {
  return read.scoreboard ? waits_.sources_read(read.operation) : time_ >= read.time + kLongestRead;
}

void WarpDependences::note_read(const RegisterRead& read, const Access& access) {
  // Predicates and uniform registers are read at issue.
  if (!isa::is_general(read.resource)) return;
  std::vector<Access>& reads = registers_[read.resource].reads;
  if (reads.size() >= kFewReads) {
    erase_where(reads, [&](const Access& earlier) { return is_past(earlier); });
  }
  // The latest read of a queue, which reads in order, stands for all.
  erase_where(reads, [&](const Access& earlier) {
    const bool same = earlier.scoreboard == access.scoreboard &&
                      (access.scoreboard ? queue_of(earlier.operation.unit) == queue_of(access.operation.unit)
                                         : earlier.reader == read.reader);
    return same && (earlier.lanes & ~access.lanes) == 0;
  });
  reads.push_back(access);
  reads.back().reader = read.reader;
}

void WarpDependences::note_write(const RegisterWrite& write, Access access) {
  Register& r = registers_[write.resource];
  access.lanes = lanes_of(write.resource, access.lanes);
  const auto covered = [&](const Access& earlier) { return (earlier.lanes & ~access.lanes) == 0; };
  erase_where(r.writes, covered);
  erase_where(r.reads, covered);
  access.write = write.write;
  access.with_sources = write.with_sources;
  r.writes.push_back(access);
}

std::string describe(const Dependence& d, const isa::Kernel& kernel) {
  const isa::Instruction& producer = kernel.code[d.producer];
  if (d.hazard == Hazard::kAccessAfterBarrier) {
    return fmt::format(
        "'{}' accesses memory before '{}' at 0x{:04x} holds its warp: needs {} cycles, stall counts give {}",
        isa::listing_text(kernel.code[d.consumer]), isa::listing_text(producer), producer.address, d.needed, d.elapsed);
  }
  const char* verb = d.hazard == Hazard::kReadAfterWrite ? "reads" : "overwrites";
  const char* state = d.hazard == Hazard::kWriteAfterRead ? "has read" : "has written";
  std::string text =
      fmt::format("'{}' {} {} before '{}' at 0x{:04x} {} it: ", isa::listing_text(kernel.code[d.consumer]), verb,
                  isa::resource_name(d.resource), isa::listing_text(producer), producer.address, state);
  if (d.group) return text + "no WARPGROUP.DEPBAR has waited for its group";
  if (!d.scoreboard) return text + fmt::format("needs {} cycles, stall counts give {}", d.needed, d.elapsed);
  const bool read = d.hazard == Hazard::kWriteAfterRead;
  std::uint8_t scoreboard = d.operation.write_scoreboard;
  if (read && d.operation.read_scoreboard < kScoreboards) scoreboard = d.operation.read_scoreboard;
  if (scoreboard >= kScoreboards) return text + "it has no scoreboard, and none behind it in its unit was waited for";
  return text + fmt::format("scoreboard SB{} was never waited for", scoreboard);
}

}  // namespace stc::dependence
