// SPDX-License-Identifier: Apache-2.0
// Standard streams that are full or closed: output that is lost is an error, and never lands in another file.
#include <sys/resource.h>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::HasSubstr;

const std::vector<std::vector<std::string>>& commands() {
  static const std::vector<std::vector<std::string>> all = {
      {"--help"},
      {"--version"},
      {"run", "--help"},
      {"gpu", "configs/gpus/a100.yaml"},
      {"inspect", "validation/unit/sim/data/misbehave.cubin"},
      {"inspect", "validation/unit/sim/data/misbehave.cubin", "--listing", "--json"},
      {"mma", "--gpu", "configs/gpus/a100.yaml", "--list"},
      {"formats", "--rows", "8", "--columns", "64"},
      {"run", "configs/workloads/gemm_512_integers.yaml", "--set", "gpu.sms=2", "--set", "workload.gemm.m=64", "--set",
       "workload.gemm.n=64", "--set", "workload.gemm.k=64"},
  };
  return all;
}

TEST(Streams, FullOutputIsAnError) {
  for (const std::vector<std::string>& command : commands()) {
    const ProgramResult result = run_stcsim(command, {"/dev/full", ""});
    EXPECT_EQ(result.exit_code, 2) << command[0];
    EXPECT_EQ(result.error, "stcsim: standard output: cannot be written: No space left on device\n") << command[0];
  }
}

TEST(Streams, ClosedOutputIsAnError) {
  for (const std::vector<std::string>& command : commands()) {
    const ProgramResult result = run_stcsim(command, {Streams::kClosed, ""});
    EXPECT_EQ(result.exit_code, 2) << command[0];
    EXPECT_THAT(result.error, HasSubstr("standard output: cannot be written")) << command[0];
  }
}

TEST(Streams, ALimitOnTheSizeOfFilesIsAnError) {
  const TemporaryFolder folder;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);  // its signal would end the program
  const ProgramResult result =
      run_stcsim({"formats", "--rows", "8", "--columns", "64", "--json", folder.path("formats.json")});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("formats.json: cannot be written: File too large"));
}

TEST(Streams, ErrorsThatNobodyCanReadKeepTheirCode) {
  for (const char* target : {"/dev/full", Streams::kClosed}) {
    EXPECT_EQ(run_stcsim({"gpu", "none.yaml"}, {"", target}).exit_code, 2);
    EXPECT_EQ(run_stcsim({"nonsense"}, {"", target}).exit_code, 2);
    const ProgramResult result = run_stcsim({"gpu", "configs/gpus/a100.yaml"}, {"", target});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.output, HasSubstr("configuration hash"));
  }
}

TEST(Streams, NothingPrintedLandsInAFileOfTheProgram) {
  // The journal stays open to the end; with standard output closed it would have its number.
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "m.csv",
      "group,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,cycles_median,cta_cycles_median,operations_per_warp\n"
      "mma,micro_mma,micro_mma_m16n8k8_f32_f16_f16_f32_c1,1,1,0,0,out 4,300,300,64\n");
  const ProgramResult result = run_stcsim({"compare", file, "--gpu", "configs/gpus/h200.yaml", "--set", "sms=1",
                                           "--jobs", "1", "--out", folder.path("out")},
                                          {Streams::kClosed, Streams::kClosed});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(read_text(folder.path("out/results.jsonl")).substr(0, 7), "{\"key\":");
  EXPECT_THAT(read_text(folder.path("out/results.jsonl")), testing::Not(HasSubstr("launches simulated")));
}

}  // namespace
}  // namespace stc::sim
