// SPDX-License-Identifier: Apache-2.0
// stcgpu: the simulator's run files and kernels on a real GPU.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "sim/base/error.h"
#include "validation/gpu/gemm_command.h"
#include "validation/gpu/run_command.h"

int main(int argc, char** argv) {
  using namespace stc;
  CLI::App app{"The simulator's run files and kernels on a real GPU (compute capability 8.0 or later)."};
  app.require_subcommand(1);
  silicon::RunCommand run;
  CLI::App* run_command = app.add_subcommand("run", "Run a file of stcsim run, time it and hash its buffers");
  run_command->add_option("FILE", run.file, "Run file")->required();
  run_command->add_option("--set", run.sets, "Replace a key of the run file: KEY=VALUE")->allow_extra_args(false);
  run_command->add_option("--json", run.json_file, "Write the result as JSON; - prints it");
  run_command->add_option("--out", run.out_folder, "Folder for saved buffers");
  run_command->add_option("--runs", run.runs, "Timed launches")->check(CLI::PositiveNumber);
  run_command->add_option("--micro-kernels", run.micro_kernels, "Folder of the microbenchmarks (to empty L2)");
  silicon::GemmCommand gemm;
  CLI::App* gemm_command = app.add_subcommand("gemm", "Time GEMMs of the kernel library");
  gemm_command->add_option("POINTS", gemm.points, "File with lines 'kernel m n k cold|warm'")->required();
  gemm_command->add_option("--out", gemm.out, "CSV")->required();
  gemm_command->add_option("--runs", gemm.runs, "Timed launches per point, at least")->check(CLI::PositiveNumber);
  gemm_command->add_option("--seconds", gemm.seconds, "Begin no point after this time");
  gemm_command->add_flag("--profile", gemm.profile,
                         "One launch per point for a profiler (ncu --profile-from-start off)");
  gemm_command->add_option("--micro-kernels", gemm.micro_kernels, "Folder of the microbenchmarks (to empty L2)");
  CLI11_PARSE(app, argc, argv);
  try {
    return run_command->parsed() ? silicon::run(run) : silicon::gemm(gemm);
  } catch (const sim::UserError& error) {
    fmt::print(stderr, "stcgpu: {}\n", error.what());
    return sim::kUserErrorExit;
  } catch (const std::exception& error) {
    fmt::print(stderr, "stcgpu: {}\n", error.what());
    return sim::kFaultExit;
  }
}
