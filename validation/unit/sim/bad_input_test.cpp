// SPDX-License-Identifier: Apache-2.0
// Bad input to the program itself: one clear message, the right exit code, no crash, no output file.
#include <sstream>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* kGoodGemm = "configs/workloads/gemm_512_integers.yaml";
constexpr const char* kLaunch = "configs/workloads/low_level_gemm.yaml";

class BadInput : public testing::Test {
 protected:
  /// Runs with outputs asked for; expects the exit code, a message, and that nothing was written.
  std::string message(int exit_code, const std::string& file, const std::vector<std::string>& sets) {
    std::vector<std::string> arguments = {
        "run", file, "--json", folder_.path("out/r.json"), "--out", folder_.path("out")};
    for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
    const std::vector<std::string> before = folder_.files();
    const ProgramResult result = run_stcsim(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.error;
    EXPECT_THAT(result.error, StartsWith("stcsim: "));
    EXPECT_THAT(result.output, IsEmpty());
    EXPECT_EQ(folder_.files(), before);
    return result.error;
  }
  /// A run file for one of the kernels that misbehave.
  static std::string run_text(const std::string& kernel, const std::string& args) {
    const std::string root = std::filesystem::current_path().string();
    return "gpu: " + root + "/configs/gpus/a100.yaml\nlaunch:\n  module: " + root +
           "/validation/unit/sim/data/misbehave.cubin\n  kernel: " + kernel +
           "\n  grid: [1]\n  block: [64]\n  buffers: {out: {bytes: 256}}\n  args: " + args +
           "\n  save: {out: out.bin}\n";
  }
  std::string misbehave(int exit_code, const std::string& kernel, const std::string& args,
                        const std::vector<std::string>& sets = {}) {
    const std::string file = folder_.write("run.yaml", run_text(kernel, args));
    return message(exit_code, file, sets);
  }
  /// The cubin of the kernels that misbehave, the two 64-bit words of a kernel's first STG changed, wherever they are.
  template <class Change>
  static std::string changed_store(const std::string& kernel, Change change) {
    std::string cubin = read_text("validation/unit/sim/data/misbehave.cubin");
    const ProgramResult listing =
        run_stcsim({"inspect", "validation/unit/sim/data/misbehave.cubin", "--kernel", kernel, "--listing"});
    std::istringstream words(listing.output.substr(listing.output.find("/* 0x", listing.output.find("STG.E")) + 3));
    std::uint64_t word[2] = {};
    words >> std::hex >> word[0] >> word[1];
    const auto bytes = [&] { return std::string(reinterpret_cast<const char*>(word), sizeof word); };
    const std::string before = bytes();
    change(word[0], word[1]);
    EXPECT_NE(cubin.find(before), std::string::npos);
    for (std::size_t at = cubin.find(before); at != std::string::npos; at = cubin.find(before, at + 1)) {
      cubin.replace(at, before.size(), bytes());
    }
    return cubin;
  }
  TemporaryFolder folder_;
};

TEST_F(BadInput, MisspeltKey) {
  EXPECT_THAT(message(2, kGoodGemm, {"workload.gem.m=64"}),
              HasSubstr("unknown key of workload: 'gem'; did you mean 'gemm'?"));
  const std::string file = folder_.write("run.yaml", "gpu: x.yaml\nworklod: {}\n");
  EXPECT_THAT(message(2, file, {}), HasSubstr("run.yaml:2:1: unknown key 'worklod'; did you mean 'workload'?"));
}

TEST_F(BadInput, MisspeltGpuKey) {
  EXPECT_THAT(message(2, kGoodGemm, {"gpu.sm.sub_core=4"}), HasSubstr("did you mean 'sm.sub_cores'?"));
  const std::string text = read_text("configs/gpus/a100.yaml");
  folder_.write("gpu.yaml", text + "typo: 1\n");
  EXPECT_THAT(message(2, kGoodGemm, {"gpu=" + folder_.path("gpu.yaml")}), HasSubstr("unknown key 'typo'"));
}

TEST_F(BadInput, WrongType) {
  EXPECT_THAT(message(2, kGoodGemm, {"workload.gemm.m=big"}),
              HasSubstr("workload.gemm.m must be a whole number, but is 'big'"));
  EXPECT_THAT(message(2, kGoodGemm, {"options.check=maybe"}), HasSubstr("options.check must be true or false"));
}

TEST_F(BadInput, BrokenOrMissingRunFile) {
  EXPECT_THAT(message(2, folder_.path("none.yaml"), {}), HasSubstr("none.yaml: no such file"));
  EXPECT_THAT(message(2, folder_.path(""), {}), HasSubstr("is a folder"));
  EXPECT_THAT(message(2, folder_.write("broken.yaml", "a: [1\n"), {}), HasSubstr("broken.yaml:2:"));
}

TEST_F(BadInput, SizesThatAreNoMultipleOfTheTile) {
  EXPECT_THAT(message(2, kGoodGemm, {"workload.gemm.n=500"}), HasSubstr("must be a multiple of the tile size 64"));
  EXPECT_THAT(message(2, kGoodGemm, {"workload.gemm.k=0"}), HasSubstr("workload.gemm.k is 0, but must lie in 1 .."));
}

TEST_F(BadInput, SizesBeyondTheHostsMemory) {
  for (const char* n : {"1073741824", "2147483584"}) {  // the second makes D larger than 64 bits can count
    EXPECT_THAT(message(2, kGoodGemm, {"workload.gemm.m=2147483584", std::string("workload.gemm.n=") + n}),
                AllOf(HasSubstr("the buffers need"), HasSubstr("TiB, but this computer has")));
  }
}

TEST_F(BadInput, WhatIsNoRegularFile) {
  const char* const message_text = "/dev/zero: is a device, pipe or socket, a file is needed";
  EXPECT_THAT(message(2, "/dev/zero", {}), HasSubstr(message_text));
  EXPECT_THAT(message(2, kGoodGemm, {"gpu=/dev/zero"}), HasSubstr(message_text));
  EXPECT_THAT(message(2, kLaunch, {"launch.module=/dev/zero"}), HasSubstr(message_text));
  const ProgramResult inspected = run_stcsim({"inspect", "/dev/zero"});
  EXPECT_EQ(inspected.exit_code, 2);
  EXPECT_THAT(inspected.error, HasSubstr(message_text));
}

TEST_F(BadInput, GpusThatTheModelCannotBuild) {
  for (const char* partitions : {"1", "3"}) {
    EXPECT_THAT(message(2, kGoodGemm, {std::string("gpu.memory.l2.partitions=") + partitions}),
                HasSubstr("must lie in 2 .. 2"));
  }
}

TEST_F(BadInput, MissingCubin) {
  EXPECT_THAT(message(2, kLaunch, {"launch.module=" + folder_.path("none.cubin")}),
              HasSubstr("none.cubin: no such file"));
}

TEST_F(BadInput, CubinCutShortAnywhere) {
  const std::string whole = read_text("validation/unit/sim/data/misbehave.cubin");
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{63}, std::size_t{64}, std::size_t{200},
                                 whole.size() / 4, whole.size() / 2, whole.size() - 100, whole.size() - 1}) {
    SCOPED_TRACE(size);
    const std::string cut = folder_.write("cut.cubin", whole.substr(0, size));
    EXPECT_THAT(message(2, kLaunch, {"launch.module=" + cut}), HasSubstr("cut.cubin"));
  }
}

TEST_F(BadInput, FileThatIsNoCubin) {
  EXPECT_THAT(message(2, kLaunch, {"launch.module=README.md"}), HasSubstr("README.md"));
}

TEST_F(BadInput, KernelThatIsNotInTheModule) {
  EXPECT_THAT(message(2, kLaunch, {"launch.kernel=f16_dense_64x64x64_w32x32_s5"}),
              HasSubstr("unknown kernel 'f16_dense_64x64x64_w32x32_s5'; did you mean 'f16_dense_64x64x64_w32x32_s4'?"));
  EXPECT_THAT(misbehave(2, "dedlock", "[out]"), HasSubstr("did you mean 'deadlock'?"));
}

TEST_F(BadInput, ModuleWithSeveralKernelsNeedsAName) {
  const std::string text =
      "gpu: " + std::filesystem::absolute("configs/gpus/a100.yaml").string() +
      "\nlaunch: {module: " + std::filesystem::absolute("validation/unit/sim/data/misbehave.cubin").string() +
      ", grid: [1], block: [1]}\n";
  EXPECT_THAT(message(2, folder_.write("run.yaml", text), {}),
              AllOf(HasSubstr("holds 8 kernels"), HasSubstr("never_ends")));
}

TEST_F(BadInput, ModuleForAnotherGpu) {
  EXPECT_THAT(message(2, kLaunch, {"gpu=configs/gpus/h200.yaml"}), HasSubstr("is compiled for sm_80, but"));
}

TEST_F(BadInput, WrongArgumentCountAndSize) {
  EXPECT_THAT(misbehave(2, "deadlock", "[out, {i32: 1}]"),
              HasSubstr("run.yaml:8:3: launch.args: kernel deadlock takes 1 argument, but 2 are given"));
  EXPECT_THAT(misbehave(2, "write_at", "[out, {i64: 1}]"),
              HasSubstr("run.yaml:8:15: launch.args.1: argument 2 (i64: 1) has 8 bytes, but parameter 2 of kernel "
                        "write_at has 4"));
}

TEST_F(BadInput, OffsetPastTheEndOfABuffer) {
  EXPECT_THAT(misbehave(2, "deadlock", "[{buffer: out, offset: 257}]"),
              HasSubstr("run.yaml:8:24: launch.args.0.offset is 257, but buffer 'out' has 256 bytes"));
  EXPECT_THAT(misbehave(3, "deadlock", "[{buffer: out, offset: 256}]"), HasSubstr("deadlock"));
  EXPECT_THAT(misbehave(2, "deadlock", "[{hex: '0000000000000000', at: {0: {buffer: out, offset: 257}}}]"),
              HasSubstr("launch.args.0.at.0.offset is 257, but buffer 'out' has 256 bytes"));
  EXPECT_THAT(misbehave(3, "deadlock", "[{hex: '0000000000000000', at: {0: out}}]"), HasSubstr("deadlock"));
}

TEST_F(BadInput, TooMuchSharedMemory) {
  EXPECT_THAT(misbehave(2, "use_shared", "[out]", {"launch.dynamic_shared_bytes=166912"}),
              AllOf(StartsWith("stcsim: --set launch.dynamic_shared_bytes=166912: launch.dynamic_shared_bytes: "),
                    HasSubstr("use_shared cannot be launched on"), HasSubstr("shared memory")));
}

TEST_F(BadInput, TooManyThreads) {
  EXPECT_THAT(misbehave(2, "use_shared", "[out]", {"launch.block=[1025]"}),
              AllOf(HasSubstr("launch.block=[1025]: launch.block: "), HasSubstr("1025"), HasSubstr("1024")));
  EXPECT_THAT(misbehave(2, "use_shared", "[out]", {"launch.block=[0]"}), HasSubstr("must lie in 1 .."));
  EXPECT_THAT(misbehave(2, "use_shared", "[out]", {"launch.block=[1, 1, 65]"}),
              HasSubstr("block: z is 65, but may be at most 64"));
}

TEST_F(BadInput, OutputThatCannotBeWritten) {
  const std::string file = folder_.write("file", "x");
  EXPECT_THAT(message(2, kGoodGemm, {"workload.save={D: " + file + "/d.bin}"}), HasSubstr("is not a folder"));
  EXPECT_EQ(run_stcsim({"run", kGoodGemm, "--json", folder_.path("")}).exit_code, 2);
}

TEST_F(BadInput, OutputsThatClashAreFoundBeforeTheRun) {
  // The limit would end the run with exit code 3 if it began.
  const std::vector<std::string> limit = {"options={max_cycles: 1}"};
  const auto clash = [&](const std::string& save) {
    std::vector<std::string> sets = limit;
    sets.push_back("workload.save=" + save);
    return message(2, kGoodGemm, sets);
  };
  EXPECT_THAT(clash("{D: result.json}"), HasSubstr("result.json: cannot be written: this run writes another output"));
  EXPECT_THAT(clash("{D: x/../report.txt}"), HasSubstr("report.txt: cannot be written"));
  EXPECT_THAT(clash("{D: d.bin, B: ./d.bin}"), HasSubstr("d.bin: cannot be written"));
  const std::string file = folder_.write("run.yaml", read_text(kGoodGemm));
  EXPECT_THAT(run_stcsim({"run", file, "--set", "gpu=configs/gpus/a100.yaml", "--json", file}).error,
              HasSubstr("run.yaml: cannot be written: it is read by this run"));
}

TEST_F(BadInput, OutOfBoundsNamesEverything) {
  EXPECT_THAT(misbehave(3, "write_at", "[out, {i32: 1000}]"),
              AllOf(HasSubstr("write_at"), HasSubstr("STG"), HasSubstr("CTA"), HasSubstr("warp"), HasSubstr("lane"),
                    HasSubstr("0x")));
}

TEST_F(BadInput, MisalignedAccess) {
  EXPECT_THAT(misbehave(3, "read_at", "[out, {i32: 2}, out]"),
              AllOf(HasSubstr("read_at"), HasSubstr("LDG"), HasSubstr("align")));
}

TEST_F(BadInput, DeadlockSaysWhoWaitsForWhat) {
  EXPECT_THAT(misbehave(3, "deadlock", "[out]"),
              AllOf(HasSubstr("deadlock"), HasSubstr("0 of 1 CTAs have ended"), HasSubstr("CTA 0 warp 0"),
                    HasSubstr("waits at CTA barrier 1"),
                    HasSubstr("CTA 0 barrier 1: 1 of 2 warps arrived, 1 warps have not exited")));
}

TEST_F(BadInput, EndlessKernelStopsAtTheCycleLimit) {
  EXPECT_THAT(misbehave(3, "never_ends", "[out, out]", {"options={max_cycles: 20000}"}),
              HasSubstr("limit of 20000 cycles"));
}

TEST_F(BadInput, RunWithoutProgressSaysWhereTheWarpsAre) {
  EXPECT_THAT(
      misbehave(3, "never_ends", "[out, out]", {"options={idle_cycles: 200000}"}),
      AllOf(HasSubstr("no progress for 200000 cycles"), HasSubstr("kernel 'never_ends'"),
            HasSubstr("0 of 1 CTAs have ended"), HasSubstr("CTA 0 warp 1 at 0x"), HasSubstr("lanes 0xffffffff")));
}

TEST_F(BadInput, AWaitThatIsMissingIsAFault) {
  // Of "STG.E [R2.64], R5", which waits for the load of R5; the wait mask is bits 52 to 57 of the second word.
  const std::string cubin = changed_store("read_at", [](std::uint64_t, std::uint64_t& high) {
    ASSERT_NE(high >> 52 & 0x3f, 0u);
    high &= ~(std::uint64_t{0x3f} << 52);
  });
  const std::vector<std::string> module = {"launch.module=" + folder_.write("broken.cubin", cubin)};
  const std::string file = folder_.write("run.yaml", run_text("read_at", "[out, {i32: 0}, out]"));
  EXPECT_EQ(run_stcsim({"run", file, "--set", module[0]}).exit_code, 0);  // nothing is looked at
  EXPECT_THAT(misbehave(3, "read_at", "[out, {i32: 0}, out]", {module[0], "options={check_dependences: true}"}),
              AllOf(HasSubstr("'STG.E [R2.64], R5' reads R5 before 'LDG.E R5, [R4.64]' at 0x0080 has written it"),
                    HasSubstr("was never waited for")));
}

TEST_F(BadInput, AStoreOfARegisterThatTheWarpDoesNotHaveIsAFault) {
  // Of "STG.E [R2.64], R5"; the register with its data is bits 32 to 39 of the first word.
  const std::string cubin =
      changed_store("write_at", [](std::uint64_t& low, std::uint64_t) { low |= std::uint64_t{0x40} << 32; });
  EXPECT_THAT(misbehave(3, "write_at", "[out, {i32: 0}]", {"launch.module=" + folder_.write("broken.cubin", cubin)}),
              AllOf(HasSubstr("kernel 'write_at', instruction STG.E at 0x0070, CTA (0, 0, 0), warp 0"),
                    HasSubstr("register R69 is beyond the 8 that the kernel declares")));
}

TEST_F(BadInput, ALockThatIsNeverGivenIsNoProgress) {
  EXPECT_THAT(misbehave(3, "lock_for_ever", "[out, out]", {"options={idle_cycles: 400000}"}),
              AllOf(HasSubstr("no progress for 400000 cycles"), HasSubstr("0 of 1 CTAs have ended"),
                    HasSubstr("lanes 0x00000001"), HasSubstr("lanes 0xfffffffe at"), HasSubstr("waits at WARPSYNC")));
}

TEST_F(BadInput, WhoCountsWhileOthersWaitMakesProgress) {
  // CTA 0 reads the same word for several times idle_cycles before it stores what CTA 1 waits for.
  const std::string file = folder_.write("run.yaml", run_text("waits_long", "[out, {i32: 2000}]"));
  const ProgramResult result =
      run_stcsim({"run", file, "--set", "launch.grid=[2]", "--set", "options={idle_cycles: 100000}"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
}

TEST_F(BadInput, ASpanTooShortToSeeALoopComeBack) {
  EXPECT_THAT(misbehave(2, "never_ends", "[out, out]", {"options.idle_cycles=9999"}),
              HasSubstr("options.idle_cycles is 9999, but must be 0 (never) or at least 10000"));
  EXPECT_THAT(misbehave(3, "never_ends", "[out, out]", {"options.idle_cycles=10000"}),
              HasSubstr("no progress for 10000 cycles"));
}

TEST_F(BadInput, WhoWaitsAtAnMbarrierForEverIsFoundWhateverTheSpan) {
  // The kernel waits for the bytes of boxes of eight rows.
  const ProgramResult result = run_stcsim({"run", "validation/timing/runs/tensor_counts.yaml", "--set",
                                           "launch.grid=[2]", "--set", "launch.args.0.tensor_map.box=[64, 3]", "--set",
                                           "options.idle_cycles=20000", "--set", "options.max_cycles=1000000"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error, HasSubstr("no progress for 123200 cycles"));
}

TEST_F(BadInput, AnOffsetOfATensorMapStaysInItsBuffer) {
  const ProgramResult result = run_stcsim(
      {"run", "validation/timing/runs/tensor_counts.yaml", "--set", "launch.args.0.tensor_map.offset=2000000"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("tensor_map.offset is 2000000, but buffer 'matrix' has 1013760 bytes"));
}

TEST_F(BadInput, AKeyIsSetOnce) {
  EXPECT_THAT(message(2, kGoodGemm, {"options.l2=warm", "workload.gemm.m=64", "options.l2=cold"}),
              HasSubstr("--set options.l2=cold: 'options.l2' is set twice"));
}

TEST(CommandLine, FilesThatWouldCountTwiceOrBeCalledDash) {
  const auto refused = [](const std::vector<std::string>& arguments) {
    const ProgramResult result = run_stcsim(arguments);
    EXPECT_EQ(result.exit_code, 2);
    return result.error;
  };
  const std::string measured = "validation/measured/h200/intervals.csv";
  EXPECT_THAT(refused({"compare", measured, "./" + measured}), HasSubstr("./" + measured + ": is given twice"));
  EXPECT_THAT(refused({"conv", "x.yaml", "--html", "-"}), HasSubstr("--html -: must be a file"));
  EXPECT_THAT(refused({"train", "x.yaml", "--html", "-"}), HasSubstr("--html -: must be a file"));
}

TEST(CommandLine, MisspeltOptionsAndCommands) {
  const auto refused = [](const std::vector<std::string>& arguments) {
    const ProgramResult result = run_stcsim(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.output, IsEmpty());
    EXPECT_THAT(result.error, StartsWith("stcsim: "));
    return result.error;
  };
  EXPECT_THAT(refused({"run", kGoodGemm, "--jsn", "x"}),
              HasSubstr("run: unknown option '--jsn'; did you mean '--json'?"));
  EXPECT_THAT(refused({"run", kGoodGemm, "more"}), HasSubstr("run: 'more' was not expected"));
  EXPECT_THAT(refused({"rum", kGoodGemm}), HasSubstr("unknown command 'rum'; did you mean 'run'?"));
  EXPECT_THAT(refused({"nonsense"}), HasSubstr("unknown command 'nonsense'. Allowed: run, exec, inspect"));
  EXPECT_THAT(refused({}), HasSubstr("a command is needed: run, exec, inspect"));
  EXPECT_THAT(refused({"--josn"}), HasSubstr("unknown option '--josn'"));
  EXPECT_THAT(refused({"run"}), HasSubstr("FILE is required"));
  EXPECT_THAT(refused({"run", kGoodGemm, "--set", "novalue"}), HasSubstr("--set novalue: must have the form"));
}

TEST(CommandLine, HelpAndVersion) {
  const ProgramResult help = run_stcsim({"run", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.output, AllOf(HasSubstr("--set"), HasSubstr("Examples:")));
  const ProgramResult version = run_stcsim({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.output, StartsWith("stcsim "));
}

}  // namespace
}  // namespace stc::sim
