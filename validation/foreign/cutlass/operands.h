// SPDX-License-Identifier: Apache-2.0
// Operands of CUTLASS cases: small whole numbers, so that every order of summation gives the same result, and the
// product that a host computes of them.
#pragma once

#include "cutlass/cutlass.h"
#include "cutlass/numeric_types.h"
#include "validation/foreign/foreign.h"

namespace foreign {

#define FOREIGN_CUTLASS(call)                                                  \
  do {                                                                         \
    const cutlass::Status status = call;                                       \
    if (status != cutlass::Status::kSuccess) {                                 \
      std::printf("%s: %s\n", #call, cutlass::cutlassGetStatusString(status)); \
      return false;                                                            \
    }                                                                          \
  } while (false)

/// A matrix on the host, row-major, and its image on the device in either order.
template <typename Element>
class Matrix {
 public:
  Matrix(std::uint64_t seed, int rows, int columns, bool column_major = false, int most = 3)
      : rows_(rows),
        columns_(columns),
        column_major_(column_major),
        values_(integers(seed, rows * columns, -most, most)),
        device_(pack()) {}

  int at(int row, int column) const { return values_[row * columns_ + column]; }
  Element* get() const { return reinterpret_cast<Element*>(device_.get()); }
  int stride() const { return column_major_ ? rows_ : columns_; }
  int rows() const { return rows_; }
  int columns() const { return columns_; }

 private:
  static constexpr int kBits = cutlass::sizeof_bits<Element>::value;

  std::vector<unsigned char> pack() const {
    std::vector<unsigned char> bytes(static_cast<std::size_t>(rows_) * columns_ * kBits / 8);
    for (int r = 0; r < rows_; ++r) {
      for (int c = 0; c < columns_; ++c) {
        const std::size_t place =
            column_major_ ? static_cast<std::size_t>(c) * rows_ + r : static_cast<std::size_t>(r) * columns_ + c;
        if constexpr (kBits < 8) {
          bytes[place * kBits / 8] |= (at(r, c) & ((1 << kBits) - 1)) << (place * kBits % 8);
        } else {
          reinterpret_cast<Element*>(bytes.data())[place] = Element(at(r, c));
        }
      }
    }
    return bytes;
  }

  int rows_, columns_;
  bool column_major_;
  std::vector<int> values_;
  Device<unsigned char> device_;
};

/// alpha * a * b + beta * c, row-major.
template <typename A, typename B, typename C>
std::vector<double> product_of(const Matrix<A>& a, const Matrix<B>& b, const Matrix<C>& c, double alpha, double beta) {
  std::vector<double> d(static_cast<std::size_t>(a.rows()) * b.columns());
  for (int m = 0; m < a.rows(); ++m) {
    for (int n = 0; n < b.columns(); ++n) {
      double sum = 0;
      for (int k = 0; k < a.columns(); ++k) sum += double(a.at(m, k)) * b.at(k, n);
      d[m * b.columns() + n] = alpha * sum + beta * c.at(m, n);
    }
  }
  return d;
}

template <typename T>
std::vector<double> as_doubles(const std::vector<T>& values) {
  std::vector<double> result;
  for (const T value : values) result.push_back(static_cast<double>(value));
  return result;
}

/// Runs device::Gemm and its kin, whose A is row-major, B column-major, C and D row-major.
template <typename Gemm>
bool run_gemm(
    int m, int n, int k, float alpha = 1, float beta = 0, int split = 1,
    double (*epilogue)(double) = [](double v) { return v; }, double tolerance = 0) {
  using D = typename Gemm::ElementC;
  const Matrix<typename Gemm::ElementA> a(1, m, k);
  const Matrix<typename Gemm::ElementB> b(2, k, n, true);
  const Matrix<D> c(3, m, n);
  Device<D> d(m * n);
  using Scalar = typename Gemm::EpilogueOutputOp::ElementCompute;
  typename Gemm::Arguments arguments({m, n, k}, {a.get(), a.stride()}, {b.get(), b.stride()}, {c.get(), c.stride()},
                                     {d.get(), n}, {Scalar(alpha), Scalar(beta)}, split);
  Device<unsigned char> workspace(Gemm::get_workspace_size(arguments) + 16);
  Gemm gemm;
  FOREIGN_CUTLASS(gemm.initialize(arguments, workspace.get()));
  FOREIGN_CUTLASS(gemm());
  std::vector<double> expected = product_of(a, b, c, alpha, beta);
  for (double& value : expected) value = epilogue(value);
  return near(as_doubles(d.host()), expected, tolerance, tolerance);
}

}  // namespace foreign
