// SPDX-License-Identifier: Apache-2.0
// Implicit-GEMM convolutions in NHWC, and the sums that a host computes of their definition.
#pragma once

#include "cutlass/conv/device/implicit_gemm_convolution.h"
#include "validation/foreign/cutlass/operands.h"

namespace foreign {

struct Convolution {
  int n, h, w, c, k, r, s, pad, stride, dilation;
  int p() const { return (h + 2 * pad - dilation * (r - 1) - 1) / stride + 1; }
  int q() const { return (w + 2 * pad - dilation * (s - 1) - 1) / stride + 1; }

  cutlass::conv::Conv2dProblemSize problem(int split = 1) const {
    return {{n, h, w, c},
            {k, r, s, c},
            {pad, pad, pad, pad},
            {stride, stride},
            {dilation, dilation},
            {n, p(), q(), k},
            cutlass::conv::Mode::kCrossCorrelation,
            split};
  }
  /// Calls (n, p, q, k, r, s, c, input row, input column) for every product.
  template <typename Visit>
  void visit(Visit visit) const {
    for (int in = 0; in < n; ++in) {
      for (int ip = 0; ip < p(); ++ip) {
        for (int iq = 0; iq < q(); ++iq) {
          for (int ir = 0; ir < r; ++ir) {
            for (int is = 0; is < s; ++is) {
              const int y = ip * stride - pad + ir * dilation, x = iq * stride - pad + is * dilation;
              if (y >= 0 && y < h && x >= 0 && x < w) {
                const int pixel = (in * h + y) * w + x, output = (in * p() + ip) * q() + iq, filter = ir * s + is;
                visit(pixel, output, filter);
              }
            }
          }
        }
      }
    }
  }
};

inline cutlass::layout::TensorNHWC nhwc(int h, int w, int c) { return {c, w * c, h * w * c}; }

/// Operands are matrices: pixels x channels, outputs x k, and for filters k x (r, s, c).
template <typename Device2dConv, typename A, typename B>
bool run_convolution(const Convolution& conv, const Matrix<A>& a, cutlass::layout::TensorNHWC layout_a,
                     const Matrix<B>& b, cutlass::layout::TensorNHWC layout_b, cutlass::layout::TensorNHWC layout_d,
                     const std::vector<double>& expected) {
  Device<float> d(expected.size());
  typename Device2dConv::Arguments arguments{conv.problem(),      {a.get(), layout_a}, {b.get(), layout_b},
                                             {d.get(), layout_d}, {d.get(), layout_d}, {1.f, 0.f}};
  Device<unsigned char> workspace(Device2dConv::get_workspace_size(arguments) + 16);
  Device2dConv op;
  FOREIGN_CUTLASS(op.initialize(arguments, workspace.get()));
  FOREIGN_CUTLASS(op());
  return equal(as_doubles(d.host()), expected);
}

template <typename Op, typename Element>
bool run_fprop(const Convolution& conv) {
  const Matrix<Element> x(1, conv.n * conv.h * conv.w, conv.c), f(2, conv.k, conv.r * conv.s * conv.c);
  std::vector<double> expected(static_cast<std::size_t>(conv.n) * conv.p() * conv.q() * conv.k);
  conv.visit([&](int pixel, int output, int filter) {
    for (int k = 0; k < conv.k; ++k) {
      for (int c = 0; c < conv.c; ++c)
        expected[output * conv.k + k] += double(x.at(pixel, c)) * f.at(k, filter * conv.c + c);
    }
  });
  return run_convolution<Op>(conv, x, nhwc(conv.h, conv.w, conv.c), f, nhwc(conv.r, conv.s, conv.c),
                             nhwc(conv.p(), conv.q(), conv.k), expected);
}

template <typename Op, typename Element>
bool run_dgrad(const Convolution& conv) {
  const Matrix<Element> dy(1, conv.n * conv.p() * conv.q(), conv.k), f(2, conv.k, conv.r * conv.s * conv.c);
  std::vector<double> expected(static_cast<std::size_t>(conv.n) * conv.h * conv.w * conv.c);
  conv.visit([&](int pixel, int output, int filter) {
    for (int k = 0; k < conv.k; ++k) {
      for (int c = 0; c < conv.c; ++c)
        expected[pixel * conv.c + c] += double(dy.at(output, k)) * f.at(k, filter * conv.c + c);
    }
  });
  return run_convolution<Op>(conv, dy, nhwc(conv.p(), conv.q(), conv.k), f, nhwc(conv.r, conv.s, conv.c),
                             nhwc(conv.h, conv.w, conv.c), expected);
}

template <typename Op, typename Element>
bool run_wgrad(const Convolution& conv) {
  const Matrix<Element> dy(1, conv.n * conv.p() * conv.q(), conv.k), x(2, conv.n * conv.h * conv.w, conv.c);
  std::vector<double> expected(static_cast<std::size_t>(conv.k) * conv.r * conv.s * conv.c);
  conv.visit([&](int pixel, int output, int filter) {
    for (int k = 0; k < conv.k; ++k) {
      for (int c = 0; c < conv.c; ++c) {
        expected[(k * conv.r * conv.s + filter) * conv.c + c] += double(dy.at(output, k)) * x.at(pixel, c);
      }
    }
  });
  return run_convolution<Op>(conv, dy, nhwc(conv.p(), conv.q(), conv.k), x, nhwc(conv.h, conv.w, conv.c),
                             nhwc(conv.r, conv.s, conv.c), expected);
}

}  // namespace foreign
