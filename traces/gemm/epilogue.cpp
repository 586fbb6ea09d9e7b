// SPDX-License-Identifier: Apache-2.0
// Results leave as 16-byte stores: neighbouring lanes swap halves of two column fragments, so that each lane has four
// columns of a row and each quad of lanes 64 contiguous bytes.
#include <algorithm>

#include "traces/gemm/instructions.h"
#include "traces/gemm/program_parts.h"

namespace stc::gemm {
namespace {

constexpr int kPredicateOdd = 0;
constexpr int kShuffleScoreboards = 3;
constexpr int kFirstShuffleScoreboard = 1;

/// Where a pair of neighbouring fragments is in its journey.
struct Pair {
  int left = 0, right = 0;  ///< accumulators
  int address = 0, offset = 0;
  int sent = 0, quad = 0;  ///< registers
  int scoreboard = 0;
};

void send(const Pair& p, Block& block) {
  for (int k = 0; k < 2; ++k) {
    block.push_back(select(p.sent + k, reg(p.left + k), reg(p.right + k), kPredicateOdd));
  }
  for (int k = 0; k < 2; ++k) block.push_back(writes(exchange_neighbours(p.sent + k, p.sent + k), p.scoreboard));
}

void store(const Pair& p, Block& block, int read_scoreboard) {
  for (int k = 0; k < 2; ++k) {
    block.push_back(select(p.quad + k, reg(p.sent + k), reg(p.left + k), kPredicateOdd));
    block.push_back(select(p.quad + 2 + k, reg(p.right + k), reg(p.sent + k), kPredicateOdd));
  }
  block.push_back(reads(store_quad(p.address, p.offset, p.quad), read_scoreboard));
}

}  // namespace

Block epilogue(const GemmDesign& d) {
  Block block;
  const RegisterMap& r = d.r;
  // The fragments' registers are free now: slots of four results and two exchanged values.
  const int slots = std::clamp((r.e + 2 * r.e_set - r.a) / 6, 2, 2 * kShuffleScoreboards);
  const int quads = r.a, sends = quads + 4 * slots;
  block.push_back(lop3(r.thread, reg(r.thread), immediate(1), reg(kRz), kAnd));
  block.push_back(isetp(kPredicateOdd, isa::Compare::kNe, reg(r.thread), reg(kRz)));
  block.push_back(imad(r.step, constant(d.size_parameter(1)), immediate(32)));  // bytes of eight rows of D

  std::vector<Pair> pairs;
  std::vector<int> begins_row;  // pairs before which the address moves on
  int row = 0;
  for (int i = 0; i < d.fragments_m; ++i) {
    for (int half = 0; half < 2; ++half, ++row) {
      for (int j = 0; j < d.fragments_n; j += 2) {
        const int index = static_cast<int>(pairs.size()), slot = index % slots;
        Pair p;
        p.left = r.accumulators + (i * d.fragments_n + j) * 4 + half * 2;
        p.right = p.left + 4;
        p.address = row == 0 ? r.d : r.copy_address + 2 * ((row - 1) % kCopyAddresses);
        p.offset = j * 32;
        p.sent = sends + 2 * slot;
        p.quad = quads + 4 * slot;
        p.scoreboard = kFirstShuffleScoreboard + slot % kShuffleScoreboards;
        pairs.push_back(p);
        begins_row.push_back(j == 0 ? row : 0);
      }
    }
  }
  const int ahead = std::max(1, slots / 2);
  const int count = static_cast<int>(pairs.size());
  for (int k = 0; k < count + ahead; ++k) {
    if (k < count) send(pairs[static_cast<std::size_t>(k)], block);
    if (k < ahead) continue;
    const auto out = static_cast<std::size_t>(k - ahead);
    if (begins_row[out] != 0) {
      const int before = begins_row[out] == 1 ? r.d : r.copy_address + 2 * ((begins_row[out] - 2) % kCopyAddresses);
      block.push_back(imad_wide(pairs[out].address, reg(r.step), immediate(1), reg(before)));
    }
    store(pairs[out], block, kScoreboardCopyAddress + (k - ahead) % 2);
  }
  block.push_back(exit_program());
  return block;
}

}  // namespace stc::gemm
