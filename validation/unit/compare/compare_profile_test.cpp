// SPDX-License-Identifier: Apache-2.0
// `stcsim compare REPORT.ncu-rep` as a user runs it: run files to fill in, then the figures side by side.
#include <nlohmann/json.hpp>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::HasSubstr;

constexpr char kReport[] = "validation/unit/compare/data/h200_two_kernels.ncu-rep";

/// Replaces `from`, which must be there, once.
void replace(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

void fill_in(const TemporaryFolder& folder, const std::string& name, const std::string& buffers,
             const std::vector<std::string>& arguments) {
  std::string text = read_text(folder.path(name));
  replace(text, "buffers: {}", "buffers: {" + buffers + "}");
  for (const std::string& argument : arguments) replace(text, "- FILL_IN", "- " + argument);
  folder.write(name, text);
}

TEST(CompareProfile, InstructionsAreThoseOfAnH200) {
  const TemporaryFolder folder;
  const std::vector<std::string> command = {"compare", kReport, "--out", folder.path("out")};
  const ProgramResult first = run_stcsim(command);
  EXPECT_EQ(first.exit_code, 2);
  EXPECT_THAT(first.error, HasSubstr("fill in args and buffers of " + folder.path("out/001/run.yaml")));
  fill_in(folder, "out/001/run.yaml", "IN: {bytes: 2800000, fill: zero}, OUT: {bytes: 2800000, fill: zero}",
          {"IN", "OUT", "{i32: 700}", "{i32: 1000}"});
  const ProgramResult second = run_stcsim(command);
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_THAT(second.error, HasSubstr("buffers of " + folder.path("out/002/run.yaml")));
  fill_in(folder, "out/002/run.yaml",
          "A: {bytes: 262144, fill: zero}, E: {bytes: 32768, fill: {constant: {type: u8, value: 68}}}, "
          "B: {bytes: 524288, fill: zero}, D: {bytes: 1048576, fill: zero}",
          {"A", "E", "B", "D", "{i32: 512}", "{i32: 512}", "{i32: 512}"});
  const ProgramResult done = run_stcsim(command);
  ASSERT_EQ(done.exit_code, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("NVIDIA H200 SXM 141GB at 1896 MHz"));
  const auto json = nlohmann::json::parse(read_text(folder.path("out/report.json")));
  EXPECT_EQ(json["schema"], "stcsim.report/1");
  for (const auto& launch : json["launches"]) {
    for (const auto& figure : launch["figures"]) {
      const double reported = figure["reported"], simulated = figure["simulated"];
      if (figure["title"] == "warp instructions") {
        EXPECT_EQ(reported, simulated) << launch["kernel"];
      }
      if (figure["title"] == "DRAM bytes read") {
        EXPECT_NEAR(simulated, reported, 0.02 * reported) << launch["kernel"];
      }
      if (figure["title"] == "elapsed cycles") {
        EXPECT_NEAR(simulated, reported, 0.3 * reported) << launch["kernel"];
      }
    }
  }
  folder.write("out/001/run.yaml", read_text(folder.path("out/002/run.yaml")));
  const ProgramResult other = run_stcsim(command);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.error, HasSubstr("is not the launch of the report"));
}

TEST(CompareProfile, BadInputLeavesNothing) {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  const std::string torn = folder.write("torn.ncu-rep", read_text(kReport).substr(0, 20000));
  const ProgramResult result = run_stcsim({"compare", torn, "--out", out});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.error, "stcsim: " + torn + ": is damaged\n");
  EXPECT_THAT(run_stcsim({"compare", kReport, "--filter", "a=b", "--out", out}).error, HasSubstr("not for reports"));
  EXPECT_THAT(run_stcsim({"compare", kReport, kReport, "--out", out}).error, HasSubstr("compared alone"));
  EXPECT_EQ(folder.files(), std::vector<std::string>{"torn.ncu-rep"});
}

}  // namespace
}  // namespace stc::sim
