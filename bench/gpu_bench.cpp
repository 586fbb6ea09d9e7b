// SPDX-License-Identifier: Apache-2.0
// Host time of whole kernels on the simulated A100: what `stcsim run` costs without reading files and checking results.
//   GPU_cycles/s   simulated cycles of the GPU per second of host time
//   SM_cycles/s    cycles of SMs that hold a CTA, per second: idle SMs cost next to nothing and are not counted
//   warp_instr/s   warp instructions executed per second
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "models/gpu/machine.h"
#include "sim/launch/gemm_workload.h"
#include "sim/run/run_launch.h"

namespace {

using namespace stc::sim;

struct Case {
  const char* pattern;
  const char* kernel;
  int size;
  bool full_values;
};

GemmProblem problem_of(const Case& c, const Manifest& manifest) {
  GemmPlan plan;
  plan.kernel = c.kernel;
  plan.m = plan.n = plan.k = c.size;
  return resolve_gemm(plan, manifest);
}

void run(benchmark::State& state, const Case& c, const GpuConfig& gpu, stc::gpu::Machine& machine) {
  static const Manifest manifest = Manifest::load(default_kernels_folder());
  const GemmProblem problem = problem_of(c, manifest);
  const GemmMatrices matrices = c.full_values ? make_matrices(problem) : GemmMatrices{};
  RunOptions options;
  options.full_values = c.full_values;
  double cycles = 0, sm_cycles = 0, instructions = 0;
  for (auto _ : state) {
    ReadyLaunch ready =
        make_ready(prepare_gemm(problem, gpu.params.sm_version, c.full_values ? &matrices : nullptr), gpu);
    stc::isa::GlobalMemory memory;
    const LaunchResult result = run_launch(ready, machine, options, memory);
    state.SetIterationTime(result.wall_s);
    cycles += static_cast<double>(result.run.cycles);
    sm_cycles += static_cast<double>(result.run.total.cycles_active);
    instructions += static_cast<double>(result.run.total.warp_instructions);
  }
  const auto rate = [](double count) { return benchmark::Counter(count, benchmark::Counter::kIsRate); };
  state.counters["GPU_cycles/s"] = rate(cycles);
  state.counters["SM_cycles/s"] = rate(sm_cycles);
  state.counters["warp_instr/s"] = rate(instructions);
}

}  // namespace

int main(int argc, char** argv) {
  const GpuConfig gpu = read_gpu_config("configs/gpus/a100.yaml");
  stc::gpu::Machine machine("gpu", gpu.params);
  for (const int size : {512, 1024}) {
    for (const Case& shape : {Case{"dense", "f16_dense_128x128x64_w64x32_s3", size, false},
                              Case{"sparse_2:4", "f16_sp24_128x128x64_w64x32_s3", size, false}}) {
      for (const bool full : {false, true}) {
        const Case c{shape.pattern, shape.kernel, size, full};
        const std::string name = fmt::format("gemm_{}^3/{}/{}", size, c.pattern, full ? "full" : "addresses");
        benchmark::RegisterBenchmark(name.c_str(),
                                     [=, &gpu, &machine](benchmark::State& state) { run(state, c, gpu, machine); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
