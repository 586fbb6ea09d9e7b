// SPDX-License-Identifier: Apache-2.0
// Triton kernels that work on rows and elements.
#include <algorithm>

#include "validation/foreign/triton/triton_case.h"

using foreign::Device;
using foreign::Tensor;
using foreign::TritonKernel;

FOREIGN_CASE(add) {
  const int n = 5000;
  const std::vector<float> x = foreign::reals(1, n), y = foreign::reals(2, n);
  Device<float> dx(x), dy(y), out(n);
  TritonKernel("add")(foreign::divide_up(n, 256), dx.get(), dy.get(), out.get(), n);
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = x[i] + y[i];
  return foreign::equal(out.host(), expected);
}

FOREIGN_CASE(softmax) {
  const int rows = 20, columns = 200;
  const std::vector<float> x = foreign::reals(3, rows * columns, -5, 5);
  Device<float> dx(x), out(rows * columns);
  TritonKernel("softmax")(rows, dx.get(), out.get(), columns);
  std::vector<double> e(rows * columns);
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int c = 0; c < columns; ++c) sum += std::exp(double(x[r * columns + c]));
    for (int c = 0; c < columns; ++c) e[r * columns + c] = std::exp(double(x[r * columns + c])) / sum;
  }
  return foreign::near(out.host(), e, 1e-5);
}

FOREIGN_CASE(layer_norm) {
  const int rows = 12, columns = 400;
  const std::vector<float> x = foreign::reals(4, rows * columns), w = foreign::reals(5, columns),
                           b = foreign::reals(6, columns);
  Device<float> dx(x), dw(w), db(b), out(rows * columns);
  TritonKernel("layer_norm")(rows, dx.get(), dw.get(), db.get(), out.get(), columns, 1e-5f);
  std::vector<double> e(rows * columns);
  for (int r = 0; r < rows; ++r) {
    double mean = 0, square = 0;
    for (int c = 0; c < columns; ++c) mean += x[r * columns + c] / columns;
    for (int c = 0; c < columns; ++c) square += std::pow(x[r * columns + c] - mean, 2) / columns;
    for (int c = 0; c < columns; ++c)
      e[r * columns + c] = (x[r * columns + c] - mean) / std::sqrt(square + 1e-5) * w[c] + b[c];
  }
  return foreign::near(out.host(), e, 1e-5, 1e-5);
}

FOREIGN_CASE(rms_norm) {
  const int rows = 10, columns = 600;
  const Tensor<__half> x(foreign::reals(7, rows * columns)), w(foreign::reals(8, columns));
  Device<__half> out(rows * columns);
  TritonKernel("rms_norm")(rows, x.get(), w.get(), out.get(), columns, 1e-6f);
  std::vector<double> e(rows * columns);
  for (int r = 0; r < rows; ++r) {
    double square = 0;
    for (int c = 0; c < columns; ++c) square += x[r * columns + c] * x[r * columns + c] / columns;
    for (int c = 0; c < columns; ++c) e[r * columns + c] = x[r * columns + c] / std::sqrt(square + 1e-6) * w[c];
  }
  return foreign::near(foreign::numbers(out.host()), e, 1e-3, 1e-5);
}

FOREIGN_CASE(cross_entropy) {
  const int rows = 16, columns = 1000;
  const std::vector<float> x = foreign::reals(9, rows * columns, -8, 8);
  const std::vector<int> labels = foreign::integers(10, rows, 0, columns - 1);
  Device<float> dx(x), out(rows);
  Device<int> dl(labels);
  TritonKernel("cross_entropy")(rows, dx.get(), dl.get(), out.get(), columns);
  std::vector<double> e(rows);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) e[r] += std::exp(double(x[r * columns + c]));
    e[r] = std::log(e[r]) - x[r * columns + labels[r]];
  }
  return foreign::near(out.host(), e, 1e-5, 1e-5);
}

FOREIGN_CASE(rope) {
  const int length = 24, heads = 3, half = 32, n = heads * length * 2 * half;
  const std::vector<float> x = foreign::reals(11, n), c = foreign::reals(12, length * half),
                           s = foreign::reals(13, length * half);
  Device<float> dx(x), dc(c), ds(s), out(n);
  TritonKernel("rope")(dim3(length, heads), dx.get(), dc.get(), ds.get(), out.get(), length);
  std::vector<double> e(n);
  for (int h = 0; h < heads; ++h) {
    for (int p = 0; p < length; ++p) {
      for (int i = 0; i < half; ++i) {
        const int at = (h * length + p) * 2 * half + i, angle = p * half + i;
        e[at] = double(x[at]) * c[angle] - double(x[at + half]) * s[angle];
        e[at + half] = double(x[at + half]) * c[angle] + double(x[at]) * s[angle];
      }
    }
  }
  return foreign::near(out.host(), e, 1e-6, 1e-6);
}

FOREIGN_CASE(swiglu) {
  const int n = 3000;
  const Tensor<__nv_bfloat16> gate(foreign::reals(14, n, -4, 4)), up(foreign::reals(15, n, -4, 4));
  Device<__nv_bfloat16> out(n);
  TritonKernel("swiglu")(foreign::divide_up(n, 512), gate.get(), up.get(), out.get(), n);
  std::vector<double> e(n);
  for (int i = 0; i < n; ++i) e[i] = gate[i] / (1 + std::exp(-gate[i])) * up[i];
  return foreign::near(foreign::numbers(out.host()), e, 5e-3, 1e-5);
}

FOREIGN_CASE(cumulative_sum) {
  const int rows = 8, columns = 500;
  const std::vector<int> x = foreign::integers(16, rows * columns, -99, 99);
  Device<int> dx(x), out(rows * columns);
  TritonKernel("cumulative_sum")(rows, dx.get(), out.get(), columns);
  std::vector<int> e = x;
  for (int i = 0; i < rows * columns; ++i) e[i] += i % columns ? e[i - 1] : 0;
  return foreign::equal(out.host(), e);
}

FOREIGN_CASE(row_sort) {
  std::vector<float> x = foreign::reals(17, 256 * 4);
  Device<float> dx(x), out(x.size());
  TritonKernel("row_sort")(4, dx.get(), out.get());
  for (int r = 0; r < 4; ++r) std::sort(x.begin() + r * 256, x.begin() + (r + 1) * 256);
  return foreign::equal(out.host(), x);
}

FOREIGN_CASE(arg_max) {
  const int rows = 30, columns = 450;
  const std::vector<float> x = foreign::integers<float>(18, rows * columns, 0, 200);
  Device<float> dx(x);
  Device<int> out(rows);
  TritonKernel("arg_max")(rows, dx.get(), out.get(), columns);
  std::vector<int> e(rows);
  for (int r = 0; r < rows; ++r) {
    const auto row = x.begin() + r * columns;
    e[r] = static_cast<int>(std::max_element(row, row + columns) - row);
  }
  return foreign::equal(out.host(), e);
}

FOREIGN_CASE(transpose) {
  const int rows = 96, columns = 64;
  const std::vector<float> x = foreign::reals(19, rows * columns);
  Device<float> dx(x), out(rows * columns);
  TritonKernel("transpose")(dim3(rows / 32, columns / 32), dx.get(), out.get(), rows, columns);
  std::vector<float> e(rows * columns);
  for (int i = 0; i < rows * columns; ++i) e[i % columns * rows + i / columns] = x[i];
  return foreign::equal(out.host(), e);
}

namespace {

// Philox 4x32 of ten rounds, first word: what tl.rand draws.
std::uint32_t philox(std::uint32_t seed, std::uint32_t offset) {
  std::uint32_t c0 = offset, c1 = 0, c2 = 0, c3 = 0, k0 = seed, k1 = 0;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = 0xD2511F53ULL * c0, b = 0xCD9E8D57ULL * c2;
    c0 = static_cast<std::uint32_t>(b >> 32) ^ c1 ^ k0;
    c2 = static_cast<std::uint32_t>(a >> 32) ^ c3 ^ k1;
    c1 = static_cast<std::uint32_t>(b);
    c3 = static_cast<std::uint32_t>(a);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c0;
}

}  // namespace

FOREIGN_CASE(dropout) {
  const int n = 2000, seed = 1234;
  const std::vector<float> x = foreign::reals(20, n);
  Device<float> dx(x), out(n);
  TritonKernel("dropout")(foreign::divide_up(n, 256), dx.get(), out.get(), n, 0.25f, seed);
  std::vector<double> e(n);
  for (int i = 0; i < n; ++i) {
    const auto drawn = static_cast<std::int32_t>(philox(seed, i));
    const float uniform = static_cast<float>(drawn < 0 ? -drawn - 1 : drawn) * 4.6566127342e-10f;
    e[i] = uniform > 0.25f ? x[i] / 0.75 : 0;
  }
  return foreign::near(out.host(), e, 1e-6);
}

FOREIGN_CASE(histogram) {
  const int n = 3000;
  const std::vector<int> x = foreign::integers(21, n, 0, 63);
  Device<int> dx(x), bins(64);
  TritonKernel("histogram")(foreign::divide_up(n, 256), dx.get(), bins.get(), n);
  std::vector<int> e(64);
  for (const int v : x) ++e[v];
  return foreign::equal(bins.host(), e);
}
