// SPDX-License-Identifier: Apache-2.0
// Files that are not what they seem, and files that say what cannot be: one message, exit code 2, nothing written.
#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* kGemmFile = "configs/workloads/gemm_512_integers.yaml";
constexpr const char* kA100File = "configs/gpus/a100.yaml";
constexpr const char* kOp = "mma.m16n8k8.f32.f16.f16.f32";

class HostileFiles : public testing::Test {
 protected:
  std::string refused(const std::vector<std::string>& arguments) {
    const std::vector<std::string> before = folder_.files();
    const ProgramResult result = run_stcsim(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.error;
    EXPECT_THAT(result.error, StartsWith("stcsim: "));
    EXPECT_THAT(result.output, IsEmpty());
    EXPECT_EQ(folder_.files(), before);
    return result.error;
  }
  std::string link(const std::string& name, const std::string& target) {
    std::filesystem::create_symlink(target, folder_.path(name));
    return folder_.path(name);
  }
  TemporaryFolder folder_;
};

TEST_F(HostileFiles, ThatCannotBeReadOrHaveNoEnd) {
  const auto expect_refused = [&](const std::string& file, const std::string& why) {
    const std::string message = file + ": cannot be read: " + why;
    EXPECT_THAT(refused({"run", file}), HasSubstr(message));
    EXPECT_THAT(refused({"gpu", file}), HasSubstr(message));
    EXPECT_THAT(refused({"inspect", file}), HasSubstr(message));
    EXPECT_THAT(refused({"explore", file}), HasSubstr(message));
    EXPECT_THAT(refused({"compare", file, "--gpu", kA100File, "--out", folder_.path("o")}), HasSubstr(message));
    EXPECT_THAT(refused({"formats", "--weights", file}), HasSubstr(message));
    EXPECT_THAT(refused({"mma", "--gpu", kA100File, "--op", kOp, "--in", file, "--out", folder_.path("d")}),
                HasSubstr(message));
  };
  expect_refused("/proc/self/mem", "Input/output error");
  expect_refused(link("loop", "loop"), "Too many levels of symbolic links");
}

TEST_F(HostileFiles, ThatNeverEndIsNoticed) {
  EXPECT_THAT(refused({"gpu", "/proc/self/pagemap"}), HasSubstr("/proc/self/pagemap: cannot be read: "));
}

TEST_F(HostileFiles, OutputsThroughLinksThatLeadNowhere) {
  const std::string loop = link("loop", "loop");
  EXPECT_THAT(refused({"formats", "--json", loop}),
              HasSubstr("loop: cannot be written: Too many levels of symbolic links"));
  EXPECT_THAT(refused({"formats", "--json", loop + "/x.json"}), HasSubstr("cannot be written"));
  EXPECT_THAT(refused({"run", kGemmFile, "--json", loop}), HasSubstr("cannot be written"));
  EXPECT_THAT(refused({"formats", "--json", folder_.path(std::string(300, 'x'))}), HasSubstr("File name too long"));
}

TEST_F(HostileFiles, BaseThatLinksLeadBackToItself) {
  folder_.write("gpu.yaml", "base: here/gpu.yaml\n");
  link("here", ".");
  EXPECT_THAT(refused({"gpu", folder_.path("gpu.yaml")}), HasSubstr("here/gpu.yaml: 'base' leads back to this file"));
}

TEST_F(HostileFiles, NamesWithAZeroByte) {
  const std::string file = folder_.write("run.yaml", "gpu: \"a100.yaml\\0.yaml\"\nworkload: {gemm: {}}\n");
  EXPECT_THAT(refused({"run", file}), HasSubstr("a100.yaml: a zero byte follows, which no file name holds"));
}

TEST_F(HostileFiles, SecondYamlDocument) {
  const std::string file = folder_.write("run.yaml", read_text(kGemmFile) + "---\noptions: {check: false}\n");
  EXPECT_THAT(refused({"run", file}), HasSubstr("a second document begins; one is allowed"));
  const std::string gpu = folder_.write("gpu.yaml", read_text(kA100File) + "---\nsms: 3\n");
  EXPECT_THAT(refused({"gpu", gpu}), HasSubstr("gpu.yaml:"));
  EXPECT_THAT(refused({"run", kGemmFile, "--set", "options=a\n---\nb"}), HasSubstr("a second document begins"));
  // yaml-cpp takes this for documents without end.
  EXPECT_THAT(refused({"run", kGemmFile, "--set", "options=,"}), HasSubstr("no value can begin with this character"));
}

TEST_F(HostileFiles, GpusThatContradictThemselves) {
  const auto contradiction = [&](const std::string& set) { return refused({"gpu", kA100File, "--set", set}); };
  for (const char* units : {"7", "3", "96"}) {
    EXPECT_THAT(
        contradiction(std::string("sm.tensor_core.dot_product_units=") + units),
        HasSubstr(std::string("sm.tensor_core.dot_product_units is ") + units + ", but must be a power of two"));
  }
  EXPECT_THAT(contradiction("sm.tensor_core.dot_product_units=256"), HasSubstr("must lie in 1 .. 128"));
  EXPECT_THAT(contradiction("memory.hbm.refresh_cycles=1000000"),
              HasSubstr("memory.hbm.refresh_cycles is 1000000, but must be less than memory.hbm.refresh_interval"));
  EXPECT_THAT(contradiction("memory.l2.own_clock_latency=207"),
              HasSubstr("memory.l2.own_clock_latency is 207, but must be at most memory.l2.near_latency, 206"));
  EXPECT_THAT(contradiction("energy.limit_watts=50"),
              HasSubstr("--set gpu.energy.limit_watts=50: energy.limit_watts is 50, but must be more than"));
  EXPECT_THAT(contradiction("energy.constant_watts=5000"),
              HasSubstr("--set gpu.energy.constant_watts=5000: energy.limit_watts is 400, but must be more than"));
  EXPECT_THAT(refused({"run", kGemmFile, "--set", "gpu.sm.tensor_core.dot_product_units=7", "--set",
                       "options={tensor_core: steps}"}),
              HasSubstr("must be a power of two"));
}

TEST_F(HostileFiles, EmptyOptionValues) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"formats", "--json", ""},
                                                {"formats", "--csv", ""},
                                                {"run", kGemmFile, "--json", ""},
                                                {"run", kGemmFile, "--out", ""},
                                                {"run", ""},
                                                {"inspect", "validation/unit/sim/data/misbehave.cubin", "--kernel", ""},
                                                {"mma", "--gpu", "", "--list"},
                                                {"compare", "m.csv", "--baseline", ""},
                                                {"explore", "s.yaml", "--out", ""}}) {
    EXPECT_THAT(refused(words), HasSubstr("is empty")) << words[0] << " " << words[1];
  }
}

}  // namespace
}  // namespace stc::sim
