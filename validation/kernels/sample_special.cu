// SPDX-License-Identifier: Apache-2.0
// What the driver and the hardware tell a kernel: special registers, addresses of parameters, the system's part of
// shared memory.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

#define READ(NAME) asm volatile("mov.u32 %0, %%" #NAME ";" : "=r"(out[count++]))

/// %nsmid, %nwarpid, then sizes and places of shared memory in bytes.
extern "C" __global__ void special_values(unsigned* out) {
  int count = 0;
  READ(nsmid);
  READ(nwarpid);
  READ(dynamic_smem_size);
  READ(total_smem_size);
  READ(reserved_smem_offset_begin);
  READ(reserved_smem_offset_end);
  READ(reserved_smem_offset_cap);
#if __CUDA_ARCH__ >= 900
  READ(aggr_smem_size);
#endif
}

/// cudaGetCurrentGraphExec: no graph launched the kernel.
extern "C" __global__ void graph_of_launch(unsigned long long* out) {
  asm volatile("mov.u64 %0, %%current_graph_exec;" : "=l"(out[0]));
}

/// Sums over tiles of two warps, whose scratch memory is the system's, beside a table of the kernel's own that fills
/// shared memory.
extern "C" __global__ void tile_sums(unsigned* sums, unsigned* table_after) {
  __shared__ unsigned table[256];
  const unsigned i = threadIdx.x;
  table[i] = 1000 + i;
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  sums[i] = cg::reduce(tile, i, cg::plus<unsigned>());
  __syncthreads();
  table_after[i] = table[i];
}

struct Table {
  unsigned words[16];
};
__device__ __noinline__ unsigned pick(const unsigned* words, unsigned i) { return words[i]; }

/// Hands the address of a parameter to a function.
extern "C" __global__ void parameter_address(unsigned* out, const __grid_constant__ Table table) {
  out[threadIdx.x] = pick(table.words, threadIdx.x % 16);
}

#define UNMODELLED(NAME, REGISTER) \
  extern "C" __global__ void NAME(unsigned* out) { asm volatile("mov.u32 %0, %%" #REGISTER ";" : "=r"(out[0])); }
UNMODELLED(environment_register, envreg7)
UNMODELLED(performance_counter, pm3)
extern "C" __global__ void grid_identifier(unsigned long long* out) {
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(out[0]));
}

/// Sums by recursion, of which the compiler cannot know the depth.
__device__ __noinline__ unsigned descend(unsigned depth, const unsigned* values) {
  unsigned kept[12];
  for (unsigned i = 0; i < 12; ++i) kept[i] = values[(depth + i) % 12];
  const unsigned below = depth == 0 ? 0 : descend(depth - 1, kept);
  return below + kept[depth % 12];
}
extern "C" __global__ void stack_depth(unsigned* out, unsigned depth) {
  unsigned values[12];
  for (unsigned i = 0; i < 12; ++i) values[i] = i * i + out[threadIdx.x];
  out[threadIdx.x] = descend(depth, values);
}
