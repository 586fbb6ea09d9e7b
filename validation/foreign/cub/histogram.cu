// SPDX-License-Identifier: Apache-2.0
// Histograms with even bins.
#include <cub/device/device_histogram.cuh>

#include "validation/foreign/cub/device_case.h"

FOREIGN_CASE(histogram_even) {
  const int n = 30000;
  const std::vector<float> in = foreign::reals(1, n, 0, 64);
  foreign::Device<float> din(in);
  foreign::Device<int> bins(32);
  foreign::with_workspace([&](void* work, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(work, bytes, din.get(), bins.get(), 33, 0.f, 64.f, n);
  });
  std::vector<int> expected(32);
  for (const float v : in) ++expected[static_cast<int>(v / 2)];
  return foreign::equal(bins.host(), expected);
}
