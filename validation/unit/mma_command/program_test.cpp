// SPDX-License-Identifier: Apache-2.0
// `stcsim mma` as a user runs it.
#include <nlohmann/json.hpp>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const char kMmaGpu[] = "configs/gpus/a100.yaml";
const char kH200[] = "configs/gpus/h200.yaml";
const char kSparseOp[] = "mma.sp.m16n8k32.f32.f16.f16.f32";

class MmaProgram : public testing::Test {
 protected:
  static ProgramResult mma(const char* gpu, const std::string& op, std::vector<std::string> more) {
    const std::vector<std::string> common = {"mma", "--gpu", gpu, "--op", op};
    more.insert(more.begin(), common.begin(), common.end());
    return run_stcsim(more);
  }
  /// Expects exit code 2, one line that names the place, and no file.
  std::string refused(const std::vector<std::string>& more, const char* gpu = kMmaGpu,
                      const std::string& op = kSparseOp) {
    const std::vector<std::string> before = folder_.files();
    const ProgramResult result = mma(gpu, op, more);
    EXPECT_EQ(result.exit_code, 2) << result.output;
    EXPECT_THAT(result.output, IsEmpty());
    EXPECT_THAT(result.error, StartsWith("stcsim: "));
    EXPECT_EQ(folder_.files(), before);
    return result.error;
  }
  /// A file of `cases` all-zero cases of the sparse operation: A 4, B 4, C 4 registers and one of metadata.
  std::string zero_cases(int cases) {
    return folder_.write("cases.bin", std::string(static_cast<std::size_t>(cases) * 32 * 13 * 4, '\0'));
  }
  TemporaryFolder folder_;
};

TEST_F(MmaProgram, ShowsWarpgroupsByPtxsNames) {
  const std::string name = "wgmma.sp.m64n16k64.f32.e4m3.e4m3";
  const ProgramResult shown = mma(kH200, "wgmma.mma_async.sp.sync.aligned.m64n16k64.f32.e4m3.e4m3", {"--json", "-"});
  ASSERT_EQ(shown.exit_code, 0) << shown.error;
  const auto json = nlohmann::json::parse(shown.output);
  EXPECT_EQ(json["op"], name);
  EXPECT_EQ(json["d"]["bits"].size(), 64u);
  EXPECT_EQ(json["d"]["bits"][63].size(), 16u);
  EXPECT_EQ(json["selected_rows"].size(), 64u);
  EXPECT_EQ(json["metadata_registers"].size(), 4u * 32u);
  EXPECT_THAT(mma(kH200, name, {"--row", "40", "--col", "13"}).output, HasSubstr("keeping 13 fraction bits"));
  EXPECT_THAT(mma(kH200, name, {"--lane-map"}).output, HasSubstr("Of warp 0"));
  const auto list = nlohmann::json::parse(run_stcsim({"mma", "--gpu", kH200, "--list", "--json", "-"}).output);
  EXPECT_EQ(list["warpgroup_ops"].size(), 40u);
  EXPECT_EQ(list["warpgroup_ops"][0]["a_in_memory"]["interval_cycles"], 128);
  EXPECT_THAT(run_stcsim({"mma", "--gpu", kMmaGpu, "--list"}).output, Not(HasSubstr("wgmma")));
}

TEST_F(MmaProgram, SaysWhatIsWrongWithWarpgroups) {
  EXPECT_THAT(refused({}, kMmaGpu, "wgmma.m64n8k16.f32.f16.f16"), HasSubstr("sm_80 has no wgmma"));
  EXPECT_THAT(refused({}, kH200, "wgmma.m64n12k16.f32.f16.f16"), HasSubstr("multiple of 8 up to 256"));
  EXPECT_THAT(refused({}, kH200, "wgmma.m64n40k32.s32.s8.s8"), HasSubstr("multiples of 16"));
  EXPECT_THAT(refused({}, kH200, "wgmma.m64n8k32.f32.f16.f16"), HasSubstr("it has wgmma.m64n8k16.f32.f16.f16"));
  EXPECT_THAT(refused({}, kH200, "wgmma.m64n8k16.f32.f16.f16.f32"), HasSubstr("three formats"));
}

TEST_F(MmaProgram, RecordsWarpgroups) {
  const ProgramResult result = mma(kH200, "wgmma.sp.m64n16k32.f32.f16.f16", {"--vcd", folder_.path("w.vcd")});
  ASSERT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.output, HasSubstr("gtkwave " + folder_.path("w.gtkw")));
  EXPECT_THAT(read_text(folder_.path("w.vcd")), HasSubstr("multiplied_column"));
  EXPECT_THAT(read_text(folder_.path("w.gtkw")), HasSubstr("SystemC.warpgroup.control.accumulated_column"));
}

TEST_F(MmaProgram, LaneMapIsWrittenAsJson) {
  const std::string file = folder_.path("map.json");
  const ProgramResult result = run_stcsim({"mma", "--op", kSparseOp, "--lane-map", "--json", file});
  ASSERT_EQ(result.exit_code, 0) << result.error;
  const auto map = nlohmann::json::parse(read_text(file));
  EXPECT_EQ(map["op"], kSparseOp);
  EXPECT_EQ(map["a"]["lanes"].size(), 32u);
  // Lane 5 holds row 1 and, in its second register, row 9; two f16 per register.
  EXPECT_EQ(map["a"]["lanes"][5][0], nlohmann::json::parse("[[1, 2], [1, 3]]"));
  EXPECT_EQ(map["a"]["lanes"][5][1], nlohmann::json::parse("[[9, 2], [9, 3]]"));
  EXPECT_EQ(map["metadata"].size(), 2u);
  EXPECT_EQ(map["metadata"][1]["fields"].size(), 32u);
  EXPECT_EQ(mma(kMmaGpu, kSparseOp, {"--lane-map", "--json", "-"}).output, read_text(file));
}

TEST_F(MmaProgram, ProductsOfSingleBitsAreRefusedByName) {
  for (const std::string op : {"mma.m16n8k256.s32.b1.b1.s32.and.popc", "mma.m8n8k128.s32.b1.b1.s32.xor.popc"}) {
    EXPECT_THAT(refused({"--random", "2"}, kMmaGpu, op),
                HasSubstr("multiplies single bits (b1): kernels that use it run"));
    EXPECT_THAT(refused({"--lane-map"}, kMmaGpu, op), HasSubstr("single bits"));
  }
}

TEST_F(MmaProgram, OptionsThatWouldBeIgnoredAreRefused) {
  const std::string in = zero_cases(1), out = folder_.path("out.bin");
  for (const std::vector<std::string>& option : {std::vector<std::string>{"--row", "1"},
                                                 {"--col", "1"},
                                                 {"--vcd", folder_.path("w.vcd")},
                                                 {"--json", folder_.path("r.json")},
                                                 {"--random", "2"},
                                                 {"--list"},
                                                 {"--lane-map"}}) {
    std::vector<std::string> arguments = {"--in", in, "--out", out};
    arguments.insert(arguments.end(), option.begin(), option.end());
    EXPECT_THAT(refused(arguments), HasSubstr("no meaning together with")) << option[0];
  }
  EXPECT_THAT(refused({"--lane-map", "--row", "1"}), HasSubstr("--row: has no meaning together with --lane-map"));
  EXPECT_THAT(refused({"--list"}), HasSubstr("--op: has no meaning together with --list"));
  EXPECT_THAT(refused({"--in", in}), HasSubstr("belong together"));
}

TEST_F(MmaProgram, BatchNeverOverwritesItsInput) {
  const std::string in = zero_cases(2);
  EXPECT_THAT(refused({"--in", in, "--out", in}), HasSubstr("cases.bin: cannot be written: it is read by this run"));
  EXPECT_THAT(refused({"--in", in, "--out", folder_.path("./x/../cases.bin")}), HasSubstr("is read by this run"));
  EXPECT_EQ(read_bytes(in).size(), 2u * 32 * 13 * 4);
  const ProgramResult result = mma(kMmaGpu, kSparseOp, {"--in", in, "--out", folder_.path("d.bin")});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_EQ(read_bytes(folder_.path("d.bin")).size(), 2u * 32 * 4 * 4);
}

TEST_F(MmaProgram, OutputsNeedDifferentFiles) {
  const std::string wave = folder_.path("w.vcd");
  EXPECT_THAT(refused({"--vcd", wave, "--json", wave}), HasSubstr("this run writes another output to it"));
  EXPECT_THAT(refused({"--vcd", wave, "--json", folder_.path("w.gtkw")}), HasSubstr("writes another output"));
}

TEST_F(MmaProgram, NumbersNameTheirRange) {
  EXPECT_THAT(refused({"--row", "x"}), HasSubstr("--row: must be a whole number in 0 .. 15, but is 'x'"));
  EXPECT_THAT(refused({"--row", "16"}), HasSubstr("in 0 .. 15, but is '16'"));
  EXPECT_THAT(refused({"--col", "8"}), HasSubstr("--col: must be a whole number in 0 .. 7"));
  EXPECT_THAT(refused({"--selector", "2"}), HasSubstr("--selector: must be a whole number in 0 .. 1"));
  EXPECT_THAT(refused({"--random", "-1"}), HasSubstr("--random: must be a whole number in 0 .. "));
  EXPECT_THAT(refused({"--random", "1.5"}), HasSubstr("but is '1.5'"));
  const ProgramResult jobs = run_stcsim({"formats", "--seed", "-1"});
  EXPECT_EQ(jobs.exit_code, 2);
  EXPECT_THAT(jobs.error, HasSubstr("--seed: must be a whole number in 0 .. "));
}

TEST_F(MmaProgram, NoWaveformOfEmulatedOperations) {
  for (const char* op : {"mma.m16n8k32.f32.e4m3.e4m3.f32", "mma.sp.m16n8k128.s32.s4.s4.s32"}) {
    EXPECT_THAT(refused({"--vcd", folder_.path("w.vcd")}, kH200, op), HasSubstr("compilers emulate it")) << op;
  }
}

TEST_F(MmaProgram, IntegerProductsHaveNoNegativeZero) {
  for (int row = 0; row < 16; ++row) {
    const ProgramResult result = mma(kMmaGpu, "mma.m16n8k32.s32.s4.s4.s32", {"--row", std::to_string(row)});
    ASSERT_EQ(result.exit_code, 0) << result.error;
    EXPECT_THAT(result.output, Not(HasSubstr(" -0\n")));
  }
}

}  // namespace
}  // namespace stc::sim
