// SPDX-License-Identifier: Apache-2.0
// Calls of functions that the driver supplies: printf, assert, malloc, free.
#include <cassert>
#include <cstdio>

/// Every conversion, from diverged lanes; the returned counts of arguments are stored.
extern "C" __global__ void driver_printf(const double* values, int* counts) {
  const int i = static_cast<int>(threadIdx.x);
  if (i % 2 == 0) {
    counts[i] =
        printf("[%d] %8.3f|%-10e|%g|%s\n", i, values[i], values[i] * 1e10, values[i] / 3, i % 4 ? "odd" : "even");
  } else {
    counts[i] = printf("[%i] %+lld %05u %#x %o %c %p %%\n", i, -(1ll << 40) * i, 7u * i, 0xabcu + i, 64u + i, 'a' + i,
                       reinterpret_cast<void*>(0x1000ull * i));
  }
  counts[i] += 100 * printf("%*d|%.*f|%.3s|%hd\n", 6, i, 2, values[i], "clipped", 70000 + i);
  if (i == 0) counts[i] += 10000 * printf("done\n");
}

extern "C" __global__ void driver_assert(const int* values, int* out, int limit) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  assert(values[i] < limit);
  out[i] = values[i] * 2;
}

/// Lists of `count` numbers from the heap; `out` receives their sums, 0 where the heap had no room.
extern "C" __global__ void driver_malloc(long long* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  long long* const list = static_cast<long long*>(malloc(static_cast<size_t>(count) * sizeof(long long)));
  long long sum = 0;
  if (list != nullptr) {
    for (int k = 0; k < count; ++k) list[k] = i + k;
    for (int k = 0; k < count; ++k) sum += list[k];
    free(list);
  }
  out[i] = sum;
}

/// What stays allocated: the heap must run out.
extern "C" __global__ void driver_heap_full(int* out, int bytes) {
  out[threadIdx.x] = malloc(static_cast<size_t>(bytes)) != nullptr;
}

extern "C" __global__ void driver_free_twice(int* out) {
  int* const block = static_cast<int*>(malloc(64));
  *static_cast<volatile int*>(block) = 1;
  free(block);
  free(block);
  out[0] = 1;
}

/// Needs nothing of all this.
extern "C" __global__ void driver_none(int* out) { out[threadIdx.x] = static_cast<int>(threadIdx.x) + 1; }
