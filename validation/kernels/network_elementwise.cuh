// SPDX-License-Identifier: Apache-2.0
// Elementwise kernels and pooling: a thread makes eight neighbouring values of the result.
#pragma once

#include "validation/kernels/network_vector.cuh"

namespace stc::kernels {

/// First element of this thread's vector.
__device__ inline std::int64_t own_element() { return (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) * kVector; }

__device__ inline float gelu(float v) { return 0.5f * v * (1.0f + erff(v * 0.70710678f)); }

/// Y = gelu(X + bias), bias by columns.
__device__ inline void bias_gelu(const __half* x, const __half* bias, __half* y, int rows, int columns) {
  const std::int64_t at = own_element();
  if (at >= std::int64_t{rows} * columns) return;
  const Floats8 v = unpack(load8(x + at)), b = unpack(load8(bias + static_cast<int>(at % columns)));
  Floats8 out;
#pragma unroll
  for (int i = 0; i < kVector; ++i) out.at[i] = gelu(v.at[i] + b.at[i]);
  store8(y + at, pack(out));
}

/// Y = max(X + R, 0).
__device__ inline void add_relu(const __half* x, const __half* r, __half* y, int elements) {
  const std::int64_t at = own_element();
  if (at >= elements) return;
  const Floats8 a = unpack(load8(x + at)), b = unpack(load8(r + at));
  Floats8 out;
#pragma unroll
  for (int i = 0; i < kVector; ++i) out.at[i] = fmaxf(a.at[i] + b.at[i], 0.0f);
  store8(y + at, pack(out));
}

/// X [rows][2 * columns] holds gates, then values: Y = gate / (1 + exp(-gate)) * value.
__device__ inline void silu_product(const __half* x, __half* y, int rows, int columns) {
  const std::int64_t at = own_element();
  if (at >= std::int64_t{rows} * columns) return;
  const __half* gates = x + at / columns * 2 * columns + at % columns;
  const Floats8 g = unpack(load8(gates)), v = unpack(load8(gates + columns));
  Floats8 out;
#pragma unroll
  for (int i = 0; i < kVector; ++i) out.at[i] = g.at[i] / (1.0f + exp2f(-1.44269504f * g.at[i])) * v.at[i];
  store8(y + at, pack(out));
}

/// Rotates the pairs (i, i + kHead / 2) of each head in place. X [tokens][stride], heads side by side from its start;
/// angles [positions][kHead / 2] of cosine and sine (f32); a token's position is its number modulo `positions`.
template <int kHead>
__device__ void rotary(__half* x, const float2* angles, int tokens, int positions, int heads, int stride) {
  constexpr int kHalf = kHead / 2, kVectors = kHalf / kVector;  // of a head, in its first half
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int vector = thread % kVectors, head = thread / kVectors % heads, token = thread / kVectors / heads;
  if (token >= tokens) return;
  __half* first = x + std::int64_t{token} * stride + head * kHead + vector * kVector;
  const Floats8 a = unpack(*reinterpret_cast<uint4*>(first)), b = unpack(*reinterpret_cast<uint4*>(first + kHalf));
  const float2* angle = angles + token % positions * kHalf + vector * kVector;
  Floats8 turned_a, turned_b;
#pragma unroll
  for (int i = 0; i < kVector; ++i) {
    const float2 turn = __ldg(angle + i);
    turned_a.at[i] = a.at[i] * turn.x - b.at[i] * turn.y;
    turned_b.at[i] = b.at[i] * turn.x + a.at[i] * turn.y;
  }
  store8(first, pack(turned_a));
  store8(first + kHalf, pack(turned_b));
}

/// 3 x 3 with stride 2 and a border of 1. X [n][h][w][c], Y [n][h / 2][w / 2][c]; h and w even, c a multiple of 8.
__device__ inline void max_pool(const __half* x, __half* y, int n, int h, int w, int c) {
  const int vectors = c / kVector, thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int vector = thread % vectors, q = thread / vectors % (w / 2), p = thread / vectors / (w / 2) % (h / 2);
  const int image = thread / vectors / (w / 2) / (h / 2);
  if (image >= n) return;
  Floats8 most;
#pragma unroll
  for (int i = 0; i < kVector; ++i) most.at[i] = -INFINITY;
  for (int row = max(2 * p - 1, 0); row <= 2 * p + 1; ++row) {
    for (int column = max(2 * q - 1, 0); column <= 2 * q + 1; ++column) {
      const Floats8 v = unpack(load8(x + ((std::int64_t{image} * h + row) * w + column) * c + vector * kVector));
#pragma unroll
      for (int i = 0; i < kVector; ++i) most.at[i] = fmaxf(most.at[i], v.at[i]);
    }
  }
  store8(y + ((std::int64_t{image} * (h / 2) + p) * (w / 2) + q) * c + vector * kVector, pack(most));
}

/// Mean over all pixels of an image. X [n][pixels][c], Y [n][c]; a CTA takes 128 vectors of channels of an image.
__device__ inline void average_pool(const __half* x, __half* y, int pixels, int c) {
  const int channel = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x) * kVector;
  if (channel >= c) return;
  const __half* from = x + std::int64_t{blockIdx.x} * pixels * c + channel;
  Floats8 sum = {};
#pragma unroll 4
  for (int pixel = 0; pixel < pixels; ++pixel) {
    const Floats8 v = unpack(load8(from + std::int64_t{pixel} * c));
#pragma unroll
    for (int i = 0; i < kVector; ++i) sum.at[i] += v.at[i];
  }
#pragma unroll
  for (int i = 0; i < kVector; ++i) sum.at[i] /= static_cast<float>(pixels);
  store8(y + std::int64_t{blockIdx.x} * c + channel, pack(sum));
}

}  // namespace stc::kernels
