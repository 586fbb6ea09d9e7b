// SPDX-License-Identifier: Apache-2.0
// `stcsim run` from file to result, on small problems.
#include <nlohmann/json.hpp>

#include "sim/base/files.h"
#include "validation/unit/sim/json_schema.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kGemm = "configs/workloads/gemm_512_integers.yaml";

json run_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const ProgramResult result = run_stcsim(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.error;
  return json::parse(result.output);
}

TEST(Run, WritesTableJsonAndBuffers) {
  const TemporaryFolder folder;
  const ProgramResult result = run_stcsim({"run", kGemm, "--set", "workload.save={D: d.bin, E: e.bin}", "--out",
                                           folder.path("out"), "--json", folder.path("r.json")});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(folder.files(), ElementsAre("out/d.bin", "out/e.bin", "out/report.txt", "out/result.json", "r.json"));
  EXPECT_EQ(read_text(folder.path("out/result.json")), read_text(folder.path("r.json")));
  EXPECT_EQ(read_text(folder.path("out/report.txt")), result.output);
  EXPECT_EQ(read_bytes(folder.path("out/d.bin")).size(), 512u * 512u * 4u);
  EXPECT_EQ(read_bytes(folder.path("out/e.bin")).size(), 512u * 512u / 8u);
  EXPECT_THAT(result.output, AllOf(HasSubstr("passed: D equals the reference exactly"), HasSubstr("bound by")));
}

TEST(Run, ResultFollowsTheSchemaAndAddsUp) {
  const json result = run_json({"run", kGemm, "--set", "options.compare_dense=true"});
  const ProgramResult printed = run_stcsim({"run", "--schema"});
  EXPECT_EQ(printed.exit_code, 0) << printed.error;
  const JsonSchema schema(json::parse(printed.output));
  EXPECT_THAT(schema.violations(result), IsEmpty());
  EXPECT_TRUE(result["check"]["passed"]);
  EXPECT_TRUE(result["dense"]["check"]["passed"]);
  // 512^3 in m16n8k32 instructions, and in twice as many m16n8k16 ones.
  EXPECT_EQ(result["tensor"]["instructions"], 512 * 512 * 512 / (16 * 8 * 32));
  EXPECT_EQ(result["dense"]["tensor"]["instructions"], 512 * 512 * 512 / (16 * 8 * 16));
  const json& stored = result["comparison"]["weight_bytes_read"]["storage"];
  EXPECT_DOUBLE_EQ(stored["metadata_per_value_byte"], 0.125);
  EXPECT_DOUBLE_EQ(stored["saved_fraction"], 0.4375);
  const json& dram = result["comparison"]["weight_bytes_read"]["dram"];
  EXPECT_DOUBLE_EQ(dram["metadata_per_value_byte"], 0.125);
  EXPECT_DOUBLE_EQ(dram["saved_fraction"], 0.4375);
}

TEST(Run, SameRunSameResult) {
  const auto comparable = [](json result) {
    result.erase("simulator");
    return result;
  };
  EXPECT_EQ(comparable(run_json({"run", kGemm})), comparable(run_json({"run", kGemm})));
}

TEST(Run, AddressesCostTheSameCyclesAsFullValues) {
  const json full = run_json({"run", kGemm, "--set", "options.check=false"});
  const json addresses = run_json({"run", kGemm, "--set", "options={values: addresses}"});
  EXPECT_EQ(full["cycles"], addresses["cycles"]);
  EXPECT_EQ(full["bytes"], addresses["bytes"]);
  EXPECT_EQ(full["stalls"], addresses["stalls"]);
  EXPECT_TRUE(addresses["buffers"]["D"]["hash"].is_null());
}

TEST(Run, OverridesReachTheMachine) {
  const json result = run_json({"run", kGemm, "--set", "gpu.sms=4", "--set", "workload.gemm.m=128"});
  EXPECT_EQ(result["gpu"]["sms"], 4);
  EXPECT_EQ(result["kernel"]["gemm"]["m"], 128);
  EXPECT_THAT(result["provenance"]["options"]["set"].get<std::string>(), HasSubstr("gpu.sms=4"));
}

TEST(Run, LowLevelFormGivesTheSameDAsTheWorkload) {
  const TemporaryFolder folder;
  const std::string root = std::filesystem::current_path().string();
  ASSERT_EQ(run_stcsim({"run", kGemm, "--set", "workload.save={A: a, E: e, B: b, D: d}", "--out", folder.path("one")})
                .exit_code,
            0);
  folder.write("run.yaml",
               "gpu: " + root +
                   "/configs/gpus/a100.yaml\n"
                   "launch:\n"
                   "  module: " +
                   root +
                   "/traces/kernels/sm_80/f16_sp24_64x64x64_w32x32_s4.cubin\n"
                   "  grid: [64]\n"
                   "  block: [128]\n"
                   "  dynamic_shared_bytes: 51200\n"
                   "  buffers: {A: {file: one/a}, E: {file: one/e}, B: {file: one/b}, D: {bytes: 1048576}}\n"
                   "  args: [A, E, B, D, {i32: 512}, {i32: 512}, {i32: 512}]\n"
                   "  save: {D: d2}\n");
  const ProgramResult result = run_stcsim({"run", folder.path("run.yaml")});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_EQ(read_bytes(folder.path("d2")), read_bytes(folder.path("one/d")));
}

// Buffers at addresses of the user's choice, and the parameter block as raw bytes that hold these addresses.
TEST(Run, PointersInRawArgumentsMeetTheirBuffers) {
  const TemporaryFolder folder;
  const std::string root = std::filesystem::current_path().string();
  ASSERT_EQ(run_stcsim({"run", kGemm, "--set", "workload.save={A: a, E: e, B: b, D: d}", "--out", folder.path("one")})
                .exit_code,
            0);
  const std::string text =
      "gpu: " + root +
      "/configs/gpus/a100.yaml\n"
      "launch:\n"
      "  module: " +
      root +
      "/traces/kernels/sm_80/f16_sp24_64x64x64_w32x32_s4.cubin\n"
      "  grid: [64]\n"
      "  block: [128]\n"
      "  dynamic_shared_bytes: 51200\n"
      "  buffers:\n"
      "    A: {file: one/a, address: 0x7f0040000000}\n"
      "    E: {file: one/e, address: 0x7f0030000000}\n"
      "    B: {file: one/b}\n"
      "    D: {bytes: 1048576, address: 0x7f0020000000}\n"
      "  args: [{hex: '00000040007f0000'}, E, B, {hex: '00000020007f0000'}, {i32: 512}, {i32: 512}, "
      "{i32: 512}]\n"
      "  save: {D: d2}\n";
  folder.write("run.yaml", text);
  const ProgramResult result = run_stcsim({"run", folder.path("run.yaml")});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_EQ(read_bytes(folder.path("d2")), read_bytes(folder.path("one/d")));

  const ProgramResult over =
      run_stcsim({"run", folder.path("run.yaml"), "--set", "launch.buffers.E.address=0x7f0020000200"});
  EXPECT_EQ(over.exit_code, 2);
  EXPECT_THAT(over.error, HasSubstr("launch.buffers.D.address: lies over buffer 'E'"));
}

// One sparse kernel of every element type with its dense twin, exactly equal to the reference on whole numbers.
TEST(Run, EveryElementTypeIsExact) {
  for (const char* type : {"f16_sp24", "bf16_sp24", "tf32_sp12", "s8_sp24"}) {
    SCOPED_TRACE(type);
    std::string kernel;
    std::istringstream manifest(read_text("traces/kernels/manifest.yaml"));
    for (std::string line; std::getline(manifest, line);) {
      const bool found = line.find(std::string("symbol: ") + type) != std::string::npos;
      if (found && line.find("_wg") == std::string::npos) kernel = line.substr(line.find(type));
    }
    ASSERT_FALSE(kernel.empty());
    const json result = run_json({"run", kGemm, "--set",
                                  "workload.gemm={kernel: " + kernel + ", m: 256, n: 256, k: 256, input: integers}",
                                  "--set", "options.compare_dense=true"});
    EXPECT_EQ(result["check"]["method"], "exact");
    EXPECT_TRUE(result["check"]["passed"]);
    EXPECT_TRUE(result["dense"]["check"]["passed"]);
    EXPECT_DOUBLE_EQ(result["comparison"]["weight_bytes_read"]["storage"]["metadata_per_value_byte"],
                     std::string(type).rfind("s8", 0) == 0 ? 0.25 : 0.125);
  }
}

TEST(Run, WrongResultsExitWithOne) {
  // A manifest that swaps A and B: the kernel then computes something else.
  const TemporaryFolder folder;
  std::string manifest = read_text("traces/kernels/manifest.yaml");
  for (std::size_t at = 0; (at = manifest.find("[A, B, D, m, n, k]", at)) != std::string::npos; ++at) {
    manifest.replace(at, 6, "[B, A,");
  }
  const std::string kernels = std::filesystem::absolute("traces/kernels").string();
  for (std::size_t at = 0; (at = manifest.find(": sm_", at)) != std::string::npos; ++at)
    manifest.insert(at + 2, kernels + "/");
  folder.write("manifest.yaml", manifest);
  const ProgramResult result = run_stcsim(
      {"run", kGemm, "--set", "kernels=" + folder.path(""), "--set", "workload.gemm.kernel=f16_dense_64x64x64"});
  EXPECT_EQ(result.exit_code, 1) << result.error;
  EXPECT_THAT(result.output, HasSubstr("FAILED: D["));
}

}  // namespace
}  // namespace stc::sim
