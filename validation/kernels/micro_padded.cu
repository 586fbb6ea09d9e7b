// SPDX-License-Identifier: Apache-2.0
// Copies of rows into shared memory whose rows lie at another distance there (padding, as kernels use it against bank
// conflicts): which pairs of sectors an LDGSTS joins, and what it takes of the data stage beside loads.
#include "micro_common.cuh"

namespace {

__device__ __forceinline__ void load_16(std::uint32_t from) {
  [[maybe_unused]] std::uint32_t a, b, c, d;
  asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "r"(from)
               : "memory");
}

/// 32 / row_lanes rows of row_lanes * 16 bytes an instruction, `count` instructions of a warp a round and then `loads`
/// conflict-free LDS.128 of it; rows are from_pitch bytes apart in global memory, to_pitch in shared memory, where the
/// first is `shift` bytes behind a line's begin. A round waits for the copies of the round before. Columns follow one
/// another and begin again behind `columns`, so that L2 holds all. operations = rounds.
template <bool kLoads>
__device__ __forceinline__ void padded(Interval* out, const std::uint8_t* data, int count, int row_lanes,
                                       int from_pitch, int to_pitch, int shift, int columns, int loads, int rounds) {
  extern __shared__ __align__(128) std::uint8_t rows_memory[];
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  const int warps = static_cast<int>(blockDim.x / 32), rows = 32 / row_lanes;
  const int row = warp * count * rows + lane / row_lanes, column = lane % row_lanes * 16;
  const std::uint8_t* from =
      data + (static_cast<std::int64_t>(blockIdx.x) * warps * count * rows + row) * from_pitch + column;
  const std::uint32_t base = shared_address(rows_memory), stage = warps * count * rows * to_pitch + 128;
  const std::uint32_t to = base + row * to_pitch + column + shift, mine = base + warp * 512 + lane * 16;
  std::uint64_t start = 0;
  for (int round = 0; round < rounds + 4; ++round) {
    if (round == 4) start = read_clock();
    const std::uint8_t* const begin = from + round % columns * row_lanes * 16;
#pragma unroll 4
    for (int i = 0; i < count; ++i)
      copy_16(to + (round % 2) * stage + i * rows * to_pitch, begin + static_cast<std::int64_t>(i) * rows * from_pitch);
    asm volatile("cp.async.commit_group;" ::: "memory");
    if (kLoads) {
#pragma unroll 4
      for (int i = 0; i < loads; ++i) load_16(mine);
    }
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
  }
  report(out, start, read_clock(), static_cast<std::uint64_t>(rounds), 0);
}

}  // namespace

extern "C" __global__ void micro_padded_copies(Interval* out, const std::uint8_t* data, int count, int row_lanes,
                                               int from_pitch, int to_pitch, int shift, int columns, int rounds) {
  padded<false>(out, data, count, row_lanes, from_pitch, to_pitch, shift, columns, 0, rounds);
}

extern "C" __global__ void micro_padded_copies_lds(Interval* out, const std::uint8_t* data, int count, int row_lanes,
                                                   int from_pitch, int to_pitch, int shift, int columns, int loads,
                                                   int rounds) {
  padded<true>(out, data, count, row_lanes, from_pitch, to_pitch, shift, columns, loads, rounds);
}
