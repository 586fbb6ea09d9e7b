// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/spmm_library.h"

#include <fmt/format.h>

#include <array>

#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/config/config_node.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kLargest = 1 << 30;
constexpr std::array<const char*, 7> kFormats = {"csr", "ell", "coo", "csr_csr", "csc", "sgemm", "bitmap"};

SpmmKernel read_kernel(const ConfigNode& node) {
  node.allow_keys({"name", "format", "element", "tile_m", "tile_n", "threads", "shared_bytes", "ctas_per_sm",
                   "arguments", "registers", "cubins"});
  const auto size = [&](const char* key, std::int64_t low) {
    return static_cast<int>(node.at(key).integer(low, kLargest));
  };
  SpmmKernel kernel;
  kernel.name = node.at("name").text();
  const std::string format = node.at("format").one_of({kFormats.begin(), kFormats.end()});
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    if (format == kFormats[i]) kernel.format = static_cast<SpmmFormat>(i);
  }
  kernel.element = *element_type_of(node.at("element").one_of({"f32", "f16"}));
  kernel.tile_m = size("tile_m", 1);
  kernel.tile_n = size("tile_n", 0);
  kernel.threads = static_cast<std::uint32_t>(node.at("threads").integer(32, 1024));
  kernel.ctas_per_sm = size("ctas_per_sm", 1);
  kernel.shared_bytes = static_cast<std::uint32_t>(size("shared_bytes", 0));
  for (const auto& [sm, cubin] : node.at("cubins").items()) {
    const auto version = sm.rfind("sm_", 0) == 0 ? parse_integer(sm.substr(3)) : std::nullopt;
    if (!version) cubin.fail("must be named sm_NN");
    kernel.cubins[static_cast<int>(*version)] = cubin.file_path();
  }
  return kernel;
}

/// "m = 100 is no multiple of 128"
std::string not_multiple(const char* name, int size, int unit) {
  return size % unit == 0 ? "" : fmt::format("{} = {} is no multiple of {}", name, size, unit);
}

}  // namespace

const char* name_of(SpmmFormat format) { return kFormats[static_cast<std::size_t>(format)]; }

std::vector<SpmmKernel> load_spmm_library(const std::string& folder) {
  const ConfigNode root = ConfigNode::load(resolve_path(folder, "spmm.yaml"));
  root.allow_keys({"compiler", "flags", "kernels"});
  std::vector<SpmmKernel> kernels;
  for (const ConfigNode& kernel : root.at("kernels").elements()) kernels.push_back(read_kernel(kernel));
  return kernels;
}

std::string why_unfit(const SpmmKernel& kernel, int m, int n, int k) {
  const int vector = 16 / bytes_of(kernel.element);  // of 16 bytes
  if (kernel.format == SpmmFormat::kSgemm) {
    for (const std::string& why :
         {not_multiple("m", m, kernel.tile_m), not_multiple("n", n, kernel.tile_n), not_multiple("k", k, 16)}) {
      if (!why.empty()) return why;
    }
    return "";
  }
  if (n < kernel.tile_n) return fmt::format("n = {} is less than {}", n, kernel.tile_n);
  const int unit = kernel.format == SpmmFormat::kCsc ? 8 : vector;
  if (std::string why = not_multiple("n", n, unit); !why.empty()) return why;
  if (kernel.format == SpmmFormat::kCsc) return not_multiple("k", k, vector);
  if (kernel.element == ElementType::f16 && kernel.format != SpmmFormat::kBitmap && k > 65536) {
    return fmt::format("k = {} is more than 65536, which its 16-bit indices reach", k);
  }
  const double bytes_of_b = static_cast<double>(k) * n * bytes_of(kernel.element);
  if (bytes_of_b >= 0x1p32) return fmt::format("B has {:.0f} bytes, not less than 2^32", bytes_of_b);
  return "";
}

}  // namespace stc::sim
