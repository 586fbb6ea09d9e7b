// SPDX-License-Identifier: Apache-2.0
// Names that are no text: every JSON that the program writes can be read, whatever bytes its input is called.
#include <nlohmann/json.hpp>

#include "sim/base/files.h"
#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::HasSubstr;

const std::string kBytes = "na\xff\xc3me";                     // neither Latin text nor UTF-8
const std::string kReplaced = "na\xef\xbf\xbd\xef\xbf\xbdme";  // two U+FFFD

const std::string& root() {
  static const std::string path = std::filesystem::current_path().string();
  return path;
}

class HostileNames : public testing::Test {
 protected:
  static nlohmann::json json_of(const std::string& text) {
    EXPECT_TRUE(nlohmann::json::accept(text)) << text.substr(0, 300);
    return nlohmann::json::parse(text, nullptr, false);
  }
  nlohmann::json json_in(const std::string& file) const { return json_of(read_text(folder_.path(file))); }
  static void expect_success(const ProgramResult& result) { EXPECT_EQ(result.exit_code, 0) << result.error; }
  TemporaryFolder folder_;
};

TEST_F(HostileNames, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(json_text({{"a", kBytes}}), "{\"a\":\"" + kReplaced + "\"}");
}

TEST_F(HostileNames, RunFileAndBuffer) {
  const std::string text =
      "gpu: " + root() + "/configs/gpus/a100.yaml\nlaunch:\n  module: " + root() +
      "/validation/unit/sim/data/misbehave.cubin\n  kernel: write_at\n  grid: [1]\n  block: [32]\n" + "  buffers: {" +
      kBytes + ": {bytes: 4096}}\n  args: [" + kBytes + ", {i32: 0}]\n";
  const std::string file = folder_.write(kBytes + ".yaml", text);
  const ProgramResult result = run_stcsim({"run", file, "--set", "gpu.sms=1", "--json", "-"});
  expect_success(result);
  const nlohmann::json json = json_of(result.output);
  EXPECT_THAT(json["run_file"].get<std::string>(), HasSubstr(kReplaced));
}

TEST_F(HostileNames, Cubin) {
  const std::string file = folder_.write(kBytes + ".cubin", read_text("validation/unit/sim/data/misbehave.cubin"));
  const ProgramResult result = run_stcsim({"inspect", file, "--json"});
  expect_success(result);
  EXPECT_THAT(json_of(result.output)["file"].get<std::string>(), HasSubstr(kReplaced));
}

TEST_F(HostileNames, GpuOfAMatrixInstruction) {
  const std::string gpu =
      folder_.write("gpu.yaml", "base: " + root() + "/configs/gpus/a100.yaml\nname: " + kBytes + "\n");
  const ProgramResult result = run_stcsim({"mma", "--gpu", gpu, "--op", "mma.m16n8k8.f32.f16.f16.f32", "--json", "-"});
  expect_success(result);
  EXPECT_EQ(json_of(result.output)["gpu"], kReplaced);
}

TEST_F(HostileNames, Weights) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 8), }\n";
  const std::string file =
      folder_.write(kBytes + ".npy", std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) +
                                         std::string(1, '\0') + header + std::string(std::size_t{4} * 8 * 4, '\x3d'));
  const ProgramResult result = run_stcsim({"formats", "--weights", file, "--patterns", "2:4", "--json", "-"});
  expect_success(result);
  json_of(result.output);
}

TEST_F(HostileNames, SweepAndItsJournal) {
  const std::string sweep = folder_.write(
      "sweep.yaml",
      "title: " + kBytes + "\ngpus:\n  " + kBytes + ": {file: " + root() +
          "/configs/gpus/a100.yaml, set: {sms: 1}}\nshapes:\n  " + kBytes +
          ": {m: 32, n: 32, k: 64}\ntiles:\n  - {tile: [32, 32, 64], warp: [16, 16], stages: 2}\ngrid:\n  "
          "pattern: [2:4]\n");
  expect_success(run_stcsim({"explore", sweep, "--jobs", "1", "--out", folder_.path("out")}));
  EXPECT_EQ(json_in("out/result.json")["title"], kReplaced);
  for (const std::string& line : split(read_text(folder_.path("out/points.jsonl")), '\n')) {
    if (line.empty()) continue;
    EXPECT_THAT(json_of(line)["point"].get<std::string>(), HasSubstr(kReplaced));
  }
}

TEST_F(HostileNames, MeasuredFileAndItsNote) {
  const std::string file =
      folder_.write(kBytes + ".csv",
                    "# " + kBytes +
                        "\ngroup,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,cycles_median,cta_cycles_median,"
                        "operations_per_warp\n" +
                        kBytes + ",micro_mma,micro_mma_m16n8k8_f32_f16_f16_f32_c1,1,1,0,0,out 4,300,300,64\n");
  expect_success(run_stcsim({"compare", file, "--gpu", "configs/gpus/h200.yaml", "--set", "sms=1", "--jobs", "1",
                             "--out", folder_.path("out")}));
  EXPECT_EQ(json_in("out/compare.json")["points"][0]["group"], kReplaced);
  const std::string journal = read_text(folder_.path("out/results.jsonl"));
  EXPECT_THAT(json_of(journal)["task"].get<std::string>(), HasSubstr("micro_mma"));
}

}  // namespace
}  // namespace stc::sim
