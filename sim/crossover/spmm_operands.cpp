// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/spmm_operands.h"

#include <utility>

#include "sim/crossover/spmm_integers.h"
#include "sim/formats/make_sparse.h"
#include "sim/launch/random.h"

namespace stc::sim {
namespace {

std::vector<float> dense_integers(int rows, int columns, std::uint64_t seed) {
  const Random random(seed, 4);
  std::vector<float> out(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(random.integer(i, -4, 4));
  return out;
}

}  // namespace

SpmmOperands spmm_operands(const SpmmKernel& kernel, SparseMatrix sparse, bool integers, int m, int n, int k,
                           std::uint64_t seed) {
  const SpmmFormat format = kernel.format;
  round_elements(sparse.values, kernel.element);
  SpmmOperands out;
  out.m = m;
  out.n = n;
  out.k = k;
  out.integers = integers;
  if (format == SpmmFormat::kCsc) {
    out.dense_a = dense_integers(m, k, seed);
    out.sparse_b = std::move(sparse);
    return out;
  }
  const double density = sparse.density();
  if (format == SpmmFormat::kSgemm) {
    out.dense_a = dense_of(sparse);
  } else {
    out.sparse_a = std::move(sparse);
  }
  if (format == SpmmFormat::kCsrCsr) {
    out.sparse_b = random_sparse(k, n, density, seed + 1);
  } else {
    out.dense_b = dense_integers(k, n, seed);
  }
  return out;
}

SpmmOperands measured_spmm_operands(const SpmmKernel& kernel, int m, int n, int k, double sparsity) {
  const bool dense_a = kernel.format == SpmmFormat::kCsc || kernel.format == SpmmFormat::kSgemm;
  const bool sparse_b = kernel.format == SpmmFormat::kCsc || kernel.format == SpmmFormat::kCsrCsr;
  SpmmOperands out;
  out.m = m;
  out.n = n;
  out.k = k;
  std::vector<float> a = spmm_integers(m, k, dense_a ? 0 : sparsity, 1);
  std::vector<float> b = spmm_integers(k, n, sparse_b ? sparsity : 0, 2);
  if (dense_a) {
    out.dense_a = std::move(a);
  } else {
    out.sparse_a = sparse_of(a, m, k);
  }
  if (sparse_b) {
    out.sparse_b = sparse_of(b, k, n);
  } else {
    out.dense_b = std::move(b);
  }
  return out;
}

}  // namespace stc::sim
