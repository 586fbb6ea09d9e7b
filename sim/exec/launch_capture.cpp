// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/launch_capture.h"

#include <fmt/format.h>

#include <cctype>

#include "traces/cubin/cubin_error.h"

namespace stc::sim {
namespace {

using Bytes = LaunchWriter::Bytes;

/// Names of blocks in the run file; equal in both halves of a capture.
std::string plain_name(const ProgramMemory::Block& block, int module) {
  if (block.module == module && block.module != ProgramMemory::kNoModule) return block.name;
  std::string name = block.module == ProgramMemory::kNoModule ? "" : fmt::format("m{}_", block.module);
  for (const char c : block.name) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

isa::Dim3 dimensions(const remote::Size3& size) { return {size.x, size.y, size.z}; }

LaunchWriter::Shape writer_shape(const ProgramFunction& function, const remote::LaunchShape& from) {
  LaunchWriter::Shape shape;
  shape.grid = dimensions(from.grid);
  shape.block = dimensions(from.block);
  shape.dynamic_shared_bytes = from.dynamic_shared_bytes;
  shape.cooperative = from.cooperative != 0;
  if (from.cluster.x != 0) shape.cluster = dimensions(from.cluster);
  shape.non_portable_cluster = function.non_portable_cluster;
  return shape;
}

/// What the host has made of the module's constants.
void add_symbols(LaunchWriter& writer, ProgramState& state, ProgramModule& module) {
  const ProgramMemory::Block* const bank = state.memory.variable(module.number(), ProgramModule::kConstantBank);
  for (const isa::ModuleVariable& variable : module.variables()) {
    if (bank == nullptr || !variable.constant_offset) continue;
    const auto first = bank->data.begin() + *variable.constant_offset;
    writer.add_symbol(variable.name, Bytes(first, first + static_cast<std::ptrdiff_t>(variable.bytes)));
  }
}

}  // namespace

LaunchCapture::LaunchCapture(const std::string& folder, std::uint64_t number, ProgramState& state,
                             const ProgramFunction& function)
    : writer_(folder, number), state_(state), module_(*function.module) {}

template <class Visit>
void LaunchCapture::for_each_buffer(const Visit& visit) {
  for (auto& [address, block] : state_.memory.blocks()) {
    if (block.name == "device heap" || block.data.empty()) continue;
    visit(address, block, Bytes(block.bytes(), block.bytes() + block.data.size()));
  }
}

void LaunchCapture::before(const std::string& gpu_file, const ProgramFunction& function,
                           const remote::LaunchShape& shape, const std::vector<isa::KernelParameter>& parameters,
                           const Bytes& block) {
  // Where everything lies decides how lines meet in the caches: the replay has it at the same addresses.
  try {
    module_.place(function.symbol, state_.memory);
  } catch (const cubin::CubinError&) {  // of which the launch will say more
  }
  writer_.set_kernel(gpu_file, module_.cubin(), function.symbol, writer_shape(function, shape));
  for_each_buffer([&](std::uint64_t address, const ProgramMemory::Block& of, const Bytes& contents) {
    writer_.add_buffer(plain_name(of, module_.number()), address, contents);
    kept_.insert(address);
  });
  add_symbols(writer_, state_, module_);
  for (const isa::KernelParameter& parameter : parameters) {
    Bytes bytes(parameter.bytes);
    for (std::uint32_t i = 0; i < parameter.bytes && parameter.offset + i < block.size(); ++i) {
      bytes[i] = block[parameter.offset + i];
    }
    writer_.add_argument(bytes.data(), bytes.size());
  }
  writer_.set_limits(state_.stack_bytes, state_.heap_bytes);
}

void LaunchCapture::after() {
  for_each_buffer([&](std::uint64_t address, const ProgramMemory::Block& of, const Bytes& contents) {
    if (kept_.count(address) != 0) writer_.expect_if_changed(plain_name(of, module_.number()), contents);
  });
}

}  // namespace stc::sim
