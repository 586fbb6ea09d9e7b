// SPDX-License-Identifier: Apache-2.0
// Compiled GEMM kernels on a machine whose tensor cores compute in steps: every count, cycle and byte is the same as
// with the schedule alone.
#include <gtest/gtest.h>

#include <algorithm>

#include "models/gpu/machine/machine.h"
#include "sim/launch/gemm_workload.h"
#include "sim/run/run_launch.h"

namespace stc::sim {
namespace {

struct Case {
  const char* gpu;
  const char* kernel;
  int k;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.kernel << " on " << c.gpu; }

struct Outcome {
  LaunchResult result;
  std::vector<std::uint8_t> d;
};

class Machine : public testing::TestWithParam<Case> {
 protected:
  Machine() : gpu_(two_sms()), machine_("gpu", gpu_.params, gpu::TensorCoreModel::kSteps) {}
  static GpuConfig two_sms() {
    GpuConfig gpu = read_gpu_config(std::string("configs/gpus/") + GetParam().gpu + ".yaml");
    gpu.params.sms = 2;
    return gpu;
  }

  Outcome run(bool steps) {
    const Manifest manifest = Manifest::load("traces/kernels");
    GemmPlan plan;
    plan.kernel = GetParam().kernel;
    const LibraryKernel& kernel = *manifest.find(plan.kernel);
    plan.m = kernel.tile_m;
    plan.n = kernel.tile_n;
    plan.k = GetParam().k;
    const GemmProblem problem = resolve_gemm(plan, manifest);
    const GemmMatrices matrices = make_matrices(problem);
    ReadyLaunch ready = make_ready(prepare_gemm(problem, gpu_.params.sm_version, &matrices), gpu_);
    RunOptions options;
    options.tensor_steps = steps;
    options.check_dependences = true;
    isa::GlobalMemory memory;
    Outcome out{run_launch(ready, machine_, options, memory), {}};
    out.d = memory.find("D")->data.to_vector();
    return out;
  }

  const GpuConfig gpu_;
  gpu::Machine machine_;
};

TEST_P(Machine, StepsAndScheduleAgree) {
  const Outcome steps = run(true);
  const Outcome schedule = run(false);
  EXPECT_GT(steps.result.run.total.tensor_instructions, 0u);
  EXPECT_NE(std::count(steps.d.begin(), steps.d.end(), 0), static_cast<std::ptrdiff_t>(steps.d.size()));
  EXPECT_EQ(steps.result.run.cycles, schedule.result.run.cycles);
  EXPECT_EQ(steps.result.run.total.stalls, schedule.result.run.total.stalls);
  EXPECT_EQ(steps.d, schedule.d);
}

INSTANTIATE_TEST_SUITE_P(
    Gemm, Machine,
    testing::Values(
        Case{"a100", "f16_sp24_128x128x64_w64x32_s3", 128}, Case{"a100", "f16_dense_128x128x64_w64x32_s3", 128},
        Case{"a100", "f16_sp24_64x64x64_w32x32_s4", 128}, Case{"a100", "bf16_sp24_128x128x64_w64x64_s3", 64},
        Case{"a100", "tf32_sp12_128x128x32_w64x64_s3", 64}, Case{"a100", "tf32_dense_128x128x32_w64x64_s3", 32},
        Case{"a100", "s8_sp24_128x128x128_w64x64_s3", 256}, Case{"a100", "s8_dense_128x128x128_w64x64_s3", 128},
        Case{"h200", "f16_sp24_128x128x64_w64x32_s3", 128}, Case{"h200", "f16_dense_64x64x64_w32x32_s4", 128},
        Case{"h200", "tf32_sp12_128x128x32_w64x64_s3", 64}, Case{"h200", "s8_sp24_128x128x128_w64x64_s3", 128}));

}  // namespace
}  // namespace stc::sim
