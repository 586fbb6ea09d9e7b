// SPDX-License-Identifier: Apache-2.0
// Selection, partition, runs.
#include <algorithm>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>

#include "validation/foreign/cub/device_case.h"

FOREIGN_RACE(select_if) {
  const int n = 20000;
  const std::vector<int> in = foreign::integers(1, n, 0, 999);
  foreign::Device<int> din(in), out(n), count(1);
  foreign::with_workspace([&](void* work, std::size_t& bytes) {
    return cub::DeviceSelect::If(work, bytes, din.get(), out.get(), count.get(), n,
                                 [] __device__(int v) { return v % 7 == 0; });
  });
  std::vector<int> expected, got = out.host();
  std::copy_if(in.begin(), in.end(), std::back_inserter(expected), [](int v) { return v % 7 == 0; });
  got.resize(expected.size());
  return foreign::equal(count.host(), {static_cast<int>(expected.size())}) && foreign::equal(got, expected);
}

FOREIGN_RACE(run_lengths) {
  const int n = 8000;
  std::vector<int> in(n), values, lengths;
  for (int i = 0; i < n; ++i)
    in[i] = i == 0 || foreign::bits(2, i) % 5 == 0 ? static_cast<int>(foreign::bits(3, i) % 10) : in[i - 1];
  for (int i = 0; i < n; ++i) {
    if (i == 0 || in[i] != in[i - 1]) values.push_back(in[i]), lengths.push_back(0);
    ++lengths.back();
  }
  foreign::Device<int> din(in), dvalues(n), dlengths(n), count(1);
  foreign::with_workspace([&](void* work, std::size_t& bytes) {
    return cub::DeviceRunLengthEncode::Encode(work, bytes, din.get(), dvalues.get(), dlengths.get(), count.get(), n);
  });
  std::vector<int> got_values = dvalues.host(), got_lengths = dlengths.host();
  got_values.resize(values.size()), got_lengths.resize(values.size());
  return foreign::equal(count.host(), {static_cast<int>(values.size())}) && foreign::equal(got_values, values) &&
         foreign::equal(got_lengths, lengths);
}
