// SPDX-License-Identifier: Apache-2.0
#include "traces/blocks/legal_codes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/isa/control_limits.h"
#include "models/isa/opcode_traits.h"
#include "models/isa/resource_use.h"

namespace stc::blocks {
namespace {

using dependence::kScoreboards;
using isa::Instruction;
using isa::kNoScoreboard;
using isa::Opcode;

constexpr int kMostStall = 15;

/// What is under way at one point of a path. Times are cycles since the path began.
struct Pending {
  struct Read {
    int at = 0;
    dependence::Reader reader = dependence::Reader::kAlu;
  };
  struct Resource {
    std::optional<int> written_at;
    dependence::FixedWrite written;
    std::vector<Read> reads;  // since then, by instructions of fixed latency
    unsigned writers = 0;     // scoreboard of what writes it
    unsigned readers = 0;     // scoreboards of instructions that still read it
  };
  std::array<Resource, isa::kResources> resources{};
  std::array<int, kScoreboards> risen{};
};

unsigned bit(std::uint8_t scoreboard) { return scoreboard < kScoreboards ? 1u << scoreboard : 0u; }

class Follower {
 public:
  Follower(std::vector<std::vector<Instruction>>& sections, const dependence::MatrixLatency& latency)
      : sections_(sections), latency_(latency) {
    for (const auto& section : sections) {
      stalls_.emplace_back();
      for (const Instruction& i : section) stalls_.back().push_back(std::max<int>(1, i.control.stall));
    }
  }

  void follow(const std::vector<int>& path) {
    int* previous = nullptr;
    int at = 0;
    for (const int s : path) {
      const auto section = static_cast<std::size_t>(s);
      for (std::size_t i = 0; i < sections_[section].size(); ++i) {
        Instruction& instruction = sections_[section][i];
        const dependence::InstructionUses uses = uses_of(instruction);
        const int earliest = previous == nullptr ? at : std::max(at + *previous, allowed(instruction, uses));
        if (previous != nullptr) *previous = earliest - at;
        at = earliest;
        note(instruction, uses, at);
        previous = &stalls_[section][i];
      }
    }
  }

  void write_stalls() {
    for (std::size_t s = 0; s < sections_.size(); ++s) {
      std::vector<Instruction> filled;
      for (std::size_t i = 0; i < sections_[s].size(); ++i) {
        int stall = stalls_[s][i];
        // Ahead of a branch, which leaves what follows it out.
        const bool branches = sections_[s][i].opcode == Opcode::kBra;
        for (; branches && stall > kMostStall; stall -= kMostStall) filled.push_back(idle(kMostStall));
        filled.push_back(sections_[s][i]);
        spend(filled.back(), std::min(stall, kMostStall));
        for (stall -= kMostStall; stall > 0; stall -= kMostStall) filled.push_back(idle(std::min(stall, kMostStall)));
      }
      sections_[s] = std::move(filled);
    }
  }

 private:
  dependence::InstructionUses uses_of(const Instruction& instruction) const {
    dependence::InstructionUses uses = dependence::uses_of(instruction, latency_);
    uses.reads.insert(uses.reads.end(), uses.guards.begin(), uses.guards.end());
    return uses;
  }

  static void spend(Instruction& instruction, int stall) {
    isa::Control& control = instruction.control;
    control.stall = static_cast<std::uint8_t>(stall);
    if (stall > isa::kMostStallWithoutYield) control.yield = true;
    if (!control.yield) return;
    control.reuse = 0;  // no code has both
    instruction.a.reuse = instruction.b.reuse = instruction.c.reuse = false;
  }

  static Instruction idle(int stall) {
    Instruction nop;
    nop.opcode = Opcode::kNop;
    spend(nop, stall);
    return nop;
  }

  /// Sets the wait mask; returns the earliest cycle.
  int allowed(Instruction& i, const dependence::InstructionUses& uses) {
    unsigned wait = i.control.wait_mask;
    int earliest = 0;
    for (const dependence::RegisterRead& read : uses.reads) {
      const Pending::Resource& r = state_.resources[read.resource];
      wait |= r.writers;
      if (r.written_at)
        earliest = std::max(earliest, *r.written_at + read_after_write(read.resource, r.written, read.reader));
    }
    for (const dependence::RegisterWrite& write : uses.writes) {
      const Pending::Resource& r = state_.resources[write.resource];
      wait |= r.writers | r.readers;
      const dependence::Writer writer = write.write.writer;
      if (r.written_at) earliest = std::max(earliest, *r.written_at + write_after_write(r.written, writer));
      for (const Pending::Read& read : r.reads) {
        earliest = std::max(earliest, read.at + write_after_read(read.reader, writer));
      }
    }
    i.control.wait_mask = static_cast<std::uint8_t>(wait);
    for (std::size_t s = 0; s < kScoreboards; ++s) {
      if ((wait >> s & 1u) != 0) earliest = std::max(earliest, state_.risen[s]);
    }
    for (Pending::Resource& r : state_.resources) {
      r.writers &= ~wait;
      r.readers &= ~wait;
    }
    return earliest;
  }

  void note(const Instruction& i, const dependence::InstructionUses& uses, int at) {
    const isa::Control& control = i.control;
    const unsigned writes = bit(control.write_scoreboard), reads = bit(control.read_scoreboard);
    for (const dependence::RegisterRead& read : uses.reads) {
      Pending::Resource& r = state_.resources[read.resource];
      const bool late = isa::is_general(read.resource) || (isa::is_uniform_register(read.resource) && reads != 0);
      if (late) r.readers |= reads != 0 ? reads : writes;
      if (!uses.scoreboard) r.reads.push_back({at, read.reader});
    }
    for (const dependence::RegisterWrite& write : uses.writes) {
      Pending::Resource& r = state_.resources[write.resource];
      r.reads.clear();
      r.writers = writes;
      r.written_at = writes != 0 ? std::nullopt : std::optional<int>(at);
      r.written = write.write;
    }
    for (const std::uint8_t scoreboard : {control.read_scoreboard, control.write_scoreboard}) {
      if (scoreboard < kScoreboards) state_.risen[scoreboard] = at + dependence::kScoreboardRise;
    }
  }

  std::vector<std::vector<Instruction>>& sections_;
  const dependence::MatrixLatency& latency_;
  std::vector<std::vector<int>> stalls_;
  Pending state_;
};

/// What a scoreboard of its sources is for: general registers that somebody writes.
bool sources_are_written(const Instruction& instruction, const std::vector<bool>& written) {
  const isa::ResourceUse use = isa::resource_use(instruction);
  return std::any_of(use.reads.begin(), use.reads.end(),
                     [&](const isa::ResourceRead& read) { return written[read.resource]; });
}

std::uint8_t scoreboard_of_later(const std::vector<Instruction>& body, std::size_t at) {
  const dependence::Unit unit = dependence::unit_of(body[at].opcode);
  for (std::size_t k = 1; k < body.size(); ++k) {
    const Instruction& later = body[(at + k) % body.size()];
    if (dependence::unit_of(later.opcode) != unit || !dependence::needs_scoreboard(later)) continue;
    if (later.control.write_scoreboard < kScoreboards) return later.control.write_scoreboard;
  }
  return kNoScoreboard;
}

}  // namespace

void name_scoreboards(std::vector<Instruction>& body) {
  std::vector<bool> written(isa::kResources);
  for (const Instruction& i : body) {
    for (const isa::ResourceWrite& write : isa::resource_use(i).writes) written[write.resource] = true;
  }
  std::uint8_t next = 1;
  const auto take_next = [&next] { return next = static_cast<std::uint8_t>(next % (kScoreboards - 1) + 1); };
  for (std::size_t k = 0; k < body.size(); ++k) {
    Instruction& i = body[k];
    if (!dependence::needs_scoreboard(i)) continue;
    isa::Control& control = i.control;
    if (!isa::resource_use(i).writes.empty()) {
      if (control.write_scoreboard == kNoScoreboard) control.write_scoreboard = scoreboard_of_later(body, k);
      if (control.write_scoreboard == kNoScoreboard) control.write_scoreboard = take_next();
    } else if (control.read_scoreboard == kNoScoreboard && sources_are_written(i, written)) {
      control.read_scoreboard = take_next();
    }
  }
}

void make_legal(std::vector<std::vector<Instruction>>& sections, const std::vector<int>& path,
                const dependence::MatrixLatency& matrix_latency) {
  Follower follower(sections, matrix_latency);
  follower.follow(path);
  follower.write_stalls();
}

}  // namespace stc::blocks
