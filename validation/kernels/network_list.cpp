// SPDX-License-Identifier: Apache-2.0
// Prints the kernels of network_table.h, one line of key=value pairs each.
#include <cstdio>

int main() {
#define STC_NETWORK(KIND, HEAD, THREADS, SHARED, CTAS, ARGUMENTS)                                               \
  if ((HEAD) > 0) std::printf("name=net_%s_%d ", #KIND, HEAD);                                                  \
  if ((HEAD) == 0) std::printf("name=net_%s ", #KIND);                                                          \
  std::printf("kind=%s head=%d threads=%d shared_bytes=%d ctas_per_sm=%d arguments=%s\n", #KIND, HEAD, THREADS, \
              SHARED, CTAS, ARGUMENTS);
#include "validation/kernels/network_table.h"
#undef STC_NETWORK
}
