// SPDX-License-Identifier: Apache-2.0
// Reductions over a whole array, over segments, and by key.
#include <algorithm>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>

#include "validation/foreign/cub/device_case.h"

FOREIGN_CASE(sum) {
  const int n = 100000;
  const std::vector<int> in = foreign::integers(1, n, -1000, 1000);
  foreign::Device<int> din(in), out(1);
  foreign::with_workspace(
      [&](void* work, std::size_t& bytes) { return cub::DeviceReduce::Sum(work, bytes, din.get(), out.get(), n); });
  int expected = 0;
  for (const int v : in) expected += v;
  return foreign::equal(out.host(), {expected});
}

FOREIGN_CASE(arg_min_f32) {
  const int n = 20000;
  const std::vector<float> in = foreign::reals(2, n);
  foreign::Device<float> din(in), least(1);
  foreign::Device<std::int64_t> where(1);
  foreign::with_workspace([&](void* work, std::size_t& bytes) {
    return cub::DeviceReduce::ArgMin(work, bytes, din.get(), least.get(), where.get(), n);
  });
  const auto found = std::min_element(in.begin(), in.end());
  return foreign::equal(least.host(), {*found}) && foreign::equal<std::int64_t>(where.host(), {found - in.begin()});
}

FOREIGN_CASE(segmented_sum) {
  const int segments = 50;
  std::vector<int> offsets{0};
  for (int s = 0; s < segments; ++s) offsets.push_back(offsets.back() + (s * 37) % 300);
  const std::vector<int> in = foreign::integers(3, offsets.back(), -99, 99);
  foreign::Device<int> din(in), doffsets(offsets), out(segments);
  foreign::with_workspace([&](void* work, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(work, bytes, din.get(), out.get(), segments, doffsets.get(),
                                           doffsets.get() + 1);
  });
  std::vector<int> expected(segments);
  for (int s = 0; s < segments; ++s) {
    for (int i = offsets[s]; i < offsets[s + 1]; ++i) expected[s] += in[i];
  }
  return foreign::equal(out.host(), expected);
}

FOREIGN_RACE(reduce_by_key) {
  const int n = 5000;
  std::vector<int> keys = foreign::integers(4, n, 0, 300), values = foreign::integers(5, n, -99, 99), unique, sums;
  std::sort(keys.begin(), keys.end());
  foreign::Device<int> dkeys(keys), dvalues(values), dunique(n), dsums(n), count(1);
  foreign::with_workspace([&](void* work, std::size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(work, bytes, dkeys.get(), dunique.get(), dvalues.get(), dsums.get(),
                                          count.get(), cuda::std::plus<>{}, n);
  });
  for (int i = 0; i < n; ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) unique.push_back(keys[i]), sums.push_back(0);
    sums.back() += values[i];
  }
  std::vector<int> got_keys = dunique.host(), got_sums = dsums.host();
  got_keys.resize(unique.size()), got_sums.resize(sums.size());
  return foreign::equal(count.host(), {static_cast<int>(unique.size())}) && foreign::equal(got_keys, unique) &&
         foreign::equal(got_sums, sums);
}
