// SPDX-License-Identifier: Apache-2.0
// Timelines hold what the launch counts, exactly: read back from the file, their sums are those of the statistics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "sim/base/error.h"
#include "sim/profile/timeline_json.h"
#include "sim/profile/timeline_recorder.h"
#include "sim/run/launch_look.h"
#include "validation/timing/run_file.h"

namespace stc::timing {
namespace {

using nlohmann::json;
using sim::Resource;

struct Recorded {
  gpu::RunStatistics run;
  sim::LaunchTimeline timeline;
  std::string text;
};

Recorded record(const std::string& name, const sim::TimelineChoice& choice, int threads) {
  const sim::RunFile run_file = sim::read_run_file(run_named(name));
  const sim::GpuConfig gpu = sim::read_gpu_config(run_file.gpu_file);
  static gpu::Machine machine("gpu", gpu.params);  // all runs of a process are on the same GPU
  machine.use_threads(threads, true);
  sim::ReadyLaunch ready = ready_for(run_file, gpu);
  const sim::LaunchLook look(ready, "launch", gpu.params, {false, choice});
  isa::GlobalMemory memory;
  const sim::LaunchResult result = sim::run_launch(ready, machine, run_file.options, memory);
  Recorded out{result.run, look.timeline(result), ""};
  out.text = sim::timeline_json({out.timeline}, gpu.params.name);
  return out;
}

/// Cycles: the file has thousands of them.
std::uint64_t cycles(const json& value) { return static_cast<std::uint64_t>(value.get<double>() * 1000 + 0.5); }

/// What a file says, checked against the format as it is read.
struct ReadBack {
  std::map<int, std::string> groups;
  std::map<std::string, std::map<std::string, std::uint64_t>> slices;  ///< sum of durations by group and name
  std::map<std::string, double> counters;                              ///< sums of values by name
  std::map<std::string, std::uint64_t> last;                           ///< end of the last slice by group
  std::uint64_t ctas = 0;

  explicit ReadBack(const std::string& text) {
    const json file = json::parse(text);
    std::map<std::tuple<int, int>, std::string> tracks;
    for (const json& event : file.at("traceEvents")) {
      if (event.at("ph") == "M" && event.at("name") == "process_name") groups[event.at("pid")] = event["args"]["name"];
      if (event.at("ph") == "M" && event.at("name") == "thread_name") {
        const std::tuple<int, int> place{event.at("pid").get<int>(), event.at("tid").get<int>()};
        EXPECT_TRUE(tracks.try_emplace(place, event["args"]["name"].get<std::string>()).second) << event.dump();
      }
    }
    for (const json& event : file.at("traceEvents")) read(event);
  }

 private:
  void read(const json& event) {
    const std::string kind = event.at("ph");
    if (kind == "M") return;
    const std::string& group = groups.at(event.at("pid"));
    if (kind == "C") {
      ASSERT_EQ(event.at("args").size(), 1u);
      const auto value = event["args"].items().begin();
      counters[event.at("name").get<std::string>() + " " + value.key()] += value.value().get<double>();
      return;
    }
    ASSERT_EQ(kind, "X");
    const std::string name = event.at("name");
    const std::uint64_t begin = cycles(event.at("ts")), end = begin + cycles(event.at("dur"));
    EXPECT_LT(begin, end) << event.dump();
    ctas += group == "CTAs" ? 1 : 0;
    slices[group][name] += end - begin;
    last[group] = std::max(last[group], end);
    require_nested(event.at("pid"), event.at("tid"), begin, end, event);
  }
  /// Slices of a track that overlap lie within each other: a viewer shows no others.
  void require_nested(int group, int track, std::uint64_t begin, std::uint64_t end, const json& event) {
    auto& open = ends_[{group, track}];
    for (const auto& [other_begin, other_end] : open) {
      const bool apart = end <= other_begin || begin >= other_end;
      const bool inside = begin >= other_begin && end <= other_end;
      ASSERT_TRUE(apart || inside) << event.dump();
    }
    if (event.at("name").get<std::string>().rfind("CTA ", 0) == 0) open.emplace_back(begin, end);
  }
  std::map<std::tuple<int, int>, std::vector<std::pair<std::uint64_t, std::uint64_t>>> ends_;
};

double counted(const ReadBack& file, Resource resource) {
  return file.counters.at(std::string(name_of(resource)) + " (" + unit_of(resource) + ")");
}

class Timeline : public testing::TestWithParam<const char*> {};

TEST_P(Timeline, AddsUpToTheRunWithAnyNumberOfThreads) {
  sim::TimelineChoice choice;
  choice.sms = {0, 3};
  std::string first;
  for (const int threads : {1, 3}) {
    const Recorded got = record(GetParam(), choice, threads);
    if (first.empty()) first = got.text;
    EXPECT_TRUE(got.text == first) << threads << " threads";
    const ReadBack file(got.text);
    EXPECT_EQ(file.ctas, got.run.ctas.size());
    for (const int sm : choice.sms) {
      const auto& stalls = got.run.per_sm[static_cast<std::size_t>(sm)].stalls;
      const auto slices = file.slices.find("warps of SM " + std::to_string(sm));
      for (int i = 0; i < kStalls; ++i) {
        if (i == static_cast<int>(Stall::kIssued)) continue;  // told by what was issued, below
        const char* const name = name_of(static_cast<Stall>(i));
        const auto found = slices == file.slices.end() ? 0 : slices->second.count(name);
        EXPECT_EQ(found == 0 ? 0 : slices->second.at(name), stalls[static_cast<std::size_t>(i)]) << name;
      }
      std::uint64_t issued = 0;
      for (const sim::WarpSpan& span : got.timeline.spans[sm == 0 ? 0 : 1]) issued += span.reason == Stall::kIssued;
      EXPECT_EQ(issued, got.run.per_sm[static_cast<std::size_t>(sm)].warp_instructions);
    }
    const SmStatistics& total = got.run.total;
    const MemoryStatistics& memory = got.run.memory;
    EXPECT_EQ(counted(file, Resource::kTensor), total.tensor_busy_cycles);
    EXPECT_EQ(counted(file, Resource::kIssue), total.warp_instructions);
    EXPECT_EQ(counted(file, Resource::kShared), total.shared_wavefronts + total.copy_wavefronts);
    EXPECT_EQ(counted(file, Resource::kL1), total.l1_sector_hits);
    EXPECT_EQ(counted(file, Resource::kL2Read) + counted(file, Resource::kL2Write), total.l2_sectors);
    EXPECT_EQ(counted(file, Resource::kDram), memory.dram_read_sectors + memory.dram_write_sectors);
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, Timeline, testing::Values("sparse_values", "warp_votes", "turns", "histogram"));

// A window is the same part of the whole, cut at both ends.
TEST(Timeline, AWindowIsAPartOfTheWhole) {
  sim::TimelineChoice choice;
  const Recorded whole = record("sparse_values", choice, 1);
  choice.begin = 2000;
  choice.end = 3000;
  const Recorded part = record("sparse_values", choice, 1);
  std::map<Stall, std::uint64_t> want, got;
  for (const sim::WarpSpan& span : whole.timeline.spans[0]) {
    const std::uint64_t begin = std::max<std::uint64_t>(span.begin, 2000),
                        end = std::min<std::uint64_t>(span.end, 3000);
    if (begin < end) want[span.reason] += end - begin;
  }
  for (const sim::WarpSpan& span : part.timeline.spans[0]) got[span.reason] += span.end - span.begin;
  EXPECT_EQ(got, want);
  EXPECT_EQ(part.timeline.series.buckets(), (1000 + 15) / 16u);
  const ReadBack file(part.text);
  EXPECT_LE(file.last.at("warps of SM 0"), 3000u);
  for (const CtaRecord& cta : part.timeline.ctas) EXPECT_TRUE(cta.end > 2000 && cta.start < 3000);
  EXPECT_LT(part.timeline.ctas.size(), whole.timeline.ctas.size() + 1);
}

// A launch that ends before the window is left out with a word; where all do, there is nothing to show.
TEST(Timeline, LaunchesOutsideOfTheWindowAreLeftOut) {
  sim::LaunchTimeline seen, outside;
  seen.title = "seen";
  seen.cycles_elapsed = 300;
  seen.series.bucket_cycles = 16;
  outside.title = "short";
  outside.cycles = outside.cycles_elapsed = 50;
  outside.outside = true;
  outside.choice.begin = 100;
  EXPECT_EQ(sim::left_out({outside, seen}), "timeline of short: it ends at cycle 50, before the window\n");
  EXPECT_NO_THROW(sim::require_seen({outside, seen}));
  EXPECT_THROW(sim::require_seen({outside, outside}), sim::UserError);
  const ReadBack file(sim::timeline_json({outside, seen}, "a GPU"));
  EXPECT_EQ(file.slices.at("launches").at("short"), 50u);
  EXPECT_EQ(file.last.at("launches"), 350u);
}

TEST(Timeline, KernelsHaveTheNamesOfTheirSource) {
  const sim::TimelineRecorder recorder(sim::TimelineChoice(), 1);
  EXPECT_EQ(recorder.timeline(isa::Kernel(), "_Z7nothingv", gpu::RunStatistics(), gpu::GpuParams()).title, "nothing");
}

TEST(Timeline, ChoicesAreRead) {
  const auto choice = sim::TimelineChoice::read("10-19", "5,1-3,2", 108);
  EXPECT_EQ(choice.begin, 10u);
  EXPECT_EQ(choice.end, 20u);
  EXPECT_THAT(choice.sms, testing::ElementsAre(1, 2, 3, 5));
  EXPECT_THAT(sim::TimelineChoice::read("", "", 108).sms, testing::ElementsAre(0));
}

}  // namespace
}  // namespace stc::timing
