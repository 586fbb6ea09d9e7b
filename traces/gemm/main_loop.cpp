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

Instruction multiply(const GemmDesign& d, int tile, const MatrixSlot& slot) {
  const WorkItem item = work_item(d, tile, slot.item);
  const int column = item.part * d.part_n + slot.column;
  return mma(d.geometry.op, d.r.accumulators + (slot.row * d.fragments_n + column) * 4,
             d.r.a + item.a_set * d.r.a_set + slot.row * d.r.a_stride,
             d.r.b + item.b_set * d.r.b_set + slot.column * d.r.b_stride,
             d.r.e + item.e_set * d.r.e_set + slot.row * d.geometry.metadata_registers,
             item.step % d.geometry.metadata_instructions);
}

/// Writes a k-tile slot by slot. Addresses are computed a few pieces of work ahead of the instructions that use them.
class TileWriter {
  /// Of as many pieces of work the addresses are known before it is their turn: one less than there are registers for
  /// copies, so that none is overwritten while the copy before is still to read its own.
  std::size_t addresses_ahead() const { return static_cast<std::size_t>(d_.r.copy_addresses - 1); }
  static constexpr int kIdleLoads = 3;  ///< nvcc puts them in front of copies that follow loads
  static constexpr std::size_t kChoresInSlot = 4;
  static constexpr int kMetadataLatency = 5;  ///< slots; what nvcc leaves between a load and its use at the very least

 public:
  TileWriter(const GemmDesign& d, int tile)
      : d_(d),
        copies_(copy_tile(d, 0)),
        plan_(plan_tile(d, tile, static_cast<int>(copies_.size()))),
        columns_(d),
        chores_(tile_chores(d)) {
    if (d.sparse && d.geometry.parts == 1) compute_first_addresses();
    last_use_.resize(static_cast<std::size_t>(d.fragments_m));
    for (const MatrixSlot& slot : plan_.order) {
      last_use_[static_cast<std::size_t>(slot.row)] = static_cast<int>(matrix_.size());
      matrix_.push_back(multiply(d, tile, slot));
    }
  }

  Block write() {
    for (int slot = 0; slot < static_cast<int>(matrix_.size()); ++slot) {
      block_.push_back(matrix_[static_cast<std::size_t>(slot)]);
      do_chores();
      if (slot == 0) prepare(before_, addresses_ahead());
      issue(before_, slot);
      if (slot == plan_.barrier_slot) change_stage();
      if (slot >= plan_.barrier_slot) issue(after_, slot);
      if (d_.moves_metadata) move_metadata(slot);
    }
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
      prepare(list, std::min(due, list.issued + static_cast<std::size_t>(d_.r.copy_addresses)));
      const PlannedWork& work = list.work[list.issued++];
      if (!work.is_copy) append(block_, columns_.prepare(work.load));  // in case its register was needed meanwhile
      if (work.first_copy) block_.insert(block_.end(), kIdleLoads, idle_shared_load());
      block_.push_back(work.is_copy ? copies_[static_cast<std::size_t>(work.copy)].back() : columns_.load(work.load));
      if (work.is_copy && ++copies_done_ == copies_.size()) block_.push_back(commit_copies());
      if (&list == &after_ && !work.is_copy && work.load.kind == FragmentKind::kMetadata) metadata_slot_ = slot;
    }
    if (count != 0) prepare(list, list.issued + addresses_ahead());
  }

  /// Address computations of everything before `end`, once.
  void prepare(Progress& list, std::size_t end) {
    for (; list.prepared < std::min(end, list.work.size()); ++list.prepared) {
      const PlannedWork& work = list.work[list.prepared];
      if (work.is_copy) {
        do_chores_before(chores_.size());  // they move what addresses are computed from
        const Bundle& copy = copies_[static_cast<std::size_t>(work.copy)];
        block_.insert(block_.end(), copy.begin(), copy.end() - 1);
      } else {
        append(block_, columns_.prepare(work.load));
      }
    }
  }

  /// Of as many copies as there are registers for.
  void compute_first_addresses() {
    int addresses = 0;
    for (Bundle& copy : copies_) {
      if (copy.size() > 1 && ++addresses > d_.r.copy_addresses) break;
      if (copy.size() > 1) chores_.emplace_back(copy.begin(), copy.end() - 1);
      copy.erase(copy.begin(), copy.end() - 1);
    }
  }

  /// Some a slot, while there are any: as many as fit between two matrix instructions.
  void do_chores() {
    const std::size_t most = d_.geometry.parts == 1 ? kChoresInSlot : 2 * kChoresInSlot;
    std::size_t size = 0;
    while (chores_done_ < chores_.size() && (size == 0 || size + chores_[chores_done_].size() <= most)) {
      size += chores_[chores_done_].size();
      do_chores_before(chores_done_ + 1);
    }
  }

  void do_chores_before(std::size_t due) {
    for (; chores_done_ < due; ++chores_done_) append(block_, chores_[chores_done_]);
  }

  /// Rows whose last matrix instruction is past take over what has been loaded for the next k-tile.
  void move_metadata(int slot) {
    const int end = static_cast<int>(matrix_.size()) - 1, registers = d_.geometry.metadata_registers;
    if (slot < end && (metadata_slot_ < 0 || slot < metadata_slot_ + kMetadataLatency)) return;
    for (; rows_moved_ < last_use_.size() && (slot == end || slot > last_use_[rows_moved_]); ++rows_moved_) {
      const int first = d_.r.e + static_cast<int>(rows_moved_) * registers;
      for (int e = first; e < first + registers; ++e) block_.push_back(mov(e, reg(e + d_.r.e_set)));
    }
  }

  void change_stage() {
    do_chores_before(chores_.size());
    append(block_, read_step(d_));
    block_.push_back(wait_copies(plan_.copies_before_barrier ? d_.stages() - 2 : d_.stages() - 3));
    block_.push_back(barrier());
    append(block_, move_reading(d_));
    columns_.forget();
    prepare(after_, addresses_ahead());
  }

  const GemmDesign& d_;
  Bundles copies_;
  WorkPlan plan_;
  ColumnAddresses columns_;
  Bundles chores_;
  Block matrix_, block_;
  std::vector<int> last_use_;  // slot, by row
  Progress before_{plan_.before}, after_{plan_.after};
  std::size_t chores_done_ = 0, copies_done_ = 0;
  int metadata_slot_ = -1;  // of the load for the next k-tile
  std::size_t rows_moved_ = 0;
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
  Instruction end = when(branch(back ? kFirstTileBlock : epilogue_block(d)), kPredicateLoop, !back);
  // nvcc lets no fragment be under way across the loop's end when a step has two parts.
  if (back && d.geometry.parts == 2) end.control.wait_mask = kFragmentScoreboards;
  block.push_back(end);
  return block;
}

}  // namespace stc::gemm
