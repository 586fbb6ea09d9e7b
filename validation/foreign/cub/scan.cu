// SPDX-License-Identifier: Apache-2.0
// Prefix sums over the whole device in one pass: CTAs wait for those before them.
#include <cub/device/device_scan.cuh>

#include "validation/foreign/cub/device_case.h"

FOREIGN_RACE(exclusive_sum) {
  const int n = 30000;
  const std::vector<int> in = foreign::integers(1, n, -99, 99);
  foreign::Device<int> din(in), out(n);
  foreign::with_workspace([&](void* work, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(work, bytes, din.get(), out.get(), n);
  });
  std::vector<int> expected(n);
  for (int i = 1; i < n; ++i) expected[i] = expected[i - 1] + in[i - 1];
  return foreign::equal(out.host(), expected);
}

FOREIGN_RACE(inclusive_max_f64) {
  const int n = 10000;
  const std::vector<double> in = foreign::reals<double>(2, n);
  foreign::Device<double> din(in), out(n);
  foreign::with_workspace([&](void* work, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveScan(work, bytes, din.get(), out.get(), cuda::maximum<>{}, n);
  });
  std::vector<double> expected = in;
  for (int i = 1; i < n; ++i) expected[i] = std::max(expected[i - 1], in[i]);
  return foreign::equal(out.host(), expected);
}
