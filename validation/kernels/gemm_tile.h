// SPDX-License-Identifier: Apache-2.0
// Geometry and index functions of the GEMM kernels, shared by the kernels, their check program and the host tests.
//
// All shapes become bytes here: one dense MMA step is 32 bytes of k and one sparse step 64 bytes of dense k for every
// element type, so one set of index functions serves f16, bf16, tf32 and s8. A *chunk* is 16 bytes, the unit of both
// cp.async and an ldmatrix row; a shared-memory *line* is 128 bytes, all 32 banks.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define STC_INDEX __host__ __device__ constexpr
#else
#define STC_INDEX constexpr
#endif

namespace stc::kernels {

enum class Element { f16, bf16, tf32, s8, e4m3 };
enum class Kept { dense, sp24, sp12 };

constexpr int kWarp = 32;
constexpr int kChunk = 16;
constexpr int kLine = 128;
constexpr int kMmaM = 16;
constexpr int kMmaN = 8;

STC_INDEX int element_bytes(Element type) {
  return type == Element::tf32 ? 4 : type == Element::s8 || type == Element::e4m3 ? 1 : 2;
}

/// Dense elements along k that one 32-bit metadata word per lane covers (the k extent of one metadata block).
STC_INDEX int metadata_k(Element type) { return type == Element::tf32 ? 32 : 64; }

/// Chunk position of (row, chunk) in a tile whose rows hold `chunks` chunks (a power of two). Rows shorter than a
/// line share one (two 64-byte rows per line); the XOR spreads the 8 rows that one ldmatrix reads over all 8
/// 16-byte bank groups, and stays inside the row, so the 8 lanes that write one line stay conflict-free as well.
STC_INDEX std::uint32_t swizzled(std::uint32_t row, std::uint32_t chunk, std::uint32_t chunks) {
  const std::uint32_t rows_per_line = chunks < 8 ? 8 / chunks : 1;
  const std::uint32_t span = chunks < 8 ? chunks : 8;
  return row * chunks + (chunk ^ ((row / rows_per_line) & (span - 1)));
}

struct TileIndex {
  std::uint32_t m, n;
};

/// Output tile of a CTA: columns are taken in groups `group` tiles wide; inside a group the walk goes along n first.
/// CTAs that run at the same time thus share few rows of A and few columns of B, which then hit in L2.
STC_INDEX TileIndex rasterise(std::uint32_t cta, std::uint32_t tiles_m, std::uint32_t tiles_n, std::uint32_t group) {
  const std::uint32_t first = cta / (group * tiles_m) * group;
  const std::uint32_t within = cta % (group * tiles_m);
  const std::uint32_t width = tiles_n - first < group ? tiles_n - first : group;
  return {within / width, first + within % width};
}

template <Element kTypeT, Kept kKeptT, int kTileMT, int kTileNT, int kTileKT, int kWarpMT, int kWarpNT, int kStagesT>
struct GemmTile {
  static constexpr Element kType = kTypeT;
  static constexpr bool kSparse = kKeptT != Kept::dense;
  static constexpr bool kTransposedA = false, kTransposedB = false;           ///< k is the fast index of both
  static constexpr int kTileM = kTileMT, kTileN = kTileNT, kTileK = kTileKT;  ///< k in dense elements
  static constexpr int kWarpM = kWarpMT, kWarpN = kWarpNT;
  static constexpr int kStages = kStagesT;
  static constexpr int kWarpsM = kTileM / kWarpM;
  static constexpr int kThreads = kWarpsM * (kTileN / kWarpN) * kWarp;

  static constexpr int kRowBytesB = kTileK * element_bytes(kType);
  static constexpr int kRowBytesA = kSparse ? kRowBytesB / 2 : kRowBytesB;              ///< 2:4 and 1:2 both store half
  static constexpr int kChunksA = kRowBytesA / kChunk, kChunksB = kRowBytesB / kChunk;  ///< of a row
  static constexpr int kMetadataBlocks = kSparse ? kTileK / metadata_k(kType) : 0;
  static constexpr int kMetadataBlockBytes = kTileM / kMmaM * kWarp * 4;

  // A stage in shared memory: A, then B, then metadata.
  static constexpr int kBytesA = kTileM * kRowBytesA, kBytesB = kTileN * kRowBytesB;
  static constexpr int kBytesE = kMetadataBlocks * kMetadataBlockBytes;
  static constexpr int kStageBytes = kBytesA + kBytesB + kBytesE;
  static constexpr int kSharedBytes = kStages * kStageBytes;

  // 16-byte copies of one thread per stage.
  static constexpr int kCopiesA = kBytesA / kChunk / kThreads, kCopiesB = kBytesB / kChunk / kThreads;

  static constexpr int kMmaTilesM = kWarpM / kMmaM, kMmaTilesN = kWarpN / kMmaN;
  static constexpr int kStepBytesB = kSparse ? 64 : 32;  ///< dense bytes of k of one MMA
  static constexpr int kStepBytesA = 32;                 ///< stored bytes of k of one MMA
  static constexpr int kSteps = kRowBytesB / kStepBytesB;
  static constexpr int kStepsPerMetadata = kSparse ? metadata_k(kType) * element_bytes(kType) / kStepBytesB : 1;
  static constexpr int kRegistersB = kStepBytesB / 16;  ///< of one 8-column fragment
  static constexpr int kFragmentsPerLoadB = 4 / kRegistersB;
  /// Columns whose B fragments are fetched together: half a wide sparse warp tile, so that two sets fit in registers.
  static constexpr int kParts = kSparse && kMmaTilesN >= 8 ? 2 : 1;
  static constexpr int kPartN = kMmaTilesN / kParts;  ///< 8-column fragments per part
  static constexpr int kGroupN = 2048 / kTileN;       ///< tiles per raster group

  static_assert(kThreads % kChunksA == 0 && kThreads / kChunksA % 8 == 0, "a copy pass moves whole swizzle periods");
  static_assert(kThreads % kChunksB == 0 && kThreads / kChunksB % 8 == 0, "a copy pass moves whole swizzle periods");
  static_assert(kCopiesA * kThreads * kChunk == kBytesA && kCopiesB * kThreads * kChunk == kBytesB, "whole passes");
  static_assert(kBytesE / kChunk <= kThreads, "metadata is copied in one pass");
  static_assert(kSteps % 2 == 0, "fragment buffers alternate within a stage");
  static_assert(kStageBytes % 256 == 0, "a step is an XOR on the address, so the longest row must be aligned");
  static_assert(kSharedBytes <= 163 * 1024, "shared memory of sm_80");

  /// Row and chunk of the tile that `thread` copies in its first pass; each pass moves on by kThreads / chunks rows.
  static STC_INDEX std::uint32_t copy_row(std::uint32_t thread, std::uint32_t chunks) { return thread / chunks; }
  static STC_INDEX std::uint32_t copy_chunk(std::uint32_t thread, std::uint32_t chunks) { return thread % chunks; }
  /// Byte offset in the tile where the chunk of pass 0 goes; pass p goes kThreads * 16 * p bytes further.
  static STC_INDEX std::uint32_t copy_target(std::uint32_t thread, std::uint32_t chunks) {
    return swizzled(copy_row(thread, chunks), copy_chunk(thread, chunks), chunks) * kChunk;
  }

  // ldmatrix row addresses of a lane, in two halves: where the lane starts in a stage, and where from there MMA step
  // `step` and fragment `i` lie. All bits of a step's chunk number are below those of the row, hence the XOR.

  /// Matrices of one A load: (rows 0-7, chunk 0), (rows 8-15, chunk 0), (rows 0-7, chunk 1), (rows 8-15, chunk 1),
  /// the register order of the MMA.
  static STC_INDEX std::uint32_t load_a(std::uint32_t lane, std::uint32_t warp_m) {
    return swizzled(warp_m * kWarpM + lane % 16, lane / 16, kChunksA) * kChunk;
  }
  /// `i` counts the 16-row fragments of the warp tile.
  static STC_INDEX std::uint32_t address_a(std::uint32_t start, int step, int i) {
    return (start ^ (step * kStepBytesA)) + i * kMmaM * kRowBytesA;
  }
  /// Dense: two 8-column fragments of two chunks; sparse: one fragment of four chunks.
  static STC_INDEX std::uint32_t load_b(std::uint32_t lane, std::uint32_t warp_n) {
    const std::uint32_t row = kSparse ? lane % 8 : lane % 8 + lane / 16 * 8;
    const std::uint32_t chunk = kSparse ? lane / 8 : lane / 8 % 2;
    return kBytesA + swizzled(warp_n * kWarpN + row, chunk, kChunksB) * kChunk;
  }
  /// `j` counts the 8-column fragments of the warp tile, in steps of kFragmentsPerLoadB.
  static STC_INDEX std::uint32_t address_b(std::uint32_t start, int step, int j) {
    return (start ^ (step * kStepBytesB)) + j * kMmaN * kRowBytesB;
  }
  /// Metadata: the 32 words of 16 rows are an 8x8 matrix whose ldmatrix result is word `lane`, one matrix a fragment.
  static STC_INDEX std::uint32_t load_e(std::uint32_t lane, std::uint32_t warp_m) {
    return kBytesA + kBytesB + warp_m * kMmaTilesM * kWarp * 4 + lane % (kMmaTilesM * 8) * kChunk;
  }
  static STC_INDEX std::uint32_t address_e(std::uint32_t start, int step) {
    return start + step / kStepsPerMetadata * kMetadataBlockBytes;
  }
};

}  // namespace stc::kernels
