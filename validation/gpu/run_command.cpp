// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/run_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/launch/gemm_check.h"
#include "sim/launch/gemm_workload.h"
#include "sim/launch/run_file.h"
#include "validation/gpu/gpu_launch.h"

namespace stc::silicon {
namespace {

using Json = nlohmann::ordered_json;

struct Times {
  double median = 0, least = 0, greatest = 0;
};

Times measure(GpuLaunch& launch, L2Flush& flush, bool warm, int runs) {
  std::vector<double> times;
  for (int i = 0; i < 3; ++i) launch.run();
  for (int i = 0; i < runs; ++i) {
    if (!warm) flush();
    times.push_back(launch.timed_run());
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front(), times.back()};
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

Json provenance(const DeviceFacts& facts) {
  return {{"gpu", facts.name},
          {"sm_version", facts.sm_version},
          {"sms", facts.sms},
          {"max_clock_mhz", facts.max_clock_khz / 1000},
          {"cuda_driver", fmt::format("{}.{}", facts.driver / 1000, facts.driver % 1000 / 10)},
          {"date", now()}};
}

std::string role_text(isa::DataRole role) { return isa::name_of(role); }

}  // namespace

int run(const RunCommand& command) {
  std::vector<sim::Override> overrides;
  for (const std::string& set : command.sets) overrides.push_back(sim::parse_override(set));
  const sim::RunFile file = sim::read_run_file(command.file, overrides);
  const Context context;
  const int version = cubin_version(context.facts());

  sim::PreparedLaunch prepared;
  std::optional<sim::GemmProblem> gemm;
  sim::GemmMatrices matrices;
  if (file.is_gemm()) {
    const auto& plan = std::get<sim::GemmPlan>(file.work);
    gemm = sim::resolve_gemm(plan, sim::Manifest::load(plan.kernels_folder));
    matrices = sim::make_matrices(*gemm);
    prepared = sim::prepare_gemm(*gemm, version, &matrices);
  } else {
    prepared = sim::prepare_launch(std::get<sim::LaunchPlan>(file.work));
    prepared.module = module_for(context.facts(), prepared.module);
  }

  STC_CUDA(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, file.options.malloc_heap_bytes));
  GpuLaunch launch(prepared);
  launch.run();  // results are those of one launch on the buffers as filled
  synchronize();
  sim::OutputFiles outputs;
  Json buffers = Json::array();
  for (const sim::PreparedBuffer& buffer : prepared.buffers) {
    const std::vector<std::uint8_t> data = launch.contents(buffer.name);
    buffers.push_back({{"name", buffer.name},
                       {"role", role_text(buffer.role)},
                       {"bytes", data.size()},
                       {"hash", sim::content_hash(data.data(), data.size())}});
  }
  for (const sim::Save& save : file.saves)
    outputs.add(sim::resolve_path(command.out_folder.empty() ? save.folder : command.out_folder, save.file),
                launch.contents(save.buffer));

  Json json = {{"schema", "stcsim.measured/1"}, {"run_file", command.file}};
  bool passed = true;
  if (gemm && file.options.check) {
    const sim::GemmCheck check = sim::check_gemm(*gemm, version, matrices, launch.contents("D"));
    passed = check.passed;
    json["check"] = {{"passed", check.passed}, {"exact", check.exact}, {"error", check.error}, {"limit", check.limit}};
  }
  L2Flush flush(context.facts(), command.micro_kernels);
  const Times times = measure(launch, flush, file.options.warm_l2, command.runs);
  json["time_us"] = times.median;
  json["time_us_min"] = times.least;
  json["time_us_max"] = times.greatest;
  json["runs"] = command.runs;
  if (gemm) {
    const double products = 2.0 * gemm->m * gemm->n * gemm->k;
    json["tflops"] = products / times.median * 1e-6;
    json["gemm"] = {{"kernel", gemm->kernel.name}, {"m", gemm->m}, {"n", gemm->n}, {"k", gemm->k}};
  }
  json["l2"] = file.options.warm_l2 ? "warm" : "cold";
  json["registers"] = launch.registers();
  json["buffers"] = buffers;
  json["provenance"] = provenance(context.facts());

  const std::string text = sim::json_text(json, 2) + "\n";
  if (!command.json_file.empty() && command.json_file != "-") outputs.add_text(command.json_file, text);
  outputs.commit();
  if (command.json_file == "-") {
    fmt::print("{}", text);
  } else {
    fmt::print("{}: {:.2f} us ({:.2f} to {:.2f}, {} runs, L2 {}){}\n", command.file, times.median, times.least,
               times.greatest, command.runs, file.options.warm_l2 ? "warm" : "cold",
               !json.contains("check") ? ""
               : passed                ? ", D is right"
                                       : ", D IS WRONG");
  }
  return passed ? sim::kOk : sim::kCheckFailed;
}

}  // namespace stc::silicon
