// SPDX-License-Identifier: Apache-2.0
// `stcsim conv` and workload.conv as a user meets them: results that agree with each other, messages for bad input.
#include <nlohmann/json.hpp>

#include <sstream>

#include "sim/base/files.h"
#include "sim/convolution/study.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kRun = "configs/workloads/convolution_integers.yaml";
constexpr const char* kLayers =
    "  small: {h: 7, w: 7, c: 64, k: 64, r: 1, s: 1, stride: 1, pad: 0, count: 2, note: \"a note\"}\n"
    "  deep: {h: 7, w: 7, c: 256, k: 128, r: 3, s: 3, stride: 1, pad: 1}\n";

class ConvProgram : public testing::Test {
 protected:
  std::string file(const std::string& layers, const std::string& more = "type: f16\nn: 1\n") const {
    return folder_.write("layers.yaml",
                         "title: \"Two layers\"\ngpus: {A100: " + std::filesystem::current_path().string() +
                             "/configs/gpus/a100.yaml}\n" + more + "layers:\n" + layers);
  }
  std::string refused(const std::vector<std::string>& arguments) const {
    const std::vector<std::string> before = folder_.files();
    const ProgramResult result = run_stcsim(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.error;
    EXPECT_THAT(result.error, StartsWith("stcsim: "));
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(folder_.files(), before);
    return result.error;
  }
  std::string refused_layers(const std::string& layers, const std::string& more = "type: f16\nn: 1\n") const {
    return refused({"conv", file(layers, more), "--json", folder_.path("r.json")});
  }
  std::string refused_run(const std::string& set) const { return refused({"run", kRun, "--set", set}); }
  TemporaryFolder folder_;
};

TEST_F(ConvProgram, ExamplesOfTheHelpHaveKernelsForEveryLayer) {
  std::istringstream help(run_stcsim({"conv", "--help"}).output);
  int examples = 0;
  for (std::string line; std::getline(help, line);) {
    std::istringstream words(line);
    std::string program, command, study;
    words >> program >> command >> study;
    if (program != "stcsim" || command != "conv") continue;
    std::vector<std::string> sets;
    for (std::string word; words >> word;) {
      if (word == "--set" && words >> word) sets.push_back(word);
    }
    EXPECT_NO_THROW(read_convolution_study(study, parse_overrides(sets))) << line;
    ++examples;
  }
  EXPECT_EQ(examples, 2);
}

TEST_F(ConvProgram, TableJsonAndPageAgree) {
  const ProgramResult result = run_stcsim(
      {"conv", file(kLayers), "--json", folder_.path("r.json"), "--html", folder_.path("r.html"), "--jobs", "1"});
  ASSERT_EQ(result.exit_code, 0) << result.error;
  const json gpu = json::parse(read_text(folder_.path("r.json"))).at("gpus").at(0);
  const std::string page = read_text(folder_.path("r.html"));
  double dense = 0;
  for (const json& layer : gpu.at("layers")) {
    double least = 0;
    for (const json& kernel : layer.at("kernels")) {
      if (!kernel.at("sparse").get<bool>() && (least == 0 || kernel.at("time_us") < least))
        least = kernel.at("time_us");
    }
    dense += least * layer.at("count").get<int>();
    for (const char* key : {"name", "because"}) EXPECT_THAT(result.output, HasSubstr(layer.at(key).get<std::string>()));
    for (const char* key : {"name", "reason"}) EXPECT_THAT(page, HasSubstr(layer.at(key).get<std::string>()));
  }
  EXPECT_NEAR(gpu.at("total_us").at("dense").get<double>(), dense, 1e-9);
  EXPECT_THAT(page, AllOf(HasSubstr("a note"), HasSubstr("<svg")));
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST_F(ConvProgram, TheAnswerDoesNotDependOnTheNumberOfProcesses) {
  const auto with = [&](const char* jobs) {
    return run_stcsim({"conv", file(kLayers), "--json", "-", "--jobs", jobs}).output;
  };
  EXPECT_EQ(with("1"), with("2"));
}

TEST_F(ConvProgram, BadLayersAreNamedWithTheirPlace) {
  EXPECT_THAT(refused_layers("  one: {h: 7, w: 7, c: 3, k: 64, r: 1, s: 1, stride: 1, pad: 0}\n"),
              AllOf(HasSubstr("layers.yaml:6:"), HasSubstr("c is 3, but must be a multiple of 8")));
  EXPECT_THAT(refused_layers("  one: {h: 7, w: 7, c: 64, k: 64, r: 1, s: 1, stride: 1, pad: 0, dilation: 2}\n"),
              HasSubstr("'dilation'"));
  EXPECT_THAT(refused_layers("  one: {h: 7, w: 7, c: 64, k: 64, r: 1, s: 1, stride: 1}\n"), HasSubstr("'pad'"));
  EXPECT_THAT(refused_layers(kLayers, "type: f32\nn: 1\n"), HasSubstr("'f32'"));
  EXPECT_THAT(refused_layers(kLayers, "type: f16\n"), HasSubstr("'n'"));
  EXPECT_THAT(refused_layers("  {}\n"), HasSubstr("layers"));
  EXPECT_THAT(refused({"conv", "no_such.yaml"}), HasSubstr("no_such.yaml"));
  EXPECT_THAT(refused({"conv", file(kLayers), "--html", "/proc/no/r.html"}), HasSubstr("cannot be written"));
}

TEST_F(ConvProgram, BadRunFilesAreNamedWithTheirPlace) {
  EXPECT_THAT(refused_run("workload.conv.kernel=conv_f16_sp24_64x64"), HasSubstr("did you mean"));
  EXPECT_THAT(refused_run("workload.conv.c=44"), HasSubstr("c is 44, but must be a multiple of 8"));
  EXPECT_THAT(refused_run("workload.conv.k=96"), HasSubstr("k is 96, but must be a multiple of the tile size 64"));
  EXPECT_THAT(refused_run("workload.conv.r=40"), HasSubstr("workload.conv.r"));
  EXPECT_THAT(refused_run("workload.conv.high=500"), HasSubstr("the largest f16"));
  EXPECT_THAT(refused_run("workload.conv.scale=-1"), HasSubstr("must be a positive f32"));
  EXPECT_THAT(refused_run("workload.conv.type=f16"), HasSubstr("belongs to 'kernel: best'"));
  EXPECT_THAT(refused_run("workload.conv.kernel=conv_s8_sp24_64x64x128_w32x32_s4"), HasSubstr("needs 'scale'"));
  EXPECT_THAT(refused_run("workload.conv.kernel=conv_f16_dense_64x64x64_w32x32_s4"), HasSubstr("is dense itself"));
  EXPECT_THAT(refused_run("workload.conv.kernel=best"), HasSubstr("'type'"));
}

}  // namespace
}  // namespace stc::sim
