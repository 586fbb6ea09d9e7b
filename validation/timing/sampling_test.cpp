// SPDX-License-Identifier: Apache-2.0
// A sampled run beside the whole one, on parts of GPUs: cycles within the estimate, counts of instructions equal, bytes
// of device memory close; and kernels that do not repeat are refused by what keeps them from it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/base/error.h"
#include "validation/timing/run_file.h"

namespace stc::timing {
namespace {

using testing::HasSubstr;

struct SampledRun {
  const char* name;
  const char* gpu;
  const char* kernel;
  int sms, m, n, k;
  bool waves, loops;                  ///< that are left out
  double l2_mib = 0;                  ///< 0: as much as the GPU has
  int fewer = 1;                      ///< at least so many times fewer cycles are simulated
  std::uint32_t rounds_left_out = 0;  ///< at most, of the loop of a CTA on average; 0: however many
  double reads_off = 0.03;            ///< of device memory, at most
};

sim::RunFile run_file_of(const SampledRun& of) {
  sim::RunFile run_file = sim::read_run_file(run_named("sparse_values"));
  auto& plan = std::get<sim::GemmPlan>(run_file.work);
  plan.kernel = of.kernel;
  plan.m = of.m;
  plan.n = of.n;
  plan.k = of.k;
  run_file.options.full_values = false;
  return run_file;
}

double off(std::uint64_t got, std::uint64_t want) {
  return std::abs(static_cast<double>(got) / static_cast<double>(want) - 1);
}

class Sampled : public testing::TestWithParam<SampledRun> {};

TEST_P(Sampled, IsAsLongAsTheWholeRunWithinItsEstimate) {
  const SampledRun& of = GetParam();
  sim::GpuConfig gpu = sim::read_gpu_config(std::string("configs/gpus/") + of.gpu + ".yaml");
  gpu.params.sms = of.sms;
  if (of.l2_mib != 0) {
    gpu.params.memory.l2.capacity_mib = of.l2_mib;
    gpu.params.memory.l2.dirty_mib = gpu.params.memory.l2.dirty_at_launch_mib = of.l2_mib / 8;
  }
  // Both before the first of them runs.
  gpu::Machine one("whole", gpu.params), other("sampled", gpu.params);
  sim::RunFile run_file = run_file_of(of);
  const gpu::RunStatistics want = run(run_file, gpu, one);
  run_file.options.sampling = true;
  const gpu::RunStatistics got = run(run_file, gpu, other);
  ASSERT_TRUE(got.sampling);
  EXPECT_FALSE(want.sampling);
  EXPECT_EQ(got.sampling->ctas_skipped > 0, of.waves);
  EXPECT_EQ(got.sampling->loop_passes_skipped > 0, of.loops);
  if (of.rounds_left_out != 0) {
    EXPECT_LE(got.sampling->loop_passes_skipped, of.rounds_left_out);
  }
  EXPECT_LE(off(got.cycles, want.cycles), got.sampling->error());
  EXPECT_LE(got.sampling->error(), 0.05);
  EXPECT_LT(static_cast<std::uint64_t>(of.fewer) * got.sampling->cycles_simulated, want.cycles);
  EXPECT_EQ(got.total.warp_instructions, want.total.warp_instructions);
  EXPECT_EQ(got.total.ctas, want.total.ctas);
  EXPECT_LE(off(got.total.tensor_instructions, want.total.tensor_instructions), 0.003);
  EXPECT_LE(off(got.total.l2_sectors, want.total.l2_sectors), 0.02);
  EXPECT_LE(off(got.memory.l2_sector_hits, want.memory.l2_sector_hits), 1.0 / 3);  // of SMs that are in step
  EXPECT_LE(off(got.memory.dram_read_sectors, want.memory.dram_read_sectors), of.reads_off);
}

INSTANTIATE_TEST_SUITE_P(
    Gemms, Sampled,
    testing::Values(
        SampledRun{"loops", "a100", "f16_sp24_128x128x64_w64x32_s3", 4, 256, 256, 8192, false, true},
        SampledRun{"loops_and_waves", "a100", "f16_sp24_128x128x64_w64x32_s3", 2, 2048, 512, 12288, true, true},
        // L2 is filled many times while waves are left out. Parts of the second wave's loop are unlike, so that later
        // waves go round in full.
        SampledRun{"small_l2", "a100", "f16_sp24_128x128x64_w64x32_s3", 2, 1024, 512, 4096, true, true, 1, 1, 16},
        // CTAs that share an SM leave no rounds out: on an H200 they are half a loop apart in the end. Those that are
        // left out are walked in step.
        SampledRun{"shared_sms", "a100", "f16_sp24_128x128x64_w64x64_s3", 2, 1024, 1024, 2048, true, false, 1, 2, 0,
                   0.08},
        SampledRun{"shared_sms_apart", "h200", "f16_dense_128x128x64_w64x64_s3", 2, 1024, 1024, 2048, true, false, 1, 1,
                   0, 0.12},
        SampledRun{"dense", "h200", "f16_dense_128x256x64_w64x64_s3", 2, 1024, 512, 4096, true, true},
        // Later waves jump behind one stretch of passes.
        SampledRun{"integers", "a100", "s8_sp24_128x256x128_w64x64_s3", 2, 1024, 1024, 16384, true, true, 0, 11},
        // Copies that the end of the loop leaves out have addresses where metadata was.
        SampledRun{"guarded_copies", "h200", "s8_sp24_128x256x128_w64x64_s3", 2, 1024, 1024, 8192, true, true},
        // A tenth of a CTA's time is not its loop: three waves are enough, not two, and not four.
        SampledRun{"three_waves", "a100", "s8_sp24_128x256x128_w64x64_s3", 2, 1024, 1024, 5120, true, true, 0, 5}),
    [](const auto& of) { return std::string(of.param.name); });

/// D, and the cycles, of a run with all values.
struct Computed {
  std::vector<std::uint8_t> d;
  gpu::RunStatistics run;
};
Computed compute(const sim::GemmProblem& problem, const sim::GpuConfig& gpu, gpu::Machine& machine, bool values,
                 bool sampling) {
  const sim::GemmMatrices matrices = sim::make_matrices(problem);
  sim::ReadyLaunch ready = sim::make_ready(sim::prepare_gemm(problem, gpu.params.sm_version, &matrices), gpu);
  sim::RunOptions options;
  options.full_values = values;
  options.sampling = sampling;
  isa::GlobalMemory memory;
  Computed all;
  all.run = sim::run_launch(ready, machine, options, memory).run;
  all.d = memory.find("D")->data.to_vector();
  return all;
}

/// Values of what is left out are computed without time: D is that of the whole run, bit for bit, and cycles are those
/// of a sampled run without values.
TEST(Sampling, HasAllValues) {
  sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/a100.yaml");
  gpu.params.sms = 2;
  gpu::Machine whole("whole", gpu.params), addresses("addresses", gpu.params), sampled("sampled", gpu.params);
  sampled.use_threads(2);
  const sim::RunFile run_file = run_file_of({"", "", "s8_sp24_128x256x128_w64x64_s3", 2, 1024, 1024, 5120, true, true});
  const auto& plan = std::get<sim::GemmPlan>(run_file.work);
  const sim::GemmProblem problem = sim::resolve_gemm(plan, sim::Manifest::load(plan.kernels_folder));
  const Computed want = compute(problem, gpu, whole, true, false);
  const Computed no_values = compute(problem, gpu, addresses, false, true);
  const Computed got = compute(problem, gpu, sampled, true, true);
  ASSERT_TRUE(got.run.sampling);
  EXPECT_GT(got.run.sampling->loop_passes_skipped, 0U);
  EXPECT_GT(got.run.sampling->ctas_skipped, 0U);
  EXPECT_TRUE(got.d == want.d);
  EXPECT_FALSE(no_values.d == want.d);
  EXPECT_EQ(got.run.cycles, no_values.run.cycles);
}

/// What is said of a run that cannot be sampled.
std::string refusal(sim::RunFile run_file, const sim::GpuConfig& gpu) {
  run_file.options.sampling = true;
  run_file.options.full_values = false;
  gpu::Machine machine("gpu", gpu.params, sim::tensor_core_of(run_file.options));
  try {
    run(run_file, gpu, machine);
  } catch (const sim::UserError& error) {
    return error.what();
  }
  return "was sampled";
}
std::string refusal(const sim::RunFile& run_file) { return refusal(run_file, sim::read_gpu_config(run_file.gpu_file)); }
std::string refusal(const std::string& name) { return refusal(sim::read_run_file(run_named(name))); }

TEST(Sampling, RefusesAtomics) { EXPECT_THAT(refusal("histogram"), HasSubstr("it uses atomics (ATOMS")); }
TEST(Sampling, RefusesLocks) { EXPECT_THAT(refusal("lock"), HasSubstr("it uses atomics")); }
TEST(Sampling, RefusesSleepers) { EXPECT_THAT(refusal("nanosleep"), HasSubstr("it uses sleeping threads (NANOSLEEP")); }
TEST(Sampling, RefusesBulkCopies) { EXPECT_THAT(refusal("bulk_stores"), HasSubstr("it uses bulk copies (UBLKCP")); }
TEST(Sampling, RefusesFunctionsOfTheDriver) { EXPECT_THAT(refusal("driver_printf"), HasSubstr("it calls vprintf")); }
// CTAs wait for what the one before them has stored.
TEST(Sampling, RefusesWaysThatDataDecide) { EXPECT_THAT(refusal("turns"), HasSubstr("and holds data")); }

TEST(Sampling, RefusesWhatDoesNotRepeat) {
  sim::RunFile run_file = sim::read_run_file(run_named("sparse_values"));
  EXPECT_THAT(refusal(run_file), HasSubstr("too little of it repeats: its 144 CTAs are 0."));
}

/// The same of a GEMM on so many SMs of an A100.
std::string refusal(const SampledRun& of) {
  sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/a100.yaml");
  gpu.params.sms = of.sms;
  return refusal(run_file_of(of), gpu);
}

// Several CTAs an SM that do little but begin and end.
TEST(Sampling, RefusesWavesThatAreTooUnlike) {
  EXPECT_THAT(refusal(SampledRun{"", "", "f16_dense_64x64x64_w32x32_s4", 1, 512, 512, 128, true, false}),
              HasSubstr("its waves are too unlike: cycles may be off by 21.3 %, and 5 % is the most"));
}

// Those that are simulated read from device memory what the others find in L2; by times alone it would be sampled.
TEST(Sampling, RefusesWavesThatMissUnlike) {
  EXPECT_THAT(refusal(SampledRun{"", "", "f16_sp24_128x128x64_w64x32_s3", 2, 1024, 640, 4096, true, false}),
              HasSubstr("its waves are too unlike: cycles may be off by 6.8 %, and 5 % is the most"));
}

TEST(Sampling, RefusesClusters) {
  sim::RunFile run_file = sim::read_run_file(run_named("transpose"));
  std::get<sim::LaunchPlan>(run_file.work).cluster = isa::Dim3{2, 1, 1};
  EXPECT_THAT(refusal(run_file), HasSubstr("its CTAs form clusters"));
}

}  // namespace
}  // namespace stc::timing
