// SPDX-License-Identifier: Apache-2.0
// Merge sort by a comparison of the program.
#include <algorithm>
#include <cub/device/device_merge_sort.cuh>

#include "validation/foreign/cub/device_case.h"

FOREIGN_CASE(merge_sort) {
  const int n = 6000;
  std::vector<int> keys = foreign::integers(1, n, -100000, 100000);
  foreign::Device<int> device(keys);
  foreign::with_workspace([&](void* work, std::size_t& bytes) {
    return cub::DeviceMergeSort::SortKeys(work, bytes, device.get(), n, [] __device__(int a, int b) { return a < b; });
  });
  std::sort(keys.begin(), keys.end());
  return foreign::equal(device.host(), keys);
}
