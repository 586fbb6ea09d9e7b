// SPDX-License-Identifier: Apache-2.0
// Radix sort of keys, small (one CTA) and of several passes.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "validation/foreign/cub/device_case.h"

namespace {

bool run(int n) {
  std::vector<unsigned> keys = foreign::integers<unsigned>(n, n, 0, 0xffffffffLL);
  foreign::Device<unsigned> in(keys), out(n);
  foreign::with_workspace([&](void* work, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(work, bytes, in.get(), out.get(), n);
  });
  std::sort(keys.begin(), keys.end());
  return foreign::equal(out.host(), keys);
}

}  // namespace

FOREIGN_CASE(one_cta) { return run(1500); }
FOREIGN_RACE(several_passes) { return run(40000); }
