// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies of a k-tile. The source address of a pass of rows is either a pass behind the one before (one
// 64-bit addition) or a multiple of a row behind the segment's running pointer (one multiplication, and two more
// instructions for its upper half unless it is a shift).
#include <algorithm>
#include <map>

#include "traces/gemm/instructions.h"
#include "traces/gemm/program_parts.h"

namespace stc::gemm {
namespace {

/// Threads below the limit take part; a limit of all threads needs no predicate of its own.
class PartialLimits {
 public:
  explicit PartialLimits(const GemmDesign& d) : threads_(d.threads()) {
    for (const TileLayout* layout : {&d.a, &d.b}) {
      for (const CopySegment& segment : layout->segments()) add(segment.last_rows * segment.width);
    }
    for (const int limit : metadata_limits(d)) add(limit);
  }

  /// Limits of the passes over a k-tile's metadata.
  static std::vector<int> metadata_limits(const GemmDesign& d) {
    const int chunks = d.metadata_block_bytes / kChunkBytes, threads = d.threads();
    std::vector<int> limits;
    const bool whole = is_power_of_two(chunks) && chunks <= threads;
    const int runs = whole ? 1 : d.metadata_blocks;
    const int run = whole ? chunks * d.metadata_blocks : chunks;
    for (int r = 0; r < runs; ++r) {
      for (int done = 0; done < run; done += threads) limits.push_back(std::min(threads, run - done));
    }
    return limits;
  }

  int predicate(int limit) const {
    const auto found = predicates_.find(limit);
    return found == predicates_.end() ? kPredicateDone : found->second;
  }
  const std::map<int, int>& predicates() const { return predicates_; }

 private:
  void add(int limit) {
    if (limit >= threads_ || predicates_.count(limit) != 0) return;
    const int next = kPredicatePartial + static_cast<int>(predicates_.size());
    predicates_[limit] = next;
  }
  int threads_;
  std::map<int, int> predicates_;
};

Bundle add_wide(int to, int carry, int from, const Operand& low, int high) {
  return {iadd3_carry_out(to, carry, low, reg(from)), imad_carry_in(to + 1, carry, reg(high), reg(from + 1))};
}

/// Hands out address registers in turn.
class CopyWriter {
 public:
  CopyWriter(const GemmDesign& d, int stage)
      : d_(d), limits_(d), in_loop_(stage == kStageOfLoop), stage_offset_(in_loop_ ? 0 : stage * d.stage_bytes) {}

  void copy_a() {
    copy_matrix(d_.a, d_.r.source_a, in_loop_ ? d_.r.target_a : d_.r.write_a, d_.r.row_bytes_a, d_.r.pass_bytes_a, 0);
  }
  void copy_b() {
    copy_matrix(d_.b, d_.r.source_b, in_loop_ ? d_.r.target_b : d_.r.write_b, d_.r.row_bytes_b, d_.r.pass_bytes_b,
                d_.shared_target);
  }

  void copy_metadata() {
    const int chunks = d_.metadata_block_bytes / kChunkBytes, threads = d_.threads();
    const std::vector<int> limits = PartialLimits::metadata_limits(d_);
    const bool whole = is_power_of_two(chunks) && chunks <= threads;
    const int passes_per_run = whole ? static_cast<int>(limits.size()) : ceil_div(chunks, threads);
    for (int i = 0; i < static_cast<int>(limits.size()); ++i) {
      const int run = i / passes_per_run, pass = i % passes_per_run;
      const int blocks = whole ? pass * (threads / chunks) : run;
      const int column = whole ? 0 : pass * threads * kChunkBytes;
      const int shared = run * d_.metadata_block_bytes + pass * threads * kChunkBytes;
      const int write = in_loop_ ? d_.r.target_e : d_.r.write_e;
      if (blocks != 0 && (whole || pass == 0)) {
        bundles_.push_back({imad_wide(next_address(), reg(d_.r.block_bytes_e), immediate(blocks), reg(d_.r.source_e))});
      } else {
        bundles_.emplace_back();
      }
      add(blocks == 0 ? d_.r.source_e : address_, column, write, shared, limits[static_cast<std::size_t>(i)]);
    }
  }

  Bundles take() { return std::move(bundles_); }

 private:
  void copy_matrix(const TileLayout& layout, int source, int write, int row_bytes, int pass_bytes, int offset) {
    for (const CopySegment& segment : layout.segments()) {
      int address = source;
      for (int pass = 0; pass < segment.passes; ++pass) {
        const int limit = pass + 1 == segment.passes ? segment.last_rows * segment.width : d_.threads();
        bundles_.emplace_back();
        if (pass > 0 && d_.running_addresses) {
          const int next = next_address();
          bundles_.back() = add_wide(next, carry(), address, reg(pass_bytes), pass_bytes + 1);
          address = next;
        } else if (pass > 0) {
          address = next_address();
          bundles_.back() = multiple(address, row_bytes, pass * segment.rows_per_pass, source);
        }
        for (int repeat = 0; repeat < segment.repeats; ++repeat) {
          if (repeat > 0) bundles_.emplace_back();
          const int column = repeat * segment.width * kChunkBytes;
          const int shared = offset + pass * segment.rows_per_pass * layout.row_stride() + column;
          add(address, column, write, shared, limit);
        }
      }
      source += 2;
      ++write;
    }
  }

  /// `rows` rows behind `source`.
  Bundle multiple(int to, int row_bytes, int rows, int source) const {
    Bundle bundle{imad_wide(to, reg(row_bytes), immediate(rows), reg(source))};
    if (is_power_of_two(rows)) return bundle;
    bundle.push_back(imad(d_.r.scratch, reg(row_bytes + 1), immediate(rows)));
    bundle.push_back(iadd3(to + 1, reg(to + 1), reg(d_.r.scratch)));
    return bundle;
  }

  int next_address() {
    turn_ = (turn_ + 1) % (d_.r.copy_addresses + (d_.r.late_copy_address != 0 ? 1 : 0));
    return address_ = turn_ == d_.r.copy_addresses ? d_.r.late_copy_address : d_.r.copy_address + 2 * turn_;
  }
  int carry() { return kPredicateCarry + carries_++ % kCarryPredicates; }

  /// Ends the bundle begun last.
  void add(int address, int column, int write, int shared, int limit) {
    const int predicate = limits_.predicate(limit);
    bundles_.back().push_back(
        when(reads(copy_async(write, stage_offset_ + shared, address, column, d_.prefetch_lines), kScoreboardOfItsOwn),
             predicate, predicate == kPredicateDone));
  }

  const GemmDesign& d_;
  PartialLimits limits_;
  bool in_loop_;
  int stage_offset_;
  int turn_ = -1, carries_ = 0;
  int address_ = 0;  // handed out last
  Bundles bundles_;
};

}  // namespace

Bundle partial_copy_predicates(const GemmDesign& d) {
  const PartialLimits limits(d);
  Bundle bundle;
  for (const auto& [limit, predicate] : limits.predicates()) {
    bundle.push_back(isetp(predicate, isa::Compare::kLt, reg(d.r.thread), immediate(limit), kPredicateDone));
    bundle.back().source_predicate0.negate = true;
  }
  return bundle;
}

Bundles copy_tile(const GemmDesign& d, int stage) {
  CopyWriter writer(d, stage);
  writer.copy_a();
  writer.copy_b();
  if (d.sparse) writer.copy_metadata();
  return writer.take();
}

Bundle advance_sources(const GemmDesign& d) {
  Bundle bundle;
  int carries = 0;
  const auto advance = [&](int pointer, int chunks) {
    for (const Instruction& i : add_wide(pointer, kPredicateCarry + carries++ % kCarryPredicates, pointer,
                                         immediate(std::int64_t{chunks} * kChunkBytes), kRz)) {
      bundle.push_back(i);
    }
  };
  for (int s = 0; s < static_cast<int>(d.a.segments().size()); ++s) advance(d.r.source_a + 2 * s, d.a.chunks());
  for (int s = 0; s < static_cast<int>(d.b.segments().size()); ++s) advance(d.r.source_b + 2 * s, d.b.chunks());
  if (d.sparse) {
    bundle.push_back(imad_wide(d.r.source_e, reg(d.r.block_bytes_e), immediate(d.metadata_blocks), reg(d.r.source_e)));
  }
  return bundle;
}

}  // namespace stc::gemm
