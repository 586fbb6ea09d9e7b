// SPDX-License-Identifier: Apache-2.0
// CTAs that wait for those behind them: nobody gets on before the last of all has begun.

extern "C" __global__ void add_backwards(const int* values, volatile int* sums) {
  const unsigned cta = blockIdx.x, next = cta + 1;
  if (threadIdx.x != 0) return;
  int sum = 0;
  if (next < gridDim.x) {
    while ((sum = sums[next]) == 0) {
    }
  }
  __threadfence();
  sums[cta] = sum + values[cta];
}
