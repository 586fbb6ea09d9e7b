// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/scoreboards.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "traces/gemm/resources.h"

namespace stc::gemm {
namespace {

using isa::Instruction;
using isa::Opcode;

constexpr int kFirst = 1, kLast = 5;  // 0 is that of groups of copies
constexpr int kWait = 100;            // cycles that a load or copy may be under way

/// From the issue of a load or copy until someone needs its result (or its registers).
struct Span {
  Instruction* instruction = nullptr;
  bool is_read = false;  ///< of its sources, otherwise of its result
  int from = 0, until = 0;
  std::size_t next_use = 0;  ///< line, counted on beyond the loop's end
  int group = 0;             ///< of those with the same scoreboard
  std::uint8_t& scoreboard() const {
    isa::Control& control = instruction->control;
    return is_read ? control.read_scoreboard : control.write_scoreboard;
  }
};

class Loop {
 public:
  Loop(std::vector<Block>& blocks, std::size_t first, std::size_t past, int interval) {
    for (std::size_t b = first; b < past; ++b) {
      for (Instruction& i : blocks[b]) {
        code_.push_back({&i, uses_of(i), length_});
        if (is_matrix(i)) length_ += interval;
      }
    }
    for (std::size_t k = 0; k < code_.size(); ++k) find_spans(k);
  }

  /// Copies read their registers in order: one whose registers are overwritten only after those of a later one needs no
  /// scoreboard of its own.
  void free_covered_copies() {
    const auto is_copy = [](const Span& s) { return s.is_read && s.instruction->opcode == Opcode::kLdgsts; };
    for (auto span = spans_.begin(); span != spans_.end();) {
      const bool covered = is_copy(*span) && std::any_of(span + 1, spans_.end(), [&](const Span& later) {
                             return is_copy(later) && later.next_use < span->next_use;
                           });
      if (covered) span->scoreboard() = isa::kNoScoreboard;
      span = covered ? spans_.erase(span) : span + 1;
    }
  }

  void share_out() {
    // Once more, when those at the loop's end are known to those at its beginning.
    for (int round = 0; round < 2; ++round) {
      for (int group = 0; group < groups_; ++group) {
        const std::uint8_t best = best_for(group, round == 0 ? group : groups_);
        for (const Span& span : spans_) {
          if (span.group == group) span.scoreboard() = best;
        }
      }
    }
  }

  /// By first register of the result; the last load of a register is the one that the loop begins with.
  std::map<int, std::uint8_t> of_results() const {
    std::map<int, std::uint8_t> found;
    for (const Span& span : spans_) {
      if (!span.is_read) found[span.instruction->dest] = span.scoreboard();
    }
    return found;
  }

 private:
  struct Line {
    Instruction* instruction;
    Uses uses;
    int time;
  };

  void find_spans(std::size_t at) {
    const Line& line = code_[at];
    if (!moves_data(*line.instruction)) return;
    const isa::Control& control = line.instruction->control;
    if (control.write_scoreboard != isa::kNoScoreboard) {
      const std::set<int> result(line.uses.writes.begin(), line.uses.writes.end());
      add(span(at, false, next_use(at, result, true)));
    }
    if (control.read_scoreboard != isa::kNoScoreboard) {
      std::set<int> sources;
      for (const int r : line.uses.reads) {
        if (is_general(r) || is_uniform_register(r)) sources.insert(r);
      }
      add(span(at, true, next_use(at, sources, false)));
    }
  }

  void add(Span span) {
    const std::uint8_t wish = span.scoreboard();
    if (wish == kScoreboardOfItsOwn || wishes_.count(wish) == 0) {
      span.group = groups_++;
      if (wish != kScoreboardOfItsOwn) wishes_[wish] = span.group;
    } else {
      span.group = wishes_.at(wish);
    }
    spans_.push_back(span);
  }

  Span span(std::size_t at, bool is_read, std::size_t next_use) const {
    const std::size_t size = code_.size();
    const int until = code_[next_use % size].time + (next_use >= size ? length_ : 0);
    return {code_[at].instruction, is_read, code_[at].time, until, next_use, 0};
  }

  /// Where one of `resources` is next written, or read too.
  std::size_t next_use(std::size_t at, const std::set<int>& resources, bool read) const {
    const auto touches = [&](const std::vector<int>& used) {
      return std::any_of(used.begin(), used.end(), [&](int r) { return resources.count(r) != 0; });
    };
    for (std::size_t k = 1; k <= code_.size(); ++k) {
      const Line& line = code_[(at + k) % code_.size()];
      if (touches(line.uses.writes) || (read && touches(line.uses.reads))) return at + k;
    }
    return at + code_.size();
  }

  /// The scoreboard on which a group keeps others waiting least, and they it. Those from `known` on have none yet.
  std::uint8_t best_for(int group, int known) const {
    std::array<int, kLast + 1> cost{};
    for (const Span& span : spans_) {
      if (span.group != group) continue;
      for (const Span& other : spans_) {
        if (other.group == group || other.group >= known) continue;
        // As it is now, and as it was or will be a round of the loop before or after.
        for (const int shift : {-length_, 0, length_}) {
          Span o = other;
          o.from += shift;
          o.until += shift;
          cost[o.scoreboard()] += waits(span, o) + waits(o, span);
        }
      }
    }
    const auto least = std::min_element(cost.begin() + kFirst, cost.end());
    return static_cast<std::uint8_t>(least - cost.begin());
  }

  /// Cycles that who waits for `one` waits for `other`, which is wanted later.
  static int waits(const Span& one, const Span& other) {
    const bool under_way = other.from <= one.until && one.until < other.until && other.until > one.from;
    return under_way ? std::max(0, kWait - (one.until - other.from)) : 0;
  }

  std::vector<Line> code_;
  std::vector<Span> spans_;
  std::map<std::uint8_t, int> wishes_;  // groups, by the number that they came with
  int groups_ = 0;
  int length_ = 0;  // cycles
};

const Instruction& first_matrix(const Block& block) { return *std::find_if(block.begin(), block.end(), is_matrix); }

}  // namespace

void share_out_scoreboards(std::vector<Block>& blocks, std::size_t first, std::size_t past, int interval,
                           bool free_covered) {
  Loop loop(blocks, first, past, interval);
  if (free_covered) loop.free_covered_copies();
  loop.share_out();
  std::map<int, std::uint8_t> found = loop.of_results();
  // Metadata that the loop loads to another register: with the fragment that the first instruction waits for anyway.
  const std::uint8_t of_first = found.at(first_matrix(blocks[first]).a.index);
  for (std::size_t b = 0; b < first; ++b) {
    for (Instruction& i : blocks[b]) {
      // Copies with addresses in turn.
      if (i.opcode == Opcode::kLdgsts) {
        i.control.read_scoreboard = static_cast<std::uint8_t>(kLast - i.mem.address_register / 2 % 2);
      }
      if (i.opcode != Opcode::kLdsm) continue;
      const auto same = found.find(i.dest);
      i.control.write_scoreboard = same == found.end() ? of_first : same->second;
    }
  }
}

}  // namespace stc::gemm
