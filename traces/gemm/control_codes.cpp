// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/control_codes.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "models/isa/execute.h"
#include "traces/gemm/instructions.h"

namespace stc::gemm {
namespace {

using isa::Opcode;

constexpr int kScoreboards = 6;
constexpr int kMostStall = 15;
constexpr int kBranchStall = 5;  // as compiled code has it
constexpr int kDepbarStall = 4;
constexpr int kBarrierStall = 1;

bool is_matrix(const Instruction& i) { return i.opcode == Opcode::kHmma || i.opcode == Opcode::kImma; }

/// Result arrives when a scoreboard says so.
bool is_variable(const Instruction& i) { return i.control.write_scoreboard != isa::kNoScoreboard; }

int least_stall(Opcode opcode) {
  switch (opcode) {
    case Opcode::kBra:
    case Opcode::kExit: return kBranchStall;
    case Opcode::kDepbar: return kDepbarStall;
    case Opcode::kBar: return kBarrierStall;
    default: return 1;
  }
}

isa::RegisterUse uses(const Instruction& i) {
  isa::RegisterUse use = isa::register_use(i);
  if (is_matrix(i) && i.mma.sparse) {
    // Metadata of wide indices fills more than the one register that register_use() counts.
    for (int s = 0; s < use.source_count; ++s) {
      isa::RegisterRange& range = use.sources[static_cast<std::size_t>(s)];
      if (range.slot == 3) range.count = static_cast<std::uint8_t>(metadata_register_count(i.mma));
    }
  }
  return use;
}

/// What is under way at one point of a path. Times are cycles since the path began.
struct Pending {
  struct Register {
    int ready = 0;                    // result of a fixed-latency instruction may be read
    int free = 0;                     // last matrix instruction has read it
    int writer = isa::kNoScoreboard;  // scoreboard of the load that writes it
    unsigned readers = 0;             // scoreboards of instructions that still read it
  };
  std::array<Register, 256> registers{};
  std::array<int, 8> carry{};  // when a predicate may be used as a carry
  std::array<int, 8> guard{};  // ... as a guard or condition
  int matrix_ready = 0;
  int last_issue = -1;
};

class Scheduler {
 public:
  Scheduler(std::vector<Block>& blocks, const ScheduleTimes& times) : blocks_(blocks), times_(times) {
    for (const Block& block : blocks) stalls_.emplace_back(block.size(), 0);
  }

  void follow(const std::vector<int>& path) {
    Pending state;
    int* previous_stall = nullptr;
    for (const int index : path) {
      Block& block = blocks_[static_cast<std::size_t>(index)];
      for (std::size_t i = 0; i < block.size(); ++i) {
        const int issue = schedule(block[i], state);
        if (previous_stall != nullptr) *previous_stall = std::max(*previous_stall, issue - state.last_issue);
        state.last_issue = issue;
        note(block[i], issue, state);
        previous_stall = &stalls_[static_cast<std::size_t>(index)][i];
        *previous_stall = std::max(*previous_stall, least_stall(block[i].opcode));
      }
    }
  }

  void write_stalls() {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      Block filled;
      for (std::size_t i = 0; i < blocks_[b].size(); ++i) {
        int stall = stalls_[b][i];
        filled.push_back(blocks_[b][i]);
        while (true) {
          filled.back().control.stall = static_cast<std::uint8_t>(std::min(stall, kMostStall));
          stall -= kMostStall;
          if (stall <= 0) break;
          filled.push_back(nop());
        }
      }
      blocks_[b] = std::move(filled);
    }
  }

 private:
  /// Sets the wait mask; returns the earliest cycle.
  int schedule(Instruction& i, Pending& state) {
    const isa::RegisterUse use = uses(i);
    unsigned wait = i.control.wait_mask;
    int earliest = state.last_issue + 1;
    const auto each = [&state](const isa::RegisterRange& range, auto&& action) {
      for (int k = 0; k < range.count; ++k) action(state.registers[static_cast<std::size_t>(range.first + k)]);
    };
    for (int s = 0; s < use.source_count; ++s) {
      each(use.sources[static_cast<std::size_t>(s)], [&](const Pending::Register& r) {
        if (r.writer != isa::kNoScoreboard) wait |= 1u << r.writer;
        earliest = std::max(earliest, r.ready);
      });
    }
    for (int d = 0; d < use.dest_count; ++d) {
      each(use.dests[static_cast<std::size_t>(d)], [&](const Pending::Register& r) {
        if (r.writer != isa::kNoScoreboard) wait |= 1u << r.writer;
        wait |= r.readers;
        if (!is_variable(i)) earliest = std::max({earliest, r.free, r.ready - times_.alu + 1});
      });
    }
    earliest = std::max(earliest, predicates_ready(i, state));
    if (is_matrix(i)) earliest = std::max(earliest, state.matrix_ready);
    i.control.wait_mask = static_cast<std::uint8_t>(wait);
    clear(wait, state);
    return earliest;
  }

  static int predicates_ready(const Instruction& i, const Pending& state) {
    int ready = state.guard[i.guard.index];
    if (i.mod.extended) return std::max(ready, state.carry[i.source_predicate0.index]);
    return std::max(ready, state.guard[i.source_predicate0.index]);
  }

  static void clear(unsigned scoreboards, Pending& state) {
    if (scoreboards == 0) return;
    for (Pending::Register& r : state.registers) {
      if (r.writer < kScoreboards && (scoreboards >> r.writer & 1u) != 0) r.writer = isa::kNoScoreboard;
      r.readers &= ~scoreboards;
    }
  }

  void note(const Instruction& i, int issue, Pending& state) const {
    const isa::RegisterUse use = uses(i);
    const isa::Control& control = i.control;
    const bool has_reader = control.read_scoreboard != isa::kNoScoreboard;
    const int reader = has_reader ? control.read_scoreboard : control.write_scoreboard;
    const int latency = is_matrix(i)                                                   ? times_.mma_latency
                        : i.opcode == Opcode::kImadWide || i.opcode == Opcode::kImadHi ? times_.wide
                                                                                       : times_.alu;
    for (int s = 0; s < use.source_count; ++s) {
      const isa::RegisterRange& range = use.sources[static_cast<std::size_t>(s)];
      for (int k = 0; k < range.count; ++k) {
        Pending::Register& r = state.registers[static_cast<std::size_t>(range.first + k)];
        if (reader != isa::kNoScoreboard) r.readers |= 1u << reader;
        if (is_matrix(i)) r.free = issue + times_.mma_source_hold;
      }
    }
    for (int d = 0; d < use.dest_count; ++d) {
      const isa::RegisterRange& range = use.dests[static_cast<std::size_t>(d)];
      for (int k = 0; k < range.count; ++k) {
        Pending::Register& r = state.registers[static_cast<std::size_t>(range.first + k)];
        if (is_variable(i)) {
          r.writer = control.write_scoreboard;
        } else {
          r.ready = issue + latency;
        }
      }
    }
    if (i.dest_predicate0 != isa::kPredicateTrue) {
      state.carry[i.dest_predicate0] = issue + times_.alu;
      state.guard[i.dest_predicate0] = issue + times_.predicate;
    }
    if (is_matrix(i)) state.matrix_ready = issue + times_.mma_interval;
  }

  std::vector<Block>& blocks_;
  const ScheduleTimes& times_;
  std::vector<std::vector<int>> stalls_;
};

}  // namespace

void assign_control(std::vector<Block>& blocks, const std::vector<std::vector<int>>& paths,
                    const ScheduleTimes& times) {
  Scheduler scheduler(blocks, times);
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
  std::vector<isa::Instruction> code;
  for (const Block& block : blocks) {
    for (isa::Instruction instruction : block) {
      instruction.address = static_cast<std::uint32_t>(code.size()) * isa::kInstructionBytes;
      instruction.sm = static_cast<std::uint8_t>(sm_version);
      if (instruction.opcode == Opcode::kBra) instruction.target = starts[instruction.target];
      code.push_back(instruction);
    }
  }
  return code;
}

}  // namespace stc::gemm
