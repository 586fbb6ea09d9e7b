// SPDX-License-Identifier: Apache-2.0
// Thrust: algorithms on device vectors, fused iterators.
#include <thrust/device_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include "validation/foreign/foreign.h"

namespace {

struct Square {
  __host__ __device__ long long operator()(int v) const { return static_cast<long long>(v) * v; }
};

}  // namespace

FOREIGN_CASE(transform) {
  const int n = 10000;
  const std::vector<int> in = foreign::integers(1, n, -9999, 9999);
  thrust::device_vector<int> x(in.begin(), in.end()), y(n);
  thrust::transform(x.begin(), x.end(), thrust::counting_iterator<int>(0), y.begin(),
                    [] __host__ __device__(int a, int i) { return 3 * a - i; });
  std::vector<int> got(n), expected(n);
  thrust::copy(y.begin(), y.end(), got.begin());
  for (int i = 0; i < n; ++i) expected[i] = 3 * in[i] - i;
  return foreign::equal(got, expected);
}

FOREIGN_CASE(transform_reduce) {
  const int n = 20000;
  const std::vector<int> in = foreign::integers(2, n, -9999, 9999);
  const thrust::device_vector<int> x(in.begin(), in.end());
  const long long sum = thrust::transform_reduce(x.begin(), x.end(), Square(), 0LL, thrust::plus<long long>());
  const int dot = thrust::inner_product(x.begin(), x.end() - 1, x.begin() + 1, 0);
  long long expected = 0;
  unsigned pairs = 0;
  for (int i = 0; i < n; ++i) {
    expected += Square()(in[i]);
    if (i + 1 < n) pairs += static_cast<unsigned>(in[i] * in[i + 1]);
  }
  return sum == expected && dot == static_cast<int>(pairs);
}
