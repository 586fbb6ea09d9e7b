// SPDX-License-Identifier: Apache-2.0
// Everything before the loop. Addresses that the first copies need come first, the rest while those are under way.
#include <cassert>

#include "models/core/architecture.h"
#include "traces/gemm/instructions.h"
#include "traces/gemm/program_parts.h"

namespace stc::gemm {
namespace {

constexpr int kThreadIndex = 0x21;  // SR_TID.X
constexpr int kCtaIndex = 0x25;     // SR_CTAID.X
constexpr int kThreadScoreboard = 1, kCtaScoreboard = 2, kDivisionScoreboard = 3;

/// Writes the prologue; temporaries lie where accumulators and fragments will be.
class Prologue {
 public:
  explicit Prologue(const GemmDesign& d) : d_(d), r_(d.r), next_(d.r.accumulators) {}

  Block write() {
    emit(uniform_load_pair(kUniformDescriptor, architecture_of(d_.spec.sm_version).constants.global_descriptor));
    place_in_grid();
    row_sizes();
    copy_sources();
    first_copies();
    load_addresses();
    result_address();
    start_loop();
    return std::move(block_);
  }

 private:
  void emit(const Instruction& instruction) { block_.push_back(instruction); }

  int temporary(int count = 1) {
    if (count == 2 && next_ % 2 != 0) ++next_;
    const int first = next_;
    next_ += count;
    assert(next_ <= r_.copy_address);
    return first;
  }

  /// quotient = numerator / divisor, remainder too; all unsigned. The quotient may not overwrite an input. The float
  /// reciprocal is made exact by two steps.
  void divide(int quotient, int remainder, int numerator, int divisor) {
    const int before = next_;
    const int pair = temporary(2), reciprocal_of = temporary(), negative = temporary();
    emit(writes(to_float_up(reciprocal_of, divisor), kDivisionScoreboard));
    emit(iadd3(negative, reg(kRz), negated(divisor)));
    emit(writes(reciprocal(reciprocal_of, reciprocal_of), kDivisionScoreboard));
    emit(iadd3(reciprocal_of, reg(reciprocal_of), immediate(0xffffffe)));
    emit(mov(pair, reg(kRz)));
    emit(writes(to_unsigned(pair + 1, reciprocal_of), kDivisionScoreboard));
    emit(imad(negative, reg(negative), reg(pair + 1)));
    emit(imad_high(pair, reg(pair + 1), reg(negative), reg(pair)));
    emit(imad_high(quotient, reg(pair), reg(numerator), reg(kRz)));
    emit(iadd3(negative, reg(kRz), negated(quotient)));
    emit(imad(remainder, reg(divisor), reg(negative), reg(numerator)));
    for (int correction = 0; correction < 2; ++correction) {
      emit(isetp(kPredicateCarry, isa::Compare::kGe, reg(remainder), reg(divisor)));
      emit(when(iadd3(remainder, reg(remainder), negated(divisor)), kPredicateCarry));
      emit(when(iadd3(quotient, reg(quotient), immediate(1)), kPredicateCarry));
    }
    next_ = before;
  }

  void divide_by_constant(int quotient, int numerator, int divisor) {
    if (is_power_of_two(divisor)) {
      emit(shift_right(quotient, numerator, log2_of(divisor)));
      return;
    }
    const int before = next_;
    const int by = temporary(), rest = temporary(), whole = temporary();
    emit(mov(by, immediate(divisor)));
    divide(whole, rest, numerator, by);
    emit(mov(quotient, reg(whole)));
    next_ = before;
  }

  /// Columns are taken in groups; inside a group the walk goes along n first (see rasterise() of the compiled kernels).
  void place_in_grid() {
    tile_m_ = temporary();
    tile_n_ = temporary();
    const int before = next_;
    const int cta = temporary(), tiles_m = temporary(), tiles_n = temporary(), group = temporary(), first = temporary();
    emit(writes(read_special(cta, kCtaIndex), kCtaScoreboard));
    emit(writes(read_special(r_.thread, kThreadIndex), kThreadScoreboard));
    emit(mov(tiles_m, constant(d_.size_parameter(0))));
    emit(mov(tiles_n, constant(d_.size_parameter(1))));
    emit(mov(r_.tiles, constant(d_.size_parameter(2))));
    divide_by_constant(tiles_m, tiles_m, d_.spec.tile_m);
    divide_by_constant(tiles_n, tiles_n, d_.spec.tile_n);
    divide_by_constant(r_.tiles, r_.tiles, d_.spec.tile_k);
    emit(imad(group, reg(tiles_m), immediate(d_.geometry.raster_group)));
    divide(first, cta, cta, group);
    emit(imad(first, reg(first), immediate(d_.geometry.raster_group)));
    emit(iadd3(tiles_n, reg(tiles_n), negated(first)));
    emit(minimum(tiles_n, reg(tiles_n), immediate(d_.geometry.raster_group)));
    divide(tile_m_, tile_n_, cta, tiles_n);
    emit(iadd3(tile_n_, reg(tile_n_), reg(first)));
    next_ = before;
  }

  void row_sizes() {
    row_bytes_a_ = temporary();
    row_bytes_b_ = temporary();
    emit(imad(row_bytes_a_, reg(r_.tiles), immediate(std::int64_t{d_.a.chunks()} * kChunkBytes)));
    emit(imad(row_bytes_b_, reg(r_.tiles), immediate(std::int64_t{d_.b.chunks()} * kChunkBytes)));
    if (d_.running_addresses) {
      const auto pass_bytes = [&](const TileLayout& layout, int bytes, int row) {
        emit(imad_wide(bytes, reg(row), immediate(layout.segments().front().rows_per_pass), reg(kRz)));
      };
      pass_bytes(d_.a, r_.pass_bytes_a, row_bytes_a_);
      if (r_.pass_bytes_b != r_.pass_bytes_a) pass_bytes(d_.b, r_.pass_bytes_b, row_bytes_b_);
    } else {
      emit(imad_wide(r_.row_bytes_a, reg(row_bytes_a_), immediate(1), reg(kRz)));
      emit(imad_wide(r_.row_bytes_b, reg(row_bytes_b_), immediate(1), reg(kRz)));
    }
    if (d_.sparse) {
      emit(mov(r_.block_bytes_e, constant(d_.size_parameter(0))));
      emit(imad(r_.block_bytes_e, reg(r_.block_bytes_e), immediate(std::int64_t{8} * d_.geometry.metadata_registers)));
    }
  }

  /// Row and chunk that this thread copies in the first pass. Padded rows are dealt out so that the rows which one
  /// quarter warp writes lie in different bank groups.
  void copy_place(const TileLayout& layout, const CopySegment& segment, int row, int chunk) {
    const int shift = log2_of(segment.width);
    emit(lop3(chunk, reg(r_.thread), immediate(segment.width - 1), reg(kRz), kAnd));
    emit(shift_right(row, r_.thread, shift));
    const int bits = layout.paired() ? 2 : 3;  // of the row, by which it lies in another bank group
    const int near = 3 - shift;                // bits that change within a quarter warp; they become the upper of those
    if (layout.swizzled() || segment.width == 8 || near >= bits) return;
    const int before = next_;
    const int part = temporary();
    emit(lop3(part, reg(row), immediate((1 << near) - 1), reg(kRz), kAnd));
    emit(shift_left(part, part, bits - near));
    const int low = temporary();
    emit(shift_right(low, row, near));
    emit(lop3(low, reg(low), immediate((1 << (bits - near)) - 1), reg(part), kAndOr));
    emit(shift_right(row, row, bits));
    emit(imad(row, reg(row), immediate(std::int64_t{1} << bits), reg(low)));
    next_ = before;
  }

  /// address = base + row * stride + 16 * chunk, swizzled.
  void shared_address(const TileLayout& layout, int row, int chunk, int base, int address) {
    if (layout.swizzled() || layout.paired()) {
      emit(shift_right(address, row, layout.swizzle_shift()));
      emit(lop3(address, reg(address), immediate(layout.swizzle_mask()), reg(chunk), kAndXor));
      emit(imad(address, reg(address), immediate(kChunkBytes), immediate_register(base)));
    } else {
      emit(imad(address, reg(chunk), immediate(kChunkBytes), immediate_register(base)));
    }
    emit(imad(address, reg(row), immediate(layout.row_stride()), reg(address)));
  }

  /// IMAD takes one immediate: a second one needs a register.
  Operand immediate_register(int value) {
    if (value == 0) return reg(kRz);
    emit(mov(r_.scratch, immediate(value)));
    return reg(r_.scratch);
  }

  void matrix_source(const TileLayout& layout, int tile, int parameter, int row_bytes, int base, int source,
                     int write) {
    const int before = next_;
    const int row = temporary(), chunk = temporary(), absolute = temporary();
    for (const CopySegment& segment : layout.segments()) {
      copy_place(layout, segment, row, chunk);
      emit(imad(absolute, reg(tile), immediate(layout.rows()), reg(row)));
      shared_address(layout, row, chunk, base + segment.first_chunk * kChunkBytes, write);
      emit(imad_wide(source, reg(absolute), reg(row_bytes), constant(d_.pointer_parameter(parameter))));
      if (segment.first_chunk != 0) emit(iadd3(chunk, reg(chunk), immediate(segment.first_chunk)));
      emit(imad_wide(source, reg(chunk), immediate(kChunkBytes), reg(source)));
      source += 2;
      ++write;
    }
    next_ = before;
  }

  void copy_sources() {
    const int shared = d_.shared_base();
    matrix_source(d_.a, tile_m_, 0, row_bytes_a_, shared, r_.source_a, r_.write_a);
    matrix_source(d_.b, tile_n_, d_.sparse ? 2 : 1, row_bytes_b_, shared + d_.offset_b - d_.shared_target, r_.source_b,
                  r_.write_b);
    if (!d_.sparse) return;
    const int before = next_;
    const int block = temporary(), chunk = temporary();
    const int chunks = d_.metadata_block_bytes / kChunkBytes;
    const bool whole = is_power_of_two(chunks) && chunks <= d_.threads();
    const Operand block_bytes = immediate_register(d_.metadata_block_bytes);  // beside a constant there is no immediate
    emit(imad_wide(r_.source_e, reg(tile_m_), block_bytes, constant(d_.pointer_parameter(1))));
    emit(imad(r_.write_e, reg(r_.thread), immediate(kChunkBytes), immediate_register(shared + d_.offset_e)));
    if (whole) {
      emit(lop3(chunk, reg(r_.thread), immediate(chunks - 1), reg(kRz), kAnd));
      emit(shift_right(block, r_.thread, log2_of(chunks)));
      emit(imad_wide(r_.source_e, reg(chunk), immediate(kChunkBytes), reg(r_.source_e)));
      emit(imad_wide(r_.source_e, reg(block), reg(r_.block_bytes_e), reg(r_.source_e)));
    } else {
      emit(imad_wide(r_.source_e, reg(r_.thread), immediate(kChunkBytes), reg(r_.source_e)));
    }
    next_ = before;
  }

  void first_copies() {
    for (int stage = 0; stage + 1 < d_.stages(); ++stage) {
      emit(isetp(kPredicateDone, isa::Compare::kLe, reg(r_.tiles), immediate(stage)));
      for (const Instruction& i : partial_copy_predicates(d_)) emit(i);
      emit_all(copy_tile(d_, stage));
      emit(commit_copies());
      for (const Instruction& i : advance_sources(d_)) emit(i);
    }
  }

  void emit_all(const Bundles& bundles) {
    for (const Bundle& bundle : bundles) block_.insert(block_.end(), bundle.begin(), bundle.end());
  }

  void load_addresses() {
    lane_ = temporary();
    warp_m_ = temporary();
    warp_n_ = temporary();
    const int before = next_;
    const int row = temporary(), chunk = temporary();
    emit(lop3(lane_, reg(r_.thread), immediate(31), reg(kRz), kAnd));
    emit(shift_right(warp_n_, r_.thread, 5));
    emit(lop3(warp_m_, reg(warp_n_), immediate(d_.warps_m - 1), reg(kRz), kAnd));
    emit(shift_right(warp_n_, warp_n_, log2_of(d_.warps_m)));
    // A: rows 0 to 15, then the same rows of the next chunk.
    emit(lop3(row, reg(lane_), immediate(15), reg(kRz), kAnd));
    emit(imad(row, reg(warp_m_), immediate(d_.spec.warp_m), reg(row)));
    emit(shift_right(chunk, lane_, 4));
    shared_address(d_.a, row, chunk, d_.shared_base(), r_.read_a);
    // B: eight columns a chunk; loads of two-chunk fragments take two fragments.
    emit(lop3(row, reg(lane_), immediate(7), reg(kRz), kAnd));
    emit(shift_right(chunk, lane_, 3));
    if (d_.chunks_b == 2) {
      const int upper = temporary();
      emit(shift_right(upper, lane_, 4));
      emit(imad(row, reg(upper), immediate(8), reg(row)));
      emit(lop3(chunk, reg(chunk), immediate(1), reg(kRz), kAnd));
    }
    emit(imad(row, reg(warp_n_), immediate(d_.spec.warp_n), reg(row)));
    shared_address(d_.b, row, chunk, d_.shared_base() + d_.offset_b, r_.read_b);
    if (d_.sparse) {
      emit(imad(r_.read_e, reg(lane_), immediate(kChunkBytes), immediate_register(d_.shared_base() + d_.offset_e)));
      emit(imad(r_.read_e, reg(warp_m_), immediate(std::int64_t{128} * d_.fragments_m * d_.geometry.metadata_registers),
                reg(r_.read_e)));
    }
    next_ = before;
  }

  /// This lane's first element of D; odd lanes store the second of two fragments.
  void result_address() {
    const int before = next_;
    const int row = temporary(), column = temporary(), row_bytes = temporary();
    emit(shift_right(row, lane_, 2));
    emit(imad(row, reg(warp_m_), immediate(d_.spec.warp_m), reg(row)));
    emit(imad(row, reg(tile_m_), immediate(d_.spec.tile_m), reg(row)));
    emit(mov(row_bytes, constant(d_.size_parameter(1))));
    emit(shift_left(row_bytes, row_bytes, 2));
    emit(imad_wide(r_.d, reg(row), reg(row_bytes), constant(d_.pointer_parameter(d_.sparse ? 3 : 2))));
    emit(lop3(column, reg(lane_), immediate(3), reg(kRz), kAnd));
    emit(shift_left(column, column, 1));
    emit(lop3(row, reg(lane_), immediate(1), reg(kRz), kAnd));
    emit(imad(column, reg(row), immediate(6), reg(column)));
    emit(imad(column, reg(warp_n_), immediate(d_.spec.warp_n), reg(column)));
    emit(imad(column, reg(tile_n_), immediate(d_.spec.tile_n), reg(column)));
    emit(imad_wide(r_.d, reg(column), immediate(4), reg(r_.d)));
    next_ = before;
  }

  void start_loop() {
    emit(uniform_mov(kUniformTile, immediate(0)));
    emit(uniform_mov(kUniformRead, immediate(0)));
    emit(uniform_mov(kUniformWrite, immediate(std::int64_t{d_.stages() - 1} * d_.stage_bytes)));
    for (int i = 0; i < d_.fragments_m * d_.fragments_n * 4; i += 2) emit(zero_pair(r_.accumulators + i));
    emit(wait_copies(d_.stages() - 2));
    emit(barrier());
    emit_all(fetch(d_, 0, 0));
  }

  const GemmDesign& d_;
  const RegisterMap& r_;
  Block block_;
  int next_;
  int tile_m_ = 0, tile_n_ = 0;  // registers
  int row_bytes_a_ = 0, row_bytes_b_ = 0;
  int lane_ = 0, warp_m_ = 0, warp_n_ = 0;
};

}  // namespace

Block prologue(const GemmDesign& d) { return Prologue(d).write(); }

}  // namespace stc::gemm
