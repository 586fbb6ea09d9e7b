// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/run_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/config/ideal_limits.h"
#include "sim/launch/built_kernel.h"
#include "sim/launch/config_values.h"
#include "sim/launch/manifest.h"
#include "sim/launch/read_launch.h"

namespace stc::sim {
namespace {

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

/// Those of the GPU go to `run`; the others are returned.
std::vector<Override> own_overrides(const std::vector<Override>& overrides, RunFile& run) {
  std::vector<Override> own;
  for (const Override& set : overrides) {
    if (set.path.rfind("gpu.", 0) == 0) {
      run.gpu_overrides.push_back({set.path.substr(4), set.value});
    } else {
      own.push_back(set);
    }
  }
  return own;
}

RunFile read_root(const ConfigNode& root, RunFile run) {
  const std::string& file = run.file;
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
    run.work = read_launch(*launch, run);
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
  for (Override& key : lifted_keys(run.options.ideal)) run.gpu_overrides.push_back(std::move(key));
  if (!run.options.full_values && !(run.saves.empty() && run.expectations.empty())) {
    options->at("values").fail(fmt::format("is 'addresses', which computes no matrix results, but '{}' asks for them",
                                           run.saves.empty() ? "expect" : "save"));
  }
  return run;
}

}  // namespace

RunFile read_run_file(const std::string& file, const std::vector<Override>& overrides) {
  RunFile run;
  run.file = file;
  const std::vector<Override> own = own_overrides(overrides, run);
  return read_root(ConfigNode::load(file, own), std::move(run));
}

RunFile parse_run_file(const std::string& text, const std::string& name, const std::vector<Override>& overrides) {
  RunFile run;
  run.file = name;
  const std::vector<Override> own = own_overrides(overrides, run);
  return read_root(ConfigNode::parse(text, name, own), std::move(run));
}

}  // namespace stc::sim
