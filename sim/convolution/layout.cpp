// SPDX-License-Identifier: Apache-2.0
#include "sim/convolution/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>

#include "models/sparsity/compress.h"
#include "models/sparsity/metadata_layout.h"

namespace stc::sim {
namespace {

constexpr int kMmaM = 16;
constexpr int kMetadataRowBytes = 128;  // one word a lane

/// A in stored order: rows permuted, each filled up with zeros to whole k-tiles.
std::vector<float> ordered_rows(const ConvolutionProblem& problem, const std::vector<float>& weights) {
  const std::ptrdiff_t length = problem.length(), reduction = problem.layer.reduction();
  const int warp_m = problem.kernel.gemm.warp_m;
  std::vector<float> rows(static_cast<std::size_t>(problem.layer.k * length));
  for (int row = 0; row < problem.layer.k; ++row) {
    const int channel = row / warp_m * warp_m + channel_of_row(row % warp_m, warp_m);
    std::copy_n(weights.begin() + channel * reduction, reduction, rows.begin() + row * length);
  }
  return rows;
}

std::vector<std::uint8_t> pack_metadata(const ConvolutionProblem& problem, const std::vector<std::uint8_t>& indices) {
  // The deepest sparse instruction reads 512 bits of dense k; one register serves as many as there are selectors.
  const int bits = 8 * problem.kernel.element_bytes();
  const int instruction_k = 512 / bits;
  const sparsity::MetadataLayout layout(problem.kernel.gemm.pattern(), instruction_k, bits);
  const std::vector<std::uint32_t> words =
      sparsity::pack_matrix(layout, instruction_k, problem.layer.k, problem.length(), indices);
  std::vector<std::uint8_t> bytes(words.size() * sizeof(std::uint32_t));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

}  // namespace

int channel_of_row(int row, int warp_m) { return row % 8 * (warp_m / 8) + row / kMmaM * 2 + row % kMmaM / 8; }

PackedWeights pack_weights(const ConvolutionProblem& problem, const std::vector<float>& weights) {
  const LibraryKernel& kernel = problem.kernel.gemm;
  const std::vector<float> rows = ordered_rows(problem, weights);
  if (!kernel.sparse()) return {encode_elements(rows, kernel.element), {}};
  const sparsity::Pattern pattern = kernel.pattern();
  auto indices = sparsity::prune_by_magnitude(pattern, problem.layer.k, problem.length(), rows.data());
  const auto compressed =
      sparsity::compress(pattern, problem.layer.k, problem.length(), rows.data(), std::move(indices));
  return {encode_elements(compressed.values, kernel.element), pack_metadata(problem, compressed.indices)};
}

std::uint64_t metadata_bytes(const ConvolutionProblem& problem) {
  const LibraryKernel& kernel = problem.kernel.gemm;
  if (!kernel.sparse()) return 0;
  return static_cast<std::uint64_t>(problem.length() / kernel.metadata_k) *
         static_cast<std::uint64_t>(problem.layer.k / kMmaM * kMetadataRowBytes);
}

DivisorWords divisor_words(std::uint32_t divisor) {
  if (divisor == 1) return {};
  std::uint32_t bits = 0;
  while ((std::uint64_t{1} << bits) < divisor) ++bits;
  const std::uint64_t multiplier = ((std::uint64_t{1} << (31U + bits)) + divisor - 1) / divisor;
  return {static_cast<std::uint32_t>(multiplier), bits - 1};
}

std::int32_t scalar_argument(const ConvolutionProblem& problem, const std::string& name) {
  const ConvolutionLayer& layer = problem.layer;
  const int tile_k = problem.kernel.gemm.tile_k, positions = tile_k / layer.c;
  const int image = layer.p() * layer.q();
  const DivisorWords by_image = divisor_words(static_cast<std::uint32_t>(image));
  const DivisorWords by_row = divisor_words(static_cast<std::uint32_t>(layer.q()));
  const auto word = [](std::uint32_t value) { return static_cast<std::int32_t>(value); };
  const std::map<std::string, std::int32_t> scalars = {{"pixels", static_cast<std::int32_t>(layer.pixels())},
                                                       {"image", image},
                                                       {"image_multiplier", word(by_image.multiplier)},
                                                       {"image_shift", word(by_image.shift)},
                                                       {"q", layer.q()},
                                                       {"q_multiplier", word(by_row.multiplier)},
                                                       {"q_shift", word(by_row.shift)},
                                                       {"h", layer.h},
                                                       {"w", layer.w},
                                                       {"c", layer.c},
                                                       {"k", layer.k},
                                                       {"r", layer.r},
                                                       {"s", layer.s},
                                                       {"stride", layer.stride},
                                                       {"pad", layer.pad},
                                                       {"tiles_k", problem.kernel.tiles_k(layer)},
                                                       {"step_r", positions / layer.s},
                                                       {"step_s", positions % layer.s},
                                                       {"step_c", tile_k % layer.c}};
  const auto found = scalars.find(name);
  if (found == scalars.end()) throw std::logic_error(fmt::format("convolution kernels have no argument '{}'", name));
  return found->second;
}

}  // namespace stc::sim
