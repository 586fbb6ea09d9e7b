// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/launch_capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "sim/base/files.h"
#include "sim/base/text.h"

namespace stc::sim {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::string hex_text(const Bytes& block, const isa::KernelParameter& parameter) {
  std::string text;
  for (std::uint32_t i = 0; i < parameter.bytes; ++i) {
    const std::size_t at = parameter.offset + i;
    text += fmt::format("{:02x}", at < block.size() ? block[at] : 0);
  }
  return text;
}

/// A name that YAML takes as it is.
std::string plain_name(const ProgramMemory::Block& block, int module) {
  if (block.module == module && block.module != ProgramMemory::kNoModule) return block.name;
  std::string name = block.module == ProgramMemory::kNoModule ? "" : fmt::format("m{}_", block.module);
  for (const char c : block.name) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

class Capture {
 public:
  Capture(const std::string& folder, std::uint64_t number)
      : folder_(folder), run_file_(fmt::format("{}/{:03}/run.yaml", folder, number)) {}

  /// Where the run file finds these bytes.
  std::string store(const Bytes& bytes) {
    const std::string name = fmt::format("data/{}-{}.bin", content_hash(bytes.data(), bytes.size()), bytes.size());
    const std::string path = folder_ + "/" + name;
    if (!std::filesystem::exists(path)) outputs_.add(path, bytes);
    return "../" + name;
  }
  std::string fill_of(const Bytes& bytes) {
    const auto differs = [&](std::uint8_t byte) { return byte != bytes.front(); };
    if (bytes.empty() || std::any_of(bytes.begin(), bytes.end(), differs))
      return fmt::format("{{file: {}}}", store(bytes));
    if (bytes.front() == 0) return "zero";
    return fmt::format("{{constant: {{type: u8, value: {}}}}}", bytes.front());
  }
  void commit(const std::string& text) {
    outputs_.add_text(run_file_, text);
    outputs_.commit();
  }

 private:
  const std::string folder_, run_file_;
  OutputFiles outputs_;
};

std::string size_text(const remote::Size3& size) { return fmt::format("[{}, {}, {}]", size.x, size.y, size.z); }

std::string shape_lines(const ProgramFunction& function, const remote::LaunchShape& shape) {
  std::string text = fmt::format("  kernel: {}\n  grid: {}\n  block: {}\n  dynamic_shared_bytes: {}\n", function.symbol,
                                 size_text(shape.grid), size_text(shape.block), shape.dynamic_shared_bytes);
  if (shape.cooperative != 0) text += "  cooperative: true\n";
  if (shape.cluster.x != 0) text += fmt::format("  cluster: {}\n", size_text(shape.cluster));
  if (function.non_portable_cluster) text += "  non_portable_cluster: true\n";
  return text;
}

std::string buffer_lines(Capture& capture, ProgramState& state, int module) {
  std::string text;
  for (auto& [address, block] : state.memory.blocks()) {
    const bool of_launch = block.name == ProgramModule::kConstantBank && block.module == module;
    if (of_launch || block.name == "device heap" || block.data.empty()) continue;
    const std::uint8_t* const first = block.bytes();
    text += fmt::format("    {}: {{address: {}, bytes: {}, fill: {}}}\n", plain_name(block, module), address,
                        block.data.size(), capture.fill_of(Bytes(first, first + block.data.size())));
  }
  return text.empty() ? "" : "  buffers:\n" + text;
}

/// What the host has made of the module's constants.
std::string symbol_lines(Capture& capture, ProgramState& state, ProgramModule& module) {
  const ProgramMemory::Block* const bank = state.memory.variable(module.number(), ProgramModule::kConstantBank);
  std::string text;
  for (const isa::ModuleVariable& variable : module.variables()) {
    if (bank == nullptr || !variable.constant_offset) continue;
    const auto first = bank->data.begin() + *variable.constant_offset;
    const Bytes now(first, first + static_cast<std::ptrdiff_t>(variable.bytes));
    text += fmt::format("    {}: {{fill: {}}}\n", variable.name, capture.fill_of(now));
  }
  return text.empty() ? "" : "  symbols:\n" + text;
}

}  // namespace

void capture_launch(const std::string& folder, std::uint64_t number, const std::string& gpu_file, ProgramState& state,
                    const ProgramFunction& function, const remote::LaunchShape& shape,
                    const std::vector<isa::KernelParameter>& parameters, const std::vector<std::uint8_t>& block) {
  Capture capture(folder, number);
  std::string text = fmt::format("gpu: {}\nlaunch:\n  module: {}\n", std::filesystem::absolute(gpu_file).string(),
                                 capture.store(function.module->cubin()));
  text += shape_lines(function, shape) + buffer_lines(capture, state, function.module->number()) +
          symbol_lines(capture, state, *function.module) + "  args:\n";
  for (const isa::KernelParameter& parameter : parameters) {
    text += fmt::format("    - {{hex: \"{}\"}}\n", hex_text(block, parameter));
  }
  if (parameters.empty()) text += "    []\n";
  text += fmt::format("options:\n  stack_bytes: {}\n  malloc_heap_bytes: {}\n", state.stack_bytes, state.heap_bytes);
  capture.commit(text);
}

}  // namespace stc::sim
