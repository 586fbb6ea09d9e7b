// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>

#include "sim/base/error.h"
#include "sim/base/text.h"
#include "sim/convolution/layout.h"
#include "sim/convolution/problem.h"

namespace stc::sim {
namespace {

const std::string& cubin_for(const LibraryKernel& kernel, int sm_version) {
  const auto cubin = kernel.cubins.find(sm_version);
  if (cubin != kernel.cubins.end()) return cubin->second;
  std::vector<std::string> versions;
  for (const auto& [version, file] : kernel.cubins) versions.push_back(fmt::format("sm_{}", version));
  throw UserError(
      fmt::format("kernel {} has no cubin for sm_{}, only for {}", kernel.name, sm_version, join(versions, ", ")));
}

Argument f32(float value) {
  Argument argument;
  argument.bytes.resize(sizeof value);
  std::memcpy(argument.bytes.data(), &value, sizeof value);
  argument.spelling = fmt::format("f32: {}", value);
  return argument;
}

void add_arguments(const ConvolutionProblem& problem, PreparedLaunch& launch) {
  for (const std::string& name : problem.kernel.gemm.arguments) {
    if (name.size() == 1 && std::string("AEXD").find(name) != std::string::npos) {
      launch.arguments.push_back(Argument::address_of(name));
    } else if (name == "scale") {
      launch.arguments.push_back(f32(static_cast<float>(problem.scale)));
    } else {
      launch.arguments.push_back(Argument::i32(scalar_argument(problem, name)));
    }
  }
}

}  // namespace

PreparedLaunch prepare_convolution(const ConvolutionProblem& problem, int sm_version,
                                   const ConvolutionTensors* tensors) {
  const LibraryKernel& kernel = problem.kernel.gemm;
  const ConvolutionLayer& layer = problem.layer;
  require_host_memory(host_bytes(problem, tensors != nullptr), fmt::format("{}: {}", layer.place, layer.text()));
  PreparedLaunch launch;
  launch.module = cubin_for(kernel, sm_version);
  launch.kernel = kernel.symbol;
  launch.grid = {static_cast<std::uint32_t>(problem.kernel.ctas(layer)), 1, 1};
  launch.block = {kernel.threads, 1, 1};
  launch.dynamic_shared_bytes = kernel.dynamic_shared_bytes;
  const auto add = [&](const char* name, DataRole role, std::uint64_t bytes, std::vector<std::uint8_t> data) {
    launch.buffers.push_back({name, role, isa::BufferBytes::padded(std::move(data), bytes), std::nullopt, ""});
  };
  const auto element = static_cast<std::uint64_t>(problem.kernel.element_bytes());
  const auto rows = static_cast<std::uint64_t>(layer.k) * static_cast<std::uint64_t>(problem.length());
  const auto x = static_cast<std::uint64_t>(std::int64_t{layer.n} * layer.h * layer.w * layer.c);
  PackedWeights packed;
  if (tensors != nullptr) packed = pack_weights(problem, tensors->weights);
  add("A", DataRole::kWeight,
      rows * element * static_cast<std::uint64_t>(kernel.stored) / static_cast<std::uint64_t>(kernel.group),
      std::move(packed.values));
  if (kernel.sparse()) add("E", DataRole::kMetadata, metadata_bytes(problem), std::move(packed.metadata));
  add("X", DataRole::kActivation, x * element,
      tensors == nullptr ? std::vector<std::uint8_t>{} : encode_elements(tensors->x, kernel.element));
  add("D", DataRole::kOutput, static_cast<std::uint64_t>(layer.pixels() * layer.k) * element, {});
  add_arguments(problem, launch);
  return launch;
}

}  // namespace stc::sim
