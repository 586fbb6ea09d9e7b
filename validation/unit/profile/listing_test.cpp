// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/profile_listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/base/text.h"
#include "sim/result/nsight_stalls.h"

namespace stc::sim {
namespace {

using testing::HasSubstr;
using testing::Not;

LaunchProfile sample_profile() {
  LaunchProfile profile;
  profile.kernel = "kernel";
  profile.cycles = 1000;
  const auto add = [&](const char* text, std::uint64_t executions, Stall stall, std::uint64_t waited) {
    ProfiledInstruction one;
    one.address = static_cast<std::uint32_t>(16 * profile.instructions.size());
    one.text = text;
    one.counts.warp_executions = executions;
    one.counts.stalls[static_cast<std::size_t>(Stall::kIssued)] = executions;
    one.counts.stalls[static_cast<std::size_t>(stall)] += waited;
    profile.instructions.push_back(one);
  };
  add("LDS R0, [R1]", 100, Stall::kBarrier, 900);
  profile.instructions.back().counts.shared_wavefronts = 400;
  profile.instructions.back().counts.conflict_wavefronts = 200;
  profile.instructions.back().source = {"/src/a.cu", 7, {{"/src/b.cu", 9}}};
  add("HMMA.16816.F32 R4, R8, R12, R4", 100, Stall::kTensorBusy, 8900);
  add("NOP", 0, Stall::kBarrier, 0);
  return profile;
}

std::vector<std::string> lines_of(const std::string& text) { return split(text, '\n'); }

std::string line_with(const std::string& text, const std::string& word) {
  for (const std::string& line : lines_of(text)) {
    if (line.find(word) != std::string::npos) return line;
  }
  return "";
}

TEST(ProfileListing, ShowsShareExecutionsAndWhatIsWaitedFor) {
  const std::string text = profile_listing(sample_profile(), {120, false});
  EXPECT_EQ(line_with(text, "HMMA"),
            "#### 90.0%      100   00010  HMMA.16816.F32 R4, R8, R12, R4                     tensor_busy 99%");
  EXPECT_EQ(
      line_with(text, "LDS"),
      ".    10.0%      100   00000  LDS R0, [R1]                                       barrier 90%, 4 wavefronts, 2 "
      "of conflicts");
  EXPECT_EQ(line_with(text, "NOP"), "                  -   00020  NOP");
  EXPECT_THAT(text, HasSubstr("-- a.cu:7 (called from b.cu:9)"));
  EXPECT_THAT(text, HasSubstr("89.0 %  tensor_busy       (math_pipe_throttle)"));
}

// The narrowest and wide terminals: no line is longer, and colours take no room.
TEST(ProfileListing, KeepsWithinTheTerminal) {
  for (const std::size_t columns : {1u, 80u, 97u, 200u}) {
    for (const std::string& line : lines_of(profile_listing(sample_profile(), {columns, false}))) {
      EXPECT_LE(line.size(), std::max<std::size_t>(columns, 80)) << line;
    }
  }
  const std::string plain = profile_listing(sample_profile(), {100, false});
  std::string coloured = profile_listing(sample_profile(), {100, true});
  EXPECT_THAT(line_with(coloured, "HMMA"), HasSubstr("\033[48;5;196m    \033[0m"));
  EXPECT_THAT(line_with(coloured, "NOP"), Not(HasSubstr("\033")));
  EXPECT_EQ(lines_of(coloured).size(), lines_of(plain).size());
}

// Nsight Compute's names as whole words, as many as there is room for; lines end where their text ends.
TEST(ProfileListing, NamesOfReasonsAreWhole) {
  LaunchProfile profile = sample_profile();
  profile.instructions[1].counts.stalls[static_cast<std::size_t>(Stall::kFixedLatency)] = 9000;
  EXPECT_EQ(line_with(profile_listing(profile, {80, false}), "(wait"),
            "    47.4 %  fixed_latency     (wait, branch_resolving, imc_miss, membar, ...)");
  EXPECT_THAT(line_with(profile_listing(profile, {140, false}), "(wait"),
              HasSubstr("(wait, branch_resolving, ...)  the compiler's stall count had not run out"));
  for (const std::string& line : lines_of(profile_listing(profile, {140, false}))) {
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
  }
}

TEST(ProfileListing, NamesOfFilesDoNotReachTheTerminalAsTheyAre) {
  LaunchProfile profile = sample_profile();
  profile.kernel = "k\033[2J";
  profile.instructions[0].text = "a\033[1m";
  profile.instructions[0].source.file = "b\nc";
  EXPECT_THAT(profile_listing(profile, {100, false}), Not(HasSubstr("\033")));
}

// One table: every reason has its place in it once, and every name of the profiler.
TEST(NsightStalls, EachIsInOnePair) {
  std::vector<std::string> names;
  std::vector<int> ours(kStalls, 0);
  for (const StallPair& pair : stall_pairs()) {
    names.insert(names.end(), pair.nsight.begin(), pair.nsight.end());
    for (const Stall stall : pair.ours) ++ours[static_cast<std::size_t>(stall)];
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  for (int i = 0; i < kStalls; ++i) {
    const bool none = static_cast<Stall>(i) == Stall::kDispatch;
    EXPECT_EQ(ours[static_cast<std::size_t>(i)], none ? 0 : 1) << name_of(static_cast<Stall>(i));
    EXPECT_EQ(nsight_names(static_cast<Stall>(i)).empty(), none);
  }
  EXPECT_EQ(nsight_names(Stall::kAsyncCopy), std::vector<std::string>{"long_scoreboard"});
}

}  // namespace
}  // namespace stc::sim
