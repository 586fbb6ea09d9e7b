// SPDX-License-Identifier: Apache-2.0
// One k-tile: matrix instructions in the order of work items, between them the loads and copies as planned. In the
// middle the warps meet, and from there on read the next k-tile.
#include <algorithm>

#include "traces/gemm/instructions.h"
#include "traces/gemm/program_parts.h"
#include "traces/gemm/work_plan.h"

namespace stc::gemm {
namespace {

void append(Block& to, const Bundle& from) { to.insert(to.end(), from.begin(), from.end()); }

void multiply(const GemmDesign& d, const WorkItem& item, Block& matrix) {
  const int first = item.part * d.part_n;
  const auto add = [&](int i, int j) {
    const int accumulator = d.r.accumulators + (i * d.fragments_n + first + j) * 4;
    const int metadata = d.r.e + item.e_set * d.r.e_set + i * d.geometry.metadata_registers;
    matrix.push_back(mma(d.geometry.op, accumulator, d.r.a + item.a_set * d.r.a_set + i * d.r.a_stride,
                         d.r.b + item.b_set * d.r.b_set + j * d.r.b_stride, metadata,
                         item.step % d.geometry.metadata_instructions));
  };
  // As nvcc orders them: rows outside when dense, columns outside when sparse.
  if (d.sparse) {
    for (int j = 0; j < d.part_n; ++j) {
      for (int i = 0; i < d.fragments_m; ++i) add(i, j);
    }
  } else {
    for (int i = 0; i < d.fragments_m; ++i) {
      for (int j = 0; j < d.part_n; ++j) add(i, j);
    }
  }
}

/// Counters and predicates of this k-tile, early enough for all who ask.
Bundle begin_tile(const GemmDesign& d) {
  const int last = (d.stages() - 1) * d.stage_bytes;
  return {isetp(kPredicateMore, isa::Compare::kGt, reg(d.r.tiles_left), immediate(d.stages() - 1)),
          isetp(kPredicateLoop, isa::Compare::kGt, reg(d.r.tiles_left), immediate(1)),
          iadd3(d.r.tiles_left, reg(d.r.tiles_left), immediate(-1)),
          isetp(kPredicateWrapWrite, isa::Compare::kEq, reg(d.r.write_stage), immediate(last)),
          isetp(kPredicateWrapRead, isa::Compare::kEq, reg(d.r.read_stage), immediate(last))};
}

/// Bytes to the next stage, or from the last to the first.
Bundle stage_step(const GemmDesign& d, int wraps) {
  return {mov(d.r.step, immediate(d.stage_bytes)),
          when(mov(d.r.step, immediate(std::int64_t{1 - d.stages()} * d.stage_bytes)), wraps)};
}

Bundle add_step(const GemmDesign& d, const std::vector<int>& registers) {
  Bundle bundle;
  for (const int r : registers) bundle.push_back(iadd3(r, reg(r), reg(d.r.step)));
  return bundle;
}

std::vector<int> write_registers(const GemmDesign& d) {
  std::vector<int> registers{d.r.write_stage};
  for (std::size_t s = 0; s < d.a.segments().size(); ++s) registers.push_back(d.r.write_a + static_cast<int>(s));
  for (std::size_t s = 0; s < d.b.segments().size(); ++s) registers.push_back(d.r.write_b + static_cast<int>(s));
  if (d.sparse) registers.push_back(d.r.write_e);
  return registers;
}

std::vector<int> read_registers(const GemmDesign& d) {
  std::vector<int> registers{d.r.read_stage, d.r.read_a, d.r.read_b};
  if (d.sparse) registers.push_back(d.r.read_e);
  return registers;
}

/// Writes a k-tile slot by slot. Addresses are computed a few pieces of work ahead of the instructions that use them.
class TileWriter {
  /// Of as many pieces of work the addresses are known before it is their turn: one less than there are registers for
  /// copies, so that none is overwritten while the copy before is still to read its own.
  static constexpr std::size_t kAddressesAhead = kCopyAddresses - 1;
  static constexpr int kIdleLoads = 3;    ///< nvcc puts them in front of copies that follow loads
  static constexpr int kPartialSlot = 1;  ///< predicates of partial copies, which take the tile's first predicate

 public:
  TileWriter(const GemmDesign& d, int tile)
      : d_(d), copies_(copy_tile(d, 0)), plan_(plan_tile(d, tile, static_cast<int>(copies_.size()))), columns_(d) {
    for (int index = 0; index < d.items; ++index) multiply(d, work_item(d, tile, index), matrix_);
  }

  Block write() {
    const auto is_early_copy = [](const PlannedWork& work) { return work.is_copy && work.slot < kPartialSlot; };
    const bool early = std::any_of(plan_.before.begin(), plan_.before.end(), is_early_copy);
    const int partial_slot = early || static_cast<int>(matrix_.size()) <= kPartialSlot ? 0 : kPartialSlot;
    for (int slot = 0; slot < static_cast<int>(matrix_.size()); ++slot) {
      block_.push_back(matrix_[static_cast<std::size_t>(slot)]);
      if (slot == 0) append(block_, begin_tile(d_));
      if (slot == partial_slot) append(block_, partial_copy_predicates(d_));
      if (slot == 0) prepare(before_, kAddressesAhead);
      issue(before_, slot);
      if (slot == plan_.barrier_slot) change_stage();
      if (slot >= plan_.barrier_slot) issue(after_, slot);
    }
    while (!chores_.empty()) do_chore();
    return std::move(block_);
  }

 private:
  /// A list of planned work and how far it has come.
  struct Progress {
    const std::vector<PlannedWork>& work;
    std::size_t issued = 0, prepared = 0;
  };

  void issue(Progress& list, int slot) {
    std::size_t due = list.issued;
    while (due < list.work.size() && list.work[due].slot <= slot) ++due;
    const std::size_t count = due - list.issued;
    while (list.issued < due) {
      // Addresses of all that is due now come first: none of them is waited for alone.
      prepare(list, std::min(due, list.issued + kCopyAddresses));
      const PlannedWork& work = list.work[list.issued++];
      if (!work.is_copy) append(block_, columns_.prepare(work.load));  // in case its register was needed meanwhile
      if (work.first_copy) block_.insert(block_.end(), kIdleLoads, idle_shared_load());
      block_.push_back(work.is_copy ? copies_[static_cast<std::size_t>(work.copy)].back() : columns_.load(work.load));
      if (work.is_copy && ++copies_done_ == copies_.size()) finish_copies();
    }
    if (count != 0) prepare(list, list.issued + kAddressesAhead);
    if (count == 0 && slot > plan_.barrier_slot && !chores_.empty()) do_chore();
  }

  /// Address computations of everything before `end`, once.
  void prepare(Progress& list, std::size_t end) {
    for (; list.prepared < std::min(end, list.work.size()); ++list.prepared) {
      const PlannedWork& work = list.work[list.prepared];
      if (work.is_copy) {
        const Bundle& copy = copies_[static_cast<std::size_t>(work.copy)];
        block_.insert(block_.end(), copy.begin(), copy.end() - 1);
      } else {
        append(block_, columns_.prepare(work.load));
      }
    }
  }

  void finish_copies() {
    block_.push_back(commit_copies());
    // Behind the barrier, so that nobody waits for the last copy to have read its address.
    Bundle move = stage_step(d_, kPredicateWrapWrite);
    append(move, add_step(d_, write_registers(d_)));
    chores_.push_back(std::move(move));
    for (Bundle& bundle : advance_sources(d_)) chores_.push_back(std::move(bundle));
  }

  void do_chore() {
    append(block_, chores_.front());
    chores_.erase(chores_.begin());
  }

  void change_stage() {
    append(block_, stage_step(d_, kPredicateWrapRead));
    block_.push_back(wait_copies(plan_.copies_before_barrier ? d_.stages() - 2 : d_.stages() - 3));
    block_.push_back(barrier());
    append(block_, add_step(d_, read_registers(d_)));
    columns_.forget();
    prepare(after_, kAddressesAhead);
  }

  const GemmDesign& d_;
  Bundles copies_;
  WorkPlan plan_;
  ColumnAddresses columns_;
  Block matrix_, block_;
  Bundles chores_;  // to be done when nothing else is
  Progress before_{plan_.before}, after_{plan_.after};
  std::size_t copies_done_ = 0;
};

}  // namespace

Bundles fetch(const GemmDesign& d, int tile, int index) {
  ColumnAddresses columns(d);
  Bundles bundles;
  for (const FragmentLoad& load : fragment_loads(d, tile, index)) {
    bundles.push_back(columns.prepare(load));
    bundles.back().push_back(columns.load(load));
  }
  return bundles;
}

Block loop_tile(const GemmDesign& d, int tile) {
  Block block = TileWriter(d, tile).write();
  const bool back = tile + 1 == d.unroll;
  block.push_back(when(branch(back ? kFirstTileBlock : epilogue_block(d)), kPredicateLoop, !back));
  return block;
}

}  // namespace stc::gemm
