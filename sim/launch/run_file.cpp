// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/run_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/launch/built_kernel.h"
#include "sim/launch/config_values.h"
#include "sim/launch/manifest.h"

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

BufferPlan read_buffer(const std::string& name, const ConfigNode& node) {
  node.allow_keys({"bytes", "fill", "file", "role", "address"});
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
    buffer.fill.kind = Fill::Kind::kFile;
    buffer.fill.file = file->file_path();
  } else if (fill) {
    buffer.fill = read_fill(*fill);
  }
  if (buffer.bytes == 0 && buffer.fill.kind != Fill::Kind::kFile) node.at("bytes");
  if (buffer.bytes % static_cast<std::uint64_t>(bytes_of(buffer.fill.type)) != 0) {
    node.fail(fmt::format("has {} bytes, which is no multiple of the {} of an {}", buffer.bytes,
                          bytes_of(buffer.fill.type), name_of(buffer.fill.type)));
  }
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
  if (fill) {
    symbol.fill = read_fill(*fill);
  } else {
    symbol.fill.kind = Fill::Kind::kFile;
    symbol.fill.file = file->file_path();
  }
  return symbol;
}

std::vector<Save> read_saves(const ConfigNode& node, const std::vector<std::string>& buffers) {
  std::vector<Save> saves;
  for (const auto& [buffer, file] : node.items()) {
    if (std::find(buffers.begin(), buffers.end(), buffer) == buffers.end()) {
      file.fail(unknown_word("buffer", buffer, buffers));
    }
    if (file.text().empty()) file.fail("must be a file name, but is empty");
    const auto same = [&file = file](const Save& save) { return save.file == file.text(); };
    if (std::any_of(saves.begin(), saves.end(), same)) file.fail("is the file of another buffer already");
    saves.push_back({buffer, file.text(), file.overridden() ? "." : folder_of(node.file())});
  }
  return saves;
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
    node.fail(unknown_word("buffer", name, names));
  }
  const std::uint64_t bytes = buffer->bytes != 0 ? buffer->bytes : read_bytes(buffer->fill.file).size();
  if (offset > bytes) {
    node.at("offset").fail(fmt::format("is {}, but buffer '{}' has {} bytes", offset, name, bytes));
  }
}

LaunchPlan read_launch(const ConfigNode& node, std::vector<Save>& saves) {
  node.allow_keys({"module", "kernel", "grid", "block", "dynamic_shared_bytes", "cooperative", "cluster",
                   "non_portable_cluster", "buffers", "symbols", "args", "save"});
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
  std::vector<std::string> names;
  if (const auto buffers = node.find("buffers")) {
    for (const auto& [name, buffer] : buffers->items()) {
      plan.buffers.push_back(read_buffer(name, buffer));
      names.push_back(name);
    }
  }
  if (const auto symbols = node.find("symbols")) {
    for (const auto& [name, symbol] : symbols->items()) plan.symbols.push_back(read_symbol(name, symbol));
  }
  if (const auto args = node.find("args")) {
    for (const ConfigNode& arg : args->elements()) {
      plan.arguments.push_back(read_argument(arg));
      const Argument& argument = plan.arguments.back();
      if (!argument.buffer.empty()) require_buffer(arg, argument.buffer, argument.offset, plan.buffers);
      for (const HeldPointer& held : argument.pointers) {
        require_buffer(arg.at("at").at(held.key), held.buffer, held.offset, plan.buffers);
      }
    }
  }
  if (const auto save = node.find("save")) saves = read_saves(*save, names);
  return plan;
}

/// A kernel of the library. What is asked for beside its name, it must have: a run file may say `best` of a type and a
/// pattern, and --set name a kernel of that kind instead.
void read_library_kernel(const ConfigNode& node, const ConfigNode& name, GemmPlan& plan) {
  node.allow_keys({"kernel", "type", "pattern", "m", "n", "k", "seed", "input", "low", "high"});
  plan.best = name.text() == "best";
  if (!plan.best) plan.kernel = name.text();
  plan.place = name.place();
  if (plan.best || node.find("type")) plan.type = read_element_type(node.at("type"));
  if (plan.best || node.find("pattern")) plan.pattern = node.at("pattern").text();
}

GemmPlan read_gemm(const ConfigNode& node) {
  GemmPlan plan;
  if (const auto name = node.find("kernel")) {
    read_library_kernel(node, *name, plan);
  } else if (const auto pattern = node.find("pattern")) {
    node.allow_keys({"pattern", "type", "tile", "warp", "stages", "m", "n", "k", "seed", "input", "low", "high"});
    plan.built = read_gemm_spec(node);
    plan.place = pattern->place();
  } else {
    node.allow_keys({"kernel", "m", "n", "k", "seed", "input", "low", "high"});
    node.at("kernel");  // is missing
  }
  const auto read_size = [&](const char* key, std::string& place) {
    const ConfigNode size = node.at(key);
    place = size.where();
    return size.integer(1, std::numeric_limits<std::int32_t>::max());
  };
  plan.m = read_size("m", plan.m_place);
  plan.n = read_size("n", plan.n_place);
  plan.k = read_size("k", plan.k_place);
  if (const auto seed = node.find("seed")) {
    plan.seed = static_cast<std::uint64_t>(seed->integer(0, std::numeric_limits<std::int64_t>::max()));
  }
  plan.input_place = node.where();
  if (const auto input = node.find("input")) {
    plan.input =
        input->one_of({"random", "integers"}) == "random" ? GemmPlan::Input::kRandom : GemmPlan::Input::kIntegers;
    plan.input_place = input->where();
  }
  if (const auto low = node.find("low")) plan.low = low->number();
  if (const auto high = node.find("high")) plan.high = high->number();
  return plan;
}

void read_workload(const ConfigNode& node, const std::string& kernels_folder, RunFile& run) {
  node.allow_keys({"gemm", "conv", "save"});
  const auto gemm = node.find("gemm"), conv = node.find("conv");
  if (gemm.has_value() == conv.has_value()) node.fail("needs one of 'gemm' and 'conv'");
  if (gemm) {
    GemmPlan plan = read_gemm(*gemm);
    plan.kernels_folder = kernels_folder;
    run.work = plan;
  } else {
    ConvolutionPlan plan = read_convolution_plan(*conv);
    plan.kernels_folder = kernels_folder;
    run.work = plan;
  }
  if (const auto save = node.find("save")) run.saves = read_saves(*save, {"A", "E", gemm ? "B" : "X", "D"});
}

}  // namespace

RunFile read_run_file(const std::string& file, const std::vector<Override>& overrides) {
  RunFile run;
  run.file = file;
  std::vector<Override> own;
  for (const Override& set : overrides) {
    if (set.path.rfind("gpu.", 0) == 0) {
      run.gpu_overrides.push_back({set.path.substr(4), set.value});
    } else {
      own.push_back(set);
    }
  }
  const ConfigNode root = ConfigNode::load(file, own);
  root.allow_keys({"gpu", "launch", "workload", "options", "kernels"});
  run.gpu_file = root.at("gpu").file_path();
  const auto launch = root.find("launch");
  const auto workload = root.find("workload");
  if (launch.has_value() == workload.has_value()) {
    throw UserError(
        fmt::format("{}: must have either 'launch' (any kernel) or 'workload' (a GEMM or a convolution of the "
                    "library)",
                    file));
  }
  const auto kernels = root.find("kernels");
  if (launch) {
    run.work = read_launch(*launch, run.saves);
    if (kernels) kernels->fail("is the folder of the kernel library, which only 'workload' uses");
  } else {
    for (const char* training : {"train_linear", "train_mlp"}) {
      if (const auto node = workload->find(training)) {
        node->fail(fmt::format("is a training step, which 'stcsim train {}' runs", file));
      }
    }
    read_workload(*workload, kernels ? kernels->file_path() : default_kernels_folder(), run);
  }
  const auto options = root.find("options");
  if (options) run.options = read_run_options(*options, !launch);
  if (!run.options.full_values && !run.saves.empty()) {
    options->at("values").fail("is 'addresses', which computes no matrix results, but 'save' asks for buffers");
  }
  return run;
}

}  // namespace stc::sim
