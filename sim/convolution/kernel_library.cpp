// SPDX-License-Identifier: Apache-2.0
#include "sim/convolution/kernel_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kLargest = 1 << 30;
constexpr int kCopyBytes = 16;                              // of one asynchronous copy
constexpr std::int64_t kMostBytes = std::int64_t{1} << 31;  // offsets of a kernel have 32 bits

ConvolutionKernel read_kernel(const ConfigNode& node) {
  node.allow_keys({"name", "element", "kept", "tile_m", "tile_n", "tile_k", "warp_m", "warp_n", "stages", "ctas_per_sm",
                   "threads", "shared_bytes", "metadata_k", "arguments", "registers", "cubins"});
  const auto size = [&](const char* key) { return static_cast<int>(node.at(key).integer(1, kLargest)); };
  LibraryKernel kernel;
  kernel.name = kernel.symbol = node.at("name").text();
  kernel.element = element_type_of(node.at("element").one_of({"f16", "s8"})).value();
  kernel.accumulator = kernel.element == ElementType::f16 ? ElementType::f32 : ElementType::i32;
  if (node.at("kept").one_of({"dense", "sp24"}) == "sp24") {
    kernel.stored = 2;
    kernel.group = 4;
    kernel.metadata_k = size("metadata_k");
  }
  kernel.tile_m = size("tile_m");
  kernel.tile_n = size("tile_n");
  kernel.tile_k = size("tile_k");
  kernel.warp_m = size("warp_m");
  kernel.warp_n = size("warp_n");
  kernel.stages = size("stages");
  kernel.threads = static_cast<std::uint32_t>(size("threads"));
  kernel.dynamic_shared_bytes = static_cast<std::uint32_t>(size("shared_bytes"));
  for (const ConfigNode& name : node.at("arguments").elements()) kernel.arguments.push_back(name.text());
  for (const auto& [sm, cubin] : node.at("cubins").items()) {
    const auto version = sm.rfind("sm_", 0) == 0 ? parse_integer(sm.substr(3)) : std::nullopt;
    if (!version) cubin.fail("must be named sm_NN");
    kernel.cubins[static_cast<int>(*version)] = cubin.file_path();
  }
  return {kernel};
}

std::string too_large(const char* what, std::int64_t elements, int element_bytes) {
  if (elements < kMostBytes / element_bytes) return "";
  return fmt::format("{} has {} bytes, but the kernels reach 2 GiB", what,
                     grouped(static_cast<std::uint64_t>(elements * element_bytes)));
}

}  // namespace

int ConvolutionKernel::tiles_k(const ConvolutionLayer& layer) const {
  return static_cast<int>((layer.reduction() + gemm.tile_k - 1) / gemm.tile_k);
}

std::int64_t ConvolutionKernel::ctas(const ConvolutionLayer& layer) const {
  return layer.k / gemm.tile_m * ((layer.pixels() + gemm.tile_n - 1) / gemm.tile_n);
}

ConvolutionLibrary ConvolutionLibrary::load(const std::string& folder) {
  ConvolutionLibrary library;
  library.file_ = resolve_path(folder, "convolution.yaml");
  const ConfigNode root = ConfigNode::load(library.file_);
  root.allow_keys({"compiler", "flags", "kernels"});
  for (const ConfigNode& kernel : root.at("kernels").elements()) library.kernels_.push_back(read_kernel(kernel));
  return library;
}

const ConvolutionKernel& ConvolutionLibrary::find(const std::string& name, const std::string& place) const {
  std::vector<std::string> names = {"best"};
  for (const ConvolutionKernel& kernel : kernels_) {
    if (kernel.name() == name) return kernel;
    names.push_back(kernel.name());
  }
  throw UserError(fmt::format("{}: {}", place, unknown_word("kernel", name, names)));
}

const ConvolutionKernel& ConvolutionLibrary::dense_twin(const ConvolutionKernel& kernel) const {
  const LibraryKernel& own = kernel.gemm;
  for (const ConvolutionKernel& other : kernels_) {
    const LibraryKernel& one = other.gemm;
    if (!one.sparse() && one.element == own.element && one.tile_m == own.tile_m && one.tile_n == own.tile_n &&
        one.tile_k == own.tile_k && one.warp_m == own.warp_m && one.warp_n == own.warp_n && one.stages == own.stages) {
      return other;
    }
  }
  throw UserError(fmt::format("{}: kernel {} has no dense twin", file_, kernel.name()));
}

std::vector<ConvolutionKernel> ConvolutionLibrary::fitting(const ConvolutionLayer& layer, ElementType type,
                                                           bool sparse) const {
  std::vector<ConvolutionKernel> found;
  std::string why;
  int smallest = 0;
  for (const ConvolutionKernel& kernel : kernels_) {
    if (kernel.gemm.element != type || kernel.sparse() != sparse) continue;
    const std::string reason = why_unfit(kernel, layer);
    if (reason.empty()) found.push_back(kernel);
    if (!reason.empty() && (why.empty() || kernel.gemm.tile_m < smallest)) {
      why = reason;
      smallest = kernel.gemm.tile_m;
    }
  }
  if (found.empty()) {
    throw UserError(fmt::format("{}: no {} kernel of {} takes this layer: {}", layer.place, name_of(type), file_, why));
  }
  return found;
}

std::string why_unfit(const ConvolutionKernel& kernel, const ConvolutionLayer& layer) {
  const int element = kernel.element_bytes(), step = kCopyBytes / element, tile = kernel.gemm.tile_m;
  if (layer.c % step != 0) {
    return fmt::format("c is {}, but must be a multiple of {} (16 bytes of {}); fill up with zeros to {}", layer.c,
                       step, name_of(kernel.gemm.element), (layer.c + step - 1) / step * step);
  }
  if (layer.k % tile != 0) {
    return fmt::format("k is {}, but must be a multiple of the tile size {} of {}; fill up with zeros to {}", layer.k,
                       tile, kernel.name(), (layer.k + tile - 1) / tile * tile);
  }
  const std::string x = too_large("X", std::int64_t{layer.n} * layer.h * layer.w * layer.c, element);
  return x.empty() ? too_large("D", layer.pixels() * layer.k, element) : x;
}

}  // namespace stc::sim
