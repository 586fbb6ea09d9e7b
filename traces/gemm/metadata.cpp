// SPDX-License-Identifier: Apache-2.0
// The metadata operand of a whole matrix.
#include <algorithm>
#include <stdexcept>

#include "models/isa/mma/fragment_layout.h"
#include "traces/gemm/gemm_builder.h"

namespace stc::gemm {

std::vector<std::uint32_t> pack_metadata(const GemmSpec& spec, int m, int k, const std::vector<std::uint8_t>& indices) {
  constexpr int kRows = sparsity::MetadataLayout::kRows;
  const GemmGeometry g = geometry(spec);
  if (g.metadata_k == 0) return {};
  const sparsity::MetadataLayout layout = isa::metadata_layout(g.op);
  const int per_row = k / g.op.pattern.group_elements() * g.op.pattern.n;
  if (m % kRows != 0 || k % g.metadata_k != 0 ||
      indices.size() != static_cast<std::size_t>(m) * static_cast<std::size_t>(per_row)) {
    throw std::invalid_argument("metadata of a " + std::to_string(m) + " x " + std::to_string(k) +
                                " matrix cannot be packed (m must be a multiple of 16, k of " +
                                std::to_string(g.metadata_k) + ")");
  }
  const int in_step = layout.indices_per_row();
  const std::size_t fragment_words = static_cast<std::size_t>(g.metadata_registers) * sparsity::MetadataLayout::kLanes;
  std::vector<std::uint32_t> words(
      static_cast<std::size_t>(g.metadata_bytes(static_cast<std::uint64_t>(m), static_cast<std::uint64_t>(k)) / 4));
  std::vector<std::uint8_t> tile(static_cast<std::size_t>(kRows * in_step));
  for (int step = 0; step < k / g.op.k; ++step) {
    const int block = step / g.metadata_instructions;
    for (int fragment = 0; fragment < m / kRows; ++fragment) {
      for (int row = 0; row < kRows; ++row) {
        const auto from =
            indices.begin() + (std::ptrdiff_t{fragment} * kRows + row) * per_row + std::ptrdiff_t{step} * in_step;
        std::copy(from, from + in_step, tile.begin() + std::ptrdiff_t{row} * in_step);
      }
      const std::size_t first = static_cast<std::size_t>(block * (m / kRows) + fragment) * fragment_words;
      layout.pack(tile.data(), step % g.metadata_instructions, &words[first]);
    }
  }
  return words;
}

}  // namespace stc::gemm
