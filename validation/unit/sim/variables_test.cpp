// SPDX-License-Identifier: Apache-2.0
// Variables that a run file sets, those that it leaves out, and reads of what nobody wrote: the kernels of
// sample_variables.cu through the program.
#include <cstring>
#include <nlohmann/json.hpp>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Variables : public testing::TestWithParam<int> {
 protected:
  /// `more`: further lines of the launch.
  std::string run_file(const std::string& kernel, int threads, const std::string& args, const std::string& more = "") {
    const std::string root = std::filesystem::current_path().string();
    return folder_.write("run.yaml",
                         "gpu: " + root + "/configs/gpus/" + (GetParam() == 80 ? "a100" : "h200") + ".yaml\nlaunch:\n" +
                             "  module: " + root + "/validation/functional/cubins/sm_" + std::to_string(GetParam()) +
                             "/sample_variables.cubin\n  kernel: " + kernel + "\n  grid: [1]\n  block: [" +
                             std::to_string(threads) + "]\n  buffers: {out: {bytes: 1024}}\n  args: " + args +
                             "\n  save: {out: out.bin}\n" + more);
  }
  json run(const std::string& file, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"run", file, "--json", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run_stcsim(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    return result.exit_code == 0 ? json::parse(result.output) : json();
  }
  template <class T>
  std::vector<T> out() {
    const std::vector<std::uint8_t> bytes = read_bytes(folder_.path("out.bin"));
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Sm, Variables, testing::Values(80, 90));

TEST_P(Variables, TheRunFileSetsThem) {
  const double gamma = 0.25;
  folder_.write("gamma.bin", std::string(reinterpret_cast<const char*>(&gamma), sizeof gamma));
  const json result = run(run_file("use_variables", 64, "[out]",
                                   "  symbols:\n"
                                   "    coefficients: {fill: {sequence: {type: f32, start: 100, step: 10}}}\n"
                                   "    table: {fill: {sequence: {type: f32, start: 0, step: 1000}}}\n"
                                   "    gamma: {file: gamma.bin}\n"
                                   "    \"image::offsets\": {fill: {sequence: {type: i16, start: -3, step: 1}}}\n"
                                   "    _ZN5audio7offsetsE: {fill: {constant: {type: i16, value: 70}}}\n"
                                   "    shift: {fill: {constant: {type: i32, value: 9}}}\n"));
  const auto values = out<double>();
  for (int t = 0; t < 64; ++t) {
    const double expected = (100 + 10 * (t & 15)) * (1 + (t & 3)) + 1000 * t + 5 + gamma + (t & 7) - 3 + 9 + 70;
    EXPECT_EQ(values[static_cast<std::size_t>(t)], expected) << t;
  }
  EXPECT_THAT(result["unset_symbols"], IsEmpty());
}

TEST_P(Variables, ThoseThatNobodySetsAreNamed) {
  const std::string file =
      run_file("use_variables", 64, "[out]", "  symbols: {table: {fill: zero}, gamma: {fill: zero}}\n");
  EXPECT_THAT(run(file)["unset_symbols"],
              testing::UnorderedElementsAre("coefficients", "image::offsets", "audio::offsets", "image::shift"));
  EXPECT_THAT(run_stcsim({"run", file}).output, AllOf(HasSubstr("unset symbols"), HasSubstr("zeros were used")));
}

TEST_P(Variables, WhatTheKernelWritesFirstIsNotNamed) {
  EXPECT_THAT(run(run_file("write_before_reading", 64, "[out]"))["unset_symbols"], IsEmpty());
  EXPECT_EQ(out<float>()[3], 120.0f);
}

TEST_P(Variables, AddressesOfConstantsLeadToThem) {
  const std::string arguments = "[out, {i32: 2}]";
  run(run_file("point_to_constant", 8, arguments,
               "  symbols:\n    coefficients: {fill: {sequence: {type: f32, start: 100, step: 10}}}\n"
               "    table: {fill: {sequence: {type: f32, start: 0, step: 1}}}\n"));
  const auto values = out<float>();
  EXPECT_THAT(std::vector<float>(values.begin(), values.begin() + 4), ElementsAre(5, 250, 7, 270));
  EXPECT_THAT(run(run_file("point_to_constant", 8, arguments))["unset_symbols"],
              testing::UnorderedElementsAre("coefficients", "table"));
}

TEST_P(Variables, WrongNamesAndSizesAreRefused) {
  const auto refusal = [&](const std::string& more) {
    const ProgramResult result = run_stcsim({"run", run_file("use_variables", 64, "[out]", more)});
    EXPECT_EQ(result.exit_code, 2);
    return result.error;
  };
  EXPECT_THAT(refusal("  symbols: {tabel: {fill: zero}}\n"), AllOf(HasSubstr("run.yaml:10"), HasSubstr("'table'")));
  EXPECT_THAT(refusal("  symbols: {offsets: {fill: zero}}\n"), HasSubstr("2 variables of this name"));
  EXPECT_THAT(refusal("  symbols: {table: {}}\n"), HasSubstr("needs one of 'fill' and 'file'"));
  EXPECT_THAT(refusal("  symbols: {started: {fill: {constant: {type: f64, value: 1}}}}\n"),
              HasSubstr("no multiple of the 8"));
}

TEST_P(Variables, ABufferOfAVariablesNameIsRefused) {
  const std::string file = run_file("write_before_reading", 64, "[out]");
  const ProgramResult result = run_stcsim({"run", file, "--set", "launch.buffers.table={bytes: 256}"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("buffer 'table' has the name of a variable"));
}

TEST_P(Variables, PoisonNamesTheFirstReadOfEachKind) {
  const auto reads = [&](const std::string& kernel, const std::string& args) {
    return run(run_file(kernel, 64, args), {"--set", "options.poison=true"})["unwritten_reads"];
  };
  const json shared = reads("read_shared", "[out]");
  ASSERT_EQ(shared.size(), 1u);
  EXPECT_EQ(shared[0]["of"], "shared memory");
  EXPECT_EQ(shared[0]["address"].get<int>() % 1024, 128);  // sm_90 keeps the first KiB
  EXPECT_EQ(shared[0]["warp"], 1);
  EXPECT_EQ(shared[0]["instruction"], "LDS");
  EXPECT_EQ(out<int>()[40], -1);

  const json local = reads("read_local", "[out, {i32: 2}]");
  ASSERT_EQ(local.size(), 1u);
  EXPECT_EQ(local[0]["of"], "local memory");
  EXPECT_EQ(local[0]["lane"], 5);

  const json registers = reads("read_register", "[out]");
  ASSERT_EQ(registers.size(), 1u);
  EXPECT_EQ(registers[0]["of"], "register");
  EXPECT_EQ(registers[0]["lane"], 1);
  EXPECT_EQ(registers[0]["instruction"], "STG.E.128");
}

TEST_P(Variables, PoisonCostsNoCycleAndFindsNothingInAKernelThatWritesFirst) {
  const std::string file = run_file("write_before_reading", 64, "[out]");
  const json without = run(file), with = run(file, {"--set", "options.poison=true"});
  EXPECT_FALSE(without.contains("unwritten_reads"));
  EXPECT_THAT(with["unwritten_reads"], IsEmpty());
  EXPECT_EQ(with["cycles"], without["cycles"]);
  EXPECT_EQ(with["stalls"], without["stalls"]);
  EXPECT_EQ(with["buffers"], without["buffers"]);
  EXPECT_THAT(run_stcsim({"run", file, "--set", "options.poison=true"}).output, HasSubstr("unwritten reads"));
}

TEST_P(Variables, PoisonFindsNothingInTheKernelsOfTheLibrary) {
  const std::string gpu =
      std::filesystem::absolute(GetParam() == 80 ? "configs/gpus/a100.yaml" : "configs/gpus/h200.yaml");
  const json result =
      run("configs/workloads/gemm_512_integers.yaml", {"--set", "gpu=" + gpu, "--set", "options.poison=true"});
  EXPECT_THAT(result["unwritten_reads"], IsEmpty());
  EXPECT_TRUE(result["check"]["passed"]);
}

}  // namespace
}  // namespace stc::sim
