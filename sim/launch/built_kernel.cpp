// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/built_kernel.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "sim/base/error.h"
#include "sim/launch/config_values.h"

namespace stc::sim {
gemm::GemmSpec read_gemm_spec(const ConfigNode& node) {
  gemm::GemmSpec spec;
  const ConfigNode pattern = node.at("pattern");
  try {
    spec.pattern = sparsity::Pattern::parse(pattern.text());
  } catch (const std::invalid_argument& error) {
    pattern.fail(error.what());
  }
  if (const auto type = node.find("type")) spec.type = read_multiplicand_type(*type);
  const std::vector<int> tile = read_tile_sizes(node.at("tile"), 3);
  spec.tile_m = tile[0];
  spec.tile_n = tile[1];
  spec.tile_k = tile[2];
  if (const auto warp = node.find("warp")) {
    const std::vector<int> sizes = read_tile_sizes(*warp, 2);
    spec.warp_m = sizes[0];
    spec.warp_n = sizes[1];
  }
  if (const auto stages = node.find("stages")) spec.stages = static_cast<int>(stages->integer(2, 8));
  return spec;
}

LibraryKernel built_kernel(const gemm::GemmSpec& spec, const std::string& place) {
  gemm::GemmGeometry geometry;
  try {
    geometry = gemm::geometry(spec);
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("{}: {}", place, error.what()));
  }
  LibraryKernel kernel;
  kernel.name = kernel.symbol = gemm::name_of(spec);
  kernel.element = *element_type_of(isa::name_of(spec.type));
  kernel.accumulator = isa::is_integer(spec.type) ? ElementType::i32 : ElementType::f32;
  kernel.stored = geometry.op.pattern.n;
  kernel.group = geometry.op.pattern.m;
  kernel.tile_m = spec.tile_m;
  kernel.tile_n = spec.tile_n;
  kernel.tile_k = spec.tile_k;
  kernel.warp_m = spec.warp_m;
  kernel.warp_n = spec.warp_n;
  kernel.stages = spec.stages;
  kernel.threads = geometry.threads;
  kernel.dynamic_shared_bytes = geometry.dynamic_shared_bytes;
  kernel.metadata_k = geometry.metadata_k;
  kernel.arguments = geometry.arguments;
  kernel.spec = spec;
  return kernel;
}

}  // namespace stc::sim
