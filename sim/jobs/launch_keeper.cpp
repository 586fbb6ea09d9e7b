// SPDX-License-Identifier: Apache-2.0
#include "sim/jobs/launch_keeper.h"

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/launch/run_options.h"
#include "traces/cubin/cubin_error.h"
#include "traces/cubin/cubin_writer.h"

namespace stc::sim {
namespace {

LaunchWriter::Bytes machine_code_of(const ReadyLaunch& ready, const std::string& file) {
  if (!ready.prepared.built) return read_bytes(ready.prepared.module);
  try {
    return cubin::write_cubin({ready.kernel});
  } catch (const cubin::CubinError& error) {
    throw UserError(fmt::format("{}: --keep: stcsim built {}, for which the GPU has no machine code: {}", file,
                                ready.title, error.what()));
  }
}

LaunchWriter::Shape shape_of(const PreparedLaunch& launch) {
  LaunchWriter::Shape shape;
  shape.grid = launch.grid;
  shape.block = launch.block;
  shape.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  shape.cooperative = launch.cooperative;
  shape.cluster = launch.cluster;
  shape.non_portable_cluster = launch.non_portable_cluster;
  return shape;
}

}  // namespace

LaunchKeeper::LaunchKeeper(const std::string& folder, const RunFile& run_file)
    : run_file_(run_file), writer_(folder, 1) {
  require_no_launches(folder);
  if (!run_file.options.ideal.empty()) {
    throw UserError(fmt::format(
        "{}: --keep keeps a launch of the GPU as its file has it, without the limits that options.ideal lifts",
        run_file.file));
  }
  if (!run_file.gpu_overrides.empty()) {
    throw UserError(
        fmt::format("{}: --keep names the GPU's file and cannot keep changes of the GPU; write them to a "
                    "file with 'base: {}'",
                    run_file.file, run_file.gpu_file));
  }
}

void LaunchKeeper::before(const ReadyLaunch& ready) {
  if (!ready.kernel.variables.empty()) {
    throw UserError(fmt::format("{}: --keep keeps no variables of modules, which {} has", run_file_.file, ready.title));
  }
  writer_.set_kernel(run_file_.gpu_file, machine_code_of(ready, run_file_.file), ready.kernel.name,
                     shape_of(ready.prepared));
  for (const PreparedBuffer& buffer : ready.prepared.buffers) {
    if (!buffer.pointers.empty()) {
      throw UserError(
          fmt::format("{}: --keep keeps no buffers that hold addresses, as '{}' does", run_file_.file, buffer.name));
    }
    buffers_.push_back({buffer.name, buffer.role, buffer.data.to_vector()});
  }
  arguments_ = ready.prepared.arguments;
  parameters_ = ready.kernel.parameters;
  title_ = ready.title;
  for (const RunOption& option : run_options()) {  // checks of the library's own D become `expect`
    if (!option.library_only) writer_.add_option(option.key, option.text(run_file_.options));
  }
}

void LaunchKeeper::after(const isa::GlobalMemory& memory) {
  const auto find = [&](const std::string& name) -> const isa::Allocation& {
    for (const isa::Allocation& allocation : memory.allocations()) {
      if (allocation.name == name) return allocation;
    }
    throw std::logic_error("no buffer " + name);
  };
  for (const Kept& buffer : buffers_) {
    const isa::Allocation& placed = find(buffer.name);
    writer_.add_buffer(buffer.name, placed.address, buffer.contents, buffer.role);
    if (!run_file_.options.full_values) continue;
    writer_.expect_if_changed(buffer.name, placed.data.to_vector());
  }
  const std::vector<std::uint8_t> block =
      pack_arguments(arguments_, parameters_, title_, [&](const std::string& name) { return find(name).address; });
  for (const isa::KernelParameter& parameter : parameters_) {
    writer_.add_argument(block.data() + parameter.offset, parameter.bytes);
  }
}

}  // namespace stc::sim
