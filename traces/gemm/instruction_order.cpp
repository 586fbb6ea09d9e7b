// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/instruction_order.h"

#include <algorithm>
#include <array>
#include <bitset>

#include "traces/gemm/distances.h"
#include "traces/gemm/resources.h"

namespace stc::gemm {
namespace {

using isa::Opcode;

constexpr int kLoadLatency = 40;  // cycles that nvcc counts on
constexpr int kAddressHold = 25;  // cycles until nvcc overwrites the address of a copy or load

using Set = std::bitset<kResources>;

/// Memory instructions and barriers keep their order.
bool keeps_order(const isa::Instruction& i) {
  const isa::LatencyClass latency = isa::traits_of(i.opcode).latency;
  return latency == isa::LatencyClass::kMemory || latency == isa::LatencyClass::kBarrier || i.opcode == Opcode::kDepbar;
}

struct PendingPiece {
  Piece piece;
  dependence::InstructionUses uses;
  Set reads, writes;
  bool ordered = false;
};

/// What pieces that are still to come read and write.
struct Ahead {
  Set reads, writes;
  bool ordered = false;

  bool blocks(const PendingPiece& p) const {
    return (ordered && p.ordered) || (p.writes & (reads | writes)).any() || (p.reads & writes).any();
  }
  void add(const PendingPiece& p) {
    reads |= p.reads;
    writes |= p.writes;
    ordered = ordered || p.ordered;
  }
};

class Orderer {
 public:
  Orderer(const Block& matrix, const std::vector<Piece>& pieces, const ScheduleTimes& times, const Pace& pace)
      : matrix_(matrix), times_(times), rates_(pace) {
    for (const Piece& piece : pieces) {
      PendingPiece p;
      p.piece = piece;
      p.ordered = keeps_order(piece.instruction);
      p.uses = timed_uses(piece.instruction, times);
      for (const dependence::RegisterRead& read : p.uses.reads) p.reads.set(read.resource);
      for (const dependence::RegisterWrite& write : p.uses.writes) p.writes.set(write.resource);
      pending_.push_back(std::move(p));
    }
  }

  Block order() {
    for (std::size_t slot = 0; slot < matrix_.size(); ++slot) {
      bring_sources_of(static_cast<int>(slot));
      time_ = std::max(time_, pace_.matrix_ready());
      emit(matrix_[slot]);
      while (slot + 1 < matrix_.size() && time_ < pace_.matrix_ready()) emit_one(static_cast<int>(slot));
    }
    while (!pending_.empty()) emit_one(static_cast<int>(matrix_.size()));
    return std::move(block_);
  }

 private:
  /// The piece whose turn it is in this cycle, if there is one; memory instructions first.
  void emit_one(int slot) {
    std::size_t chosen = pending_.size();
    Ahead ahead;
    for (std::size_t k = 0; k < pending_.size(); ++k) {
      const PendingPiece& p = pending_[k];
      if (p.piece.slot <= slot && !ahead.blocks(p) && ready(p) <= time_ && goes_before(p, chosen)) {
        chosen = k;
        if (p.ordered) break;
      }
      ahead.add(p);
    }
    if (chosen == pending_.size()) {
      ++time_;
    } else {
      take(chosen);
    }
  }

  bool goes_before(const PendingPiece& p, std::size_t chosen) const {
    if (p.ordered || chosen == pending_.size()) return true;
    return rates_.vectors_first && is_uniform(pending_[chosen].piece.instruction) && !is_uniform(p.piece.instruction);
  }

  /// Pieces that the slot's matrix instruction cannot do without, with all that they wait for.
  void bring_sources_of(int slot) {
    Set sources;
    for (const int r : uses_of(matrix_[static_cast<std::size_t>(slot)]).reads) sources.set(static_cast<std::size_t>(r));
    Ahead wanted;
    std::vector<std::size_t> found;
    for (std::size_t k = pending_.size(); k-- > 0;) {
      const PendingPiece& p = pending_[k];
      const bool feeds = p.piece.slot < slot && (p.writes & sources).any();
      const bool needed = (p.writes & (wanted.reads | wanted.writes)).any() || (p.reads & wanted.writes).any() ||
                          (p.ordered && wanted.ordered);
      if (!feeds && !needed) continue;
      wanted.add(p);
      found.push_back(k);
    }
    std::size_t taken = 0;
    for (auto k = found.rbegin(); k != found.rend(); ++k, ++taken) {
      time_ = std::max(time_, ready(pending_[*k - taken]));
      take(*k - taken);
    }
  }

  void take(std::size_t k) {
    const isa::Instruction instruction = pending_[k].piece.instruction;
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(k));
    emit(instruction);
  }

  int ready(const PendingPiece& p) const {
    int at = pace_.earliest(p.piece.instruction, rates_);
    for (const dependence::RegisterRead& read : p.uses.reads) {
      at = std::max({at, loaded_[read.resource], readable_from(read.resource, written_[read.resource], read.reader)});
    }
    for (const dependence::RegisterWrite& write : p.uses.writes) at = std::max(at, held_[write.resource]);
    return at;
  }

  void emit(const isa::Instruction& i) {
    const dependence::InstructionUses uses = timed_uses(i, times_);
    for (const dependence::RegisterWrite& write : uses.writes) {
      loaded_[write.resource] = uses.scoreboard ? time_ + kLoadLatency : 0;
      written_[write.resource] = uses.scoreboard ? Written{} : Written{time_, write.write};
    }
    if (moves_data(i)) {
      for (const dependence::RegisterRead& read : uses.reads) {
        if (!is_predicate(read.resource)) held_[read.resource] = time_ + kAddressHold;
      }
    }
    pace_.note(i, time_, rates_);
    block_.push_back(i);
    time_ += least_stall(i);
  }

  const Block& matrix_;
  const ScheduleTimes& times_;
  const Pace rates_;
  std::vector<PendingPiece> pending_;
  Block block_;
  PaceState pace_;
  int time_ = 0;
  std::array<Written, kResources> written_{};
  std::array<int, kResources> loaded_{}, held_{};  // when a load has come, when a register may be overwritten
};

}  // namespace

Block order_instructions(const Block& matrix, const std::vector<Piece>& pieces, const ScheduleTimes& times,
                         const Pace& pace) {
  return Orderer(matrix, pieces, times, pace).order();
}

}  // namespace stc::gemm
