// SPDX-License-Identifier: Apache-2.0
// Normalisations and softmax: a CTA of 128 threads takes a row of a matrix [rows][columns], which it reads once and
// holds in registers. columns: a multiple of 8, at most 8192.
#pragma once

#include "validation/kernels/network_vector.cuh"

namespace stc::kernels {

constexpr int kRowThreads = 128;
constexpr int kRowVectors = 8;  ///< of a thread, at most

/// A row as the threads of the CTA hold it. Vectors behind its end hold nothing and are never looked at.
class Row {
 public:
  __device__ Row(int columns) : vectors_(columns / kVector) {}

  template <class Use>
  __device__ void each(const Use& use) {
#pragma unroll
    for (int i = 0; i < kRowVectors; ++i) {
      const int vector = static_cast<int>(threadIdx.x) + i * kRowThreads;
      if (vector < vectors_) use(bits_[i], vector * kVector);
    }
  }
  __device__ void load(const __half* row) {
    each([&](uint4& bits, int column) { bits = load8(row + column); });
  }
  /// Sum over the row of term(value).
  template <class Join, class Term>
  __device__ float reduce(float start, const Term& term) {
    float own = start;
    each([&](uint4& bits, int) {
      const Floats8 values = unpack(bits);
#pragma unroll
      for (int i = 0; i < kVector; ++i) own = Join::join(own, term(values.at[i]));
    });
    return over_cta<Join>(own);
  }

 private:
  int vectors_;
  uint4 bits_[kRowVectors];
};

/// Adds the row of `other`, if there is one, and stores the sum.
__device__ inline void add_row(Row& row, const __half* other, __half* sum) {
  if (other == nullptr) return;
  row.each([&](uint4& bits, int column) {
    const Floats8 a = unpack(bits), b = unpack(load8(other + column));
    Floats8 both;
#pragma unroll
    for (int i = 0; i < kVector; ++i) both.at[i] = a.at[i] + b.at[i];
    bits = pack(both);
    store8(sum + column, bits);
  });
}

constexpr float kNormEpsilon = 1e-5f;

/// S = X + R, where R is not null; Y = (S - mean) / deviation * gain + bias, by rows.
__device__ inline void layer_norm(const __half* x, const __half* r, const __half* gain, const __half* bias, __half* s,
                                  __half* y, int columns) {
  const std::int64_t at = std::int64_t{blockIdx.x} * columns;
  Row row(columns);
  row.load(x + at);
  add_row(row, r == nullptr ? nullptr : r + at, s + at);
  const float mean = row.reduce<Sum>(0, [](float v) { return v; }) / static_cast<float>(columns);
  const float square = row.reduce<Sum>(0, [&](float v) { return (v - mean) * (v - mean); });
  const float scale = rsqrtf(square / static_cast<float>(columns) + kNormEpsilon);
  row.each([&](uint4& bits, int column) {
    const Floats8 v = unpack(bits), g = unpack(load8(gain + column)), b = unpack(load8(bias + column));
    Floats8 out;
#pragma unroll
    for (int i = 0; i < kVector; ++i) out.at[i] = (v.at[i] - mean) * scale * g.at[i] + b.at[i];
    store8(y + at + column, pack(out));
  });
}

/// S = X + R, where R is not null; Y = S / root of the mean square * gain, by rows.
__device__ inline void rms_norm(const __half* x, const __half* r, const __half* gain, __half* s, __half* y,
                                int columns) {
  const std::int64_t at = std::int64_t{blockIdx.x} * columns;
  Row row(columns);
  row.load(x + at);
  add_row(row, r == nullptr ? nullptr : r + at, s + at);
  const float square = row.reduce<Sum>(0, [](float v) { return v * v; });
  const float scale = rsqrtf(square / static_cast<float>(columns) + kNormEpsilon);
  row.each([&](uint4& bits, int column) {
    const Floats8 v = unpack(bits), g = unpack(load8(gain + column));
    Floats8 out;
#pragma unroll
    for (int i = 0; i < kVector; ++i) out.at[i] = v.at[i] * scale * g.at[i];
    store8(y + at + column, pack(out));
  });
}

__device__ inline void softmax(const __half* x, __half* y, int columns) {
  constexpr float kLog2E = 1.44269504f;
  const std::int64_t at = std::int64_t{blockIdx.x} * columns;
  Row row(columns);
  row.load(x + at);
  const float most = row.reduce<Maximum>(-INFINITY, [](float v) { return v; });
  const float sum = row.reduce<Sum>(0, [&](float v) { return exp2f((v - most) * kLog2E); });
  const float scale = 1.0f / sum;
  row.each([&](uint4& bits, int column) {
    const Floats8 v = unpack(bits);
    Floats8 out;
#pragma unroll
    for (int i = 0; i < kVector; ++i) out.at[i] = exp2f((v.at[i] - most) * kLog2E) * scale;
    store8(y + at + column, pack(out));
  });
}

/// Row `tokens`[i] of a table becomes row i of Y.
__device__ inline void gather(const int* tokens, const __half* table, __half* y, int columns) {
  const __half* from = table + std::int64_t{tokens[blockIdx.x]} * columns;
  __half* to = y + std::int64_t{blockIdx.x} * columns;
  for (int column = static_cast<int>(threadIdx.x) * kVector; column < columns; column += kRowThreads * kVector) {
    store8(to + column, load8(from + column));
  }
}

}  // namespace stc::kernels
