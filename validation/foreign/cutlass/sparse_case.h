// SPDX-License-Identifier: Apache-2.0
// 2:4 (tf32: 1:2) sparse GEMMs: random positions, compressed A, metadata in CUTLASS's order.
#pragma once

#include "cutlass/gemm/device/gemm_sparse.h"
#include "cutlass/util/host_reorder.h"
#include "validation/foreign/cutlass/operands.h"

namespace foreign {

/// Per element type: dense elements of a group, stored ones, and bits of one position (tf32's position fills a nibble).
template <typename Element>
struct Pattern {
  static constexpr int kGroup = cutlass::sizeof_bits<Element>::value == 32 ? 2 : 4;
};

template <typename Gemm>
bool run_sparse(int m, int n, int k) {
  using A = typename Gemm::ElementA;
  using E = typename Gemm::ElementE;
  constexpr int kGroup = Pattern<A>::kGroup;
  const int groups = k / kGroup, words = k / 2 / Gemm::kElementsPerElementE;
  const Matrix<A> stored(1, m, k / 2);
  const Matrix<typename Gemm::ElementB> b(2, k, n, true);
  const Matrix<typename Gemm::ElementC> c(3, m, n);
  Device<typename Gemm::ElementC> d(m * n);
  std::vector<E> metadata(static_cast<std::size_t>(m) * words), reordered(metadata.size());
  std::vector<double> expected(static_cast<std::size_t>(m) * n);
  constexpr int kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  for (int row = 0; row < m; ++row) {
    for (int g = 0; g < groups; ++g) {
      const std::uint64_t random = bits(7, static_cast<std::uint64_t>(row) * groups + g);
      int nibble, places[2];
      if (kGroup == 4) {
        places[0] = kPairs[random % 6][0], places[1] = kPairs[random % 6][1];
        nibble = places[0] | places[1] << 2;
      } else {
        places[0] = static_cast<int>(random & 1);
        nibble = places[0] ? 0xe : 0x4;
      }
      constexpr int kNibbles = static_cast<int>(sizeof(E)) * 2;
      metadata[row * words + g / kNibbles] |= static_cast<E>(static_cast<E>(nibble) << (4 * (g % kNibbles)));
      for (int s = 0; s < kGroup / 2; ++s) {
        const int weight = stored.at(row, g * (kGroup / 2) + s);
        for (int col = 0; col < n; ++col) expected[row * n + col] += double(weight) * b.at(g * kGroup + places[s], col);
      }
    }
  }
  using Layout = typename Gemm::LayoutE;
  const auto layout = Layout::packed({m, words});
  cutlass::reorder_meta(cutlass::TensorRef<E, Layout>(reordered.data(), layout),
                        cutlass::TensorRef<E, cutlass::layout::RowMajor>(metadata.data(), words), {m, n, words});
  Device<E> e(reordered);
  typename Gemm::Arguments arguments({m, n, k}, {stored.get(), k / 2}, {b.get(), k}, {c.get(), n}, {d.get(), n},
                                     {e.get(), layout}, {1, 0}, 1);
  Device<unsigned char> workspace(Gemm::get_workspace_size(arguments) + 16);
  Gemm gemm;
  FOREIGN_CUTLASS(gemm.initialize(arguments, workspace.get()));
  FOREIGN_CUTLASS(gemm());
  return equal(as_doubles(d.host()), expected);
}

}  // namespace foreign
