// SPDX-License-Identifier: Apache-2.0
// One k-tile: matrix instructions in the order of work items, between them the loads and copies as planned. In the
// middle the warps meet, and from there on read the next k-tile.
#include <algorithm>

#include "traces/gemm/instruction_order.h"
#include "traces/gemm/instructions.h"
#include "traces/gemm/program_parts.h"
#include "traces/gemm/work_plan.h"

namespace stc::gemm {
namespace {

constexpr std::uint8_t kReuseA = 1, kReuseMetadata = 8;  // bits of Control::reuse

Instruction multiply(const GemmDesign& d, int tile, const MatrixSlot& slot) {
  const WorkItem item = work_item(d, tile, slot.item);
  const int column = item.part * d.part_n + slot.column;
  return mma(d.geometry.op, d.r.accumulators + (slot.row * d.fragments_n + column) * 4,
             d.r.a + item.a_set * d.r.a_set + slot.row * d.r.a_stride, b_register(d, item, slot.column),
             d.r.e + item.e_set * d.r.e_set + slot.row * d.geometry.metadata_registers,
             item.step % d.geometry.metadata_instructions);
}

/// An operand that the next matrix instruction reads too stays in the register-file cache.
void mark_reuse(Block& matrix) {
  for (std::size_t k = 0; k + 1 < matrix.size(); ++k) {
    Instruction& i = matrix[k];
    const Instruction& next = matrix[k + 1];
    if (i.a.index != next.a.index) continue;
    i.a.reuse = true;
    i.control.reuse |= kReuseA;
    if (i.mma.sparse && i.metadata_register == next.metadata_register) i.control.reuse |= kReuseMetadata;
  }
}

/// Collects what happens in a k-tile besides its matrix instructions, in the order of the program.
class TileWriter {
  static constexpr int kIdleLoads = 3;  ///< nvcc puts them in front of copies that follow loads

 public:
  TileWriter(const GemmDesign& d, int tile)
      : d_(d),
        copies_(copy_tile(d, kStageOfLoop)),
        plan_(plan_tile(d, tile, static_cast<int>(copies_.size()))),
        columns_(d) {
    last_use_.resize(static_cast<std::size_t>(d.fragments_m));
    for (const MatrixSlot& slot : plan_.order) {
      last_use_[static_cast<std::size_t>(slot.row)] = static_cast<int>(matrix_.size());
      matrix_.push_back(multiply(d, tile, slot));
    }
    mark_reuse(matrix_);
  }

  Block write() {
    add(begin_tile(d_), 0);
    // The first copy's is a pointer; nvcc has the addresses of a quarter of all copies besides.
    if (copy_addresses_first(d_)) prepare_copies(1 + copies_.size() / 4);
    if (lane_addresses_first(d_)) add(columns_.prepare_lanes(), 0);
    add(plan_.before);
    add(turn_stage(d_), 0);
    add({wait_copies(plan_.copies_before_barrier ? d_.stages() - 2 : d_.stages() - 3), barrier()}, plan_.barrier_slot);
    columns_.forget();
    behind_barrier_ = true;
    add(plan_.after);
    if (d_.moves_metadata) move_metadata();
    return order_instructions(matrix_, pieces_, d_.spec.times, pace_of(d_));
  }

 private:
  void add(const Instruction& instruction, int slot) { pieces_.push_back({instruction, slot}); }
  void add(const Bundle& bundle, int slot) {
    for (const Instruction& i : bundle) add(i, slot);
  }

  void add(const std::vector<PlannedWork>& list) {
    for (auto work = list.begin(); work != list.end(); ++work) {
      if (work->is_copy) {
        copy(*work);
        continue;
      }
      const bool last_of_column = std::none_of(work + 1, list.end(), [&](const PlannedWork& later) {
        return !later.is_copy && later.load.kind == work->load.kind && later.load.column == work->load.column;
      });
      load(*work, last_of_column);
    }
  }

  void load(const PlannedWork& work, bool last_of_column) {
    // Behind the barrier the addresses are those of the next stage.
    add(columns_.prepare(work.load), behind_barrier_ ? plan_.barrier_slot : 0);
    Instruction load = columns_.load(work.load);
    // Its stage is left in the next k-tile, or the register of its column goes to another one.
    if (behind_barrier_) {
      load = reads(load, kScoreboardNextStage);
    } else if (last_of_column && work.load.column != 0 && d_.simple_columns) {
      load = reads(load, kScoreboardOfItsOwn);
    }
    add(load, work.slot);
  }

  /// Addresses of the first `count` copies.
  void prepare_copies(std::size_t count) {
    if (copies_prepared_ == 0) add(aim_copies(d_), 0);
    for (; copies_prepared_ < count; ++copies_prepared_) {
      const Bundle& copy = copies_[copies_prepared_];
      add(Bundle(copy.begin(), copy.end() - 1), 0);
    }
  }

  void copy(const PlannedWork& work) {
    prepare_copies(static_cast<std::size_t>(work.copy) + 1);
    const Bundle& copy = copies_[static_cast<std::size_t>(work.copy)];
    if (work.first_copy) add(Bundle(kIdleLoads, idle_shared_load()), work.slot);
    add(copy.back(), work.slot);
    if (++copies_done_ != copies_.size()) return;
    add(commit_copies(), work.slot);
    add(advance_sources(d_), 0);
  }

  /// Rows whose last matrix instruction is past take over what has been loaded for the next k-tile.
  void move_metadata() {
    const int registers = d_.geometry.metadata_registers;
    for (std::size_t row = 0; row < last_use_.size(); ++row) {
      const int first = d_.r.e + static_cast<int>(row) * registers;
      for (int e = first; e < first + registers; ++e)
        add(imad(e, reg(kRz), reg(kRz), reg(e + d_.r.e_set)), last_use_[row]);
    }
  }

  const GemmDesign& d_;
  Bundles copies_;
  WorkPlan plan_;
  ColumnAddresses columns_;
  Block matrix_;
  std::vector<Piece> pieces_;
  std::vector<int> last_use_;  // slot, by row
  std::size_t copies_prepared_ = 0, copies_done_ = 0;
  bool behind_barrier_ = false;
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
  Instruction end = when(branch(back ? kFirstTileBlock : epilogue_block(d)), kPredicateLast, back);
  // nvcc lets no fragment be under way across the loop's end when a step has two parts.
  if (back && d.geometry.parts == 2) end.control.wait_mask = kAllScoreboards;
  block.push_back(end);
  return block;
}

}  // namespace stc::gemm
