// SPDX-License-Identifier: Apache-2.0
// Bad sweeps end with exit code 2 and one clear message, before anything runs or is written.
#include <filesystem>

#include "validation/unit/explore/sweep_text.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class BadSweep : public ::testing::Test {
 protected:
  void refused(const std::string& from, const std::string& to, const std::vector<std::string>& messages) {
    const std::string good = small_sweep(std::filesystem::current_path().string());
    ASSERT_NE(good.find(from), std::string::npos) << from;
    const std::string file = folder_.write("sweep.yaml", replaced(good, from, to));
    const ProgramResult result = run_stcsim({"explore", file, "--out", folder_.path("out")});
    EXPECT_EQ(result.exit_code, 2) << to;
    for (const std::string& message : messages) EXPECT_THAT(result.error, HasSubstr(message));
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(folder_.files(), std::vector<std::string>{"sweep.yaml"});
  }
  TemporaryFolder folder_;
};

TEST_F(BadSweep, UnknownPattern) {
  refused("2:8", "two-of-eight", {"sweep.yaml:10:", "\"two-of-eight\" is not a pattern"});
  refused("2:8", "2:x", {"\"2:x\" is not a pattern"});
}
TEST_F(BadSweep, NGreaterThanM) { refused("2:8", "9:8", {"sweep.yaml:10:", "pattern 9:8: N is greater than M"}); }
TEST_F(BadSweep, NothingKept) { refused("2:8", "0:8", {"N is 0"}); }
TEST_F(BadSweep, MAbove32) { refused("2:8", "2:64", {"M is 64, but may be at most 32"}); }
TEST_F(BadSweep, KNotAMultiple) {
  refused("k: 384", "k: 320", {"sweep.yaml:5:", "k = 320 is no multiple of 96", "2:6", "pads it to 384"});
}
TEST_F(BadSweep, BeyondTheHostsMemory) {
  refused("m: 128, n: 128", "m: 16777216, n: 16777216", {"sweep.yaml:5:", "the buffers need", "this computer has"});
}
TEST_F(BadSweep, NoRegularFile) {
  refused("grid:", "weights: {file: /dev/zero}\ngrid:", {"/dev/zero: is a device, pipe or socket, a file is needed"});
}
TEST_F(BadSweep, EmptyGrid) {
  refused("[2:4, 2:8, 2:6]", "[]", {"sweep.yaml:10:", "grid.pattern is empty"});
  refused("grid:\n  pattern: [2:4, 2:8, 2:6]\n", "", {"describes no point"});
  refused("  square: {m: 128, n: 128, k: 384}\n", "  {}\n", {"shapes is empty"});
}
TEST_F(BadSweep, MisspeltNames) {
  refused("pattern:", "patern:", {"did you mean 'pattern'?"});
  refused("  pattern: [2:4, 2:8, 2:6]", "  pattern: [2:4]\n  gpu: [fuor]", {"did you mean 'four'?"});
  refused("  pattern: [2:4, 2:8, 2:6]", "  pattern: [2:4]\n  type: [f61]", {"did you mean 'f16'?"});
  refused("sms: 4", "smss: 4", {"did you mean 'sms'?"});
  refused("a100.yaml", "a1000.yaml", {"a1000.yaml: no such file"});
}
TEST_F(BadSweep, TensorCoreWithoutASelector) {
  refused("sms: 4", "sm.tensor_core.dot_product_units: 7", {"sm.tensor_core.dot_product_units is 7", "power of two"});
}
TEST_F(BadSweep, SameQuestionTwice) { refused("2:8", "2:4", {"pattern 2:4", "was asked for before"}); }
TEST_F(BadSweep, TileThatNoGpuCanRun) {
  refused("  - {tile: [64, 64, 64], warp: [32, 32], stages: 2}\n  - {tile: [128, 64, 64], warp: [64, 32], stages: 2}\n",
          "  - {tile: [128, 128, 128], warp: [64, 64], stages: 8}\n", {"no tile can run", "shared memory"});
}
TEST_F(BadSweep, NoSuchCompiledKernel) {
  refused("grid:", "options: {kernels: compiled}\ngrid:", {"has no f16 kernel with pattern"});
}

TEST_F(BadSweep, UnwritableOutput) {
  const std::string file = folder_.write("sweep.yaml", small_sweep(std::filesystem::current_path().string()));
  const ProgramResult below_file = run_stcsim({"explore", file, "--out", file});
  EXPECT_EQ(below_file.exit_code, 2);
  EXPECT_THAT(below_file.error, HasSubstr("is not a folder"));
  const ProgramResult nowhere = run_stcsim({"explore", file, "--out", "/proc/nowhere"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.error, HasSubstr("--out /proc/nowhere: cannot be made"));
}

}  // namespace
}  // namespace stc::sim
