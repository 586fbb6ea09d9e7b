// SPDX-License-Identifier: Apache-2.0
// What products and attention are compared with.
#pragma once

#include "validation/foreign/triton/triton_case.h"

namespace foreign {

/// a b of row-major [m][k] and [k][n], summed in f32 along k.
template <typename T>
std::vector<float> product_of(const Tensor<T>& a, const Tensor<T>& b, int m, int n, int k) {
  std::vector<float> out(static_cast<std::size_t>(m) * n);
  for (int i = 0; i < m; ++i) {
    for (int x = 0; x < k; ++x) {
      for (int j = 0; j < n; ++j) out[i * n + j] += static_cast<float>(a[i * k + x] * b[x * n + j]);
    }
  }
  return out;
}

/// softmax(scale q k^T) v of each head, f16[heads][length][d] in, as doubles of the same shape; with `causal`, a row
/// sees no later row.
inline std::vector<double> attention_of(const Tensor<__half>& q, const Tensor<__half>& k, const Tensor<__half>& v,
                                        int heads, int length, int d, float scale, bool causal) {
  std::vector<double> out(static_cast<std::size_t>(heads) * length * d);
  for (int h = 0; h < heads; ++h) {
    for (int i = 0; i < length; ++i) {
      const int row = (h * length + i) * d;
      double sum = 0;
      for (int j = 0; j < (causal ? i + 1 : length); ++j) {
        const int other = (h * length + j) * d;
        double s = 0;
        for (int x = 0; x < d; ++x) s += q[row + x] * k[other + x];
        const double p = std::exp(s * scale);
        sum += p;
        for (int x = 0; x < d; ++x) out[row + x] += p * v[other + x];
      }
      for (int x = 0; x < d; ++x) out[row + x] /= sum;
    }
  }
  return out;
}

}  // namespace foreign
