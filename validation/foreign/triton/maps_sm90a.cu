// SPDX-License-Identifier: Apache-2.0
// Triton kernels for Hopper: operands by tensor maps, made on the host or by the kernel, and groups of warps of which
// one copies.
#include "validation/foreign/triton/references.h"

using foreign::Device;
using foreign::Tensor;
using foreign::TritonKernel;

namespace {

constexpr int kM = 512, kN = 1024, kK = 1024;

struct Product {
  Tensor<__half> a{foreign::integers<float>(1, kM*kK, -4, 4)}, b{foreign::integers<float>(2, kK*kN, -4, 4)};
  Device<__half> out{kM * kN};

  /// Sums are whole numbers below 2^14: f16 has those above 2^11 to the nearest it can.
  bool right() const {
    std::vector<double> rounded;
    for (const float sum : foreign::product_of(a, b, kM, kN, kK)) rounded.push_back(static_cast<float>(__half(sum)));
    return foreign::equal(foreign::numbers(out.host()), rounded);
  }
};

bool run_matmul(const char* name, int rows) {
  const Product product;
  TritonKernel kernel(name);
  kernel(dim3(kM / rows, kN / 128), kernel.map(0, product.a.get(), kM, kK), kernel.map(1, product.b.get(), kK, kN),
         kernel.map(2, product.out.get(), kM, kN), kK);
  return product.right();
}

bool run_attention(const char* name, int rows, bool causal) {
  const int d = 128, length = 1024, heads = 8, count = heads * length * d;
  const float scale = 0.3f;
  const Tensor<__half> q(foreign::reals(3, count)), k(foreign::reals(4, count)), v(foreign::reals(5, count));
  Device<__half> out(count);
  TritonKernel kernel(name);
  const int all = heads * length;
  kernel(dim3(length / rows, heads), kernel.map(0, q.get(), all, d), kernel.map(1, k.get(), all, d),
         kernel.map(2, v.get(), all, d), kernel.map(3, out.get(), all, d), length, scale);
  return foreign::near(foreign::numbers(out.host()), foreign::attention_of(q, k, v, heads, length, d, scale, causal),
                       3e-3, 2e-3);
}

}  // namespace

FOREIGN_CASE(matmul_maps) { return run_matmul("matmul_maps", 128); }
FOREIGN_CASE(matmul_specialised) { return run_matmul("matmul_specialised", 64); }
FOREIGN_CASE(matmul_own_maps) {
  const Product product;
  TritonKernel("matmul_own_maps")(dim3(kM / 128, kN / 128), product.a.get(), product.b.get(), product.out.get(), kM, kN,
                                  kK);
  return product.right();
}
FOREIGN_CASE(attention_maps) { return run_attention("attention_maps", 128, true); }
FOREIGN_CASE(attention_specialised) { return run_attention("attention_specialised", 64, false); }
