// SPDX-License-Identifier: Apache-2.0
// Thread-block clusters through the program: what instructions see and compute, faults, launches that are refused.
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::uint32_t>;

class Clusters : public ::testing::Test {
 protected:
  ProgramResult run(const std::string& kernel, const std::string& launch, const std::vector<std::string>& more = {}) {
    const std::string root = std::filesystem::current_path().string();
    const std::string file = folder_.write(
        "run.yaml", "gpu: " + root + "/configs/gpus/h200.yaml\nlaunch:\n  module: " + root +
                        "/validation/functional/cubins/sm_90/" + module_ + ".cubin\n  kernel: " + kernel +
                        "\n  buffers:\n    in: {bytes: 65536, fill: {sequence: {type: i32, start: 0, step: 3}}}\n"
                        "    out: {bytes: 16384, fill: zero}\n  save: {out: out.bin}\n" +
                        launch);
    std::vector<std::string> arguments{"run", file, "--set", "options.check_dependences=true"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_stcsim(arguments);
  }
  /// What a run that must succeed leaves in `out`.
  Words out(const std::string& kernel, const std::string& launch, const std::vector<std::string>& more = {}) {
    const ProgramResult result = run(kernel, launch, more);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    if (result.exit_code != 0) return Words(4096, 0xbad);
    const std::vector<std::uint8_t> bytes = read_bytes(folder_.path("out.bin"));
    Words words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
    return words;
  }

  std::string module_ = "sample_cluster";
  TemporaryFolder folder_;
};

Words part(const Words& words, std::size_t first, std::size_t count) {
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

TEST_F(Clusters, CtasKnowTheirPlace) {
  struct Shape {
    std::uint32_t grid[3], cluster[3];
  };
  for (const Shape& s : {Shape{{4, 1, 1}, {4, 1, 1}}, Shape{{4, 6, 4}, {2, 2, 2}}, Shape{{6, 2, 3}, {3, 1, 1}},
                         Shape{{2, 2, 7}, {1, 1, 7}}, Shape{{5, 10, 1}, {1, 5, 1}}, Shape{{3, 1, 1}, {1, 1, 1}}}) {
    const auto list = [](const std::uint32_t(&v)[3]) {
      return "[" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + "]";
    };
    const Words words = out("cluster_ranks", "  grid: " + list(s.grid) + "\n  cluster: " + list(s.cluster) +
                                                 "\n  block: [64]\n  args: [out]\n");
    const std::uint32_t ctas = s.cluster[0] * s.cluster[1] * s.cluster[2];
    for (std::uint32_t i = 0; i < s.grid[0] * s.grid[1] * s.grid[2]; ++i) {
      const std::uint32_t at[3] = {i % s.grid[0], i / s.grid[0] % s.grid[1], i / s.grid[0] / s.grid[1]};
      std::uint32_t in[3], of[3], all[3];
      for (int d = 0; d < 3; ++d)
        in[d] = at[d] % s.cluster[d], of[d] = at[d] / s.cluster[d], all[d] = s.grid[d] / s.cluster[d];
      const std::uint32_t rank = in[0] + s.cluster[0] * (in[1] + s.cluster[1] * in[2]);
      EXPECT_EQ(part(words, 16 * i, 13),
                (Words{rank, ctas, in[0], in[1], in[2], of[0], of[1], of[2], all[0], all[1], all[2], s.cluster[0], 1}));
      EXPECT_EQ(part(words, 16 * i + 14, 2), (Words{64 * ctas, 64 * rank}));
    }
  }
}

TEST_F(Clusters, WithoutThemACtaIsAlone) {
  const Words words = out("cluster_ranks", "  grid: [3]\n  block: [64]\n  args: [out]\n");
  EXPECT_EQ(part(words, 16, 13), (Words{0, 1, 0, 0, 0, 1, 0, 0, 3, 1, 1, 1, 0}));
  // Its barrier is then the CTA's, and the only memory that it reaches is its own.
  EXPECT_EQ(out("cluster_spaces", "  grid: [1]\n  block: [64]\n  args: [out]\n")[5], 40u);
}

TEST_F(Clusters, AreShownInTheResult) {
  const auto json = [&](const std::string& kernel, const std::string& launch) {
    return nlohmann::json::parse(run(kernel, launch, {"--json", "-"}).output).at("kernel");
  };
  const std::string rest = "  block: [64]\n  args: [out]\n";
  EXPECT_EQ(json("cluster_ranks", "  grid: [4, 2]\n  cluster: [2, 2]\n" + rest).at("cluster"),
            (nlohmann::json{2, 2, 1}));
  EXPECT_FALSE(json("cluster_ranks", "  grid: [4]\n" + rest).contains("cluster"));
  EXPECT_THAT(run("cluster_ranks", "  grid: [4, 2]\n  cluster: [2, 2]\n" + rest).output,
              HasSubstr("8 of 64 threads in clusters of 2 x 2 x 1; at most"));
}

TEST_F(Clusters, ThatTheSourceFixesAreShown) {
  const auto seen = [](const std::string& kernel, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"inspect", "validation/functional/cubins/sm_90/sample_cluster.cubin", "--kernel",
                                       kernel};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_stcsim(arguments).output;
  };
  EXPECT_THAT(seen("cluster_own"), HasSubstr("  clusters of 2 x 1 x 1 CTAs\n"));
  EXPECT_THAT(seen("cluster_bounded"), HasSubstr("  clusters of at most 4 CTAs\n"));
  EXPECT_THAT(seen("cluster_ranks"), Not(HasSubstr("clusters")));
  const auto json = nlohmann::json::parse(seen("cluster_own", {"--json"})).at("kernels").at(0);
  EXPECT_EQ(json.at("cluster"), (nlohmann::json{2, 1, 1}));
}

TEST_F(Clusters, LoadsOfEveryWidthReachOtherCtas) {
  const Words words =
      out("cluster_loads", "  grid: [6]\n  cluster: [3]\n  block: [64]\n  dynamic_shared_bytes: 256\n  args: [out]\n");
  for (std::uint32_t cta = 0; cta < 6; ++cta) {
    const std::uint32_t next = (cta % 3 + 1) % 3;
    std::uint32_t memory[64];
    for (std::uint32_t i = 0; i < 64; ++i) memory[i] = 0x81828384u + 0x01010101u * i + 0x10000000u * next;
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(memory);
    for (std::uint32_t i = 0; i < 64; ++i) {
      std::uint16_t half;
      std::memcpy(&half, bytes + 2 * i, 2);
      std::uint32_t expected = 0;
      const std::uint32_t pair = 2 * (i % 32), quad = 4 * (i % 16);
      switch (i / 8) {
        case 0: expected = bytes[i]; break;
        case 1: expected = static_cast<std::uint32_t>(static_cast<std::int8_t>(bytes[i])); break;
        case 2: expected = half; break;
        case 3: expected = static_cast<std::uint32_t>(static_cast<std::int16_t>(half)); break;
        case 4: expected = memory[i]; break;
        case 5: expected = memory[pair] + 3 * memory[pair + 1]; break;
        case 6: expected = memory[quad] + 3 * memory[quad + 1] + 5 * memory[quad + 2] + 7 * memory[quad + 3]; break;
        default: expected = 1000 * next + i + 7 * next;
      }
      EXPECT_EQ(words[64 * cta + i], expected) << cta << " " << i;
    }
  }
}

TEST_F(Clusters, StoresOfEveryWidthReachOtherCtas) {
  const Words words = out("cluster_stores", "  grid: [4]\n  cluster: [4]\n  block: [64]\n  args: [out]\n");
  for (std::uint32_t cta = 0; cta < 4; ++cta) {
    std::uint32_t memory[64] = {};
    auto* const bytes = reinterpret_cast<std::uint8_t*>(memory);
    for (std::uint32_t i = 0; i < 44; ++i) {
      const std::uint32_t value = 0xa0b0c0d0u + 0x01020304u * i + (cta + 3) % 4,
                          pair[4] = {value, ~value, value, ~value};
      if (i < 16)
        std::memcpy(bytes + i, &value, 1);
      else if (i < 24)
        std::memcpy(bytes + 2 * i, &value, 2);
      else if (i < 32)
        std::memcpy(bytes + 4 * i, &value, 4);
      else if (i < 40)
        std::memcpy(bytes + 128 + 8 * (i - 32), pair, 8);
      else
        std::memcpy(bytes + 192 + 16 * (i - 40), pair, 16);
    }
    EXPECT_EQ(part(words, 64 * cta, 64), Words(memory, memory + 64)) << cta;
  }
}

TEST_F(Clusters, AtomicsReachOtherCtas) {
  constexpr std::uint32_t kThreads = 4 * 64;
  for (const char* to : {"0", "3"}) {
    const Words w = out("cluster_atomics",
                        std::string("  grid: [4]\n  cluster: [4]\n  block: [64]\n  args: [out, {u32: ") + to + "}]\n");
    std::uint32_t sum = 0, squares = 0, spread = 0;
    for (std::uint32_t t = 0; t < kThreads; ++t) sum += t, squares ^= t * t, spread += t % 32 == 0 ? t + 1 : 0;
    EXPECT_EQ(part(w, 0, 10), (Words{sum, 3 * (kThreads - 1), static_cast<std::uint32_t>(5 - 255), kThreads - 10, ~0u,
                                     squares, kThreads % 100, 0xffff0000u, sum, sum}));
    const float half = 0.5f * static_cast<float>(sum);
    const double quarter = 0.25 * sum;
    EXPECT_EQ(std::memcmp(&w[10], &half, 4), 0);
    EXPECT_EQ(std::memcmp(&w[12], &quarter, 8), 0);
    EXPECT_EQ(w[14], 51 - kThreads % 51) << "counts down from 50 and begins again";
    EXPECT_EQ(w[15], 2 * kThreads);
    const float count = kThreads;
    EXPECT_EQ(std::memcmp(&w[16], &count, 4), 0);
    EXPECT_EQ(w[18] + (std::uint64_t{w[19]} << 32), 0x80000001ull * kThreads);
    EXPECT_EQ(w[20], spread);
    EXPECT_EQ(w[21] + w[22], sum + kThreads) << "what is there and what came back is what was put";
    EXPECT_EQ(w[25] + w[26], sum + kThreads);
    EXPECT_EQ(w[24], w[25]);
  }
}

TEST_F(Clusters, PointersSayWhoseMemoryTheyMean) {
  const Words words = out("cluster_spaces", "  grid: [2]\n  cluster: [2]\n  block: [64]\n  args: [out]\n");
  EXPECT_THAT(part(words, 0, 6), ElementsAre(3, 2, 8, 3, 40, 41));
  EXPECT_THAT(part(words, 8, 6), ElementsAre(3, 2, 8, 3, 41, 40));
}

TEST_F(Clusters, MbarriersCountArrivalsOfOtherCtas) {
  const Words words = out("cluster_mbarrier", "  grid: [8]\n  cluster: [4]\n  block: [64]\n  args: [out, {i32: 5}]\n");
  for (std::uint32_t cta = 0; cta < 8; ++cta) {
    for (std::uint32_t from = 0; from < 4; ++from) EXPECT_EQ(words[16 * cta + from], 1000 + 5 * (10 * from + cta % 4));
  }
}

TEST_F(Clusters, WhoHasExitedIsNotWaitedFor) {
  const Words words = out("cluster_exits", "  grid: [3]\n  cluster: [3]\n  block: [128]\n  args: [out]\n");
  Words expected(12);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(part(words, 0, 12), expected);
}

TEST_F(Clusters, OwnMemoryIsReachedByEveryInstruction) {
  const Words words = out("cluster_own", "  grid: [4]\n  block: [64]\n  args: [out, in]\n");
  for (std::uint32_t cta = 0; cta < 4; ++cta) {
    for (std::uint32_t i = 0; i < 64; ++i) {
      const std::uint32_t t = 63 - i;
      // Thread t of a warp holds word t mod 32 of the matrix that starts at its warp's row.
      EXPECT_EQ(words[64 * cta + i], 2 * 3 * (64 * cta + t)) << cta << " " << i;
    }
  }
}

TEST_F(Clusters, WhatReachesNobodyIsAFault) {
  const auto fault = [&](int which, const std::vector<std::string>& more = {}) {
    const ProgramResult result =
        run("cluster_faults",
            "  grid: [2]\n  cluster: [2]\n  block: [64]\n  args: [out, {i32: " + std::to_string(which) + "}]\n", more);
    EXPECT_EQ(result.exit_code, which == 6 ? 0 : 3) << result.error;
    return result.error;
  };
  EXPECT_THAT(fault(0), HasSubstr("4-byte read in CTA 1 of the cluster, which has exited"));
  EXPECT_THAT(fault(1),
              HasSubstr("4-byte read in CTA 2 of a cluster of 2 CTAs at distributed shared address 0x2000400"));
  EXPECT_THAT(fault(2), HasSubstr("4-byte read out of the bounds of CTA 1 of the cluster, which has 1040 bytes"));
  EXPECT_THAT(fault(3), HasSubstr("out-of-bounds 4-byte read at shared address 0x1000400"));
  EXPECT_THAT(fault(4), HasSubstr("has arrived at the barrier of the cluster already and not waited since"));
  EXPECT_THAT(fault(5), HasSubstr("waits at the barrier of the cluster without having arrived"));
  EXPECT_EQ(fault(6), "");
}

TEST_F(Clusters, ArrivalsThatAreWrongWhenTheyAreMadeNameWhoAskedForThem) {
  module_ = "sample_arrivals";
  const auto fault = [&](int which, const std::string& mnemonic) {
    const ProgramResult result =
        run("late_arrivals",
            "  grid: [2]\n  cluster: [2]\n  block: [64]\n  args: [out, in, {i32: " + std::to_string(which) + "}]\n");
    EXPECT_EQ(result.exit_code, 3) << result.error;
    EXPECT_THAT(result.error, HasSubstr("kernel 'late_arrivals', instruction " + mnemonic + " at 0x"));
    EXPECT_THAT(result.error, HasSubstr(", CTA (0, 0, 0), warp 1: "));
    return result.error;
  };
  const std::string more = "more bytes on their way than a barrier counts at the mbarrier at shared address 0x";
  EXPECT_THAT(fault(0, "SYNCS.ARRIVE.TRANS64.RED"),
              HasSubstr("it brings 1 arrivals and expects 16 bytes, 0 and 16 are missing"));
  EXPECT_THAT(fault(1, "UBLKCP.S.S"),
              HasSubstr("arrives at the mbarrier at shared address 0x2408 of CTA 1 of the cluster, which has exited"));
  EXPECT_THAT(fault(2, "UBLKCP.S.G"),
              AllOf(HasSubstr(more), HasSubstr("of CTA (0, 0, 0): it brings 0 arrivals and has 64")));
  EXPECT_THAT(fault(3, "UBLKCP.S.S"),
              AllOf(HasSubstr(more), HasSubstr("of CTA (1, 0, 0): it brings 0 arrivals and has 64")));
  EXPECT_THAT(fault(4, "UBLKCP.S.G.MULTICAST"), HasSubstr(more));
  EXPECT_THAT(fault(5, "STAS"), AllOf(HasSubstr(more), HasSubstr("it brings 0 arrivals and has 4 bytes")));
  EXPECT_THAT(fault(6, "ARRIVES.LDGSTSBAR.64.ARVCNT"),
              HasSubstr("it brings 32 arrivals and has 0 bytes, 1 and 0 are missing"));
}

TEST_F(Clusters, PoisonFollowsThemIntoOtherCtas) {
  const ProgramResult result = run("cluster_spaces", "  grid: [2]\n  cluster: [2]\n  block: [64]\n  args: [out]\n",
                                   {"--set", "options.poison=true", "--json", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.output, Not(HasSubstr("\"shared memory\"")));
}

struct Refusal {
  const char *name, *kernel, *launch, *place, *what;
};
class ClusterRefusals : public Clusters, public ::testing::WithParamInterface<Refusal> {};
INSTANTIATE_TEST_SUITE_P(
    Launch, ClusterRefusals,
    ::testing::Values(Refusal{"grid", "cluster_ranks", "  grid: [5]\n  cluster: [2]\n", "launch.grid",
                              "the grid of 5 x 1 x 1 CTAs is no multiple of the clusters of 2 x 1 x 1"},
                      Refusal{"fixed_grid", "cluster_own", "  grid: [3]\n", "launch.grid",
                              "no multiple of the clusters of 2 x 1 x 1"},
                      Refusal{"portable", "cluster_ranks", "  grid: [16]\n  cluster: [16]\n", "launch.cluster",
                              "clusters of 16 CTAs, at most 8 are possible, or 16 with non_portable_cluster: true"},
                      Refusal{"most", "cluster_ranks", "  grid: [32]\n  cluster: [32]\n", "launch.cluster",
                              "is 32, but must lie in 1 .. 16"},
                      Refusal{"product", "cluster_ranks",
                              "  grid: [16, 2]\n  cluster: [16, 2]\n  non_portable_cluster: true\n", "launch.cluster",
                              "clusters of 32 CTAs, at most 16 are possible"},
                      Refusal{"disagree", "cluster_own", "  grid: [4]\n  cluster: [4]\n", "launch.cluster",
                              "clusters of 4 x 1 x 1 CTAs, but kernel cluster_own is compiled for 2 x 1 x 1"},
                      Refusal{"bounded", "cluster_bounded", "  grid: [8]\n  cluster: [8]\n", "launch.cluster",
                              "clusters of 8 CTAs, but kernel cluster_bounded is compiled for at most 4"},
                      Refusal{"gpc", "cluster_ranks", "  grid: [8]\n  cluster: [8]\n  dynamic_shared_bytes: 232448\n",
                              "launch.cluster", ""}),
    [](const auto& of) { return of.param.name; });

TEST_P(ClusterRefusals, AreOneMessage) {
  const Refusal& refusal = GetParam();
  const bool small = std::string(refusal.name) == "gpc";
  const ProgramResult result =
      run(refusal.kernel,
          std::string(refusal.launch) + "  block: [64]\n  args: [out" +
              (std::string(refusal.kernel) == "cluster_own" ? ", in]\n" : "]\n"),
          small ? std::vector<std::string>{"--set", "gpu.sms=12", "--set", "gpu.gpcs=2"} : std::vector<std::string>{});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, AllOf(HasSubstr(refusal.place),
                                  HasSubstr(small ? "a cluster of 8 CTAs fits in no GPC, 1 on an SM" : refusal.what)));
  EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
}

TEST_F(Clusters, SixteenCtasAreOneWhenAllowed) {
  const Words words = out(
      "cluster_ranks", "  grid: [16]\n  cluster: [16]\n  non_portable_cluster: true\n  block: [64]\n  args: [out]\n");
  EXPECT_EQ(words[16 * 15], 15u);
}

}  // namespace
}  // namespace stc::sim
