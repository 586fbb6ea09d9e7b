// SPDX-License-Identifier: Apache-2.0
// Run files of launches on the same memory, with pointers in memory, expectations, compressed and shaped files.
#include <cstring>
#include <nlohmann/json.hpp>

#include "sim/base/files.h"
#include "sim/launch/data_file.h"
#include "validation/unit/sim/json_schema.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

const std::string kRoot = std::filesystem::current_path().string();
const std::string kVariables = kRoot + "/validation/functional/cubins/sm_80/sample_variables.cubin";
const std::string kMisbehave = kRoot + "/validation/unit/sim/data/misbehave.cubin";

std::string step(const std::string& module, const std::string& kernel, const std::string& args,
                 const std::string& more = "") {
  return "    - {module: " + module + ", kernel: " + kernel + ", grid: [1], block: [64], args: " + args + more + "}\n";
}

/// The table is written by the first launch, read by the last; the one between has another module.
std::string three_launches(const std::string& rest = "") {
  return "gpu: " + kRoot + "/configs/gpus/a100.yaml\nlaunch:\n  buffers:\n    F: {bytes: 256}\n    O: {bytes: 512}\n" +
         "    I: {bytes: 512, fill: {constant: {type: i32, value: 7}}}\n  sequence:\n" +
         step(kVariables, "write_before_reading", "[F]",
              ", symbols: {coefficients: {fill: {constant: {type: f32, value: 2}}}}") +
         step(kMisbehave, "write_at", "[I, {i32: 64}]") + step(kVariables, "use_variables", "[O]") + rest;
}

std::string values_of_last_launch() {
  std::string bytes;
  for (int t = 0; t < 64; ++t) {
    const double value = 2 * (t % 4 + 1) + 2 * t + 5;
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

TEST(Sequence, LaunchesShareMemoryVariablesAndConstants) {
  const TemporaryFolder folder;
  folder.write("o.bin.zst", [] {
    const std::string text = values_of_last_launch();
    const auto packed = compressed({text.begin(), text.end()});
    return std::string(packed.begin(), packed.end());
  }());
  const std::string file =
      folder.write("run.yaml", three_launches("  expect: [{buffer: O, file: o.bin.zst, type: f64, tolerance: 1e-12}]\n"
                                              "  save: {I: {file: i.npy, type: i32, shape: [2, 64]}, F: f.bin.zst}\n"));
  const ProgramResult result = run_stcsim({"run", file, "--json", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.output << result.error;
  const json made = json::parse(result.output);
  EXPECT_THAT(JsonSchema(json::parse(run_stcsim({"run", "--schema"}).output)).violations(made), testing::IsEmpty());
  EXPECT_EQ(made["kernel"]["name"], "use_variables");
  EXPECT_EQ(made["sequence"]["launches"], 3);
  EXPECT_EQ(made["sequence"]["before"][1]["kernel"]["name"], "write_at");
  const auto cycles = [](const json& of) { return of["cycles_elapsed"].get<int>(); };
  EXPECT_EQ(made["sequence"]["cycles_elapsed"],
            cycles(made) + cycles(made["sequence"]["before"][0]) + cycles(made["sequence"]["before"][1]));
  EXPECT_EQ(made["expectations"][0]["passed"], true);
  const auto words = read_data(folder.path("i.npy"));
  for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(words[4 * i], i < 64 ? 7 : 1) << i;
  EXPECT_THAT(contents(folder.path("i.npy")), HasSubstr("'<i4', 'fortran_order': False, 'shape': (2, 64)"));
  EXPECT_EQ(read_data(folder.path("f.bin.zst")).size(), 256U);
}

TEST(Sequence, CachesAreAsTheLaunchBeforeLeftThem) {
  const TemporaryFolder folder;
  const auto cycles = [&](const std::string& options) {
    const std::string twice = "gpu: " + kRoot + "/configs/gpus/a100.yaml\nlaunch:\n  buffers: {I: {bytes: 512}}\n" +
                              "  sequence:\n" + step(kMisbehave, "write_at", "[I, {i32: 0}]") +
                              step(kMisbehave, "write_at", "[I, {i32: 0}]") + options;
    const json made = json::parse(run_stcsim({"run", folder.write("run.yaml", twice), "--json", "-"}).output);
    return std::pair{made["sequence"]["before"][0]["cycles"].get<int>(), made["cycles"].get<int>()};
  };
  const auto [first, second] = cycles("");
  EXPECT_LT(second, first);
}

TEST(Sequence, ATableOfAllLaunchesComesFirst) {
  const TemporaryFolder folder;
  const ProgramResult result = run_stcsim({"run", folder.write("run.yaml", three_launches())});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_EQ(result.output.find("Sequence of launches on the same memory\n  launch 1           write_before_reading: "),
            0U)
      << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("together"), HasSubstr("\nuse_variables on NVIDIA A100")));
}

TEST(Expectations, WhatIsNotAsExpectedIsAWrongResult) {
  const TemporaryFolder folder;
  std::string wrong = values_of_last_launch();
  wrong[8] ^= 1;
  folder.write("o.bin", wrong);
  const std::string file = folder.write("run.yaml", three_launches("  expect: [{buffer: O, file: o.bin}]\n"));
  const ProgramResult result = run_stcsim({"run", file});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.output, HasSubstr("FAILED: byte 8 is 0x00, must be 0x01; 1 of 512 are wrong"));
}

TEST(Expectations, NothingThatARunReadsIsWrittenOver) {
  const TemporaryFolder folder;
  folder.write("o.bin", values_of_last_launch());
  folder.write("f.bin", std::string(512, 'x'));
  for (const char* rest : {"  expect: [{buffer: O, file: o.bin}]\n  save: {O: o.bin}\n", "  save: {O: f.bin}\n"}) {
    std::string text = three_launches(rest);
    text.replace(text.find("O: {bytes: 512}"), 15, "O: {bytes: 512, fill: {file: f.bin}}");
    const ProgramResult result = run_stcsim({"run", folder.write("run.yaml", text)});
    EXPECT_EQ(result.exit_code, 2) << result.output;
    EXPECT_THAT(result.error, HasSubstr("cannot be written: it is read by this run")) << rest;
  }
  EXPECT_EQ(contents(folder.path("o.bin")), values_of_last_launch());
}

TEST(Expectations, VariablesAreMemoryToo) {
  const TemporaryFolder folder;
  std::string table;
  for (int i = 0; i < 64; ++i) {
    const auto value = static_cast<float>(2 * i);
    table.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  folder.write("table.bin", table);
  const std::string launch =
      "gpu: " + kRoot + "/configs/gpus/a100.yaml\nlaunch:\n  buffers: {F: {bytes: 256}}\n" + "  sequence:\n" +
      step(kVariables, "write_before_reading", "[F]", ", symbols: {table: {fill: zero}, coefficients: {fill: zero}}");
  const auto run = [&](const std::string& expected) {
    return run_stcsim({"run", folder.write("run.yaml", launch + "  expect: [" + expected + "]\n")});
  };
  EXPECT_EQ(run("{buffer: table, file: table.bin}").exit_code, 0);
  table[5] ^= 1;
  folder.write("table.bin", table);
  const ProgramResult wrong = run("{buffer: table, file: table.bin, type: f32}");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.output, HasSubstr("FAILED: element 1 is 2, must be"));
  const ProgramResult constant = run("{buffer: coefficients, file: table.bin}");
  EXPECT_EQ(constant.exit_code, 2);
  EXPECT_THAT(constant.error, HasSubstr("'coefficients' is a __constant__ variable, which no kernel writes"));
}

TEST(Pointers, BuffersHoldAddressesOfBuffers) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "run.yaml", "gpu: " + kRoot + "/configs/gpus/a100.yaml\nlaunch:\n  module: " + kMisbehave +
                      "\n  kernel: write_at\n  grid: [1]\n  block: [32]\n  buffers:\n"
                      "    T: {bytes: 24, fill: {constant: {type: u8, value: 255}}, at: {0: I, 16: {buffer: "
                      "I, offset: 4096}}}\n    I: {bytes: 4096, address: 0x7f4400000200}\n"
                      "  args: [I, {i32: 0}]\n  save: {T: t.bin}\n");
  const ProgramResult result = run_stcsim({"run", file});
  ASSERT_EQ(result.exit_code, 0) << result.error;
  std::uint64_t words[3] = {};
  std::memcpy(words, contents(folder.path("t.bin")).data(), sizeof words);
  EXPECT_EQ(words[0], 0x7f4400000200U);
  EXPECT_EQ(words[1], ~std::uint64_t{0});
  EXPECT_EQ(words[2], 0x7f4400001200U);
}

TEST(Sequence, MistakesAreNamedWithTheirPlaceAndNothingIsWritten) {
  const TemporaryFolder folder;
  folder.write("three.bin", "abc");
  const auto error = [&](const std::string& text) {
    const ProgramResult result = run_stcsim({"run", folder.write("run.yaml", text)});
    EXPECT_EQ(result.exit_code, 2) << text;
    EXPECT_EQ(result.output, "");
    return result.error;
  };
  const std::string head = "gpu: " + kRoot + "/configs/gpus/a100.yaml\nlaunch:\n  buffers: {I: {bytes: 512}}\n";
  EXPECT_THAT(error(head + "  sequence: []\n"), AllOf(HasSubstr("run.yaml:4:"), HasSubstr("must hold a launch")));
  EXPECT_THAT(error(head + "  sequence:\n    - {module: a, grid: [1], block: [1], save: {}}\n"),
              HasSubstr("unknown key of launch.sequence.0: 'save'"));
  EXPECT_THAT(error(head + "  grid: [1]\n  sequence: []\n"), HasSubstr("unknown key of launch: 'grid'"));
  EXPECT_THAT(error(three_launches("  expect: [{buffer: X, file: three.bin}]\n")),
              AllOf(HasSubstr("launch.expect.0.buffer"), HasSubstr("unknown buffer or symbol 'X'")));
  EXPECT_THAT(error(three_launches("  expect: [{buffer: O, file: three.bin}]\n")),
              AllOf(HasSubstr("run.yaml:"), HasSubstr("three.bin has 3 bytes, but buffer 'O' has 512")));
  EXPECT_THAT(error(three_launches("  expect: [{buffer: O, file: none.bin}]\n")), HasSubstr("none.bin: no such file"));
  EXPECT_THAT(error(three_launches("  expect: [{buffer: O, file: three.bin, tolerance: 1}]\n")),
              HasSubstr("needs a 'type'"));
  EXPECT_THAT(error(three_launches("  save: {O: o.npy}\n")), HasSubstr("launch.save.O needs a type: {file: o.npy"));
  EXPECT_THAT(error(three_launches("  save: {O: {file: o.npy, type: bf16}}\n")), HasSubstr("NumPy does not have"));
  EXPECT_THAT(error(three_launches("  save: {O: {file: o.npy, type: f64, shape: [3]}}\n")),
              HasSubstr("a shape of [3] and type f64 is 24 bytes, but buffer 'O' has 512"));
  EXPECT_THAT(error(replaced(three_launches(), "{bytes: 256}", "{bytes: 256, at: {250: O}}")),
              HasSubstr("'250' must be an offset with 8 bytes behind it in 256"));
  EXPECT_THAT(error(replaced(three_launches(), "{bytes: 256}", "{bytes: 256, at: {8: X}}")),
              HasSubstr("unknown buffer 'X'"));
  for (const auto& [given, place] : {std::pair{"fill: {file: three.bin}", "launch.buffers.I.fill: "},
                                     std::pair{"file: three.bin", "launch.buffers.I.file: "}}) {
    EXPECT_THAT(error(replaced(three_launches(), "fill: {constant: {type: i32, value: 7}}", given)),
                AllOf(HasSubstr("run.yaml:6:"), HasSubstr(std::string(place) + folder.path("three.bin") +
                                                          " has 3 bytes, but the buffer has 512")));
  }
  EXPECT_THAT(error(replaced(three_launches(), "{fill: {constant: {type: f32, value: 2}}}", "{file: three.bin}")),
              AllOf(HasSubstr("run.yaml:8:"), HasSubstr("launch.sequence.0.symbols.coefficients.file: "),
                    HasSubstr("three.bin has 3 bytes, but the variable has ")));
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"run.yaml", "three.bin"}));
}

/// A launch of several that faults is named by its number.
TEST(Sequence, FaultsNameTheirLaunch) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_stcsim({"run", folder.write("run.yaml", replaced(three_launches(), "{i32: 64}", "{i32: 99999999}"))});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error, HasSubstr("stcsim: launch 2/3: kernel 'write_at', instruction ST"));
  const ProgramResult alone = run_stcsim(
      {"run",
       folder.write("alone.yaml", "gpu: " + kRoot + "/configs/gpus/a100.yaml\nlaunch:\n  buffers: {I: {bytes: 512}}\n" +
                                      "  module: " + kMisbehave + "\n  kernel: write_at\n  grid: [1]\n  block: [64]\n" +
                                      "  args: [I, {i32: 99999999}]\n")});
  EXPECT_THAT(alone.error, HasSubstr("stcsim: kernel 'write_at', instruction ST"));
}

}  // namespace
}  // namespace stc::sim
