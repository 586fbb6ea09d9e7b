// SPDX-License-Identifier: Apache-2.0
// Host time of whole kernels on the simulated A100: what `stcsim run` costs without reading files and checking results.
// GEMMs of 2048 x 2048 x 512 run with one thread, two, and so on up to one a processor.
//   GPU_cycles/s   simulated cycles of the GPU per second of host time
//   SM_cycles/s    cycles of SMs that hold a CTA, per second: idle SMs cost next to nothing and are not counted
//   warp_instr/s   warp instructions executed per second
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <thread>

#include "models/gpu/machine/machine.h"
#include "models/gpu/value_run.h"
#include "sim/launch/gemm_workload.h"
#include "sim/run/run_launch.h"

namespace {

using namespace stc::sim;

struct Case {
  const char* pattern;
  const char* kernel;
  int size, depth;
  bool full_values;
  int threads = 1;
};

GemmProblem problem_of(const Case& c, const Manifest& manifest) {
  GemmPlan plan;
  plan.kernel = c.kernel;
  plan.m = plan.n = c.size;
  plan.k = c.depth;
  return resolve_gemm(plan, manifest);
}

void run(benchmark::State& state, const Case& c, const GpuConfig& gpu, stc::gpu::Machine& machine) {
  static const Manifest manifest = Manifest::load(default_kernels_folder());
  const GemmProblem problem = problem_of(c, manifest);
  const GemmMatrices matrices = c.full_values ? make_matrices(problem) : GemmMatrices{};
  RunOptions options;
  options.full_values = c.full_values;
  machine.use_threads(c.threads);
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

/// The same without time: values alone, on one thread.
void run_values(benchmark::State& state, const Case& c, const GpuConfig& gpu) {
  static const Manifest manifest = Manifest::load(default_kernels_folder());
  const GemmProblem problem = problem_of(c, manifest);
  const GemmMatrices matrices = make_matrices(problem);
  ReadyLaunch ready = make_ready(prepare_gemm(problem, gpu.params.sm_version, &matrices), gpu);
  stc::isa::GlobalMemory memory;
  for (const PreparedBuffer& buffer : ready.prepared.buffers) {
    memory.allocate(buffer.name, buffer.data.size()).data = buffer.data;
  }
  stc::isa::place_variables(ready.kernel, memory);
  stc::gpu::Launch launch;
  launch.kernel = &ready.kernel;
  launch.grid = ready.prepared.grid;
  launch.block = ready.prepared.block;
  launch.dynamic_shared_bytes = ready.prepared.dynamic_shared_bytes;
  launch.parameters = pack_arguments(ready.prepared.arguments, ready.kernel.parameters, ready.title,
                                     [&](const std::string& name) { return memory.find(name)->address; });
  launch.memory = &memory;
  double instructions = 0;
  for (auto _ : state) instructions += static_cast<double>(stc::gpu::run_for_values(gpu.params, launch));
  state.counters["warp_instr/s"] = benchmark::Counter(instructions, benchmark::Counter::kIsRate);
}

void add(const Case& c, const std::string& name, const GpuConfig& gpu, stc::gpu::Machine& machine) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=, &gpu, &machine](benchmark::State& state) { run(state, c, gpu, machine); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  const GpuConfig gpu = read_gpu_config("configs/gpus/a100.yaml");
  stc::gpu::Machine machine("gpu", gpu.params);
  const char* const sparse = "f16_sp24_128x128x64_w64x32_s3";
  for (const int size : {512, 1024}) {
    for (const Case& shape : {Case{"dense", "f16_dense_128x128x64_w64x32_s3", size, size, false},
                              Case{"sparse_2:4", sparse, size, size, false}}) {
      for (const bool full : {false, true}) {
        Case c = shape;
        c.full_values = full;
        add(c, fmt::format("gemm_{}^3/{}/{}", size, c.pattern, full ? "full" : "addresses"), gpu, machine);
      }
      benchmark::RegisterBenchmark(fmt::format("gemm_{}^3/{}/values_alone", size, shape.pattern).c_str(),
                                   [=, &gpu](benchmark::State& state) { run_values(state, shape, gpu); })
          ->Unit(benchmark::kMillisecond);
    }
  }
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  for (int threads = 1; threads <= processors; threads *= 2) {
    const Case c{"sparse_2:4", sparse, 2048, 512, false, threads};
    add(c, fmt::format("gemm_2048x2048x512/{}/addresses/{}_threads", c.pattern, threads), gpu, machine);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
