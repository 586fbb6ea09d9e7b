// SPDX-License-Identifier: Apache-2.0
// The control codes of built kernels, checked by walking through the program: whoever reads a register must have waited
// for whoever writes it, by stall counts or by a scoreboard, and nobody overwrites what an earlier access still needs.
// This is written without the scheduler's own bookkeeping: times come from the stall counts alone.
#include <gtest/gtest.h>

#include <array>

#include "models/isa/text/listing.h"
#include "models/isa/values/execute.h"
#include "traces/gemm/gemm_builder.h"

namespace stc::gemm {
namespace {

using isa::Opcode;

struct Access {
  int cycle = -1000;  // of the latest write of fixed latency
  int latency = 0;
  int writer = isa::kNoScoreboard;  // of a load under way
  std::array<bool, 6> readers{};    // scoreboards of accesses that may still read
  std::array<int, 2> read_by{};     // last load, last copy; each kind reads in order
};

class Walk {
 public:
  Walk(const isa::Kernel& kernel, const ScheduleTimes& times) : kernel_(kernel), times_(times) {}

  /// Follows the program, taking backward branches `loops` times; returns the first violation.
  std::string first_violation(int loops) {
    std::size_t at = 0;
    while (kernel_.code[at].opcode != Opcode::kExit) {
      const isa::Instruction& i = kernel_.code[at];
      check(i);
      if (!violation_.empty()) return violation_;
      note(i);
      cycle_ += std::max<int>(1, i.control.stall);
      std::size_t next = at + 1;
      if (i.opcode == Opcode::kBra && i.target <= i.address && loops-- > 0) next = i.target / isa::kInstructionBytes;
      at = next;
    }
    return "";
  }

 private:
  void fail(const isa::Instruction& i, const std::string& why) {
    if (violation_.empty()) violation_ = isa::listing_text(i) + ": " + why;
  }

  void check(const isa::Instruction& i) {
    for (std::size_t s = 0; s < 6; ++s) {
      if ((i.control.wait_mask >> s & 1) == 0) continue;
      for (std::size_t kind = 0; kind < 2; ++kind) have_read_[kind] = std::max(have_read_[kind], last_[s][kind]);
      for (Access& r : registers_) {
        if (r.writer == static_cast<int>(s)) r.writer = isa::kNoScoreboard;
        r.readers[s] = false;
      }
    }
    const isa::RegisterUse use = isa::register_use(i);
    for (int s = 0; s < use.source_count; ++s) {
      const auto& range = use.sources[static_cast<std::size_t>(s)];
      for (int k = 0; k < range.count; ++k) {
        const Access& r = registers_[static_cast<std::size_t>(range.first + k)];
        const std::string name = "R" + std::to_string(range.first + k);
        if (r.writer != isa::kNoScoreboard) fail(i, name + " is still being loaded");
        if (cycle_ - r.cycle < r.latency) fail(i, name + " is read too early");
      }
    }
    for (int d = 0; d < use.dest_count; ++d) {
      const auto& range = use.dests[static_cast<std::size_t>(d)];
      for (int k = 0; k < range.count; ++k) {
        const Access& r = registers_[static_cast<std::size_t>(range.first + k)];
        const std::string name = "R" + std::to_string(range.first + k);
        if (r.writer != isa::kNoScoreboard) fail(i, name + " is overwritten while it is being loaded");
        for (std::size_t kind = 0; kind < 2; ++kind) {
          if (r.read_by[kind] > have_read_[kind]) fail(i, name + " is overwritten while it may be read");
        }
        for (const bool reader : r.readers) {
          if (reader) fail(i, name + " is overwritten while it may be read");
        }
      }
    }
    const bool is_matrix = i.opcode == Opcode::kHmma || i.opcode == Opcode::kImma;
    if (is_matrix && cycle_ - last_matrix_ < times_.mma_interval) fail(i, "the tensor core is busy");
    if (is_matrix) last_matrix_ = cycle_;
    const auto guard = static_cast<std::size_t>(i.guard.index);
    if (cycle_ - predicates_[guard] < times_.predicate && guard != isa::kPredicateTrue)
      fail(i, "its guard is not ready");
  }

  void note(const isa::Instruction& i) {
    const isa::RegisterUse use = isa::register_use(i);
    const bool variable = i.control.write_scoreboard != isa::kNoScoreboard;
    const int reader =
        i.control.read_scoreboard != isa::kNoScoreboard ? i.control.read_scoreboard : i.control.write_scoreboard;
    const bool in_order = i.opcode == Opcode::kLdsm || i.opcode == Opcode::kLdgsts;
    const std::size_t kind = i.opcode == Opcode::kLdgsts ? 1 : 0;
    if (in_order) {
      ++accesses_;
      if (reader < 6) last_[static_cast<std::size_t>(reader)][kind] = accesses_;
      for (int s = 0; s < use.source_count; ++s) {
        const auto& range = use.sources[static_cast<std::size_t>(s)];
        for (int k = 0; k < range.count; ++k) {
          registers_[static_cast<std::size_t>(range.first + k)].read_by[kind] = accesses_;
        }
      }
    }
    for (int s = 0; s < use.source_count && reader < 6 && !in_order; ++s) {
      const auto& range = use.sources[static_cast<std::size_t>(s)];
      for (int k = 0; k < range.count; ++k) {
        registers_[static_cast<std::size_t>(range.first + k)].readers[static_cast<std::size_t>(reader)] = true;
      }
    }
    const bool is_matrix = i.opcode == Opcode::kHmma || i.opcode == Opcode::kImma;
    for (int d = 0; d < use.dest_count; ++d) {
      const auto& range = use.dests[static_cast<std::size_t>(d)];
      for (int k = 0; k < range.count; ++k) {
        Access& r = registers_[static_cast<std::size_t>(range.first + k)];
        r.writer = variable ? i.control.write_scoreboard : isa::kNoScoreboard;
        r.cycle = cycle_;
        r.latency = variable ? 0 : is_matrix ? times_.mma_latency : times_.alu;
      }
    }
    if (i.opcode == Opcode::kIsetp) predicates_[i.dest_predicate0] = cycle_;
  }

  const isa::Kernel& kernel_;
  const ScheduleTimes& times_;
  std::array<Access, 256> registers_{};
  std::array<int, 8> predicates_{-100, -100, -100, -100, -100, -100, -100, -100};
  std::array<std::array<int, 2>, 6> last_{};  // load, copy on a scoreboard
  std::array<int, 2> have_read_{};            // up to which one loads, copies have read their registers
  int accesses_ = 0;
  int cycle_ = 0, last_matrix_ = -1000;
  std::string violation_;
};

struct Case {
  const char* pattern;
  int tile_k, warp_m, warp_n, stages;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.pattern << " k " << c.tile_k << " w" << c.warp_m; }

GemmSpec spec_of(const Case& c) {
  GemmSpec spec;
  spec.pattern = sparsity::Pattern::parse(c.pattern);
  spec.tile_k = c.tile_k;
  spec.warp_m = c.warp_m;
  spec.warp_n = c.warp_n;
  if (c.warp_m < 32) spec.tile_m = spec.tile_n = 32;
  spec.stages = c.stages;
  return spec;
}

class Dependences : public testing::TestWithParam<Case> {};

TEST_P(Dependences, AreWaitedFor) {
  const GemmSpec spec = spec_of(GetParam());
  const isa::Kernel kernel = build_gemm(spec);
  for (const int loops : {0, 1, 3}) EXPECT_EQ(Walk(kernel, spec.times).first_violation(loops), "") << loops;
}

/// The walk itself must notice a missing wait and a missing cycle.
TEST_P(Dependences, AreMissedWhenTakenAway) {
  const GemmSpec spec = spec_of(GetParam());
  isa::Kernel kernel = build_gemm(spec);
  isa::Kernel without_waits = kernel;
  for (isa::Instruction& i : without_waits.code) i.control.wait_mask = 0;
  EXPECT_NE(Walk(without_waits, spec.times).first_violation(1), "");
  isa::Kernel without_stalls = kernel;
  for (isa::Instruction& i : without_stalls.code) i.control.stall = 1;
  EXPECT_NE(Walk(without_stalls, spec.times).first_violation(1), "");
}

INSTANTIATE_TEST_SUITE_P(All, Dependences,
                         testing::Values(Case{"dense", 64, 64, 64, 3}, Case{"dense", 64, 64, 32, 2},
                                         Case{"2:4", 64, 64, 64, 3}, Case{"2:4", 128, 64, 32, 2},
                                         Case{"1:4", 64, 64, 64, 3}, Case{"2:6", 96, 64, 64, 3},
                                         Case{"3:8", 128, 64, 32, 4}, Case{"1:8", 128, 64, 64, 3},
                                         Case{"dense", 16, 16, 16, 2}, Case{"2:8", 64, 64, 32, 3},
                                         Case{"2:4", 64, 64, 64, 2}, Case{"2:4", 192, 64, 64, 2},
                                         Case{"2:4", 192, 64, 32, 2}, Case{"2:4", 128, 64, 64, 3}));

}  // namespace
}  // namespace stc::gemm
