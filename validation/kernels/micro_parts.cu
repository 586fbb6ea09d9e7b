// SPDX-License-Identifier: Apache-2.0
// The k-loop of a GEMM taken apart: tiles of 128 x 64 x 64 halves, warps of 64 x 32, three stages, and of what an
// iteration does only some. Each four warps have a tile and a barrier of their own, as a CTA has. Nothing is prepared:
// values are zero.
//   micro_parts_<what>(Interval* out, uint8* data, int iterations)
//   what: c: 12 copies of 16 bytes a lane for each warp, into rows that nothing else is on its way to, and their wait
//         l: 24 LDSM of four matrices      m: 64 HMMA.16816.F32      b: the barrier
//   micro_copies_<l><m>_<copies>_<group>: an iteration is 16 LDSM (l, else z) and 32 HMMA (m, else z), between which
//         `copies` copies stand in groups of `group`; two iterations' copies may be on their way. Nothing else waits.
// Operations are iterations.
#include "micro_common.cuh"
#include "probe_asm.cuh"

constexpr std::uint32_t kStage = 24576, kWarpBytes = 16384, kWarpLines = 1u << 17, kTileBytes = 1u << 20;
constexpr std::uint32_t kRowBytes = 4096;  // of A and B, 2048 halves

enum Parts : unsigned { kCopies = 1, kLoads = 2, kProducts = 4, kBarrier = 8 };

__device__ __forceinline__ void multiply(std::uint32_t (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t* b) {
  STC_MMA_424(STC_DENSE_PTX(m16n8k16, plain, f32, f16, f16, f32), d, a, b);
}

template <unsigned kParts>
__device__ __forceinline__ void parts(Interval* out, const std::uint8_t* data, int iterations) {
  extern __shared__ __align__(1024) std::uint8_t shared[];
  const unsigned tile = threadIdx.x / 128, thread = threadIdx.x % 128, lane = thread % 32, warp = thread / 32;
  const std::uint32_t base = shared_address(shared) + tile * 3 * kStage;
  // A row of 64 halves is eight pieces of 16 bytes, which lie at other places in each of eight rows.
  const std::uint32_t to = base + thread / 8 * 128 + (thread % 8 ^ thread / 8 % 8) * 16;
  const std::uint8_t* from = data + tile * kTileBytes + thread / 8 * kRowBytes + thread % 8 * 16;
  const std::uint32_t a_row = base + (warp % 2 * 64 + lane % 16) * 128;
  const std::uint32_t b_row = base + 16384 + (warp / 2 * 32 + lane % 8 + lane / 16 * 8) * 128;
  std::uint32_t d[4][4][4] = {}, a[2][4][4], b[2][2][4];
  for (int i = 0; i < 32; ++i) a[i / 16][i / 4 % 4][i % 4] = lane * i;
  for (int i = 0; i < 16; ++i) b[i / 8][i / 4 % 2][i % 4] = lane + i;
  const auto copy = [&](int stage, int first, int count) {
    if constexpr ((kParts & kCopies) != 0) {
      for (int j = first; j < first + count; ++j) copy_16(to + stage * kStage + j * 2048, from + j * 16 * kRowBytes);
    }
  };
  const auto commit = [&] {
    if constexpr ((kParts & kCopies) != 0) asm volatile("cp.async.commit_group;" ::: "memory");
    from += 128;
  };
  const auto wait = [&] {
    if constexpr ((kParts & kCopies) != 0) asm volatile("cp.async.wait_group 1;" ::: "memory");
  };
  const auto meet_tile = [&] {
    if constexpr ((kParts & kBarrier) != 0) asm volatile("bar.sync %0, 128;" ::"r"(tile + 1) : "memory");
  };
  const auto load = [&](int stage, int step, int which) {
    if constexpr ((kParts & kLoads) != 0) {
      const std::uint32_t of_a = ((step * 2 + lane / 16) ^ lane % 8) * 16;
      const std::uint32_t of_b = ((step * 2 + lane / 8 % 2) ^ lane % 8) * 16;
      for (int i = 0; i < 4; ++i) load_matrices(a[which][i], a_row + stage * kStage + i * 2048 + of_a);
      for (int i = 0; i < 2; ++i) load_matrices(b[which][i], b_row + stage * kStage + i * 2048 + of_b);
    }
  };
  const auto work = [&](int which) {
    if constexpr ((kParts & kProducts) != 0) {
      for (int i = 0; i < 16; ++i) {
        multiply(d[i / 4][i % 4], a[which][i / 4], b[which][i % 4 / 2] + i % 2 * 2);
      }
    } else {
      for (int i = 0; i < 16; ++i) d[i / 4][i % 4][0] ^= a[which][i / 4][i % 4];
      for (int i = 0; i < 8; ++i) d[i / 4][0][1] ^= b[which][i / 4][i % 4];
    }
  };
  for (int s = 0; s < 2; ++s) copy(s, 0, 12), commit();
  wait();
  __syncthreads();
  const std::uint64_t start = read_clock();
  load(0, 0, 0);
  int stage = 0, next = 2;
#pragma unroll 1
  for (int k = 0; k < iterations; ++k) {
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      if (step == 3) {
        wait();
        meet_tile();
        stage = stage == 2 ? 0 : stage + 1;
      }
      load(stage, (step + 1) % 4, (step + 1) % 2);
      if (step < 3) copy(next, step * 4, 4);
      if (step == 2) {
        commit();
        next = next == 2 ? 0 : next + 1;
        if (k % 16 == 13) from -= 2048;
      }
      work(step % 2);
    }
  }
  const std::uint64_t stop = read_clock();
  std::uint32_t keep = 0;
  for (int i = 0; i < 64; ++i) keep ^= d[i / 16][i / 4 % 4][i % 4];
  for (int i = 0; i < 32; ++i) keep ^= a[i / 16][i / 4 % 4][i % 4];
  report(out, start, stop, static_cast<std::uint64_t>(iterations), keep);
}

template <bool kLoad, bool kMultiply, int kCount, int kGroup>
__device__ __forceinline__ void groups_of_copies(Interval* out, const std::uint8_t* data, int iterations) {
  constexpr int kSlots = 32, kMatrices = 16, kRing = 32;  // copies have 32 rows of a warp in turn
  extern __shared__ __align__(1024) std::uint8_t shared[];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::uint32_t rows = shared_address(shared) + warp * kWarpBytes + lane * 16;
  const std::uint8_t* const lines = data + warp * kWarpLines + lane * 16;
  std::uint32_t d[8][4] = {}, a[2][4], b[4][4], f[8][4] = {};
  for (int i = 0; i < 8; ++i) a[i / 4][i % 4] = lane * i;
  for (int i = 0; i < 16; ++i) b[i / 4][i % 4] = lane + i;
  std::uint64_t start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    start = read_clock();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
      const std::uint32_t to = rows + i * kCount % kRing * 512;
      const std::uint8_t* const from = lines + i * (kCount * 512) % kWarpLines;
#pragma unroll
      for (int m = 0; m < kSlots; ++m) {
        if constexpr (kMultiply) {
          multiply(d[m % 8], a[m % 8 / 4], kLoad ? f[(m * kMatrices / kSlots + 4) % 8] : b[m % 4]);
        }
        if (m % (kSlots * kGroup / kCount) == 0) {
          for (int c = m * kCount / kSlots; c < m * kCount / kSlots + kGroup; ++c)
            copy_16(to + c * 512, from + c * 512);
        }
        if (kLoad && m % (kSlots / kMatrices) == 1) {
          load_matrices(f[m * kMatrices / kSlots % 8], rows + (m * kMatrices / kSlots + i) % 16 * 512);
        }
      }
      asm volatile("cp.async.commit_group;" ::: "memory");
      asm volatile("cp.async.wait_group 2;" ::: "memory");
    }
    stop = read_clock();
  }
  std::uint32_t keep = 0;
  for (int i = 0; i < 32; ++i) keep ^= d[i / 4][i % 4] ^ f[i / 4][i % 4];
  report(out, start, stop, static_cast<std::uint64_t>(iterations), keep);
}

#define PARTS(name, what)                                                     \
  extern "C" __global__ void __launch_bounds__(384)                           \
      micro_parts_##name(Interval* out, std::uint8_t* data, int iterations) { \
    parts<what>(out, data, iterations);                                       \
  }
PARTS(l, kLoads)
PARTS(lb, kLoads | kBarrier)
PARTS(m, kProducts)
PARTS(mb, kProducts | kBarrier)
PARTS(lm, kLoads | kProducts)
PARTS(lmb, kLoads | kProducts | kBarrier)
PARTS(cb, kCopies | kBarrier)
PARTS(cl, kCopies | kLoads)
PARTS(clb, kCopies | kLoads | kBarrier)
PARTS(cm, kCopies | kProducts)
PARTS(cmb, kCopies | kProducts | kBarrier)
PARTS(clm, kCopies | kLoads | kProducts)
PARTS(clmb, kCopies | kLoads | kProducts | kBarrier)

#define COPIES(name, load, multiply, count, group)                                                 \
  extern "C" __global__ void __launch_bounds__(384)                                                \
      micro_copies_##name##_##count##_##group(Interval* out, std::uint8_t* data, int iterations) { \
    groups_of_copies<load, multiply, count, group>(out, data, iterations);                         \
  }
#define COPIES_EACH(name, load, multiply) \
  COPIES(name, load, multiply, 4, 1)      \
  COPIES(name, load, multiply, 4, 4)      \
  COPIES(name, load, multiply, 8, 1) COPIES(name, load, multiply, 8, 4) COPIES(name, load, multiply, 16, 4)
COPIES_EACH(zz, false, false)
COPIES_EACH(lz, true, false)
COPIES_EACH(zm, false, true)
COPIES_EACH(lm, true, true)
