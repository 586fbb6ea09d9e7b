// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies of a k-tile. Source addresses are the segment's running pointer plus passes of rows; one
// IMAD.WIDE a copy costs fewer registers than holding all addresses.
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
    return found == predicates_.end() ? kPredicateMore : found->second;
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

/// Hands out address registers and scoreboards in turn.
class CopyWriter {
 public:
  CopyWriter(const GemmDesign& d, int stage_offset) : d_(d), limits_(d), stage_offset_(stage_offset) {}

  void copy_matrix(const TileLayout& layout, int source, int write, int row_bytes) {
    for (const CopySegment& segment : layout.segments()) {
      for (int pass = 0; pass < segment.passes; ++pass) {
        const int limit = pass + 1 == segment.passes ? segment.last_rows * segment.width : d_.threads();
        for (int repeat = 0; repeat < segment.repeats; ++repeat) {
          const int column = repeat * segment.width * kChunkBytes;
          const int shared = pass * segment.rows_per_pass * layout.row_stride() + column;
          add(source, pass * segment.rows_per_pass, row_bytes, column, write, shared, limit, repeat > 0);
        }
      }
      source += 2;
      ++write;
    }
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
      add(d_.r.source_e, blocks, d_.r.block_bytes_e, column, d_.r.write_e, shared, limits[static_cast<std::size_t>(i)],
          !whole && pass > 0);
    }
  }

  Bundles take() { return std::move(bundles_); }

 private:
  void add(int source, int rows, int row_bytes, int column, int write, int shared, int limit, bool same_address) {
    Bundle bundle;
    int address = source;
    if (rows != 0) {
      if (!same_address) {
        turn_ = (turn_ + 1) % d_.r.copy_addresses;
        bundle.push_back(imad_wide(d_.r.copy_address + 2 * turn_, reg(row_bytes), immediate(rows), reg(source)));
      }
      address = d_.r.copy_address + 2 * turn_;
    }
    // The scoreboard goes with the register, so that who overwrites it does not wait for later copies.
    const int scoreboard = kScoreboardCopyAddress + turn_ % 2;
    bundle.push_back(
        when(reads(copy_async(write, stage_offset_ + shared, address, column, d_.prefetch_lines), scoreboard),
             limits_.predicate(limit)));
    bundles_.push_back(std::move(bundle));
  }

  const GemmDesign& d_;
  PartialLimits limits_;
  int stage_offset_;
  int turn_ = 0;
  Bundles bundles_;
};

Bundle advance(int pointer, const Operand& low) {
  return {iadd3_carry_out(pointer, kPredicateCarry, reg(pointer), low),
          iadd3_carry_in(pointer + 1, kPredicateCarry, reg(pointer + 1), reg(kRz))};
}

}  // namespace

Bundle partial_copy_predicates(const GemmDesign& d) {
  const PartialLimits limits(d);
  Bundle bundle;
  for (const auto& [limit, predicate] : limits.predicates()) {
    bundle.push_back(isetp(predicate, isa::Compare::kLt, reg(d.r.thread), immediate(limit), kPredicateMore));
  }
  return bundle;
}

Bundles copy_tile(const GemmDesign& d, int stage_offset) {
  CopyWriter writer(d, stage_offset);
  writer.copy_matrix(d.a, d.r.source_a, d.r.write_a, d.r.row_bytes_a);
  writer.copy_matrix(d.b, d.r.source_b, d.r.write_b, d.r.row_bytes_b);
  if (d.sparse) writer.copy_metadata();
  return writer.take();
}

Bundles advance_sources(const GemmDesign& d) {
  Bundles bundles;
  const int segments_a = static_cast<int>(d.a.segments().size()), segments_b = static_cast<int>(d.b.segments().size());
  for (int s = 0; s < segments_a; ++s) {
    bundles.push_back(advance(d.r.source_a + 2 * s, immediate(std::int64_t{d.a.chunks()} * kChunkBytes)));
  }
  for (int s = 0; s < segments_b; ++s) {
    bundles.push_back(advance(d.r.source_b + 2 * s, immediate(std::int64_t{d.b.chunks()} * kChunkBytes)));
  }
  if (d.sparse) {
    bundles.push_back(
        {imad_wide(d.r.source_e, reg(d.r.block_bytes_e), immediate(d.metadata_blocks), reg(d.r.source_e))});
  }
  return bundles;
}

}  // namespace stc::gemm
