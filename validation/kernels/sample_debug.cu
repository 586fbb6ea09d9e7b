// SPDX-License-Identifier: Apache-2.0
// What code compiled with -G has of its own: it compares the stack pointer with where the stack ends, and says nothing
// of the stack that recursion needs.
__device__ unsigned power(unsigned base, unsigned exponent) {
  if (exponent == 0) return 1;
  const unsigned half = power(base, exponent / 2);
  return half * half * (exponent % 2 == 0 ? 1 : base);
}
/// Copies of which each has a scoreboard of its own, which no other code has.
extern "C" __global__ void debug_copies(const unsigned* in, unsigned* out) {
  __shared__ unsigned rows[64];
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(rows + threadIdx.x));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + 63 - threadIdx.x) : "memory");
  asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  out[threadIdx.x] = rows[threadIdx.x ^ 1];
}

#if __CUDA_ARCH__ >= 900
/// Sums of vectors through a generic address.
extern "C" __global__ void debug_sums(float4* sums) {
  atomicAdd(sums + threadIdx.x % 2, make_float4(1, 2, 3, threadIdx.x));
}
#endif

extern "C" __global__ void debug_powers(unsigned* out) { out[threadIdx.x] = power(3, threadIdx.x); }
