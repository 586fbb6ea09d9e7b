// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/config/config_node.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kMostBytesOrThreads = 1 << 20;

NetworkKernel read_network_kernel(const ConfigNode& node) {
  node.allow_keys(
      {"name", "kind", "head", "threads", "shared_bytes", "ctas_per_sm", "arguments", "registers", "cubins"});
  NetworkKernel kernel;
  kernel.name = node.at("name").text();
  kernel.threads = static_cast<std::uint32_t>(node.at("threads").integer(32, 1024));
  kernel.dynamic_shared_bytes = static_cast<std::uint32_t>(node.at("shared_bytes").integer(0, kMostBytesOrThreads));
  const std::string arguments = node.at("arguments").text();
  kernel.arguments = static_cast<std::size_t>(std::count(arguments.begin(), arguments.end(), '/')) + 1;
  for (const auto& [sm, cubin] : node.at("cubins").items()) {
    const auto version = sm.rfind("sm_", 0) == 0 ? parse_integer(sm.substr(3)) : std::nullopt;
    if (!version) cubin.fail("must be named sm_NN");
    kernel.cubins[static_cast<int>(*version)] = cubin.file_path();
  }
  return kernel;
}

/// Row numbers of a table, spread so that neighbours do not share a row.
std::vector<std::uint8_t> spread_rows(std::uint64_t bytes, std::uint64_t rows) {
  constexpr std::uint64_t kStride = 2654435761;  // a prime, for sizes of tables are none
  std::vector<std::uint8_t> data(bytes);
  for (std::uint64_t i = 0; i < bytes / 4; ++i) {
    const auto row = static_cast<std::int32_t>(i * kStride % rows);
    std::memcpy(&data[i * 4], &row, 4);
  }
  return data;
}

}  // namespace

NetworkKernels NetworkKernels::load(const std::string& folder) {
  NetworkKernels kernels;
  kernels.file_ = resolve_path(folder, "network.yaml");
  const ConfigNode root = ConfigNode::load(kernels.file_);
  root.allow_keys({"compiler", "flags", "kernels"});
  for (const ConfigNode& kernel : root.at("kernels").elements())
    kernels.kernels_.push_back(read_network_kernel(kernel));
  return kernels;
}

const NetworkKernel& NetworkKernels::find(const std::string& name) const {
  std::vector<std::string> names;
  for (const NetworkKernel& kernel : kernels_) {
    if (kernel.name == name) return kernel;
    names.push_back(kernel.name);
  }
  throw UserError(fmt::format("{}: {}", file_, unknown_word("kernel", name, names)));
}

const std::string& NetworkKernels::cubin(const NetworkKernel& kernel, int sm_version) const {
  const auto found = kernel.cubins.find(sm_version);
  if (found != kernel.cubins.end()) return found->second;
  throw UserError(fmt::format("{}: {} has no cubin for sm_{}", file_, kernel.name, sm_version));
}

PreparedLaunch prepare_call(const NetworkCall& call, const NetworkKernels& kernels, int sm_version) {
  const NetworkKernel& kernel = kernels.find(call.kernel);
  PreparedLaunch launch;
  launch.module = kernels.cubin(kernel, sm_version);
  launch.kernel = kernel.name;
  launch.grid = {call.grid[0], call.grid[1], call.grid[2]};
  launch.block = {kernel.threads, 1, 1};
  launch.dynamic_shared_bytes = kernel.dynamic_shared_bytes;
  std::uint64_t table_bytes = 0;
  for (const CallBuffer& buffer : call.buffers) table_bytes = buffer.name == "table" ? buffer.bytes : table_bytes;
  for (const CallBuffer& buffer : call.buffers) {
    Argument argument = Argument::address_of(buffer.name);
    if (buffer.bytes == 0) {
      argument = Argument{};
      argument.bytes.resize(8);  // a null pointer
    } else {
      isa::BufferBytes data =
          buffer.name == "tokens"
              ? isa::BufferBytes(spread_rows(buffer.bytes, table_bytes / 2 / static_cast<std::uint64_t>(call.sizes[0])))
              : isa::BufferBytes::zeros(buffer.bytes);
      launch.buffers.push_back({buffer.name, buffer.role, std::move(data), std::nullopt, ""});
    }
    launch.arguments.push_back(std::move(argument));
  }
  for (const int size : call.sizes) launch.arguments.push_back(Argument::i32(size));
  return launch;
}

}  // namespace stc::sim
