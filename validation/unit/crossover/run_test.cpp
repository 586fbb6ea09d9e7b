// SPDX-License-Identifier: Apache-2.0
// Studies with every value computed and compared: all kernels, odd sizes, empty rows and columns, matrices from files;
// and that an interrupted study goes on where it stopped.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/base/csv_table.h"
#include "validation/unit/crossover/study_text.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

class CrossoverRun : public ::testing::Test {
 protected:
  ProgramResult run(const std::string& text, const std::string& out = "out") {
    const std::string file = folder_.write("study.yaml", text);
    return run_stcsim({"crossover", file, "--jobs", "2", "--out", folder_.path(out)});
  }
  std::string good() const { return small_study(std::filesystem::current_path().string()); }
  /// Only the formats whose sizes need be no whole tiles.
  std::string odd(const std::string& shape) const {
    std::string text = replaced(good(), "{m: 128, n: 128, k: 128}", shape);
    return replaced(text, "dense_f32, csr_f32, ell_f32, coo_f32, csc_f32, csr_csr_f32, dense_f16, sp24_f16, csr_f16,",
                    "csr_f32, ell_f32, coo_f32, csr_csr_f32, csr_f16,");
  }
  TemporaryFolder folder_;
};

TEST_F(CrossoverRun, EveryKernelIsRightAndOutputsAgree) {
  const ProgramResult result = run(good());
  ASSERT_EQ(result.exit_code, 0) << result.error << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("four, square (128 x 128 x 128), f16"), HasSubstr("0 failed, 0 wrong")));
  for (std::size_t at = 0; at < result.output.size();) {
    const std::size_t end = result.output.find('\n', at);
    if (result.output.compare(at, 2, "  ") == 0) {
      EXPECT_LE(end - at, 80U) << result.output.substr(at, end - at);
    }
    at = end + 1;
  }
  const Json json = Json::parse(contents(folder_.path("out/result.json")));
  ASSERT_EQ(json.at("contests").size(), 2U);
  EXPECT_EQ(json.at("contests")[0].at("answers").size(), 1 + 5 * 2U);
  EXPECT_EQ(json.at("contests")[1].at("answers").size(), 2 + 3 * 2U);
  for (const Json& contest : json.at("contests")) {
    for (const Json& answer : contest.at("answers")) EXPECT_GT(answer.at("speedup_vs_dense").get<double>(), 0);
  }
  const std::string page = contents(folder_.path("out/report.html"));
  EXPECT_THAT(page, AllOf(HasSubstr("fastest way to multiply"), HasSubstr("break-even"), HasSubstr("bytes stored")));
  EXPECT_THAT(contents(folder_.path("out/answers.csv")), HasSubstr("four,square,128,128,128,bitmap_f16,0.9,"));
  const CsvTable answers(folder_.path("out/answers.csv"));
  for (const std::string& column : answers.columns()) {
    const auto& rows = answers.rows();
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const CsvRow& row) { return row.has(column); })) << column;
  }
  const Json& first = json.at("contests")[0].at("answers")[0];
  EXPECT_EQ(answers.rows()[0].number("cycles_elapsed"), first.at("cycles_elapsed").get<double>());
  EXPECT_EQ(answers.rows()[0].text("checked"), "passed");
}

TEST_F(CrossoverRun, OddSizes) {
  const ProgramResult result = run(odd("{m: 37, n: 136, k: 100}"));
  ASSERT_EQ(result.exit_code, 0) << result.error << result.output;
  EXPECT_THAT(result.output, HasSubstr("18 points, 0 known from before, 0 failed, 0 wrong"));
}

TEST_F(CrossoverRun, MatrixWithEmptyRowsAndColumns) {
  folder_.write("m.mtx", "%%MatrixMarket matrix coordinate real general\n9 12 4\n9 2 0.5\n2 1 -3\n9 12 2\n2 7 0.1\n");
  const ProgramResult result = run(odd("{matrix: m.mtx, n: 128}"));
  ASSERT_EQ(result.exit_code, 0) << result.error << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("(9 x 128 x 12)"), HasSubstr("96.3"), HasSubstr("0 wrong")));
}

TEST_F(CrossoverRun, MatrixWithoutAnyEntry) {
  folder_.write("m.mtx", "%%MatrixMarket matrix coordinate real general\n8 8 0\n");
  const ProgramResult result = run(odd("{matrix: m.mtx, n: 128}"));
  EXPECT_EQ(result.exit_code, 0) << result.error << result.output;
}

/// A library whose CSR kernel is launched with half of its CTAs, so that half of D is missing.
TEST_F(CrossoverRun, AWrongResultIsExitCodeOne) {
  const std::string kernels = std::filesystem::current_path().string() + "/traces/kernels/";
  for (const char* name : {"manifest.yaml", "spmm.yaml"}) {
    std::string text = contents(kernels + name);
    for (std::size_t at = 0; (at = text.find(": sm_", at)) != std::string::npos; at += 2 + kernels.size()) {
      text.insert(at + 2, kernels);
    }
    folder_.write(std::string("library/") + name, text);
  }
  const std::string library = folder_.path("library/spmm.yaml");
  folder_.write("library/spmm.yaml", replaced(contents(library), "tile_m: 4", "tile_m: 8"));
  const ProgramResult result = run(odd("{m: 37, n: 136, k: 100}") + "library: library\n");
  EXPECT_EQ(result.exit_code, 1) << result.error;
  EXPECT_THAT(result.output, AllOf(HasSubstr("wrong: D["), HasSubstr("must be"), HasSubstr("0 failed, 2 wrong")));
  EXPECT_THAT(contents(folder_.path("out/report.html")), HasSubstr("2 results are wrong"));
}

TEST_F(CrossoverRun, KnownPointsAreNotRunAgain) {
  const std::string text = odd("{m: 16, n: 128, k: 16}");
  ASSERT_EQ(run(text).exit_code, 0);
  const std::string page = contents(folder_.path("out/report.html"));
  // The journal loses its last line, as if the study had been killed.
  std::string journal = contents(folder_.path("out/points.jsonl"));
  journal.resize(journal.rfind('\n', journal.size() - 2) + 1);
  folder_.write("out/points.jsonl", journal);
  const ProgramResult again = run(text);
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.output, HasSubstr("18 points, 17 known from before"));
  EXPECT_EQ(contents(folder_.path("out/report.html")), page);
  const ProgramResult fresh =
      run_stcsim({"crossover", folder_.path("study.yaml"), "--fresh", "--out", folder_.path("out")});
  EXPECT_THAT(fresh.output, HasSubstr("18 points, 0 known from before"));
}

}  // namespace
}  // namespace stc::sim
