// SPDX-License-Identifier: Apache-2.0
// One kernel per function of sample_exec.h: out[i] = f(a[i], b[i]). Built with -fmad=false.
#include "sample_exec.h"

#define SAMPLE_KERNEL(name)                                                                              \
  extern "C" __global__ void name(const sample::u64* a, const sample::u64* b, sample::u64* out, int n) { \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
    if (i < n) out[i] = sample::name(a[i], b[i]);                                                        \
  }
SAMPLE_EXEC_FUNCTIONS(SAMPLE_KERNEL)
