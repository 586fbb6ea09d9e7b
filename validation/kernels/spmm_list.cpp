// SPDX-License-Identifier: Apache-2.0
// Prints the kernels of spmm_table.h, one line of key=value pairs each.
#include <cstdio>

int main() {
#define STC_SPMM(FORMAT, ELEMENT, SUFFIX, M, N, THREADS, SHARED, CTAS, ARGUMENTS)                              \
  std::printf(                                                                                                 \
      "name=spmm_%s_%s_%s format=%s element=%s tile_m=%d tile_n=%d threads=%d shared_bytes=%d ctas_per_sm=%d " \
      "arguments=%s\n",                                                                                        \
      #FORMAT, #ELEMENT, #SUFFIX, #FORMAT, #ELEMENT, M, N, THREADS, SHARED, CTAS, ARGUMENTS);
#include "validation/kernels/spmm_table.h"
#undef STC_SPMM
}
