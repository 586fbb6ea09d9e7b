// SPDX-License-Identifier: Apache-2.0
// Builds the instruction stream of D[m,n] = A[m,k] x B[k,n] for any N:M pattern of A, in the instruction set that
// compiled kernels use. At dense and 2:4 the result has the structure of validation/kernels/gemm.cu, which nvcc
// compiles: same tiles, swizzle, stages, order of CTAs, epilogue.
//
//   gemm::GemmSpec spec;
//   spec.pattern = sparsity::Pattern::parse("2:8");
//   spec.tile_k = 128;
//   const MmaTiming t = mma_timing(gemm::geometry(spec).op, params);   // of the machine that will run it
//   spec.times.mma_interval = t.interval;
//   spec.times.mma_latency = t.latency;
//   const gemm::GemmGeometry g = gemm::geometry(spec);
//   const isa::Kernel kernel = gemm::build_gemm(spec);  // grid m/tile_m * n/tile_n, block g.threads
//
// Operands: A row-major [m][stored k], B [n][k], D row-major [m][n] in f32 (s32 for integers), metadata as
// pack_metadata() writes it. m, n and k are multiples of the tile. Arguments: (A, B, D, m, n, k), sparse
// (A, E, B, D, m, n, k); pointers 8 bytes, sizes 4.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/architecture.h"
#include "models/isa/state/kernel.h"
#include "models/sparsity/pattern.h"

namespace stc::gemm {

/// What depends on the machine of the latencies that the control codes are made for, in cycles; the others are those of
/// models/dependence.
struct ScheduleTimes {
  int mma_interval = 8;  ///< between two matrix instructions of this kernel
  int mma_latency = 24;  ///< until a matrix instruction's result may be used
  int load = 48;         ///< a matrix load, until its fragments are wanted; more than the bare latency
};

struct GemmSpec {
  sparsity::Pattern pattern;                        ///< of A; dense when n == m
  isa::NumberFormat type = isa::NumberFormat::f16;  ///< of A and B: f16, bf16, tf32, s8
  int tile_m = 128, tile_n = 128, tile_k = 64;      ///< CTA tile; k in dense elements
  int warp_m = 64, warp_n = 64;                     ///< warp tile
  int stages = 3;                                   ///< k-tiles in shared memory
  int sm_version = oldest_architecture();           ///< until a machine is chosen
  ScheduleTimes times;
};

/// Everything that follows from a spec.
struct GemmGeometry {
  isa::MmaOp op;              ///< the matrix instruction
  std::uint32_t threads = 0;  ///< of a CTA
  std::uint32_t dynamic_shared_bytes = 0;
  int registers = 0;                   ///< per thread
  int steps = 0;                       ///< matrix instructions along k of a tile
  int parts = 1;                       ///< column parts of a warp tile whose B fragments are loaded together
  int metadata_registers = 0;          ///< per lane and instruction
  int metadata_instructions = 1;       ///< successive instructions that share metadata registers through selectors
  int metadata_k = 0;                  ///< dense k that one block of metadata covers
  int raster_group = 0;                ///< CTAs run along n inside groups of so many tile columns
  std::vector<std::string> arguments;  ///< of A, E, B, D, m, n, k
  /// Bytes of the metadata operand E (0 when dense).
  std::uint64_t metadata_bytes(std::uint64_t m, std::uint64_t k) const {
    return metadata_k == 0 ? 0
                           : k / static_cast<std::uint64_t>(metadata_k) * (m / 16) * 128 *
                                 static_cast<std::uint64_t>(metadata_registers);
  }
};

/// The matrix instruction for a pattern and type: m16 n8, stored k as deep as the dense instruction (32 bytes), or the
/// next depth at which groups and 16-byte registers pairs come out even (3:8 in f16: 24 of 64). Where the activations
/// would fill more than 16 registers the depth is halved if that is possible (1:16: 8 of 128).
/// Throws std::invalid_argument for patterns that no register file can feed.
isa::MmaOp matrix_instruction(const sparsity::Pattern& pattern, isa::NumberFormat type);

/// Throws std::invalid_argument with one sentence that names the value and what is allowed.
GemmGeometry geometry(const GemmSpec& spec);

/// "f16_2:8_128x128x128_w64x64_s3".
std::string name_of(const GemmSpec& spec);

/// Throws std::invalid_argument like geometry().
isa::Kernel build_gemm(const GemmSpec& spec);

/// The metadata operand E of an m x k matrix: words [k / metadata_k][m / 16][metadata register][32 lanes], each the
/// register image of its lane. `indices` is [m][k / group * n] (sparsity::Compressed). At 2:4 this is the layout of the
/// compiled kernels. Joint encodings have no register layout: std::invalid_argument.
std::vector<std::uint32_t> pack_metadata(const GemmSpec& spec, int m, int k, const std::vector<std::uint8_t>& indices);

}  // namespace stc::gemm
