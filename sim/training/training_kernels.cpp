// SPDX-License-Identifier: Apache-2.0
#include "sim/training/training_kernels.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/config/config_node.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kLargest = 1 << 20;

TrainingKernel read_kernel(const ConfigNode& node) {
  const auto number = [&](const char* key, std::int64_t least) {
    return static_cast<std::uint32_t>(node.at(key).integer(least, kLargest));
  };
  TrainingKernel kernel;
  kernel.name = node.at("name").text();
  kernel.threads = number("threads", 32);
  kernel.dynamic_shared_bytes = number("shared_bytes", 0);
  const auto choice = node.find("choice");
  if (choice) {
    node.allow_keys(
        {"name", "choice", "form", "threads", "shared_bytes", "tile_rows", "tile_columns", "registers", "cubins"});
    kernel.choice = choice->one_of({"exact", "greedy", "row", "like"});
  } else {
    node.allow_keys({"name",         "kept",   "a",      "b",      "d",         "epilogue",    "tile_m",
                     "tile_n",       "tile_k", "warp_m", "warp_n", "stages",    "ctas_per_sm", "threads",
                     "shared_bytes", "sparse", "fused",  "parts",  "registers", "cubins"});
    kernel.sparse = node.at("sparse").integer(0, 1) != 0;
    kernel.storage = {node.at("a").one_of({"mk", "km"}), node.at("b").one_of({"nk", "kn"}),
                      node.at("d").one_of({"mn", "nm"})};
    kernel.epilogue = node.at("epilogue").one_of({"none", "relu2", "relu2_gradient", "parts"});
    kernel.tile_k = static_cast<int>(number("tile_k", 1));
    kernel.ctas_per_sm = static_cast<int>(number("ctas_per_sm", 1));
  }
  kernel.tile_m = static_cast<int>(number(choice ? "tile_rows" : "tile_m", 1));
  kernel.tile_n = static_cast<int>(number(choice ? "tile_columns" : "tile_n", 1));
  for (const auto& [sm, cubin] : node.at("cubins").items()) {
    const auto version = sm.rfind("sm_", 0) == 0 ? parse_integer(sm.substr(3)) : std::nullopt;
    if (!version) cubin.fail("must be named sm_NN");
    kernel.cubins[static_cast<int>(*version)] = cubin.file_path();
  }
  return kernel;
}

/// Outputs that the fullest SM computes, weighted by what a tile costs more than the largest one: operands per product
/// rise as the tile shrinks.
double load_of(const TrainingKernel& kernel, int m, int n, int sms) {
  constexpr int kLargeTile = 128 * 256, kMediumTile = 128 * 128;
  const int area = kernel.tile_m * kernel.tile_n;
  const double extra = area >= kLargeTile ? 1.0 : area >= kMediumTile ? 1.05 : 1.2;
  const auto count = static_cast<std::uint64_t>(sms);
  const std::uint64_t fullest = (kernel.ctas(m, n) + count - 1) / count;  // CTAs of that SM
  return static_cast<double>(fullest) * area * extra;
}

}  // namespace

TrainingKernels TrainingKernels::load(const std::string& folder) {
  TrainingKernels kernels;
  kernels.file_ = resolve_path(folder, "training.yaml");
  const ConfigNode root = ConfigNode::load(kernels.file_);
  root.allow_keys({"compiler", "flags", "kernels"});
  for (const ConfigNode& kernel : root.at("kernels").elements()) kernels.kernels_.push_back(read_kernel(kernel));
  return kernels;
}

std::uint64_t TrainingKernel::ctas(int m, int n) const {
  const auto tiles = [](int size, int tile) { return static_cast<std::uint64_t>((size + tile - 1) / tile); };
  return tiles(m, tile_m) * tiles(n, tile_n);
}

const TrainingKernel& TrainingKernels::gemm(bool sparse, const GemmStorage& storage, const std::string& epilogue, int m,
                                            int n, int sms) const {
  const TrainingKernel* best = nullptr;
  double least = 0;
  for (const TrainingKernel& kernel : kernels_) {
    if (kernel.prunes() || kernel.sparse != sparse || !(kernel.storage == storage) || kernel.epilogue != epilogue) {
      continue;
    }
    const double load = load_of(kernel, m, n, sms);
    if (best != nullptr && load >= least) continue;
    best = &kernel;
    least = load;
  }
  if (best != nullptr) return *best;
  throw UserError(fmt::format("{}: has no {} kernel with A {}, B {}, D {} and epilogue '{}'", file_,
                              sparse ? "2:4" : "dense", storage.a, storage.b, storage.d, epilogue));
}

const TrainingKernel& TrainingKernels::prune(const std::string& choice) const {
  for (const TrainingKernel& kernel : kernels_) {
    if (kernel.choice == choice) return kernel;
  }
  throw UserError(fmt::format("{}: has no kernel that prunes by '{}'", file_, choice));
}

}  // namespace stc::sim
