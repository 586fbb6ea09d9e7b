// SPDX-License-Identifier: Apache-2.0
// Tensor maps of matrices of f16, for programs that nvcc compiles whole.
#pragma once

#include <cuda.h>

#include <cstdio>
#include <cstdlib>

#include "validation/kernels/wgmma_ptx.h"

/// Of a matrix of `rows` rows at `pitch` bytes, read by boxes of `br` rows of `bc` elements, swizzled by 128 bytes.
inline stc::kernels::TensorMap map_of(void* p, int cols, int rows, int bc, int br, long pitch) {
  stc::kernels::TensorMap m;
  cuuint64_t size[2] = {(cuuint64_t)cols, (cuuint64_t)rows}, stride[1] = {(cuuint64_t)pitch};
  cuuint32_t b[2] = {(cuuint32_t)bc, (cuuint32_t)br}, step[2] = {1, 1};
  CUresult r = cuTensorMapEncodeTiled((CUtensorMap*)&m, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, p, size, stride, b, step,
                                      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                      CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (r) {
    printf("# encode %d\n", (int)r);
    exit(1);
  }
  return m;
}
