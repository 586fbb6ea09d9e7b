// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/gemm_design.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "models/isa/mma/fragment_layout.h"
#include "traces/gemm/compiler_habits.h"

namespace stc::gemm {
namespace {

constexpr int kDenseStepBytes = 32;   // of k of the deepest dense instruction, for every type
constexpr int kMostActivations = 16;  // B registers of an instruction, beyond which a shallower one is chosen
constexpr int kPartActivations = 16;  // B registers of a part
constexpr int kMostRegisters = 255;
constexpr int kMostColumnAddresses = 6, kSimpleColumnAddresses = 2;
constexpr int kFewCopyAddresses = 2, kCopyAddresses = 4, kManyCopyAddresses = 6, kMostCopyAddresses = 12;
constexpr int kRegisterFile = 65536, kRegisterGranularity = 8;
constexpr int kMostSharedBytes = 8 * 1024 * 1024;  // what the offsets of loads reach; GPUs have less
constexpr int kRasterColumns = 2048;               // of D that a raster group spans

[[noreturn]] void fail(const std::string& why) { throw std::invalid_argument(why); }
std::string text(int value) { return std::to_string(value); }

void check_type(isa::NumberFormat type) {
  using isa::NumberFormat;
  if (type == NumberFormat::f16 || type == NumberFormat::bf16 || type == NumberFormat::tf32 ||
      type == NumberFormat::s8) {
    return;
  }
  fail(std::string("type ") + isa::name_of(type) + " has no GEMM here (f16, bf16, tf32, s8)");
}

}  // namespace

int metadata_register_count(const isa::MmaOp& op) {
  if (!op.sparse) return 0;
  if (op.pattern.encoding == sparsity::IndexEncoding::per_element) return isa::metadata_layout(op).registers();
  const int bits = op.m * (op.k / op.pattern.group_elements()) * op.pattern.index_bits_per_group();
  return std::max(1, ceil_div(bits, 32 * 32));
}

namespace {

void check_tile(const GemmSpec& s) {
  const auto positive = [](int value, int unit, const char* name) {
    if (value < unit || value % unit != 0) {
      fail(std::string(name) + " is " + text(value) + ", but must be a multiple of " + text(unit));
    }
  };
  positive(s.warp_m, 16, "warp tile m");
  positive(s.warp_n, 16, "warp tile n");
  positive(s.tile_m, s.warp_m, "tile m");
  positive(s.tile_n, s.warp_n, "tile n");
  if (s.stages < 2 || s.stages > 8) fail("stages is " + text(s.stages) + ", but must be 2 to 8");
  architecture_of(s.sm_version);
  const int warps = s.tile_m / s.warp_m * (s.tile_n / s.warp_n);
  if (warps < 2 || warps > 32 || !is_power_of_two(warps)) {
    fail("a CTA tile of " + text(s.tile_m) + "x" + text(s.tile_n) + " with warp tiles of " + text(s.warp_m) + "x" +
         text(s.warp_n) + " has " + text(warps) + " warps, but must have 2, 4, 8, 16 or 32");
  }
}

void place_shared_memory(GemmDesign& d) {
  const GemmSpec& s = d.spec;
  const isa::MmaOp& op = d.geometry.op;
  const int threads = d.threads();
  const int step_a = d.chunks_a * kChunkBytes, step_b = d.chunks_b * kChunkBytes;
  d.a = TileLayout(s.tile_m, s.tile_k / op.k * step_a, step_a, threads);
  d.b = TileLayout(s.tile_n, s.tile_k / op.k * step_b, step_b, threads);
  d.metadata_blocks = d.sparse ? d.steps() / d.geometry.metadata_instructions : 0;
  d.metadata_block_bytes = s.tile_m / 16 * d.geometry.metadata_registers * 128;
  d.offset_b = round_up(d.a.bytes(), d.b.alignment());
  d.offset_e = d.offset_b + d.b.bytes();
  const int alignment = std::max({256, d.a.alignment(), d.b.alignment()});
  d.stage_bytes = round_up(d.offset_e + d.metadata_blocks * d.metadata_block_bytes, alignment);
  d.geometry.dynamic_shared_bytes = static_cast<std::uint32_t>(d.stage_bytes * s.stages);
  if (d.stage_bytes * s.stages > kMostSharedBytes) {
    fail("the tile needs " + text(d.stage_bytes * s.stages) + " bytes of shared memory (" + text(s.stages) +
         " stages of " + text(d.stage_bytes) + "), but loads reach only " + text(kMostSharedBytes));
  }
}

/// Four-register loads need four-aligned fragments.
int fragment_stride(int registers) { return registers >= 4 ? round_up(registers, 4) : round_up(registers, 2); }

/// Of one row, times the rows of a pass.
int pass_chunks(const TileLayout& layout) { return layout.chunks() * layout.segments().front().rows_per_pass; }

bool is_simple(const TileLayout& layout) { return layout.swizzled() && layout.segments().size() == 1; }

/// How copies are addressed.
void choose_copy_addresses(GemmDesign& d) {
  d.running_addresses = d.geometry.parts == 1 && is_simple(d.a) && is_simple(d.b);
  const bool same_layout = d.a.chunks() == d.b.chunks() && d.running_addresses;
  if (same_layout) d.shared_target = d.offset_b;
}

/// Gives out registers one after the other.
class RegisterAllocator {
 public:
  int take(int count, int alignment) {
    next_ = round_up(next_, alignment);
    const int first = next_;
    next_ += count;
    return first;
  }
  int next() const { return next_; }

 private:
  int next_ = 2;  // R1 is the stack pointer
};

void place_fragments(GemmDesign& d, RegisterAllocator& registers) {
  RegisterMap& r = d.r;
  r.a_stride = fragment_stride(d.geometry.op.a_registers());
  r.b_stride = d.chunks_b == 2 ? 2 : fragment_stride(d.chunks_b);
  r.a_set = d.fragments_m * r.a_stride;
  r.b_set = d.part_n * r.b_stride;
  r.e_set = d.sparse ? round_up(d.fragments_m * d.geometry.metadata_registers, 4) : 0;
  r.accumulators = registers.take(d.fragments_m * d.fragments_n * 4, 4);
  r.a = registers.take(2 * r.a_set, 4);
  r.b = registers.take(2 * r.b_set, 4);
  const bool spare = d.geometry.parts == 2 && d.stages() > 2 && d.steps() % 2 == 0;
  if (spare) r.spare_b = registers.take(r.b_stride, 4);
  r.e = registers.take(2 * r.e_set, 4);
}

/// Where copies read and write, with `addresses` pairs for their addresses.
void place_copies(GemmDesign& d, int addresses, RegisterAllocator& registers) {
  RegisterMap& r = d.r;
  const int segments_a = static_cast<int>(d.a.segments().size()), segments_b = static_cast<int>(d.b.segments().size());
  r.copy_addresses = addresses;
  const bool late =
      d.moves_metadata && d.geometry.parts == 1 && r.e_set - d.fragments_m * d.geometry.metadata_registers == 0;
  if (late) {
    r.late_copy_address = r.e + r.e_set + 2;
    r.copy_addresses = std::min(r.copy_addresses, kFewCopyAddresses);
  }
  r.copy_address = registers.take(2 * r.copy_addresses, 2);
  r.source_a = registers.take(2 * segments_a, 2);
  r.source_b = registers.take(2 * segments_b, 2);
  r.source_e = d.sparse ? registers.take(2, 2) : 0;
  r.d = registers.take(2, 2);
  if (d.running_addresses) {
    // Rows of twice the chunks in half the rows a pass are as far.
    const bool same = pass_chunks(d.a) == pass_chunks(d.b);
    r.pass_bytes_a = registers.take(2, 2);
    r.pass_bytes_b = same ? r.pass_bytes_a : registers.take(2, 2);
  } else {
    r.row_bytes_a = registers.take(2, 2);
    r.row_bytes_b = registers.take(2, 2);
  }
  r.block_bytes_e = d.sparse ? registers.take(1, 1) : 0;
  r.write_a = registers.take(segments_a, 1);
  r.write_b = d.shared_target != 0 ? r.write_a : registers.take(segments_b, 1);
  r.write_e = d.sparse ? registers.take(1, 1) : 0;
  r.target_a = registers.take(segments_a, 1);
  r.target_b = d.shared_target != 0 ? r.target_a : registers.take(segments_b, 1);
  r.target_e = d.sparse ? registers.take(1, 1) : 0;
}

/// Where fragments are loaded from.
void place_loads(GemmDesign& d, RegisterAllocator& registers) {
  RegisterMap& r = d.r;
  r.read_a = registers.take(1, 1);
  r.read_b = registers.take(1, 1);
  r.read_e = d.sparse ? registers.take(1, 1) : 0;
  const auto columns = [&](const TileLayout& layout, int in_step, int in_load) {
    return layout.swizzled() ? d.steps() * ceil_div(in_step, in_load) - 1 : 0;
  };
  const int columns_a = columns(d.a, d.chunks_a, 2), columns_b = columns(d.b, d.chunks_b, d.chunks_b == 2 ? 2 : 4);
  r.lane_a = columns_a != 0 ? registers.take(1, 1) : 0;
  r.lane_b = columns_b != 0 ? registers.take(1, 1) : 0;
  d.simple_columns = d.geometry.parts == 1 && d.chunks_a <= 2 && d.chunks_b <= 4 && columns_a > 0 && columns_b > 0;
  r.load_addresses = d.simple_columns ? std::min(kSimpleColumnAddresses, columns_a + columns_b - 2)
                                      : std::min(kMostColumnAddresses, columns_a + columns_b);
  r.load_address = registers.take(r.load_addresses, 1);
}

/// With `addresses` pairs for addresses of copies.
void place_registers(GemmDesign& d, int addresses) {
  RegisterAllocator registers;
  d.r = {};
  place_fragments(d, registers);
  place_copies(d, addresses, registers);
  place_loads(d, registers);
  d.r.tiles = registers.take(1, 1);
  d.r.thread = registers.take(1, 1);
  d.r.scratch = registers.take(1, 1);
  d.r.count = round_up(registers.next(), 2);
}

/// Of A and B, one thread's.
int matrix_copies(const GemmDesign& d) {
  int copies = 0;
  for (const TileLayout* layout : {&d.a, &d.b}) {
    for (const CopySegment& segment : layout->segments()) copies += segment.passes * segment.repeats;
  }
  return copies;
}

/// Copies in whose way no other one's address is: as many as fit where they are multiples of a row, otherwise a few, or
/// those of an item where dense loops deal them out.
int copy_addresses(const GemmDesign& d) {
  if (d.sparse) return kCopyAddresses;
  if (d.stages() == 2) return d.fragments_n >= 8 ? kManyCopyAddresses : kCopyAddresses;
  return ceil_div(matrix_copies(d), copy_items(d));
}

void place_registers(GemmDesign& d) {
  const auto ctas = [&d](int registers) {
    return kRegisterFile / (round_up(registers, kRegisterGranularity) * d.threads());
  };
  RegisterMap& r = d.r;
  place_registers(d, copy_addresses(d));
  for (int more = kCopyAddresses + 1; d.geometry.parts == 2 && more <= kMostCopyAddresses; ++more) {
    const RegisterMap before = r;
    place_registers(d, more);
    if (r.count > kMostRegisters || ctas(r.count) < ctas(before.count)) r = before;
  }
  d.geometry.registers = r.count;
  if (r.count > kMostRegisters) {
    fail("pattern " + d.spec.pattern.name() + " with a warp tile of " + text(d.spec.warp_m) + "x" +
         text(d.spec.warp_n) + " needs " + text(r.count) + " registers a thread, but there are " +
         text(kMostRegisters) + "; a smaller warp tile needs fewer");
  }
}

}  // namespace

isa::MmaOp matrix_instruction(const sparsity::Pattern& pattern, isa::NumberFormat type) {
  check_type(type);
  pattern.check();
  if (pattern.m > 32)
    fail("pattern " + pattern.name() + " has groups of " + text(pattern.m) + ", but at most 32 are possible");
  isa::MmaOp op;
  op.a = op.b = type;
  op.c = isa::is_integer(type) ? isa::NumberFormat::s32 : isa::NumberFormat::f32;
  op.sparse = !pattern.dense();
  if (op.sparse) op.pattern = pattern;
  const int bytes = isa::bits_of(type) / 8;
  // Stored k comes in whole groups and in whole registers of the fragment layout (16 bytes of a row).
  const int unit = std::lcm(op.pattern.stored_elements(), kChunkBytes / bytes);
  const auto logical = [&](int stored) { return stored / op.pattern.n * op.pattern.m; };
  int stored = round_up(kDenseStepBytes / bytes, unit);
  if (logical(stored) * bytes / kChunkBytes > kMostActivations) stored = unit;
  // The activations must come in whole registers too.
  while (logical(stored) * bytes % kChunkBytes != 0) stored += unit;
  if (logical(stored) * bytes / kChunkBytes > 64 || stored * bytes / 8 > 64) {
    fail("pattern " + pattern.name() + " in " + isa::name_of(type) + " needs an instruction of " + text(stored) +
         " of " + text(logical(stored)) + " along k, whose operands exceed 64 registers");
  }
  op.k = static_cast<std::uint16_t>(logical(stored));
  return op;
}

GemmDesign design(const GemmSpec& spec) {
  check_tile(spec);
  GemmDesign d;
  d.spec = spec;
  GemmGeometry& g = d.geometry;
  g.op = matrix_instruction(spec.pattern, spec.type);
  d.sparse = g.op.sparse;
  d.element_bytes = isa::bits_of(spec.type) / 8;
  if (spec.tile_k < g.op.k || spec.tile_k % g.op.k != 0) {
    fail("tile k is " + text(spec.tile_k) + ", but must be a multiple of " + text(g.op.k) +
         ", the depth of a matrix instruction with pattern " + spec.pattern.name() + " in " + isa::name_of(spec.type));
  }
  d.warps_m = spec.tile_m / spec.warp_m;
  d.warps_n = spec.tile_n / spec.warp_n;
  g.threads = static_cast<std::uint32_t>(d.warps_m * d.warps_n * 32);
  d.fragments_m = spec.warp_m / 16;
  d.fragments_n = spec.warp_n / 8;
  g.steps = spec.tile_k / g.op.k;
  d.chunks_a = g.op.stored_k() * d.element_bytes / kChunkBytes;
  d.chunks_b = g.op.k * d.element_bytes / kChunkBytes;
  // Dense fragments are loaded two at a time, so that all columns form one part.
  g.parts = 1;
  while (d.sparse && d.fragments_n % (2 * g.parts) == 0 && d.fragments_n / g.parts * d.chunks_b > kPartActivations) {
    g.parts *= 2;
  }
  d.part_n = d.fragments_n / g.parts;
  d.items = g.steps * g.parts;
  g.metadata_registers = metadata_register_count(g.op);
  if (d.sparse && g.metadata_registers == 1 && g.op.pattern.encoding == sparsity::IndexEncoding::per_element) {
    g.metadata_instructions = std::gcd(isa::metadata_layout(g.op).selectors(), g.steps);
  }
  g.metadata_k = d.sparse ? g.op.k * g.metadata_instructions : 0;
  g.raster_group = std::max(1, kRasterColumns / spec.tile_n);
  g.arguments = d.sparse ? std::vector<std::string>{"A", "E", "B", "D", "m", "n", "k"}
                         : std::vector<std::string>{"A", "B", "D", "m", "n", "k"};
  place_shared_memory(d);
  d.unroll = d.steps() % 2 != 0 ? 2 : 1;
  d.moves_metadata = d.unroll == 1 && d.metadata_blocks % 2 != 0;
  // nvcc leaves the hint out of sparse kernels whose warp tile is worked on in parts.
  d.prefetch_lines = g.parts == 1;
  choose_copy_addresses(d);
  place_registers(d);
  return d;
}

GemmGeometry geometry(const GemmSpec& spec) { return design(spec).geometry; }

std::string name_of(const GemmSpec& spec) {
  return std::string(isa::name_of(spec.type)) + "_" + spec.pattern.name() + "_" + text(spec.tile_m) + "x" +
         text(spec.tile_n) + "x" + text(spec.tile_k) + "_w" + text(spec.warp_m) + "x" + text(spec.warp_n) + "_s" +
         text(spec.stages);
}

}  // namespace stc::gemm
