// SPDX-License-Identifier: Apache-2.0
// `kernel: best`: short runs choose the kernel that whole runs find fastest, and what they found is remembered.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "sim/base/files.h"
#include "validation/unit/sim/json_schema.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

class BestKernelTest : public testing::Test {
 protected:
  BestKernelTest() { ::setenv("STC_CACHE", cache_.path("").c_str(), 1); }
  ~BestKernelTest() override { ::unsetenv("STC_CACHE"); }

  /// An A100 with few SMs: more rounds of CTAs in less time.
  static std::vector<std::string> arguments(const std::string& kernel, const std::string& compare = "false") {
    return {"run",    "configs/workloads/demo_1024_sparse.yaml",
            "--set",  "gpu.sms=8",
            "--set",  "workload.gemm=" + kernel,
            "--set",  "options={values: addresses, compare_dense: " + compare + "}",
            "--json", "-"};
  }
  static std::string gemm(const std::string& kernel, const std::string& more = "") {
    return "{kernel: " + kernel + more + ", m: 768, n: 1024, k: 1536}";
  }
  static json run(const std::vector<std::string>& arguments) {
    const ProgramResult result = run_stcsim(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    return result.exit_code == 0 ? json::parse(result.output) : json();
  }
  static std::string refused(const std::string& gemm) {
    const ProgramResult result = run_stcsim(arguments(gemm));
    EXPECT_EQ(result.exit_code, 2) << result.error;
    return result.error;
  }

  TemporaryFolder cache_;
};

TEST_F(BestKernelTest, IsWithinAFewPercentOfTheFastest) {
  const json best = run(arguments(gemm("best", ", type: f16, pattern: dense")));
  ASSERT_GE(best["candidates"].size(), 9u);
  double fastest = 1e18;
  for (const json& one : best["candidates"]) {
    const double estimate = one["cycles"];
    if (estimate > 1.2 * best["candidates"][0]["cycles"].get<double>()) continue;  // would be far behind
    const double cycles = run(arguments(gemm(one["kernel"])))["cycles"];
    EXPECT_NEAR(estimate / cycles, 1.0, 0.12) << one["kernel"];
    fastest = std::min(fastest, cycles);
  }
  EXPECT_LE(best["cycles"].get<double>(), 1.03 * fastest);
}

/// Their CTAs take tile after tile: two to five here.
TEST_F(BestKernelTest, WarpgroupKernelsTakePart) {
  const json best =
      run({"run", "configs/workloads/demo_1024_sparse.yaml", "--set", "gpu=configs/gpus/h200.yaml", "--set",
           "gpu.sms=8", "--set", "workload.gemm={kernel: best, type: e4m3, pattern: '2:4', m: 512, n: 1280, k: 1536}",
           "--set", "options={values: addresses}", "--json", "-"});
  ASSERT_EQ(best["candidates"].size(), 6u);
  const std::string name = best["candidates"][0]["kernel"];
  EXPECT_THAT(name, HasSubstr("_wg"));
  EXPECT_NEAR(best["candidates"][0]["cycles"].get<double>() / best["cycles"].get<double>(), 1.0, 0.1) << name;
}

TEST_F(BestKernelTest, IsComparedWithTheBestDenseOneAndTheSameTile) {
  const std::vector<std::string> both = arguments(gemm("best", ", type: s8, pattern: '2:4'"), "true");
  const json first = run(both);
  EXPECT_THAT(JsonSchema(json::parse(run_stcsim({"run", "--schema"}).output)).violations(first), IsEmpty());
  EXPECT_EQ(first["kernel"]["name"], first["candidates"][0]["kernel"]);
  EXPECT_EQ(first["dense"]["kernel"]["name"], first["dense_candidates"][0]["kernel"]);
  if (first.contains("same_tile")) {
    EXPECT_GE(first["same_tile"]["cycles"].get<double>(), 0.97 * first["dense"]["cycles"].get<double>());
  }
}

TEST_F(BestKernelTest, IsRememberedUnlessTheMemoryIsDamaged) {
  const std::vector<std::string> question = arguments(gemm("best", ", type: s8, pattern: dense"));
  const json first = run(question);
  const std::string file = cache_.path("best_kernels.jsonl");
  std::string text = read_text(file);
  // The file is what the next run believes.
  const std::string cycles = json(first["candidates"][0]["cycles"]).dump();
  text.replace(text.find(cycles), cycles.size(), "17.5");
  cache_.write("best_kernels.jsonl", text);
  EXPECT_EQ(run(question)["candidates"][0]["cycles"], 17.5);
  cache_.write("best_kernels.jsonl", "no JSON\n{\"key\": 3}\n");
  EXPECT_EQ(run(question)["candidates"], first["candidates"]);
}

TEST_F(BestKernelTest, WithoutAPlaceToRememberItIsFoundAllTheSame) {
  ::setenv("STC_CACHE", "/proc/nowhere", 1);
  EXPECT_GE(run(arguments(gemm("best", ", type: tf32, pattern: dense")))["candidates"].size(), 2u);
}

TEST_F(BestKernelTest, BadQuestions) {
  EXPECT_THAT(refused("{kernel: best, m: 768, n: 1024, k: 1536}"), HasSubstr("key 'type' of workload.gemm is missing"));
  EXPECT_THAT(refused(gemm("best", ", type: f17, pattern: dense")), HasSubstr("unknown element type 'f17'"));
  EXPECT_THAT(refused(gemm("best", ", type: f16, pattern: '3:4'")), HasSubstr("unknown kind of kernel 'f16 3:4'"));
  EXPECT_THAT(refused("{kernel: best, type: f16, pattern: dense, m: 100, n: 1024, k: 64}"),
              HasSubstr("m = 100, n = 1024, k = 64 are multiples of no tile of the library's f16 dense kernels"));
}

}  // namespace
}  // namespace stc::sim
