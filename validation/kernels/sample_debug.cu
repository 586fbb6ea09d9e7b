// SPDX-License-Identifier: Apache-2.0
// What code compiled with -G has of its own: it compares the stack pointer with where the stack ends, and says nothing
// of the stack that recursion needs.
__device__ unsigned power(unsigned base, unsigned exponent) {
  if (exponent == 0) return 1;
  const unsigned half = power(base, exponent / 2);
  return half * half * (exponent % 2 == 0 ? 1 : base);
}
extern "C" __global__ void debug_powers(unsigned* out) { out[threadIdx.x] = power(3, threadIdx.x); }
