// SPDX-License-Identifier: Apache-2.0
// `stcsim network` as a user runs it.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::HasSubstr;

class NetworkProgram : public testing::Test {
 protected:
  void SetUp() override { ::setenv("STC_CACHE", folder_.path("cache").c_str(), 1); }
  ProgramResult network(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"network", "configs/networks/small.yaml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_stcsim(arguments);
  }
  TemporaryFolder folder_;
};

TEST_F(NetworkProgram, TableJsonAndPageAgreeAndLaunchesAreRemembered) {
  const ProgramResult first = network({"--json", folder_.path("n.json"), "--html", folder_.path("n.html")});
  ASSERT_EQ(first.exit_code, 0) << first.error;
  EXPECT_THAT(first.output, HasSubstr(" launches simulated, 0 remembered"));
  const nlohmann::json json = nlohmann::json::parse(contents(folder_.path("n.json")));
  ASSERT_EQ(json.at("outcomes").size(), 2U);
  const nlohmann::json& outcome = json.at("outcomes").at(1);
  double dense = 0, faster = 0;
  for (const auto& layer : outcome.at("layers")) {
    const double count = layer.at("count"), own = layer.at("dense").at("time_us");
    dense += count * own;
    faster += count * (layer.contains("sparse") ? std::min<double>(own, layer.at("sparse").at("time_us")) : own);
    EXPECT_GT(layer.at("dense").at("joules"), 0) << layer.at("name");
  }
  EXPECT_NEAR(outcome.at("dense").at("time_us"), dense, 1e-9 * dense);
  EXPECT_NEAR(outcome.at("faster").at("time_us"), faster, 1e-9 * faster);
  EXPECT_NEAR(outcome.at("speedup"), dense / faster, 1e-9);
  const std::string page = contents(folder_.path("n.html"));
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, HasSubstr(outcome.at("why").get<std::string>()));
  std::istringstream lines(first.output);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  const ProgramResult again = network({});
  EXPECT_THAT(again.output, HasSubstr("\n0 launches simulated, "));
  const auto tables = [](const std::string& text) { return text.substr(0, text.rfind('\n', text.size() - 2)); };
  EXPECT_EQ(tables(again.output), tables(first.output));
}

TEST_F(NetworkProgram, AFolderThatCannotBeWrittenIsSaidOnce) {
  const std::string file = folder_.write("no_folder", "");
  ::setenv("STC_CACHE", file.c_str(), 1);
  const ProgramResult result = network({"--set", "batch=1", "--html", folder_.path("n.html")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.error, HasSubstr("stcsim: results are not remembered: " + file + "/networks.jsonl: "));
  EXPECT_EQ(result.error.find("not remembered"), result.error.rfind("not remembered")) << result.error;
  const std::string page = contents(folder_.path("n.html"));
  EXPECT_THAT(page, HasSubstr("<section id=\"gpu0-batch1\">"));
  EXPECT_THAT(page, testing::Not(HasSubstr("id=\"\"")));
}

TEST_F(NetworkProgram, AnOtherGpuIsAskedAnew) {
  ASSERT_EQ(network({"--set", "batch=1"}).exit_code, 0);
  const ProgramResult other = network({"--set", "batch=1", "--set", "options.launch_cycles=100"});
  EXPECT_EQ(other.exit_code, 0) << other.error;
  EXPECT_THAT(other.output, HasSubstr(", 0 remembered"));
}

TEST_F(NetworkProgram, BadInputWritesNothing) {
  for (const char* set : {"batch=0", "options.tiles=0", "gpus.A100=missing.yaml", "unknown=1"}) {
    const ProgramResult result = network({"--set", set, "--json", folder_.path("n.json")});
    EXPECT_EQ(result.exit_code, 2) << set;
    EXPECT_THAT(result.error, HasSubstr("stcsim: "));
    EXPECT_EQ(result.output, "");
    EXPECT_TRUE(folder_.files().empty()) << set;
  }
}

}  // namespace
}  // namespace stc::sim
