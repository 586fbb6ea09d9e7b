// SPDX-License-Identifier: Apache-2.0
// stcsim compare as a user runs it: bad input, points that fail, interrupted runs.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "sim/base/files.h"
#include "sim/base/text.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::HasSubstr;

const std::string kHead =
    "group,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,cycles_median,cta_cycles_median,operations_per_warp\n";

std::string mma_row(int chains, int warps, int iterations) {
  return "mma,micro_mma,micro_mma_m16n8k8_f32_f16_f16_f32_c" + std::to_string(chains) + ",1," + std::to_string(warps) +
         ",0,0,out " + std::to_string(iterations) + ",10000,10000,1024\n";
}

/// The report without what differs from run to run.
nlohmann::ordered_json report_in(const std::string& file) {
  auto json = nlohmann::ordered_json::parse(read_text(file));
  json.erase("simulation_s");
  for (auto& point : json["points"]) point.erase("wall_s");
  return json;
}

class CompareProgram : public testing::Test {
 protected:
  std::vector<std::string> arguments(const std::string& file, const std::string& out) const {
    return {"compare", file, "--gpu", "configs/gpus/h200.yaml", "--jobs", "1", "--out", folder_.path(out)};
  }
  TemporaryFolder folder_;
};

TEST_F(CompareProgram, BadInputEndsWithCodeTwoAndWritesNothing) {
  const std::string file = folder_.write("m.csv", kHead + mma_row(1, 4, 1) + mma_row(77, 4, 1));
  const ProgramResult result = run_stcsim(arguments(file, "out"));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("m.csv:3: column 'kernel'"));
  EXPECT_EQ(folder_.files(), std::vector<std::string>{"m.csv"});
}

TEST_F(CompareProgram, UnknownGpuIsAskedFor) {
  const std::string file = folder_.write("m.csv", kHead + mma_row(1, 4, 1));
  const ProgramResult result = run_stcsim({"compare", file, "--out", folder_.path("out")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("--gpu is needed"));
}

TEST_F(CompareProgram, FaultOfOnePointDoesNotStopTheRest) {
  // A buffer of 1 KiB where the kernel reads 2 MiB.
  const std::string faulty = "bandwidth,micro_global,micro_ldg_128_cg,1,1,0,1024,out data 2112 16,100,100,100\n";
  const std::string file = folder_.write("m.csv", kHead + faulty + mma_row(1, 4, 1));
  const ProgramResult result = run_stcsim(arguments(file, "out"));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.output, HasSubstr("1 points have no simulated values"));
  const auto json = report_in(folder_.path("out/compare.json"));
  EXPECT_EQ(json["failures"], 1);
  EXPECT_THAT(json["points"][0]["failure"].get<std::string>(), HasSubstr("micro_ldg_128_cg"));
  EXPECT_TRUE(json["points"][1].contains("metrics"));
  for (const char* name : {"out/compare.html", "out/compare.csv", "out/compare.txt"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_.path(name))) << name;
  }
}

TEST_F(CompareProgram, BaselineIsReadBeforeAnythingRuns) {
  const std::string file = folder_.write("m.csv", kHead + mma_row(1, 4, 1));
  const std::string none = folder_.path("none.json"), other = folder_.write("other.json", "{\"schema\": [1]}");
  const std::string broken = folder_.write(
      "broken.json", "{\"schema\": \"stcsim.compare/1\", \"provenance\": {\"git\": \"x\"}, \"points\": [{\"id\": 3}]}");
  for (const auto& [baseline, message] :
       {std::pair{none, "no such file"}, {other, "is no report of stcsim compare"}, {broken, "--baseline: "}}) {
    std::vector<std::string> words = arguments(file, "out");
    words.insert(words.end(), {"--baseline", baseline});
    const ProgramResult result = run_stcsim(words);
    EXPECT_EQ(result.exit_code, 2) << baseline;
    EXPECT_THAT(result.error, HasSubstr(message));
    EXPECT_FALSE(std::filesystem::exists(folder_.path("out"))) << baseline;
  }
}

TEST_F(CompareProgram, OneComparisonHasTheFolderAtATime) {
  const std::string file = folder_.write("m.csv", kHead + mma_row(1, 4, 1));
  const std::string journal = folder_.write("out/results.jsonl", "");
  const int other = ::open(journal.c_str(), O_RDWR);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  const ProgramResult result = run_stcsim(arguments(file, "out"));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("results.jsonl: another comparison is writing it"));
  EXPECT_EQ(folder_.files(), (std::vector<std::string>{"m.csv", "out/results.jsonl"}));
  ::close(other);
  EXPECT_EQ(run_stcsim(arguments(file, "out")).exit_code, 0);
}

TEST_F(CompareProgram, MeasuredFiguresThatCannotBe) {
  const auto refused = [&](const std::string& row) {
    const ProgramResult result = run_stcsim(arguments(folder_.write("m.csv", kHead + row), "out"));
    EXPECT_EQ(result.exit_code, 2) << row;
    return result.error;
  };
  const std::string begin = "mma,micro_mma,micro_mma_m16n8k8_f32_f16_f16_f32_c1,1,1,0,0,out 4,";
  EXPECT_THAT(refused(begin + "0,100,64\n"), HasSubstr("m.csv:2: column 'cycles_median' must be greater than 0"));
  EXPECT_THAT(refused(begin + "-100,100,64\n"), HasSubstr("column 'cycles_median' must be greater than 0"));
  EXPECT_THAT(refused(begin + "100,100,-64\n"), HasSubstr("column 'operations_per_warp' must be 0 or more"));
  EXPECT_THAT(refused("bandwidth,micro_global,micro_ldg_128_cg,1,1,0,0,out data 4 1,9,9,9\n"),
              HasSubstr("m.csv:2: column 'args' passes data, but column 'data_bytes' is 0"));
}

std::size_t lines_in(const std::string& file) {
  return std::filesystem::exists(file) ? split(read_text(file), '\n').size() - 1 : 0;
}

TEST_F(CompareProgram, InterruptedRunContinuesToTheSameReport) {
  std::string text = kHead;
  for (int chains = 1; chains <= 8; ++chains) {
    for (const int warps : {1, 2, 4, 8, 16}) text += mma_row(chains, warps, 64);
  }
  const std::string file = folder_.write("m.csv", text);
  ASSERT_EQ(run_stcsim(arguments(file, "whole")).exit_code, 0);

  const std::vector<std::string> words = arguments(file, "cut");
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(STDOUT_FILENO);
    std::string program = STCSIM_PROGRAM;
    std::vector<std::string> copies = words;
    std::vector<char*> argv = {program.data()};
    for (std::string& word : copies) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execv(program.c_str(), argv.data());
    ::_exit(127);
  }
  const std::string results = folder_.path("cut/results.jsonl");
  while (lines_in(results) < 5) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status)) << "the run was over before it could be interrupted";
  const std::size_t known = lines_in(results);
  ASSERT_LT(known, 40U);
  std::ofstream(results, std::ios::app) << "{\"key\": \"a line that was cut";

  const ProgramResult again = run_stcsim(words);
  EXPECT_EQ(again.exit_code, 0) << again.error;
  EXPECT_THAT(again.output,
              HasSubstr(std::to_string(40 - known) + " launches simulated, " + std::to_string(known) + " taken from"));
  EXPECT_EQ(report_in(folder_.path("cut/compare.json")), report_in(folder_.path("whole/compare.json")));
}

}  // namespace
}  // namespace stc::sim
