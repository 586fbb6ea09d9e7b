// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies of windows: rows of 128 bytes that begin anywhere in a line and overlap, as a convolution with
// few channels fetches them.
//   micro_windows(Interval* out, const uint8_t* data, int rounds, int start, int pitch, int step)
// A warp's copy takes four rows, eight lanes of 16 bytes each, that begin `start` bytes into `data` and lie `pitch`
// bytes apart; its next copy lies `step` bytes further, those of the next warp 16 steps. A round is 16 copies; two
// rounds are on their way. operations: copies of a warp.
#include "micro_common.cuh"

constexpr int kCopies = 16, kLanesOfARow = 8, kPiece = 16;

extern "C" __global__ void micro_windows(Interval* out, const std::uint8_t* data, int rounds, int start, int pitch,
                                         int step) {
  extern __shared__ __align__(128) std::uint8_t memory[];
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  const std::uint8_t* source = data + start + static_cast<std::int64_t>(warp) * kCopies * step +
                               lane / kLanesOfARow * pitch + lane % kLanesOfARow * kPiece;
  const std::uint32_t target =
      shared_address(memory) +
      (static_cast<std::uint32_t>(warp) * 32 * kCopies + static_cast<std::uint32_t>(lane)) * kPiece;
  const std::int64_t round_bytes = static_cast<std::int64_t>(blockDim.x / 32) * kCopies * step;
  std::uint64_t begin = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    begin = read_clock();
    const std::uint8_t* from = source;
#pragma unroll 1
    for (int i = 0; i < rounds; ++i) {
#pragma unroll
      for (int u = 0; u < kCopies; ++u) {
        copy_16(target + u * 32 * kPiece, from + u * step);
      }
      asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 1;" ::: "memory");
      from += round_bytes;
    }
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    stop = read_clock();
  }
  report(out, begin, stop, static_cast<std::uint64_t>(rounds) * kCopies, 0);
}
