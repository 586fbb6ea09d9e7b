// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/run_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/json_text.h"
#include "sim/base/median.h"
#include "sim/base/text.h"
#include "sim/config/gpu_config.h"
#include "sim/launch/gemm_check.h"
#include "sim/launch/gemm_workload.h"
#include "sim/launch/run_file.h"
#include "sim/result/result_json.h"
#include "validation/gpu/gpu_launch.h"

namespace stc::silicon {
namespace {

using Launches = std::vector<std::unique_ptr<GpuLaunch>>;

/// Of each launch. The caches are as asked before the first, then as the launch before left them.
std::vector<sim::Measurement> measure(Launches& launches, L2Flush& flush, bool warm, int runs) {
  constexpr int kWarmUp = 3;
  std::vector<std::vector<double>> times(launches.size());
  for (int i = -kWarmUp; i < runs; ++i) {
    if (!warm && i >= 0) flush();
    for (std::size_t step = 0; step < launches.size(); ++step) {
      if (step != 0) launches[step]->set_symbols();
      const double time = launches[step]->timed_run();
      if (i >= 0) times[step].push_back(time);
    }
  }
  std::vector<sim::Measurement> measured;
  for (const std::vector<double>& of : times) {
    const auto [least, most] = std::minmax_element(of.begin(), of.end());
    measured.push_back({sim::median(of), *least, *most, runs, warm});
  }
  return measured;
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

/// What a GPU cannot do for a run file; that the values are computed and a dense twin is not run harms nobody.
void require_possible(const sim::RunFile& file) {
  const auto usual = sim::texts_of({}), given = sim::texts_of(file.options);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& key = given[i].first;
    if (key == "values" || key == "l2" || key == "check" || key == "compare_dense" || key == "malloc_heap_bytes" ||
        key == "stack_bytes")
      continue;
    if (given[i] != usual[i])
      throw sim::UserError(file.file + ": options." + key + " is possible in the simulator only");
  }
}

/// What is known before anything has run.
sim::RunResult result_of(const RunCommand& command, const sim::RunFile& file, const DeviceFacts& facts) {
  sim::RunResult result;
  result.source = sim::RunResult::Source::kGpu;
  result.run_file = command.file;
  result.gpu.name = facts.name;
  result.gpu.sm_version = facts.sm_version;
  result.gpu.sms = facts.sms;
  result.gpu.clock_mhz = facts.max_clock_khz / 1000.0;
  result.options = sim::texts_of(file.options);
  result.options.emplace_back("set", fmt::format("{}", fmt::join(command.sets, " ")));
  result.cuda_driver = fmt::format("{}.{}", facts.driver / 1000, facts.driver % 1000 / 10);
  result.date = now();
  return result;
}

sim::LaunchResult launch_result(const sim::PreparedLaunch& prepared, const GpuLaunch& launch) {
  sim::LaunchResult result;
  result.name = prepared.kernel;
  result.module = prepared.module;
  result.registers = launch.registers();
  result.grid = prepared.grid;
  result.block = prepared.block;
  result.cluster = launch.cluster();
  result.static_shared_bytes = launch.static_shared_bytes();
  result.dynamic_shared_bytes = prepared.dynamic_shared_bytes;
  for (const sim::PreparedBuffer& buffer : launch.buffers()) {
    const std::vector<std::uint8_t> data = launch.contents(buffer.name);
    result.buffers.push_back({buffer.name, buffer.role, data.size(), sim::content_hash(data.data(), data.size())});
  }
  return result;
}

std::vector<sim::ExpectationResult> compare(std::vector<sim::Expectation> expectations, const GpuLaunch& launch) {
  std::vector<sim::ExpectationResult> results;
  for (sim::Expectation& expectation : expectations) {
    const std::vector<std::uint8_t> contents = launch.contents(expectation.buffer);
    sim::load_expectation(expectation, contents.size());
    results.push_back(sim::check_expectation(expectation, contents));
  }
  return results;
}

std::string times_text(const sim::Measurement& times) {
  return fmt::format("{:.2f} us ({:.2f} to {:.2f}, {} runs, L2 {})", times.median_us, times.least_us, times.greatest_us,
                     times.runs, times.warm_l2 ? "warm" : "cold");
}

std::string sentence(const sim::RunResult& result) {
  std::string text;
  const std::size_t count = result.before.size() + 1;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const sim::LaunchResult& step = result.before[i];
    text +=
        fmt::format("{}: launch {}/{}, {}: {}\n", result.run_file, i + 1, count, step.name, times_text(*step.measured));
  }
  const std::string which = count == 1 ? "" : fmt::format("launch {}/{}, {}: ", count, count, result.launch.name);
  const auto& check = result.launch.check;
  std::string wrong;
  for (const sim::ExpectationResult& one : result.expectations) {
    if (!one.passed) wrong += fmt::format(", {} IS NOT AS EXPECTED: {}", one.buffer, one.first_mismatch);
  }
  if (wrong.empty() && !result.expectations.empty()) wrong = ", memory is as expected";
  return text + fmt::format("{}: {}{}{}{}\n", result.run_file, which, times_text(*result.launch.measured),
                            !check          ? ""
                            : check->passed ? ", D is right"
                                            : ", D IS WRONG",
                            wrong);
}

/// All launches of the run file; the first has the buffers.
std::vector<sim::PreparedLaunch> prepare_sequence(const sim::LaunchPlan& plan, const DeviceFacts& facts) {
  std::vector<sim::PreparedLaunch> steps;
  for (std::size_t i = 0; i <= plan.before.size(); ++i) {
    sim::LaunchPlan step = i < plan.before.size() ? plan.before[i] : plan;
    step.buffers = i == 0 ? plan.buffers : std::vector<sim::BufferPlan>();
    steps.push_back(sim::prepare_launch(step));
    steps.back().module = module_for(facts, steps.back().module);
  }
  return steps;
}

/// Results are those of one launch each on the buffers as filled.
Launches run_once(const std::vector<sim::PreparedLaunch>& prepared) {
  Launches launches;
  for (const sim::PreparedLaunch& step : prepared) {
    launches.push_back(launches.empty() ? std::make_unique<GpuLaunch>(step)
                                        : std::make_unique<GpuLaunch>(step, launches));
    if (launches.size() > 1) launches.back()->set_symbols();
    launches.back()->run();
  }
  synchronize();
  return launches;
}

}  // namespace

int run(const RunCommand& command) {
  std::vector<sim::Override> overrides;
  for (const std::string& set : command.sets) overrides.push_back(sim::parse_override(set));
  const sim::RunFile file = sim::read_run_file(command.file, overrides);
  require_possible(file);
  const Context context;
  const int version = cubin_version(context.facts());

  std::vector<sim::PreparedLaunch> prepared;
  std::optional<sim::GemmProblem> gemm;
  sim::GemmMatrices matrices;
  if (file.is_convolution()) {
    throw sim::UserError(file.file + ": workload.conv: convolution_check runs these kernels on a GPU, stcgpu does not");
  }
  if (file.is_gemm()) {
    const auto& plan = std::get<sim::GemmPlan>(file.work);
    gemm = sim::resolve_gemm(plan, sim::Manifest::load(plan.kernels_folder));
    matrices = sim::make_matrices(*gemm);
    prepared.push_back(sim::prepare_gemm(*gemm, version, &matrices));
  } else {
    prepared = prepare_sequence(std::get<sim::LaunchPlan>(file.work), context.facts());
  }

  STC_CUDA(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, file.options.malloc_heap_bytes));
  STC_CUDA(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, file.options.stack_bytes));
  Launches launches = run_once(prepared);
  const GpuLaunch& last = *launches.back();
  sim::OutputFiles outputs;
  for (const sim::Save& save : file.saves)
    outputs.add(sim::resolve_path(command.out_folder.empty() ? save.folder : command.out_folder, save.file),
                sim::saved_bytes(save, last.contents(save.buffer)));

  sim::RunResult result = result_of(command, file, context.facts());
  for (std::size_t i = 0; i < launches.size(); ++i) result.before.push_back(launch_result(prepared[i], *launches[i]));
  result.launch = std::move(result.before.back());
  result.before.pop_back();
  result.expectations = compare(file.expectations, last);
  result.launch.gemm = gemm;
  if (gemm) result.launch.name = gemm->kernel.name;
  if (gemm && file.options.check) {
    // The limit of the GPU that the run file names: what one part rounds away is close to what the others do.
    const sim::GpuConfig gpu = sim::read_gpu_config(file.gpu_file, file.gpu_overrides);
    result.launch.check = sim::check_gemm(*gemm, gpu.params.numerics, matrices, last.contents("D"));
  }
  L2Flush flush(context.facts(), command.micro_kernels);
  const std::vector<sim::Measurement> measured = measure(launches, flush, file.options.warm_l2, command.runs);
  for (std::size_t i = 0; i < result.before.size(); ++i) result.before[i].measured = measured[i];
  result.launch.measured = measured.back();

  const std::string text = sim::json_text(sim::result_json(result), 2) + "\n";
  if (!command.json_file.empty() && command.json_file != "-") outputs.add_text(command.json_file, text);
  outputs.commit();
  fmt::print("{}", command.json_file == "-" ? text : sentence(result));
  return result.checks_passed() ? sim::kOk : sim::kCheckFailed;
}

}  // namespace stc::silicon
