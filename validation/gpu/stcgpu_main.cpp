// SPDX-License-Identifier: Apache-2.0
// stcgpu: the simulator's run files and kernels on a real GPU.
#include <fmt/format.h>

#include "sim/base/command_line.h"
#include "sim/base/error.h"
#include "validation/gpu/capture_command.h"
#include "validation/gpu/gemm_command.h"
#include "validation/gpu/run_command.h"

int main(int argc, char** argv) {
  using namespace stc;
  sim::CommandLine line("stcgpu",
                        "The simulator's run files and kernels on a real GPU (compute capability 8.0 or later).");
  silicon::RunCommand run;
  sim::Command run_command = line.command("run", "Run a file of stcsim run, time it and hash its buffers");
  run_command.option("FILE", run.file, "Run file").required();
  run_command.option("--set", run.sets, "Replace a key of the run file: KEY=VALUE").one_value();
  run_command.option("--json", run.json_file, "Write the result as JSON; - prints it");
  run_command.option("--out", run.out_folder, "Folder for saved buffers");
  run_command.option("--runs", run.runs, "Timed launches").positive();
  run_command.option("--micro-kernels", run.micro_kernels, "Folder of the microbenchmarks (to empty L2)");
  silicon::GemmCommand gemm;
  sim::Command gemm_command = line.command("gemm", "Time GEMMs of the kernel library");
  gemm_command.option("POINTS", gemm.points, "File with lines 'kernel m n k cold|warm'").required();
  gemm_command.option("--out", gemm.out, "CSV").required();
  gemm_command.option("--runs", gemm.runs, "Timed launches per point, at least").positive();
  gemm_command.option("--seconds", gemm.seconds, "Begin no point after this time");
  gemm_command.flag("--profile", gemm.profile, "One launch per point for a profiler (ncu --profile-from-start off)");
  gemm_command.option("--micro-kernels", gemm.micro_kernels, "Folder of the microbenchmarks (to empty L2)");
  silicon::CaptureCommand capture;
  sim::Command capture_command = line.command("capture", "Keep the launches of a CUDA program as run files with data");
  capture_command.option("PROGRAM", capture.program, "The program and its arguments, behind --").required();
  capture_command.option("--out", capture.out_folder, "Folder: DIR/003/run.yaml is the third launch")
      .type("DIR")
      .required();
  capture_command.option("--launch", capture.launches, "Keep these launches alone: 3,7-9, counted from 1").type("LIST");
  capture_command
      .option("--gpu", capture.gpu_file,
              "GPU file that the run files name; that of the GPU's architecture if not given")
      .type("FILE");
  try {
    if (const auto exit_code = line.parse(argc, argv)) return *exit_code;
    if (capture_command.chosen()) return silicon::capture(capture);
    return run_command.chosen() ? silicon::run(run) : silicon::gemm(gemm);
  } catch (const sim::UserError& error) {
    fmt::print(stderr, "stcgpu: {}\n", error.what());
    return sim::kUserErrorExit;
  } catch (const std::exception& error) {
    fmt::print(stderr, "stcgpu: {}\n", error.what());
    return sim::kFaultExit;
  }
}
