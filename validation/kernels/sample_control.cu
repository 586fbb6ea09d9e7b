// SPDX-License-Identifier: Apache-2.0
// Instruction sample: warp communication, barriers, divergence, calls and special registers. Only its machine code
// matters.
#include <cooperative_groups.h>

#include <cstdint>

extern "C" __global__ void control_warp(const int* a, int* out, int n, unsigned mask) {
  int i = threadIdx.x;
  int x = a[i];
  int r = __shfl_sync(~0u, x, 3) + __shfl_up_sync(~0u, x, 1) + __shfl_down_sync(~0u, x, n) +
          __shfl_xor_sync(~0u, x, 16, 16) + __shfl_sync(mask, x, n, 8);
  r += __ballot_sync(~0u, x > n) + __any_sync(~0u, x > 3) + __all_sync(mask, x == n);
  r += __match_any_sync(~0u, x);
  int predicate;
  r += __match_all_sync(~0u, x, &predicate) + predicate;
  r += __reduce_add_sync(~0u, x) + static_cast<int>(__reduce_max_sync(~0u, static_cast<unsigned>(x))) +
       __reduce_min_sync(~0u, x) + static_cast<int>(__reduce_or_sync(~0u, static_cast<unsigned>(x))) +
       static_cast<int>(__reduce_xor_sync(~0u, static_cast<unsigned>(x)));
  r += static_cast<int>(__activemask());
  if (i & 1) __syncwarp(0xaaaaaaaa);
  __syncwarp(mask);
  if (x > 100) __nanosleep(static_cast<unsigned>(x));
  __nanosleep(50);
  unsigned elected = 0;
#if __CUDA_ARCH__ >= 900
  asm volatile("{.reg .pred p; elect.sync %0|p, 0xffffffff;}" : "=r"(elected));
#endif
  out[i] = r + static_cast<int>(elected);
}

extern "C" __global__ void control_barriers(int* out, int n) {
  int i = threadIdx.x;
  out[i] = n;
  __syncthreads();
  int r = __syncthreads_count(i > n) + __syncthreads_and(i > 4) + __syncthreads_or(i < 9);
  asm volatile("bar.sync 1, 64;" ::: "memory");
  asm volatile("bar.arrive 2, 128;" ::: "memory");
  asm volatile("bar.sync %0, %1;" ::"r"(n), "r"(n * 32) : "memory");
  asm volatile("bar.sync %0;" ::"r"(n) : "memory");
  asm volatile("bar.arrive %0, 96;" ::"r"(n) : "memory");
  asm volatile("barrier.sync 3;" ::: "memory");
  out[i] += r;
}

extern "C" __global__ void control_divergence(const int* a, int* out, int n) {
  int i = threadIdx.x;
  int r = a[i];
  for (int k = 0; k < r; ++k) {
    if (a[k] == n) break;
    if (a[k] > i) {
      for (int j = 0; j < a[k]; ++j) {
        r ^= a[j + k];
        if (r == 77) goto done;
      }
    } else if (a[k] < 0) {
      continue;
    }
    r += out[k];
  }
done:
  if (r < 0) return;
  __syncwarp();
  switch (r & 15) {
    case 0: r += a[3]; break;
    case 1: r *= a[4]; break;
    case 2: r -= a[5]; break;
    case 3:
      r ^= a[6];
      out[9] = 1;
      break;
    case 4: r |= a[7]; break;
    case 5:
      r &= a[8];
      out[3] = a[1];
      break;
    case 6: r <<= a[9] & 7; break;
    case 7: r += r * a[2]; break;
    case 9: r += r * r; break;
    default: out[i + 1] = 5;
  }
  out[i] = r;
}

__device__ __noinline__ int control_leaf(int x, int y) { return x * y + (x >> 3); }
__device__ __noinline__ int control_recursive(int n, const int* a) {
  if (n <= 1) return a[n];
  return control_recursive(n - 1, a) + control_recursive(n - 2, a) * a[n];
}
typedef int (*control_function)(int, int);
__device__ __noinline__ int control_other(int x, int y) { return x - y * 3; }
__device__ control_function control_table[2] = {control_leaf, control_other};

extern "C" __global__ void control_calls(const int* a, int* out, int n) {
  out[threadIdx.x] = control_leaf(a[threadIdx.x], n) + control_leaf(n, a[threadIdx.x + 1]) + control_recursive(n, a);
}

extern "C" __global__ void control_indirect(const int* a, int* out, int n) {
  out[threadIdx.x] = control_table[n & 1](a[threadIdx.x], n);
}

template <int kBase>
__device__ unsigned special_registers();

extern "C" __global__ void control_special(unsigned* out, unsigned long long* out64) {
  unsigned v[24];
#define READ(index, name) asm volatile("mov.u32 %0, %%" name ";" : "=r"(v[index]))
  READ(0, "tid.x");
  READ(1, "tid.y");
  READ(2, "tid.z");
  READ(3, "ctaid.x");
  READ(4, "ctaid.y");
  READ(5, "ctaid.z");
  READ(6, "laneid");
  READ(7, "warpid");
  READ(8, "nwarpid");
  READ(9, "smid");
  READ(10, "nsmid");
  READ(11, "lanemask_eq");
  READ(12, "lanemask_lt");
  READ(13, "lanemask_le");
  READ(14, "lanemask_gt");
  READ(15, "lanemask_ge");
  READ(16, "clock");
  READ(17, "dynamic_smem_size");
  READ(18, "total_smem_size");
  READ(19, "globaltimer_lo");
  READ(20, "nctaid.x");
  READ(21, "ntid.y");
  READ(22, "globaltimer_hi");
  READ(23, "clock_hi");
  unsigned long long clock, timer, grid;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timer));
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(grid));
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < 24; ++i) sum = sum * 31 + v[i];
  out[threadIdx.x] = sum;
  out64[threadIdx.x] = clock + timer + grid;
  if (sum == 12345) asm volatile("trap;");
  if (sum == 12346) asm volatile("brkpt;");
  if (sum == 12347) asm volatile("exit;");
}

extern "C" __global__ void control_grid(int* out) {
  namespace cg = cooperative_groups;
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  out[threadIdx.x] = tile.shfl_down(out[threadIdx.x], 2) + static_cast<int>(tile.ballot(out[threadIdx.x] > 3));
  auto active = cg::coalesced_threads();
  if (active.thread_rank() == 0) out[0] = static_cast<int>(active.size());
}
