// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/read_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/launch/config_values.h"
#include "sim/launch/data_file.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kMostU32 = 0xffffffffLL;

isa::Dim3 read_dim3(const ConfigNode& node, std::int64_t most = std::numeric_limits<std::int32_t>::max()) {
  const std::vector<ConfigNode> elements = node.elements();
  if (elements.empty() || elements.size() > 3) {
    node.fail(fmt::format("must be a list of 1 to 3 sizes, [x, y, z], but has {}", elements.size()));
  }
  std::uint32_t size[3] = {1, 1, 1};
  // Limits of CUDA launches: 2^31-1 in x; the smaller ones of y and z are checked where the machine is known.
  for (std::size_t i = 0; i < elements.size(); ++i) {
    size[i] = static_cast<std::uint32_t>(elements[i].integer(1, most));
  }
  return {size[0], size[1], size[2]};
}

DataRole read_role(const ConfigNode& node) {
  const std::string name = node.one_of({"weight", "metadata", "activation", "output", "other"});
  if (name == "weight") return DataRole::kWeight;
  if (name == "metadata") return DataRole::kMetadata;
  if (name == "activation") return DataRole::kActivation;
  if (name == "output") return DataRole::kOutput;
  return DataRole::kOther;
}

std::uint64_t bytes_of_file(const Fill& fill) {
  const std::uint64_t bytes = read_data(fill.file, fill.place).size();
  if (bytes == 0) throw UserError(fmt::format("{}: {} is empty, a buffer needs bytes", fill.place, fill.file));
  return bytes;
}

BufferPlan read_buffer(const std::string& name, const ConfigNode& node) {
  node.allow_keys({"bytes", "fill", "file", "role", "address", "at"});
  BufferPlan buffer;
  buffer.name = name;
  if (const auto role = node.find("role")) buffer.role = read_role(*role);
  if (const auto address = node.find("address")) {
    buffer.address = static_cast<std::uint64_t>(address->integer(0, std::numeric_limits<std::int64_t>::max()));
    buffer.address_place = address->where();
  }
  if (const auto bytes = node.find("bytes")) {
    buffer.bytes = static_cast<std::uint64_t>(bytes->integer(1, kMostBytes));
  }
  const auto file = node.find("file");
  const auto fill = node.find("fill");
  if (file && fill) node.fail("has both 'file' and 'fill'; one of them is needed");
  if (file) {
    buffer.fill = read_file_fill(*file);
  } else if (fill) {
    buffer.fill = read_fill(*fill);
  }
  if (buffer.bytes == 0 && buffer.fill.kind != Fill::Kind::kFile) node.at("bytes");
  if (buffer.bytes == 0) buffer.bytes = bytes_of_file(buffer.fill);
  if (buffer.bytes % static_cast<std::uint64_t>(bytes_of(buffer.fill.type)) != 0) {
    node.fail(fmt::format("has {} bytes, which is no multiple of the {} of an {}", buffer.bytes,
                          bytes_of(buffer.fill.type), name_of(buffer.fill.type)));
  }
  if (const auto at = node.find("at")) buffer.pointers = read_pointers(*at, buffer.bytes);
  return buffer;
}

SymbolPlan read_symbol(const std::string& name, const ConfigNode& node) {
  node.allow_keys({"fill", "file"});
  SymbolPlan symbol;
  symbol.name = name;
  symbol.place = node.where();
  const auto file = node.find("file");
  const auto fill = node.find("fill");
  if (file.has_value() == fill.has_value()) node.fail("needs one of 'fill' and 'file'");
  symbol.fill = fill ? read_fill(*fill) : read_file_fill(*file);
  return symbol;
}

LaunchPlaces read_places(const ConfigNode& launch) {
  const auto place = [&](const char* key) { return launch.find(key).value_or(launch).where(); };
  return {place("module"), place("kernel"),  place("grid"),
          place("block"),  place("cluster"), place("dynamic_shared_bytes"),
          place("args")};
}

/// The argument must name a buffer of this launch and stay in it; the byte after the last one may be an end pointer.
void require_buffer(const ConfigNode& node, const std::string& name, std::uint64_t offset,
                    const std::vector<BufferPlan>& buffers) {
  const auto buffer =
      std::find_if(buffers.begin(), buffers.end(), [&](const BufferPlan& plan) { return plan.name == name; });
  if (buffer == buffers.end()) {
    std::vector<std::string> names;
    names.reserve(buffers.size());
    for (const BufferPlan& plan : buffers) names.push_back(plan.name);
    const auto key = node.is_map() ? node.find("buffer") : std::nullopt;
    (key ? *key : node).fail(unknown_word("buffer", name, names));
  }
  if (offset > buffer->bytes) {
    node.at("offset").fail(fmt::format("is {}, but buffer '{}' has {} bytes", offset, name, buffer->bytes));
  }
}

const std::vector<std::string> kStepKeys = {
    "module",  "kernel", "grid", "block", "dynamic_shared_bytes", "cooperative", "cluster", "non_portable_cluster",
    "symbols", "args"};

void read_arguments(const ConfigNode& args, const std::vector<BufferPlan>& buffers, LaunchPlan& plan) {
  for (const ConfigNode& arg : args.elements()) {
    plan.arguments.push_back(read_argument(arg));
    const Argument& argument = plan.arguments.back();
    if (!argument.buffer.empty()) require_buffer(arg, argument.buffer, argument.offset, buffers);
    for (const HeldPointer& held : argument.pointers) {
      const auto map = arg.find("tensor_map");
      require_buffer(map ? *map : arg.at("at").at(held.key), held.buffer, held.offset, buffers);
    }
  }
}

/// One kernel with its grid and arguments.
LaunchPlan read_step(const ConfigNode& node, const std::vector<BufferPlan>& buffers) {
  LaunchPlan plan;
  plan.places = read_places(node);
  plan.module = node.at("module").file_path();
  if (const auto kernel = node.find("kernel")) {
    plan.kernel = kernel->text();
    if (plan.kernel.empty()) kernel->fail("is empty; it may be left out when the module holds one kernel");
  }
  plan.grid = read_dim3(node.at("grid"));
  plan.block = read_dim3(node.at("block"));
  if (const auto bytes = node.find("dynamic_shared_bytes")) {
    plan.dynamic_shared_bytes = static_cast<std::uint32_t>(bytes->integer(0, kMostU32));
  }
  if (const auto cooperative = node.find("cooperative")) plan.cooperative = cooperative->flag();
  if (const auto cluster = node.find("cluster")) plan.cluster = read_dim3(*cluster, isa::kMostClusterCtas);
  if (const auto allowed = node.find("non_portable_cluster")) plan.non_portable_cluster = allowed->flag();
  if (const auto symbols = node.find("symbols")) {
    for (const auto& [name, symbol] : symbols->items()) plan.symbols.push_back(read_symbol(name, symbol));
  }
  if (const auto args = node.find("args")) read_arguments(*args, buffers, plan);
  return plan;
}

/// All launches of a sequence; the last one is the plan itself.
LaunchPlan read_sequence(const ConfigNode& node, const std::vector<BufferPlan>& buffers) {
  std::vector<LaunchPlan> steps;
  for (const ConfigNode& step : node.elements()) {
    step.allow_keys(kStepKeys);
    steps.push_back(read_step(step, buffers));
  }
  if (steps.empty()) node.fail("is empty; it must hold a launch at least");
  LaunchPlan last = std::move(steps.back());
  steps.pop_back();
  last.before = std::move(steps);
  return last;
}

std::vector<BufferPlan> read_buffers(const ConfigNode& node) {
  std::vector<BufferPlan> plans;
  for (const auto& [name, buffer] : node.items()) plans.push_back(read_buffer(name, buffer));
  for (const BufferPlan& plan : plans) {
    for (const HeldPointer& held : plan.pointers) {
      require_buffer(node.at(plan.name).at("at").at(held.key), held.buffer, held.offset, plans);
    }
  }
  return plans;
}

}  // namespace

LaunchPlan read_launch(const ConfigNode& node, RunFile& run) {
  const auto sequence = node.find("sequence");
  std::vector<std::string> keys = {"buffers", "save", "expect", "sequence"};
  if (!sequence) keys.insert(keys.begin(), kStepKeys.begin(), kStepKeys.end());
  node.allow_keys(keys);
  std::vector<BufferPlan> buffers;
  if (const auto given = node.find("buffers")) buffers = read_buffers(*given);
  LaunchPlan plan = sequence ? read_sequence(*sequence, buffers) : read_step(node, buffers);
  std::vector<std::string> names;
  names.reserve(buffers.size());
  for (const BufferPlan& buffer : buffers) names.push_back(buffer.name);
  plan.buffers = std::move(buffers);
  if (const auto save = node.find("save")) run.saves = read_saves(*save, names);
  for (const SymbolPlan& symbol : plan.symbols) names.push_back(symbol.name);
  if (const auto expect = node.find("expect")) {
    for (const ConfigNode& one : expect->elements()) {
      run.expectations.push_back(read_expectation(one));
      const std::string& buffer = run.expectations.back().buffer;
      if (std::find(names.begin(), names.end(), buffer) == names.end()) {
        one.at("buffer").fail(unknown_word("buffer or symbol", buffer, names));
      }
    }
  }
  return plan;
}

}  // namespace stc::sim
