// SPDX-License-Identifier: Apache-2.0
// Triton kernels with matrix products.
#include "validation/foreign/triton/references.h"

using foreign::Device;
using foreign::Tensor;
using foreign::TritonKernel;

namespace {

std::vector<float> whole(std::uint64_t seed, int count) { return foreign::integers<float>(seed, count, -4, 4); }

template <typename T>
bool run_matmul(const char* name, int tile, int m, int n, int k) {
  const Tensor<T> a(whole(1, m * k)), b(whole(2, k * n));
  Device<float> out(m * n);
  TritonKernel kernel(name);
  kernel(dim3(foreign::divide_up(m, tile), foreign::divide_up(n, tile)), a.get(), b.get(), out.get(), m, n, k);
  return foreign::equal(out.host(), foreign::product_of(a, b, m, n, k));
}

bool run_attention(const char* name, int d, bool causal, int rows = 32, int length = 96, int heads = 2) {
  const int count = heads * length * d;
  const float scale = 0.3f;
  const Tensor<__half> q(foreign::reals(3, count)), k(foreign::reals(4, count)), v(foreign::reals(5, count));
  Device<float> out(count);
  TritonKernel kernel(name);
  kernel(dim3(length / rows, heads), q.get(), k.get(), v.get(), out.get(), length, scale);
  const std::vector<double> e = foreign::attention_of(q, k, v, heads, length, d, scale, causal);
  return foreign::near(out.host(), e, 2e-3, 1e-3);
}

}  // namespace

FOREIGN_CASE(matmul_f16) { return run_matmul<__half>("matmul_f16", 64, 128, 96, 112); }
FOREIGN_CASE(matmul_f16_odd) { return run_matmul<__half>("matmul_f16", 64, 70, 72, 50); }
FOREIGN_CASE(matmul_bf16) { return run_matmul<__nv_bfloat16>("matmul_bf16_small", 32, 64, 64, 96); }
FOREIGN_CASE(matmul_tf32) { return run_matmul<float>("matmul_tf32", 32, 64, 96, 64); }
FOREIGN_CASE(attention) { return run_attention("attention", 64, false); }
FOREIGN_CASE(attention_causal) { return run_attention("attention_causal", 32, true); }
FOREIGN_CASE(attention_warpgroup) { return run_attention("attention_warpgroup", 64, false, 64, 256); }
FOREIGN_CASE(attention_warpgroups) { return run_attention("attention_warpgroups", 128, true, 128, 256); }
FOREIGN_CASE(attention_long) { return run_attention("attention_long", 64, false, 128, 1024, 8); }
FOREIGN_CASE(matmul_f16_wide) { return run_matmul<__half>("matmul_f16_wide", 128, 512, 1024, 1024); }

FOREIGN_CASE(matmul_s8) {
  const int m = 64, n = 96, k = 128;
  const std::vector<signed char> a = foreign::integers<signed char>(6, m * k, -128, 127),
                                 b = foreign::integers<signed char>(7, n * k, -128, 127);
  Device<signed char> da(a), db(b);
  Device<int> out(m * n);
  TritonKernel("matmul_s8")(dim3(m / 32, n / 32), da.get(), db.get(), out.get(), m, n, k);
  std::vector<int> e(m * n);
  for (int i = 0; i < m * n; ++i) {
    for (int x = 0; x < k; ++x) e[i] += a[i / n * k + x] * b[i % n * k + x];
  }
  return foreign::equal(out.host(), e);
}

FOREIGN_CASE(w4a16) {
  const int m = 32, n = 64, k = 256;
  const Tensor<__half> a(whole(8, m * k)), scales(foreign::integers<float>(9, k / 64 * n, 1, 4));
  std::vector<int> packed(k / 8 * n);
  for (std::size_t i = 0; i < packed.size(); ++i) packed[i] = static_cast<int>(foreign::bits(10, i));
  Device<int> dp(packed);
  Device<float> out(m * n);
  TritonKernel("w4a16")(dim3(m / 32, n / 32), a.get(), dp.get(), scales.get(), out.get(), n, k);
  std::vector<float> e(m * n);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int x = 0; x < k; ++x) {
        const int nibble = static_cast<int>(static_cast<unsigned>(packed[x / 8 * n + j]) >> (x % 8 * 4) & 15);
        e[i * n + j] += static_cast<float>(a[i * k + x] * (nibble - 8) * scales[x / 64 * n + j]);
      }
    }
  }
  return foreign::equal(out.host(), e);
}
