// SPDX-License-Identifier: Apache-2.0
// What the kernels of the family network compute, the plain way, in double. Matrices hold f16 values.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/network/network_call.h"

namespace stc::kernels {

using Values = std::vector<double>;

/// S and Y of a normalisation. Without a bias: by the root of the mean square.
inline void norm_reference(const Values& x, const Values& r, const Values& gain, const Values& bias, int columns,
                           double (*rounded)(double), Values& s, Values& y) {
  const auto width = static_cast<std::size_t>(columns);
  const bool layer = !bias.empty();
  s = x;
  y.resize(x.size());
  for (std::size_t i = 0; i < r.size(); ++i) s[i] = rounded(x[i] + r[i]);
  for (std::size_t row = 0; row < x.size(); row += width) {
    double mean = 0, square = 0;
    for (std::size_t i = row; layer && i < row + width; ++i) mean += s[i] / columns;
    for (std::size_t i = row; i < row + width; ++i) square += (s[i] - mean) * (s[i] - mean) / columns;
    const double scale = 1 / std::sqrt(square + 1e-5);
    for (std::size_t i = row; i < row + width; ++i) {
      y[i] = (s[i] - mean) * scale * gain[i - row] + (layer ? bias[i - row] : 0);
    }
  }
}

inline Values softmax_reference(const Values& x, int columns) {
  Values y(x.size());
  const auto width = static_cast<std::size_t>(columns);
  for (std::size_t row = 0; row < x.size(); row += width) {
    const double most =
        *std::max_element(x.begin() + static_cast<long>(row), x.begin() + static_cast<long>(row + width));
    double sum = 0;
    for (std::size_t i = row; i < row + width; ++i) sum += std::exp(x[i] - most);
    for (std::size_t i = row; i < row + width; ++i) y[i] = std::exp(x[i] - most) / sum;
  }
  return y;
}

/// Queries are the last `queries` tokens of each sequence, or all of them.
inline Values attention_reference(const Values& q, const Values& k, const Values& v, const sim::AttentionSize& size,
                                  int queries) {
  const auto at = [&](const Values& of, int sequence_rows, int batch, int row, int heads, int head, int i) {
    return of[((static_cast<std::size_t>(batch) * static_cast<std::size_t>(sequence_rows) +
                static_cast<std::size_t>(row)) *
                   static_cast<std::size_t>(heads) +
               static_cast<std::size_t>(head)) *
                  static_cast<std::size_t>(size.head) +
              static_cast<std::size_t>(i)];
  };
  Values out;
  for (int batch = 0; batch < size.batch; ++batch) {
    for (int query = 0; query < queries; ++query) {
      for (int head = 0; head < size.heads; ++head) {
        const int of_kv = head / (size.heads / size.kv_heads), keys = size.causal ? query + 1 : size.tokens;
        Values weight(static_cast<std::size_t>(keys)), sum(static_cast<std::size_t>(size.head));
        double most = -INFINITY, all = 0;
        for (int key = 0; key < keys; ++key) {
          double score = 0;
          for (int i = 0; i < size.head; ++i) {
            score += at(q, queries, batch, query, size.heads, head, i) *
                     at(k, size.tokens, batch, key, size.kv_heads, of_kv, i);
          }
          weight[static_cast<std::size_t>(key)] = score / std::sqrt(size.head);
          most = std::max(most, weight[static_cast<std::size_t>(key)]);
        }
        for (double& w : weight) all += w = std::exp(w - most);
        for (int key = 0; key < keys; ++key) {
          for (int i = 0; i < size.head; ++i) {
            sum[static_cast<std::size_t>(i)] +=
                weight[static_cast<std::size_t>(key)] / all * at(v, size.tokens, batch, key, size.kv_heads, of_kv, i);
          }
        }
        out.insert(out.end(), sum.begin(), sum.end());
      }
    }
  }
  return out;
}

}  // namespace stc::kernels
