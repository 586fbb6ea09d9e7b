// SPDX-License-Identifier: Apache-2.0
// Models:   the register file's read ports as arithmetic of fixed latency sees them: banks, each with one port, and the
//           cache of operands that were read with a reuse bit; when matrix instructions have the ports.
// Evidence: Huerta et al. 2025 (banks, window, an entry for each bank and operand); basic blocks of one warp on an H200
//           (measured/h200/blocks.csv): arithmetic 2.7 % off in the mean, beside matrix instructions 3.7 %.
// Abstracts: in which cycle a matrix instruction reads what; reads of memory instructions, which have a queue.
// Timing:   a bank gives one register a cycle; an instruction issues when all it reads fits into the window behind it.
//           A register that is kept costs nothing: it must be the same warp's, through the same operand, and any other
//           read of that bank through that operand ends it. A matrix instruction has all ports for some cycles, and
//           begins some cycles behind the last read before it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "models/isa/instruction.h"
#include "models/sm/event_queue.h"

namespace stc::sm {

constexpr std::size_t kMostBanks = 2;

/// A register that an instruction reads.
struct RegisterRead {
  std::uint8_t number = isa::kRegisterZero;
  std::uint8_t bank = 0;
  std::uint8_t operand = 0;  ///< 0 A, 1 B, 2 C
  bool keep = false;         ///< for reuse
};

/// What an instruction of fixed latency reads.
struct RegisterReads {
  std::array<RegisterRead, 6> all;
  std::uint8_t count = 0;
  void add(const RegisterRead& read) {
    if (count < all.size()) all[count++] = read;
  }
  const RegisterRead* begin() const { return all.data(); }
  const RegisterRead* end() const { return all.data() + count; }
};

/// Consecutive registers that a matrix instruction multiplies.
struct MatrixFactor {
  std::uint8_t first = isa::kRegisterZero;
  std::uint8_t count = 0;
  bool keep = false;  ///< for reuse
};
using MatrixFactors = std::array<MatrixFactor, 2>;  // A, B

class RegisterPorts {
 public:
  explicit RegisterPorts(int window) : window_(static_cast<Cycle>(window)) {}
  void reset() { state_ = {}; }

  /// Whether what reads so may issue at `now` whatever is kept: then ready() is no later.
  bool free_at(const RegisterReads& reads, Cycle now) const {
    return state_.free[0] <= now && state_.free[1] <= now && reads.count <= window_;
  }
  /// When warp slot `warp` may issue what reads so.
  Cycle ready(const RegisterReads& reads, int warp) const {
    Cycle ready = 0;
    const Demand demand = demand_of(reads, warp);
    for (std::size_t bank = 0; bank < kMostBanks; ++bank) {
      const Cycle finished = state_.free[bank] + demand[bank];
      if (demand[bank] != 0 && finished > window_) ready = std::max(ready, finished - window_);
    }
    return ready;
  }

  void take(const RegisterReads& reads, int warp, Cycle now) {
    const Demand demand = demand_of(reads, warp);
    for (std::size_t bank = 0; bank < kMostBanks; ++bank) {
      state_.free[bank] = std::max(state_.free[bank], now) + demand[bank];
      if (reads.count != 0) state_.read = std::max(state_.read, state_.free[bank]);
    }
    for (const RegisterRead& read : reads) {
      if (read.operand < state_.kept_factors.size()) state_.kept_factors[read.operand] = {};
      state_.kept[read.bank][read.operand] = read.keep ? Kept{warp, read.number} : Kept{};
    }
  }

  /// A matrix instruction of warp slot `warp` issued at `now` reads its operands for `cycles`, and nobody else any; for
  /// each two registers of a factor that the one before kept for reuse a cycle less.
  void hold(const MatrixFactors& factors, int warp, Cycle now, Cycle cycles) {
    for (std::size_t operand = 0; operand < factors.size(); ++operand) {
      KeptFactor& kept = state_.kept_factors[operand];
      const MatrixFactor& factor = factors[operand];
      if (kept.warp == warp && kept.first == factor.first) cycles -= std::min<Cycle>(cycles, factor.count / 2);
      kept = factor.keep ? KeptFactor{warp, factor.first} : KeptFactor{};
    }
    for (Cycle& free : state_.free) free = std::max(free, now + cycles);
  }
  /// When it may issue: `lead` cycles behind the last read of arithmetic, sooner if it need not read A first; with no
  /// lead it does not wait for arithmetic at all.
  Cycle ready(const MatrixFactors& factors, int warp, Cycle lead) const {
    if (lead == 0) return 0;
    const MatrixFactor& a = factors[0];
    const KeptFactor& kept = state_.kept_factors[0];
    if (kept.warp == warp && kept.first == a.first) lead -= std::min<Cycle>(lead, a.count / 2);
    return state_.read + lead;
  }

 private:
  using Demand = std::array<Cycle, kMostBanks>;
  struct Kept {
    int warp = -1;
    std::uint8_t number = isa::kRegisterZero;
  };
  struct KeptFactor {
    int warp = -1;
    std::uint8_t first = isa::kRegisterZero;
  };
  struct State {
    std::array<KeptFactor, 2> kept_factors{};
    std::array<Cycle, kMostBanks> free{};
    Cycle read = 0;
    std::array<std::array<Kept, 3>, kMostBanks> kept{};
  };

  /// Registers that each bank must give.
  Demand demand_of(const RegisterReads& reads, int warp) const {
    Demand demand{};
    for (const RegisterRead& read : reads) {
      const Kept& kept = state_.kept[read.bank][read.operand];
      if (kept.warp != warp || kept.number != read.number) ++demand[read.bank];
    }
    return demand;
  }

  const Cycle window_;
  State state_;
};

}  // namespace stc::sm
