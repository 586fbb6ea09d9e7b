// SPDX-License-Identifier: Apache-2.0
// `stcsim train` as a user runs it: every launch of small steps right, on both GPUs, and bad input named.
#include <nlohmann/json.hpp>

#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::HasSubstr;

constexpr const char* kLinear = "configs/training/small.yaml";
constexpr const char* kMlp = "configs/training/small_mlp.yaml";

ProgramResult train(const std::string& file, const std::vector<std::string>& sets,
                    const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"train", file};
  for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_stcsim(arguments);
}

nlohmann::json train_json(const std::string& file, const std::vector<std::string>& sets) {
  const ProgramResult result = train(file, sets, {"--json", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  return nlohmann::json::parse(result.output);
}

TEST(TrainProgram, EveryLaunchOfALinearLayerIsRight) {
  for (const char* masks : {"exact", "greedy"}) {
    const nlohmann::json json =
        train_json(kLinear, {std::string("workload.train_linear.masks=") + masks, "workload.train_linear.tokens=[77]"});
    EXPECT_EQ(json.at("checked_launches"), 3 + 4 + 3);
    EXPECT_TRUE(json.at("failures").empty());
    const auto& point = json.at("layers").at(0).at("points").at(0);
    EXPECT_EQ(point.at("sparse").at("launches").size(), 4U);
    EXPECT_GT(point.at("prune_us"), 0);
  }
}

TEST(TrainProgram, TilesThatAreCutAlongTheTokensAreRight) {
  const nlohmann::json json =
      train_json(kLinear, {"workload.train_linear.layers=[[256, 256]]", "workload.train_linear.tokens=[1100]"});
  EXPECT_TRUE(json.at("failures").empty()) << json.at("failures");
  const auto& launches = json.at("layers").at(0).at("points").at(0).at("dense").at("launches");
  EXPECT_THAT(launches.back().at("kernel").get<std::string>(), HasSubstr("_parts_"));
}

TEST(TrainProgram, EveryLaunchOfAnMlpIsRightOnAnH200Too) {
  for (const char* sparse : {"weights", "activations"}) {
    const nlohmann::json json = train_json(kMlp, {std::string("workload.train_mlp.sparse=") + sparse,
                                                  "gpu=configs/gpus/h200.yaml", "workload.train_mlp.tokens=[128]"});
    EXPECT_EQ(json.at("checked_launches"), 6 + 8 + 3);
    EXPECT_TRUE(json.at("failures").empty()) << json.at("failures");
  }
}

TEST(TrainProgram, WritesAPage) {
  const TemporaryFolder folder;
  const ProgramResult result =
      train(kLinear, {"workload.train_linear.tokens=[8]", "options.values=addresses", "options.check=false"},
            {"--html", folder.path("page.html")});
  ASSERT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.output, HasSubstr("Does 2:4 pay for training?"));
  std::ifstream page(folder.path("page.html"));
  const std::string text((std::istreambuf_iterator<char>(page)), {});
  EXPECT_THAT(text, HasSubstr("<svg"));
  EXPECT_THAT(text, HasSubstr("dX = dY W"));
  EXPECT_THAT(text, HasSubstr("<section id=\"layer0\">"));
  EXPECT_THAT(text, testing::Not(HasSubstr("id=\"\"")));
}

TEST(TrainProgram, BadInputIsNamed) {
  const auto refused = [](const char* file, const std::string& set, const std::string& text) {
    const ProgramResult result = train(file, {set});
    EXPECT_EQ(result.exit_code, 2) << text;
    EXPECT_THAT(result.error, HasSubstr(text));
    EXPECT_EQ(result.output, "");
  };
  refused(kLinear, "workload.train_linear.layers=[[1000, 512]]",
          "multiple of 256, a tile of the training kernels (768");
  refused(kLinear, "workload.train_linear.layers=[[256]]", "must be [inputs, outputs], but holds 1 sizes");
  refused(kLinear, "workload.train_linear.layers=[]", "at least one layer");
  refused(kLinear, "workload.train_linear.tokens=[]", "at least one number of tokens");
  refused(kLinear, "workload.train_linear.tokens=[0]", "workload.train_linear.tokens");
  refused(kLinear, "workload.train_linear.tokens=[512, 200]", "must be larger than the one before");
  refused(kLinear, "workload.train_linear.sparse=activations", "which only train_mlp has");
  refused(kMlp, "workload.train_mlp.tokens=[100]", "2:4 activations need a multiple of 128");
  refused(kLinear, "workload.train_linear.masks=gredy", "greedy");
  refused(kLinear, "options.l2=warm", "a launch finds L2 as the one before left it");
  refused(kLinear, "options.compare_dense=true", "dense always runs beside 2:4");
  refused(kLinear, "options.values=addresses", "needs 'values: full'");
  refused(kLinear, "kernels=configs", "training.yaml");
  refused("configs/workloads/demo_1024_sparse.yaml", "options.check=false", "unknown key of workload: 'gemm'");
  const ProgramResult run = run_stcsim({"run", kLinear});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.error, HasSubstr("which 'stcsim train configs/training/small.yaml' runs"));
}

}  // namespace
}  // namespace stc::sim
