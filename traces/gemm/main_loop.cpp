// SPDX-License-Identifier: Apache-2.0
// One k-tile: work items (column part of a step), each of which loads fragments for the next item, issues its share of
// the copies and multiplies. The last item waits for the next k-tile and takes its first fragments.
#include <algorithm>

#include "traces/gemm/instructions.h"
#include "traces/gemm/program_parts.h"

namespace stc::gemm {
namespace {

struct Item {
  int step = 0, part = 0;
  int a_set = 0, b_set = 0, e_set = 0;
};

Item item_of(const GemmDesign& d, int tile, int index) {
  Item item;
  item.step = index / d.geometry.parts;
  item.part = index % d.geometry.parts;
  item.a_set = (tile * d.steps() + item.step) % 2;
  item.b_set = (tile * d.items + index) % 2;
  if (d.sparse) item.e_set = (tile * d.metadata_blocks + item.step / d.geometry.metadata_instructions) % 2;
  return item;
}

/// Loads of up to four 8x8 matrices that lie side by side along k.
class Loader {
 public:
  explicit Loader(const GemmDesign& d) : d_(d), next_address_(d.r.load_address) {}

  /// `chunk`: 16-byte column where the load begins. Swizzled columns are XORed into the address, others added.
  int column(const TileLayout& layout, int base, int chunk, int& offset) {
    offset = layout.swizzled() ? 0 : chunk * kChunkBytes;
    if (!layout.swizzled() || chunk == 0) return base;
    pending_.push_back(lop3(next_address_, reg(base), immediate(chunk * kChunkBytes), reg(kRz), kXor));
    return next_address_++;
  }

  void load(int to, int address, int offset, int matrices, int scoreboard) {
    pending_.push_back(writes(load_matrices(to, address, offset, matrices), scoreboard));
    bundles_.push_back(std::move(pending_));
    pending_.clear();
  }

  Bundles take() { return std::move(bundles_); }

 private:
  const GemmDesign& d_;
  int next_address_;
  Bundle pending_;
  Bundles bundles_;
};

void load_a(const GemmDesign& d, const Item& item, Loader& loader) {
  for (int chunk = 0; chunk < d.chunks_a; chunk += 2) {
    int offset = 0;
    const int address = loader.column(d.a, d.r.read_a, item.step * d.chunks_a + chunk, offset);
    for (int i = 0; i < d.fragments_m; ++i) {
      const int to = d.r.a + item.a_set * d.r.a_set + i * d.r.a_stride + 2 * chunk;
      loader.load(to, address, offset + i * 16 * d.a.row_stride(), d.chunks_a - chunk >= 2 ? 4 : 2, kScoreboardA);
    }
  }
}

void load_metadata(const GemmDesign& d, const Item& item, Loader& loader) {
  const int matrices = d.fragments_m * d.geometry.metadata_registers;
  const int block = item.step / d.geometry.metadata_instructions;
  for (int done = 0; done < matrices;) {
    const int count = matrices - done >= 4 ? 4 : matrices - done >= 2 ? 2 : 1;
    loader.load(d.r.e + item.e_set * d.r.e_set + done, d.r.read_e, block * d.metadata_block_bytes + done * 128, count,
                kScoreboardA);
    done += count;
  }
}

void load_b(const GemmDesign& d, const Item& item, Loader& loader) {
  const int first = item.part * d.part_n;
  const int set = d.r.b + item.b_set * d.r.b_set;
  const auto offset_of = [&d](int fragment) { return fragment * 8 * d.b.row_stride(); };
  const auto scoreboard_of = [&d](int j) { return kScoreboardB + (2 * j >= d.part_n ? 1 : 0); };
  if (d.chunks_b == 2) {  // two fragments in one load
    int offset = 0;
    const int address = loader.column(d.b, d.r.read_b, item.step * 2, offset);
    for (int j = 0; j < d.part_n; j += 2) {
      loader.load(set + j * d.r.b_stride, address, offset + offset_of(first + j), 4, scoreboard_of(j));
    }
    return;
  }
  for (int chunk = 0; chunk < d.chunks_b;) {
    const int left = d.chunks_b - chunk, count = left >= 4 ? 4 : left >= 2 ? 2 : 1;
    int offset = 0;
    const int address = loader.column(d.b, d.r.read_b, item.step * d.chunks_b + chunk, offset);
    for (int j = 0; j < d.part_n; ++j) {
      loader.load(set + j * d.r.b_stride + chunk, address, offset + offset_of(first + j), count, scoreboard_of(j));
    }
    chunk += count;
  }
}

Bundles multiply(const GemmDesign& d, const Item& item) {
  Bundles bundles;
  const int first = item.part * d.part_n;
  const auto add = [&](int i, int j) {
    const int accumulator = d.r.accumulators + (i * d.fragments_n + first + j) * 4;
    const int metadata = d.r.e + item.e_set * d.r.e_set + i * d.geometry.metadata_registers;
    bundles.push_back({mma(d.geometry.op, accumulator, d.r.a + item.a_set * d.r.a_set + i * d.r.a_stride,
                           d.r.b + item.b_set * d.r.b_set + j * d.r.b_stride, metadata,
                           item.step % d.geometry.metadata_instructions)});
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
  return bundles;
}

/// Counters and predicates of this k-tile, early enough for all who ask.
Bundles begin_tile(const GemmDesign& d) {
  const int last = (d.stages() - 1) * d.stage_bytes;
  Bundles bundles;
  bundles.push_back({isetp(kPredicateMore, isa::Compare::kGt, reg(d.r.tiles_left), immediate(d.stages() - 1)),
                     isetp(kPredicateLoop, isa::Compare::kGt, reg(d.r.tiles_left), immediate(1)),
                     iadd3(d.r.tiles_left, reg(d.r.tiles_left), immediate(-1))});
  bundles.push_back({isetp(kPredicateWrapWrite, isa::Compare::kEq, reg(d.r.write_stage), immediate(last)),
                     isetp(kPredicateWrapRead, isa::Compare::kEq, reg(d.r.read_stage), immediate(last))});
  return bundles;
}

/// To the next stage, or from the last to the first. `registers` hold addresses in the stage.
Bundles advance_stage(const GemmDesign& d, int stage, int wraps, const std::vector<int>& registers) {
  Bundles bundles;
  Bundle bundle{mov(d.r.step, immediate(d.stage_bytes)),
                when(mov(d.r.step, immediate(-(d.stages() - 1) * d.stage_bytes)), wraps)};
  bundle.push_back(iadd3(stage, reg(stage), reg(d.r.step)));
  for (const int address : registers) bundle.push_back(iadd3(address, reg(address), reg(d.r.step)));
  bundles.push_back(std::move(bundle));
  return bundles;
}

std::vector<int> write_registers(const GemmDesign& d) {
  std::vector<int> registers;
  for (std::size_t s = 0; s < d.a.segments().size(); ++s) registers.push_back(d.r.write_a + static_cast<int>(s));
  for (std::size_t s = 0; s < d.b.segments().size(); ++s) registers.push_back(d.r.write_b + static_cast<int>(s));
  if (d.sparse) registers.push_back(d.r.write_e);
  return registers;
}

std::vector<int> read_registers(const GemmDesign& d) {
  std::vector<int> registers{d.r.read_a, d.r.read_b};
  if (d.sparse) registers.push_back(d.r.read_e);
  return registers;
}

void append(Bundles& to, const Bundles& from) { to.insert(to.end(), from.begin(), from.end()); }

/// Items that issue copies. With two stages the next k-tile is needed at the end of this one: all copies at once.
/// Otherwise the last step is left free, if there is another.
int copy_items(const GemmDesign& d) {
  if (d.stages() == 2) return 1;
  return std::max({1, d.items - d.geometry.parts, d.steps() == 1 ? d.items - 1 : 1});
}

/// Share `index` of `shares` of the copies; the last share closes the group and moves on.
Bundles copy_share(const GemmDesign& d, const Bundles& copies, int index, int shares) {
  const int count = static_cast<int>(copies.size());
  Bundles bundles(copies.begin() + count * index / shares, copies.begin() + count * (index + 1) / shares);
  if (index + 1 < shares) return bundles;
  bundles.push_back({commit_copies()});
  append(bundles, advance_stage(d, d.r.write_stage, kPredicateWrapWrite, write_registers(d)));
  append(bundles, advance_sources(d));
  return bundles;
}

Bundles next_stage(const GemmDesign& d, int pending) {
  Bundles bundles{{wait_copies(pending)}, {barrier()}};
  append(bundles, advance_stage(d, d.r.read_stage, kPredicateWrapRead, read_registers(d)));
  return bundles;
}

/// One bundle after each matrix instruction as long as there are any, more if they would not all fit.
void interleave(const Bundles& matrix, const Bundles& other, Block& block) {
  const std::size_t slots = matrix.size(), per_slot = (other.size() + slots - 1) / slots;
  std::size_t next = 0;
  for (const Bundle& bundle : matrix) {
    block.insert(block.end(), bundle.begin(), bundle.end());
    for (std::size_t k = 0; k < per_slot && next < other.size(); ++k, ++next) {
      block.insert(block.end(), other[next].begin(), other[next].end());
    }
  }
}

}  // namespace

Bundles fetch(const GemmDesign& d, int tile, int index) {
  const Item item = item_of(d, tile, index);
  Loader loader(d);
  if (item.part == 0) {
    load_a(d, item, loader);
    if (d.sparse && item.step % d.geometry.metadata_instructions == 0) load_metadata(d, item, loader);
  }
  load_b(d, item, loader);
  return loader.take();
}

Block loop_tile(const GemmDesign& d, int tile) {
  Block block;
  const Bundles copies = copy_tile(d, 0);
  const int shares = copy_items(d);
  for (int index = 0; index < d.items; ++index) {
    const bool last = index + 1 == d.items;
    const Bundles next = last ? fetch(d, (tile + 1) % d.unroll, 0) : fetch(d, tile, index + 1);
    const Bundles share = index < shares ? copy_share(d, copies, index, shares) : Bundles{};
    Bundles other;
    if (index == 0) {
      append(other, begin_tile(d));
      const Bundle partial = partial_copy_predicates(d);
      if (!partial.empty()) other.push_back(partial);
    }
    if (last) {
      // A k-tile of one item copies and changes the stage in the same item. With two stages the copies must come first.
      const bool copies_first = !share.empty() && d.stages() == 2;
      if (copies_first) append(other, share);
      append(other, next_stage(d, share.empty() || copies_first ? d.stages() - 2 : d.stages() - 3));
      append(other, next);
      if (!copies_first) append(other, share);
    } else {
      append(other, next);
      append(other, share);
    }
    interleave(multiply(d, item_of(d, tile, index)), other, block);
  }
  const bool back = tile + 1 == d.unroll;
  block.push_back(when(branch(back ? kFirstTileBlock : epilogue_block(d)), kPredicateLoop, !back));
  return block;
}

}  // namespace stc::gemm
