// SPDX-License-Identifier: Apache-2.0
// Bad studies end with exit code 2 and one clear message, before anything runs or is written.
#include <filesystem>

#include "validation/unit/crossover/study_text.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::HasSubstr;

class BadStudy : public ::testing::Test {
 protected:
  void refused(const std::string& from, const std::string& to, const std::vector<std::string>& messages) {
    const std::string good = small_study(std::filesystem::current_path().string());
    ASSERT_NE(good.find(from), std::string::npos) << from;
    const std::string file = folder_.write("study.yaml", replaced(good, from, to));
    const ProgramResult result = run_stcsim({"crossover", file, "--out", folder_.path("out")});
    EXPECT_EQ(result.exit_code, 2) << to;
    for (const std::string& message : messages) EXPECT_THAT(result.error, HasSubstr(message));
    EXPECT_EQ(result.output, "");
    EXPECT_FALSE(std::filesystem::exists(folder_.path("out")));
  }
  TemporaryFolder folder_;
};

TEST_F(BadStudy, DensitiesOutsideZeroToOne) {
  refused("[0.5, 0.1]", "[0.5, 1.5]", {"study.yaml:6:16", "density.1 is 1.5", "above 0 and is at most 1"});
  refused("[0.5, 0.1]", "[0]", {"study.yaml:6:", "density.0 is 0"});
  refused("[0.5, 0.1]", "[-0.5]", {"is -0.5"});
  refused("[0.5, 0.1]", "[.nan]", {"study.yaml:6:"});
  refused("[0.5, 0.1]", "[0.5, 0.5]", {"0.5 is given twice"});
  refused("[0.5, 0.1]", "[]", {"density is empty"});
}

TEST_F(BadStudy, ShapesThatFitNoKernel) {
  refused("m: 128, n: 128", "m: 100, n: 128",
          {"study.yaml:5:", "shapes.square (100 x 128 x 128): fits no kernel of dense_f32",
           "spmm_sgemm_f32_128x128: m = 100 is no multiple of 128"});
  refused("n: 128, k: 128}", "n: 8, k: 128}", {"fits no kernel of dense_f32"});
}

TEST_F(BadStudy, NarrowOrOddWidths) {
  const std::string list =
      "kernels: [dense_f32, csr_f32, ell_f32, coo_f32, csc_f32, csr_csr_f32, dense_f16, sp24_f16, "
      "csr_f16, ell_f16, bitmap_f16]";
  refused("n: 128, k: 128}\ndensity: [0.5, 0.1]\n" + list, "n: 8, k: 128}\ndensity: [0.5, 0.1]\nkernels: [csr_f16]",
          {"fits no kernel of csr_f16", "spmm_csr_f16_16: n = 8 is less than 16"});
  refused("n: 128, k: 128}\ndensity: [0.5, 0.1]\n" + list, "n: 130, k: 128}\ndensity: [0.5, 0.1]\nkernels: [csr_f32]",
          {"spmm_csr_f32_64: n = 130 is no multiple of 4"});
  refused("n: 128, k: 128}\ndensity: [0.5, 0.1]\n" + list,
          "n: 65536, k: 128}\ndensity: [0.5, 0.1]\nkernels: [csr_csr_f32]",
          {"spmm_csr_csr_f32_row: n = 65536 is more than 41728, for which shared memory has room"});
}

TEST_F(BadStudy, TruncatedFiles) {
  folder_.write("short.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 3\n1 1 1\n");
  refused("{m: 128, n: 128, k: 128}", "{matrix: short.mtx, n: 128}",
          {"short.mtx:3: the file ends after 1 of the 3 entries"});
  folder_.write("twice.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 2\n1 1 1\n1 1 1\n");
  refused("{m: 128, n: 128, k: 128}", "{matrix: twice.mtx, n: 128}",
          {"twice.mtx:4: entry (1, 1) was given before, in line 3"});
  folder_.write("short.npy", std::string("\x93NUMPY\x01\x00\x10", 9));
  refused("{m: 128, n: 128, k: 128}", "{weights: short.npy, n: 128}", {"short.npy: is no .npy file"});
  refused("{m: 128, n: 128, k: 128}", "{weights: none.npy, n: 128}", {"none.npy: no such file"});
}

TEST_F(BadStudy, SizesThatAFileGives) {
  folder_.write("m.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 0\n");
  refused("{m: 128, n: 128, k: 128}", "{matrix: m.mtx, m: 4, n: 128}", {"shapes.square.m is that of the file"});
  refused("{m: 128, n: 128, k: 128}", "{matrix: m.mtx, weights: w.npy, n: 128}", {"has both 'weights' and 'matrix'"});
}

TEST_F(BadStudy, MisspeltNames) {
  refused("csr_f32", "crs_f32", {"did you mean 'csr_f32'?"});
  refused("density:", "densities:", {"unknown key 'densities'"});
  refused("values: full", "values: ful", {"did you mean 'full'?"});
  refused("csr_f32", "dense_f32", {"'dense_f32' is given twice"});
  refused("64x64x64_w32x32_s4", "64x64x64_w32x32_s9", {"fits no kernel of dense_f16, of which the library has none"});
}

TEST_F(BadStudy, DryRunWritesNothing) {
  const std::string file = folder_.write("study.yaml", small_study(std::filesystem::current_path().string()));
  const ProgramResult both = run_stcsim({"crossover", file, "--dry-run", "--fresh"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.error, HasSubstr("--fresh: has no meaning together with --dry-run"));
  const ProgramResult dry = run_stcsim({"crossover", file, "--dry-run"});
  EXPECT_EQ(dry.exit_code, 0) << dry.error;
  EXPECT_THAT(dry.output, HasSubstr("four square density 0.1 spmm_csr_f32_64"));
  EXPECT_EQ(folder_.files(), std::vector<std::string>{"study.yaml"});
}

}  // namespace
}  // namespace stc::sim
