// SPDX-License-Identifier: Apache-2.0
// When CTAs of an SM end that work side by side: loops of matrix instructions, accesses to memory for which the queues
// have no room, and copies of the library's GEMM kernels that read the SM's clock: the rows of
// measured/*/cta_turns.csv. The same program runs under `stcsim exec`; with an argument it launches each but once.
//   nvcc -std=c++17 -O3 -arch=sm_90a -cudart shared -I. validation/gpu/cta_turns.cu -o cta_turns && ./cta_turns
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "validation/gpu/checked_call.h"
#include "validation/kernels/gemm_kernel.h"

namespace {

using namespace stc::kernels;

struct Times {
  unsigned sm, start, end;  // clocks of the SM
};

__device__ void note_start(Times& times) {
  if (threadIdx.x != 0) return;
  times.sm = sm_id();
  times.start = read_clock();
}
/// Of the CTA's first warp: the others end within some hundred cycles.
__device__ void note_end(Times& times) {
  if (threadIdx.x == 0) times.end = read_clock();
}

template <class T, int kCtas>
__global__ void __launch_bounds__(T::kThreads, kCtas)
    timed_gemm(const void* a, const void* e, const void* b, void* d, int m, int n, int k, Times* times) {
  note_start(times[blockIdx.x]);
  gemm<T>(a, e, b, d, m, n, k);
  note_end(times[blockIdx.x]);
}

constexpr int kInstructions = 1024, kMostChains = 8;

/// kBody instructions an iteration, of which each depends on the one kChains before. All CTAs begin together.
template <int kBody, int kChains>
__global__ void __launch_bounds__(512) multiply(unsigned* here, unsigned* used, unsigned seed, Times* times) {
  std::uint32_t d[kMostChains][4];
  for (int i = 0; i < kMostChains; ++i) {
    for (int j = 0; j < 4; ++j) d[i][j] = seed * static_cast<unsigned>(i + j);
  }
  const std::uint32_t a[4] = {seed, seed, threadIdx.x, seed}, b[2] = {seed, threadIdx.x};
  __syncthreads();
  if (threadIdx.x == 0) meet(here);
  __syncthreads();
  note_start(times[blockIdx.x]);
#pragma unroll 1
  for (int t = 0; t < kInstructions / kBody; ++t) {
#pragma unroll
    for (int i = 0; i < kBody; ++i) mma<Element::f16>(d[i % kChains], a, b);
  }
  note_end(times[blockIdx.x]);
  unsigned sum = 0;
  for (const auto& row : d) {
    for (const unsigned value : row) sum ^= value;
  }
  if (sum == 0x12345) *used = sum;
}

enum class Access { store, shared_store };

/// Accesses that come sooner than they are served, kAccesses of each warp: stores of a sector in each of eight lines,
/// or of words in eight rows of shared memory, in the same banks.
constexpr int kAccesses = 64;
template <Access kAccess>
__global__ void __launch_bounds__(128) access(unsigned* here, std::uint8_t* data, Times* times) {
  extern __shared__ __align__(1024) std::uint8_t shared[];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  std::uint8_t* const to = data + (blockIdx.x * 4 + warp) * 16384 + lane / 4 * 128 + lane % 4 * 8;
  const std::uint32_t near =
      static_cast<std::uint32_t>(__cvta_generic_to_shared(shared)) + warp * 8192 + lane % 8 * 128 + lane / 8 * 4;
  __syncthreads();
  if (threadIdx.x == 0) meet(here);
  __syncthreads();
  note_start(times[blockIdx.x]);
#pragma unroll
  for (int i = 0; i < kAccesses; ++i) {
    if constexpr (kAccess == Access::store) {
      asm volatile("st.global.v2.u32 [%0], {%1,%1};" ::"l"(to + i / 4 * 1024 + i % 4 * 32), "r"(lane) : "memory");
    } else {
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(near + i / 8 * 1024 + i % 8 * 16), "r"(lane) : "memory");
    }
  }
  note_end(times[blockIdx.x]);
}

struct Buffers {
  std::uint8_t* data;
  unsigned* here;
  Times* times;
  int launches;
};
constexpr std::size_t kOperand = 64 << 20;
constexpr int kMostCtas = 1 << 14;

/// A row for each CTA of the SMs that had the commonest number of them, in the order in which they came.
void report(const char* name, int ctas, const Times* device) {
  std::vector<Times> times(static_cast<std::size_t>(ctas));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(times.data(), device, times.size() * sizeof(Times), cudaMemcpyDeviceToHost));
  std::map<unsigned, std::vector<Times>> by_sm;
  for (const Times& one : times) by_sm[one.sm].push_back(one);
  std::map<std::size_t, std::vector<const std::vector<Times>*>> by_count;
  for (const auto& [sm, of_sm] : by_sm) by_count[of_sm.size()].push_back(&of_sm);
  const auto commonest = std::max_element(
      by_count.begin(), by_count.end(), [](const auto& x, const auto& y) { return x.second.size() < y.second.size(); });
  for (std::size_t cta = 0; cta < commonest->first; ++cta) {
    std::vector<unsigned> ends;
    for (const std::vector<Times>* of_sm : commonest->second) {
      unsigned first = of_sm->front().start;
      for (const Times& one : *of_sm) first = static_cast<int>(one.start - first) < 0 ? one.start : first;
      ends.push_back((*of_sm)[cta].end - first);
    }
    std::sort(ends.begin(), ends.end());
    std::printf("%s,%zu,%zu,%zu,%u,%u,%u\n", name, commonest->first, ends.size(), cta, ends.front(),
                ends[ends.size() / 2], ends.back());
  }
}

template <class T, int kCtas>
void time_gemm(const char* name, int m, int n, int k, const Buffers& all) {
  const auto kernel = timed_gemm<T, kCtas>;
  constexpr int kShared = T::kStages * T::kStageBytes;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
  const int ctas = m / T::kTileM * (n / T::kTileN);
  for (int i = 0; i < all.launches; ++i) {
    kernel<<<ctas, T::kThreads, kShared>>>(all.data, all.data + kOperand, all.data + 2 * kOperand,
                                           all.data + 3 * kOperand, m, n, k, all.times);
  }
  report(name, ctas, all.times);
}

/// `each` CTAs on each SM, the launch made by `launch` of the number of all.
template <class Kernel, class Launch>
void time_beside(const char* name, Kernel kernel, int each, const Buffers& all, const Launch& launch) {
  cudaDeviceProp gpu;
  CHECK(cudaGetDeviceProperties(&gpu, 0));
  const int shared = each == 2 ? 100000 : 70000, ctas = each * gpu.multiProcessorCount;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  for (int i = 0; i < all.launches; ++i) {
    CHECK(cudaMemset(all.here, 0, sizeof *all.here));
    launch(ctas, shared);
  }
  report(name, ctas, all.times);
}

template <int kBody, int kChains>
void time_loop(const char* name, int warps, const Buffers& all) {
  const auto kernel = multiply<kBody, kChains>;
  time_beside(name, kernel, 2, all, [&](int ctas, int shared) {
    kernel<<<ctas, 32 * warps, shared>>>(all.here, all.here + 1, 3, all.times);
  });
}

template <Access kAccess>
void time_access(const char* name, int each, const Buffers& all) {
  const auto kernel = access<kAccess>;
  time_beside(name, kernel, each, all,
              [&](int ctas, int shared) { kernel<<<ctas, 128, shared>>>(all.here, all.data, all.times); });
}

}  // namespace

int main(int argc, char**) {
  Buffers all{};
  all.launches = argc > 1 ? 1 : 3;
  CHECK(cudaMalloc(&all.data, 4 * kOperand));
  CHECK(cudaMalloc(&all.here, 2 * sizeof *all.here));
  CHECK(cudaMalloc(&all.times, kMostCtas * sizeof(Times)));
  CHECK(cudaMemset(all.data, 0, 4 * kOperand));
  std::printf("kernel,ctas_of_sm,sms,cta,end_least,end_median,end_most\n");
  time_gemm<GemmTile<Element::f16, Kept::dense, 128, 128, 64, 64, 64, 2>, 2>("f16_dense_128x128x64_w64x64_s2", 2048,
                                                                             2048, 2048, all);
  time_gemm<GemmTile<Element::f16, Kept::dense, 128, 128, 64, 64, 64, 3>, 2>("f16_dense_128x128x64_w64x64_s3", 2048,
                                                                             2048, 2048, all);
  time_gemm<GemmTile<Element::f16, Kept::sp24, 128, 128, 64, 64, 64, 3>, 2>("f16_sp24_128x128x64_w64x64_s3", 2048, 2048,
                                                                            2048, all);
  time_gemm<GemmTile<Element::tf32, Kept::dense, 128, 128, 32, 64, 64, 3>, 2>("tf32_dense_128x128x32_w64x64_s3", 2048,
                                                                              2048, 2048, all);
  time_gemm<GemmTile<Element::f16, Kept::dense, 128, 64, 64, 64, 32, 3>, 2>("f16_dense_128x64x64_w64x32_s3", 2048, 2048,
                                                                            2048, all);
  time_gemm<GemmTile<Element::f16, Kept::dense, 64, 64, 64, 32, 32, 4>, 2>("f16_dense_64x64x64_w32x32_s4", 2048, 2048,
                                                                           2048, all);
  time_loop<16, 8>("mma body 16 chains 8 warps 4", 4, all);
  time_loop<64, 8>("mma body 64 chains 8 warps 4", 4, all);
  time_loop<256, 8>("mma body 256 chains 8 warps 4", 4, all);
  time_loop<16, 4>("mma body 16 chains 4 warps 4", 4, all);
  time_loop<64, 4>("mma body 64 chains 4 warps 4", 4, all);
  time_loop<64, 2>("mma body 64 chains 2 warps 4", 4, all);
  time_loop<64, 1>("mma body 64 chains 1 warps 4", 4, all);
  time_loop<16, 8>("mma body 16 chains 8 warps 8", 8, all);
  time_loop<64, 8>("mma body 64 chains 8 warps 8", 8, all);
  time_loop<64, 4>("mma body 64 chains 4 warps 8", 8, all);
  time_loop<64, 2>("mma body 64 chains 2 warps 8", 8, all);
  time_access<Access::store>("stores warps 4", 2, all);
  time_access<Access::store>("stores warps 4", 3, all);
  time_access<Access::shared_store>("shared stores warps 4", 2, all);
  time_access<Access::shared_store>("shared stores warps 4", 3, all);
}
