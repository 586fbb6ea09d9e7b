// SPDX-License-Identifier: Apache-2.0
// Results leave as 16-byte stores: neighbouring lanes swap halves of two column fragments, so that each lane has four
// columns of a row and each quad of lanes 64 contiguous bytes. Registers of stored data are never written again (each
// pair of fragments that was exchanged leaves room for two more stores), so that no store is waited for.
#include <algorithm>
#include <deque>

#include "traces/gemm/instructions.h"
#include "traces/gemm/program_parts.h"

namespace stc::gemm {
namespace {

constexpr int kPredicateOdd = 0;
constexpr int kFirstShuffleScoreboard = 1;
constexpr int kShuffleScoreboards = 5;
constexpr int kMostAhead = 4;  ///< pairs whose exchange is under way

/// Two neighbouring column fragments of 16 rows: two stores a lane, 8 rows apart.
struct Pair {
  int left = 0, right = 0;  ///< accumulators
  int row = 0, column = 0;  ///< fragment numbers
  int sent = 0;             ///< four registers
  int scoreboard = 0;
};

class Epilogue {
 public:
  explicit Epilogue(const GemmDesign& d) : d_(d), r_(d.r) {}

  Block write() {
    emit(lop3(r_.thread, reg(r_.thread), immediate(1), reg(kRz), kAnd));
    emit(isetp(kPredicateOdd, isa::Compare::kNe, reg(r_.thread), reg(kRz)));
    emit(mov(r_.scratch, constant(d_.size_parameter(1))));
    emit(imad(r_.scratch, reg(r_.scratch), immediate(32)));  // bytes of eight rows of D
    share_out_registers();
    std::vector<Pair> pairs;
    for (int i = 0; i < d_.fragments_m; ++i) {
      for (int j = 0; j < d_.fragments_n; j += 2) {
        Pair p;
        p.left = r_.accumulators + (i * d_.fragments_n + j) * 4;
        p.right = p.left + 4;
        p.row = i;
        p.column = j;
        p.sent = sends_ + 4 * (static_cast<int>(pairs.size()) % ahead_);
        p.scoreboard = kFirstShuffleScoreboard + static_cast<int>(pairs.size()) % kShuffleScoreboards;
        pairs.push_back(p);
      }
    }
    const std::size_t ahead = static_cast<std::size_t>(ahead_);
    for (std::size_t k = 0; k < pairs.size() + ahead; ++k) {
      if (k >= ahead) store(pairs[k - ahead]);
      if (k < pairs.size()) exchange(pairs[k]);
    }
    emit(exit_program());
    return std::move(block_);
  }

 private:
  void emit(const Instruction& instruction) { block_.push_back(instruction); }

  /// The fragments' registers are free now: addresses, values under way, first stores.
  void share_out_registers() {
    int next = r_.a;
    const int end = r_.e + 2 * r_.e_set;
    for (int i = 0; i < r_.copy_addresses; ++i) addresses_.push_back(r_.copy_address + 2 * i);
    const int pairs = d_.fragments_m * d_.fragments_n / 2;
    const int for_addresses = std::max(0, 2 * d_.fragments_m - 1 - r_.copy_addresses);
    const int room = (end - next - round_up(2 * for_addresses, 4)) / 4;  // in quads
    ahead_ = std::clamp(std::min(pairs, room - 2), 1, kMostAhead);
    for (int i = 0; i < for_addresses; ++i, next += 2) addresses_.push_back(next);
    next = round_up(next, 4);
    sends_ = next;
    next += 4 * ahead_;
    for (; next + 4 <= end; next += 4) quads_.push_back(next);
  }

  void exchange(const Pair& p) {
    for (int k = 0; k < 4; ++k) {
      emit(select(p.sent + k, reg(p.left + k), reg(p.right + k), kPredicateOdd));
    }
    for (int k = 0; k < 4; ++k) emit(writes(exchange_neighbours(p.sent + k, p.sent + k), p.scoreboard));
  }

  void store(const Pair& p) {
    for (int half = 0; half < 2; ++half) {
      if (p.column == 0) next_row();
      const int quad = quads_.front(), sent = p.sent + 2 * half, left = p.left + 2 * half, right = p.right + 2 * half;
      quads_.pop_front();
      for (int k = 0; k < 2; ++k) {
        emit(select(quad + k, reg(sent + k), reg(left + k), kPredicateOdd));
        emit(select(quad + 2 + k, reg(right + k), reg(sent + k), kPredicateOdd));
      }
      emit(store_quad(row_address_[half], p.column * 32, quad));
    }
    quads_.push_back(p.left);
    quads_.push_back(p.right);
  }

  /// Eight rows further down.
  void next_row() {
    const int half = rows_begun_ % 2;
    if (rows_begun_ == 0) {
      latest_ = r_.d;
    } else {
      const int address = addresses_[static_cast<std::size_t>(rows_begun_ - 1)];
      emit(imad_wide(address, reg(r_.scratch), immediate(1), reg(latest_)));
      latest_ = address;
    }
    row_address_[half] = latest_;
    ++rows_begun_;
  }

  const GemmDesign& d_;
  const RegisterMap& r_;
  Block block_;
  std::vector<int> addresses_;  // register pairs, one for every eight rows after the first
  std::deque<int> quads_;       // four free registers each
  int sends_ = 0, ahead_ = 1;
  int rows_begun_ = 0, latest_ = 0;
  int row_address_[2] = {0, 0};
};

}  // namespace

Block epilogue(const GemmDesign& d) { return Epilogue(d).write(); }

}  // namespace stc::gemm
