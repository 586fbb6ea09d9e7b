// SPDX-License-Identifier: Apache-2.0
// What a launch pays for what it touches first: parameters named by ULDC and LDC, code behind a jump; and what the near
// caches of constants hold. The rows of measured/*/first_accesses.csv: kind, bytes, CTAs, clocks from the kernel's
// beginning until it starts, warp, then SM clocks, means over CTAs:
//   named    parameters 64 bytes apart, one after the other, by ULDC and LDC in turn
//   loaded   parameters `bytes` apart by LDC whose index lies in a register
//   jump     over so much of 80 KiB of code, the first and the second time
//   again    constants `bytes` apart, `ctas` of them by ULDC, in all: the first, second and third time
//   waits    a warp that waits for `bytes` clocks, again and again: nothing is printed; the rows have the active cycles
//            that a profiler counts (ncu --metrics sm__cycles_active.max)
//   turns    eight constants 64 bytes apart in all by ULDC (0) or LDC (1): warp 0, then warps 1 and 4 (of its sub-core)
// The same program runs under `stcsim exec`.
//   nvcc -std=c++17 -O2 -arch=sm_90a -cudart shared -I. validation/gpu/first_accesses.cu -o first_accesses &&
//   ./first_accesses
//   ncu --clock-control none --cache-control all ./first_accesses   (each launch finds emptied caches)
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "validation/gpu/checked_call.h"

constexpr int kWords = 1000, kFirstWord = 20, kLineWords = 16, kMostTimes = 20, kWarps = 4, kMostCtas = 132;
constexpr int kCodeInstructions = 5200;

struct Parameters {
  unsigned words[kWords];
};

__constant__ unsigned table[16384];

__device__ __forceinline__ void wait_until(unsigned delay) {
  const unsigned start = read_clock();
  if (delay == 0) return;
  spin(start, delay);
}
template <int N>
__device__ __forceinline__ void report(unsigned* out, const unsigned (&times)[N + 1], unsigned used) {
  if (threadIdx.x % 32 == 0) {
#pragma unroll
    for (int i = 0; i < N; ++i)
      out[(blockIdx.x * kWarps + threadIdx.x / 32) * kMostTimes + i] = times[i + 1] - times[i];
  }
  if (used == 12345) out[0] = used;
}
template <int N>
__global__ void __launch_bounds__(kWarps * 32)
    named(const __grid_constant__ Parameters p, unsigned* out, unsigned delay) {
  unsigned times[N + 1], used = threadIdx.x;
  wait_until(delay);
#pragma unroll
  for (int i = 0; i < N; ++i) {
    times[i] = read_clock();
    asm volatile("xor.b32 %0, %0, %1;" : "+r"(used) : "r"(p.words[kFirstWord + i * kLineWords]));
  }
  times[N] = read_clock();
  report<N>(out, times, used);
}
template <int N>
__global__ void __launch_bounds__(kWarps * 32)
    loaded(const __grid_constant__ Parameters p, unsigned* out, unsigned delay, int step) {
  unsigned times[N + 1], used = threadIdx.x;
  wait_until(delay);
  int at = kFirstWord;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    times[i] = read_clock();
    const unsigned word = p.words[at];
    asm volatile("xor.b32 %0, %0, %1;" : "+r"(used) : "r"(word));
    at += step + (used == 54321);
  }
  times[N] = read_clock();
  report<N>(out, times, used);
}
template <int N>
__device__ __forceinline__ void code(float& y, float x) {
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(y) : "f"(x));
}
template <int N>
__global__ void __launch_bounds__(kWarps * 32) jump(unsigned* out, unsigned delay, unsigned run, float x) {
  float y = x;
  wait_until(delay);
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    const unsigned start = read_clock();
    if (run) code<N>(y, x);
    const unsigned time = read_clock() - start;
    if (threadIdx.x % 32 == 0) out[(blockIdx.x * kWarps + threadIdx.x / 32) * kMostTimes + pass] = time;
  }
  if (run) code<kCodeInstructions - N>(y, x);
  if (y == 12345.F) out[0] = 1;
}
template <int Word, int Step, int N>
__device__ __forceinline__ void name_words(unsigned& used) {
  if constexpr (N > 0) {
    unsigned word;
    asm volatile("ld.const.u32 %0, [table+%1];" : "=r"(word) : "n"(Word * 4));
    asm volatile("mad.lo.u32 %0, %0, %0, %1;" : "+r"(used) : "r"(word));
    name_words<Word + Step, Step, N - 1>(used);
  }
}
// A call: nothing is loaded before.
template <int Step, int N>
__device__ __noinline__ unsigned time_of_named(unsigned used) {
  const unsigned start = read_clock();
  name_words<0, Step, N>(used);
  return read_clock() - start + (used == 54321);
}
template <int N>
__device__ __noinline__ unsigned time_of_loaded(unsigned used, int step) {
  const unsigned start = read_clock();
  int at = kFirstWord;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const unsigned word = table[at];
    asm volatile("xor.b32 %0, %0, %1;" : "+r"(used) : "r"(word));
    at += step + (used == 54321);
  }
  return read_clock() - start + (used == 54321);
}
template <int Step, int N>
__global__ void __launch_bounds__(32) again(unsigned* out) {
#pragma unroll 1
  for (int pass = 0; pass < 3; ++pass) {
    const unsigned time = time_of_named<Step, N>(threadIdx.x);
    if (threadIdx.x == 0) out[pass] = time;
  }
}
__global__ void __launch_bounds__(256) turns(unsigned* out, int by_ldc) {
#pragma unroll 1
  for (int turn = 0; turn < 3; ++turn) {
    __syncthreads();
    if (threadIdx.x / 32 != (turn == 2 ? 4 : turn)) continue;
    const unsigned time =
        by_ldc ? time_of_loaded<8>(threadIdx.x, kLineWords) : time_of_named<kLineWords, 8>(threadIdx.x);
    if (threadIdx.x % 32 == 0) out[turn] = time;
  }
}
__global__ void waits(unsigned*, unsigned cycles) { spin(read_clock(), cycles); }

struct Run {
  const char* kind;
  int bytes, ctas, delay;
};
void print(const Run& run, const unsigned* out, int warps, int times) {
  CHECK(cudaDeviceSynchronize());
  std::vector<unsigned> all(kMostCtas * kWarps * kMostTimes);
  CHECK(cudaMemcpy(all.data(), out, all.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (int warp = 0; warp < warps; ++warp) {
    std::printf("%s,%d,%d,%d,%d,", run.kind, run.bytes, run.ctas, run.delay, warp);
    for (int i = 0; i < times; ++i) {
      double sum = 0;
      for (int cta = 0; cta < run.ctas; ++cta) sum += all[(cta * kWarps + warp) * kMostTimes + i];
      std::printf("%s%.0f", i ? " " : "", sum / run.ctas);
    }
    std::printf("\n");
  }
}
template <int N>
void run_jump(unsigned* out, int ctas, int delay) {
  jump<N><<<ctas, kWarps * 32>>>(out, delay, 0, 1.F);
  print({"jump", N * 16, ctas, delay}, out, 1, 2);
}
template <int Step, int N>
void run_again(unsigned* out) {
  again<Step, N><<<1, 32>>>(out);
  CHECK(cudaDeviceSynchronize());
  unsigned times[3];
  CHECK(cudaMemcpy(times, out, sizeof times, cudaMemcpyDeviceToHost));
  std::printf("again,%d,%d,0,0,%u %u %u\n", Step * 4, N, times[0], times[1], times[2]);
}
void run_turns(unsigned* out, int by_ldc) {
  turns<<<1, 256>>>(out, by_ldc);
  print({"turns", by_ldc, 1, 0}, out, 1, 3);
}
int main() {
  unsigned* out;
  CHECK(cudaMalloc(&out, kMostCtas * kWarps * kMostTimes * sizeof(unsigned)));
  CHECK(cudaMemset(out, 0, kMostCtas * kWarps * kMostTimes * sizeof(unsigned)));
  Parameters p;
  for (int i = 0; i < kWords; ++i) p.words[i] = i;
  for (const int ctas : {1, 66, 132}) {
    for (const int delay : {0, 300, 2000}) {
      named<12><<<ctas, kWarps * 32>>>(p, out, delay);
      print({"named", 64, ctas, delay}, out, kWarps, 12);
      for (const int step : {8, 16, 64}) {
        loaded<12><<<ctas, kWarps * 32>>>(p, out, delay, step);
        print({"loaded", step * 4, ctas, delay}, out, kWarps, 12);
      }
    }
    for (const int delay : {0, 200, 400, 800, 2000}) {
      run_jump<128>(out, ctas, delay);
      run_jump<512>(out, ctas, delay);
      run_jump<1024>(out, ctas, delay);
      run_jump<1280>(out, ctas, delay);
      run_jump<1536>(out, ctas, delay);
      run_jump<1792>(out, ctas, delay);
      run_jump<2048>(out, ctas, delay);
      run_jump<2560>(out, ctas, delay);
      run_jump<3072>(out, ctas, delay);
      run_jump<3584>(out, ctas, delay);
      run_jump<4352>(out, ctas, delay);
    }
  }
  run_again<kLineWords, 8>(out);
  run_again<kLineWords, 32>(out);
  run_again<kLineWords, 40>(out);
  run_again<kLineWords, 60>(out);
  run_again<4 * kLineWords, 8>(out);
  run_again<4 * kLineWords, 16>(out);
  run_turns(out, 0);
  run_turns(out, 1);
  for (unsigned cycles = 0; cycles < 160; cycles += 4) waits<<<1, 32>>>(out, cycles);
  CHECK(cudaDeviceSynchronize());
  return 0;
}
