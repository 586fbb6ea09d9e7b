// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/control_codes.h"

#include <algorithm>
#include <array>

#include "models/core/architecture.h"
#include "models/dependence/scoreboard_waits.h"
#include "models/dependence/warp_dependences.h"
#include "models/isa/control_limits.h"
#include "traces/gemm/distances.h"
#include "traces/gemm/instructions.h"
#include "traces/gemm/resources.h"

namespace stc::gemm {
namespace {

using dependence::kScoreboards;
using isa::Opcode;

constexpr int kMostStall = 15;

/// What is under way at one point of a path. Times are cycles since the path began.
struct Pending {
  struct Read {
    int at = 0;
    dependence::Reader reader = dependence::Reader::kAlu;
  };
  struct Resource {
    Written written;
    std::vector<Read> reads;          // since then, by instructions of fixed latency
    int writer = isa::kNoScoreboard;  // scoreboard of the load that writes it
    unsigned readers = 0;             // scoreboards of instructions that still read it
  };
  std::array<Resource, kResources> resources{};
  // Scoreboards on which loads, copies still read their registers; on which results are under way.
  unsigned loads_read = 0, copies_read = 0, results = 0;
  std::array<int, kScoreboards> risen{};  // when who waits for it waits for all that took it
  PaceState pace;
  int last_issue = -1, next_issue = 0;
  int memory_from = 0;  ///< behind a barrier
};

class Scheduler {
 public:
  Scheduler(std::vector<Block>& blocks, const ScheduleTimes& times, const Pace& pace)
      : blocks_(blocks), times_(times), pace_(pace) {
    for (const Block& block : blocks) stalls_.emplace_back(block.size(), 0);
  }

  void follow(const std::vector<int>& path) {
    Pending state;
    int* previous_stall = nullptr;
    for (const int index : path) {
      Block& block = blocks_[static_cast<std::size_t>(index)];
      for (std::size_t i = 0; i < block.size(); ++i) {
        const dependence::InstructionUses uses = timed_uses(block[i], times_);
        const int issue = schedule(block[i], uses, state);
        if (previous_stall != nullptr) *previous_stall = std::max(*previous_stall, issue - state.last_issue);
        state.last_issue = issue;
        state.next_issue = issue + least_stall(block[i]);
        note(block[i], uses, issue, state);
        previous_stall = &stalls_[static_cast<std::size_t>(index)][i];
        *previous_stall = std::max(*previous_stall, least_stall(block[i]));
      }
    }
  }

  void write_stalls() {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      Block filled;
      for (std::size_t i = 0; i < blocks_[b].size(); ++i) {
        // What is too long for one stall count is spent on instructions that do nothing: behind it, but ahead of a
        // branch, which leaves them out when it is taken.
        const bool branches = blocks_[b][i].opcode == Opcode::kBra;
        int stall = stalls_[b][i];
        if (!branches) add(blocks_[b][i], stall, filled);
        while (stall > (branches ? kMostStall : 0)) add(nop(), stall, filled);
        if (branches) add(blocks_[b][i], stall, filled);
      }
      blocks_[b] = std::move(filled);
    }
  }

 private:
  /// `instruction` takes its part of `stall`.
  static void add(const Instruction& instruction, int& stall, Block& block) {
    block.push_back(instruction);
    isa::Control& control = block.back().control;
    control.stall = static_cast<std::uint8_t>(std::min(stall, kMostStall));
    control.yield = control.stall > isa::kMostStallWithoutYield;
    stall -= kMostStall;
  }

  /// Sets the wait mask; returns the earliest cycle.
  int schedule(Instruction& i, const dependence::InstructionUses& uses, Pending& state) const {
    unsigned wait = i.control.wait_mask;
    int earliest = std::max(state.next_issue, state.pace.earliest(i, pace_));
    for (const dependence::RegisterRead& read : uses.reads) {
      const Pending::Resource& r = state.resources[read.resource];
      if (r.writer != isa::kNoScoreboard) wait |= 1u << r.writer;
      earliest = std::max(earliest, readable_from(read.resource, r.written, read.reader));
    }
    for (const dependence::RegisterWrite& write : uses.writes) {
      const Pending::Resource& r = state.resources[write.resource];
      if (r.writer != isa::kNoScoreboard) wait |= 1u << r.writer;
      wait |= r.readers;
      const dependence::Writer writer = write.write.writer;
      earliest = std::max(earliest, writable_from(r.written, writer));
      for (const Pending::Read& read : r.reads) {
        earliest = std::max(earliest, read.at + write_after_read(read.reader, writer));
      }
    }
    if (moves_data(i)) earliest = std::max(earliest, state.memory_from);
    wait |= taken(i) & (i.opcode == Opcode::kLdgsts ? state.loads_read : state.copies_read) & ~state.results;
    i.control.wait_mask = static_cast<std::uint8_t>(wait);
    for (std::size_t s = 0; s < kScoreboards; ++s) {
      if ((wait >> s & 1u) != 0) earliest = std::max(earliest, state.risen[s]);
    }
    clear(wait, state);
    return earliest;
  }

  /// Scoreboards that a load or copy takes. Who takes one of the other kind waits first, so that those who wait for
  /// that one need not wait for both; but not for results.
  static unsigned taken(const Instruction& i) {
    if (!moves_data(i)) return 0;
    const auto bit = [](std::uint8_t scoreboard) { return scoreboard < kScoreboards ? 1u << scoreboard : 0u; };
    return bit(i.control.read_scoreboard) | bit(i.control.write_scoreboard);
  }

  static void clear(unsigned scoreboards, Pending& state) {
    if (scoreboards == 0) return;
    state.loads_read &= ~scoreboards;
    state.copies_read &= ~scoreboards;
    state.results &= ~scoreboards;
    for (Pending::Resource& r : state.resources) {
      if (r.writer < kScoreboards && (scoreboards >> r.writer & 1u) != 0) r.writer = isa::kNoScoreboard;
      r.readers &= ~scoreboards;
    }
  }

  void note(const Instruction& i, const dependence::InstructionUses& uses, int issue, Pending& state) const {
    const isa::Control& control = i.control;
    const bool has_reader = control.read_scoreboard != isa::kNoScoreboard;
    const int reader = has_reader ? control.read_scoreboard : control.write_scoreboard;
    for (const dependence::RegisterRead& read : uses.reads) {
      Pending::Resource& r = state.resources[read.resource];
      // Predicates are read at once; so are uniform registers unless the instruction says otherwise.
      const bool late = is_general(read.resource) || (is_uniform_register(read.resource) && has_reader);
      if (reader != isa::kNoScoreboard && late) {
        // Loads, and copies, read their registers in order: who waits for the last one waits for all.
        r.readers = (has_reader && moves_data(i) ? 0u : r.readers) | 1u << reader;
      }
      if (!uses.scoreboard) r.reads.push_back({issue, read.reader});
    }
    for (const dependence::RegisterWrite& write : uses.writes) {
      Pending::Resource& r = state.resources[write.resource];
      r.reads.clear();
      if (control.write_scoreboard != isa::kNoScoreboard) {
        r.writer = control.write_scoreboard;
        r.written = {};
        if (r.writer < kScoreboards) state.results |= 1u << r.writer;
      } else {
        r.written = {issue, write.write};
      }
    }
    if (has_reader && i.opcode == Opcode::kLdsm) state.loads_read |= 1u << reader;
    if (has_reader && i.opcode == Opcode::kLdgsts) state.copies_read |= 1u << reader;
    for (const std::uint8_t scoreboard : {control.read_scoreboard, control.write_scoreboard}) {
      if (scoreboard < kScoreboards) state.risen[scoreboard] = issue + dependence::kScoreboardRise;
    }
    if (i.opcode == Opcode::kBar) state.memory_from = issue + dependence::kBarrierCycles;
    state.pace.note(i, issue, pace_);
  }

  std::vector<Block>& blocks_;
  const ScheduleTimes& times_;
  const Pace pace_;
  std::vector<std::vector<int>> stalls_;
};

}  // namespace

void assign_control(std::vector<Block>& blocks, const std::vector<std::vector<int>>& paths, const ScheduleTimes& times,
                    const Pace& pace) {
  Scheduler scheduler(blocks, times, pace);
  for (const std::vector<int>& path : paths) scheduler.follow(path);
  scheduler.write_stalls();
}

std::vector<isa::Instruction> assemble(const std::vector<Block>& blocks, int sm_version) {
  std::vector<std::uint32_t> starts;
  std::uint32_t address = 0;
  for (const Block& block : blocks) {
    starts.push_back(address);
    address += static_cast<std::uint32_t>(block.size()) * isa::kInstructionBytes;
  }
  const Architecture& architecture = architecture_of(sm_version);
  std::vector<isa::Instruction> code;
  for (const Block& block : blocks) {
    for (isa::Instruction instruction : block) {
      instruction.address = static_cast<std::uint32_t>(code.size()) * isa::kInstructionBytes;
      instruction.sm = static_cast<std::uint8_t>(sm_version);
      const bool described = instruction.mem.descriptor != isa::kUniformZero;
      instruction.mem.descriptor_shown = described && architecture.encoding.descriptors_always_shown;
      if (instruction.opcode == Opcode::kBra) instruction.target = starts[instruction.target];
      code.push_back(instruction);
    }
  }
  return code;
}

}  // namespace stc::gemm
