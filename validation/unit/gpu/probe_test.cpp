// SPDX-License-Identifier: Apache-2.0
// A probe sees what the statistics count, event by event, and changes nothing.
#include "models/core/probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "validation/unit/gpu/saxpy.h"

namespace stc::gpu {
namespace {

/// Counts again what the simulator counts.
class Recount : public Probe {
 public:
  explicit Recount(std::size_t sms) : per_sm(sms) {}

  void issue(const IssueEvent& event) override {
    SmStatistics& counted = per_sm.at(static_cast<std::size_t>(event.at.sm));
    ++counted.warp_instructions;
    counted.thread_instructions += static_cast<std::uint64_t>(__builtin_popcount(event.lanes));
    issues[place(event.at)].push_back(event.cycle);
    counted.tensor_busy_cycles += static_cast<std::uint64_t>(event.tensor_cycles);
    EXPECT_EQ(event.address % isa::kInstructionBytes, 0u);
  }
  void wavefronts(const WavefrontEvent& event) override {
    SmStatistics& counted = per_sm.at(static_cast<std::size_t>(event.at.sm));
    counted.shared_wavefronts += event.shared;
    counted.copy_wavefronts += event.copies;
    counted.shared_conflict_wavefronts += event.conflicts;
  }
  void l1_hit(const L1HitEvent& event) override {
    per_sm.at(static_cast<std::size_t>(event.sm)).l1_sector_hits += static_cast<std::uint64_t>(event.sectors);
  }
  void l2_access(const L2Event& event) override {
    memory.l2_sector_hits += static_cast<std::uint64_t>(event.hits);
    memory.l2_sector_misses += static_cast<std::uint64_t>(event.misses);
  }
  void dram_access(const DramEvent& event) override {
    (event.write ? memory.dram_write_sectors : memory.dram_read_sectors) += event.sectors;
  }
  void stall(const StallEvent& event) override {
    EXPECT_LT(event.begin, event.end);
    per_sm.at(static_cast<std::size_t>(event.at.sm)).stalls[static_cast<std::size_t>(event.reason)] +=
        event.end - event.begin;
    spent[place(event.at)].push_back({event.begin, event.end});
    if (event.reason == Stall::kIssued) issued[place(event.at)].push_back(event.begin);
  }
  void memory_request(const MemoryEvent& event) override {
    SmStatistics& counted = per_sm.at(static_cast<std::size_t>(event.sm));
    ++counted.l2_requests;
    counted.l2_sectors += static_cast<std::uint64_t>(event.sectors);
    (event.write ? counted.l2.write : counted.l2.read)[static_cast<std::size_t>(event.role)] +=
        static_cast<std::uint64_t>(event.sectors) * 32;
    EXPECT_EQ(event.address % 128, 0u);
  }
  void cta_begin(const CtaRecord& cta) override { begun.push_back(cta); }
  void cta_end(const CtaRecord& cta) override { ended.push_back(cta); }

  using Place = std::tuple<int, int, std::uint64_t, int>;
  static Place place(const WarpPlace& at) { return {at.sm, at.sub_core, at.cta, at.warp}; }

  std::vector<SmStatistics> per_sm;
  MemoryStatistics memory;
  std::map<Place, std::vector<std::uint64_t>> issues, issued;
  std::map<Place, std::vector<std::pair<std::uint64_t, std::uint64_t>>> spent;
  std::vector<CtaRecord> begun, ended;
};

class Probed : public testing::Test {
 protected:
  const GpuParams params_ = gpu_named("h200");
  Machine machine_{"gpu", params_};
  Saxpy saxpy_{params_};
};

TEST_F(Probed, EveryEventIsCountedAndEveryCountIsAnEvent) {
  Recount probe(static_cast<std::size_t>(params_.sms));
  saxpy_.launch.probe = &probe;
  const RunStatistics run = machine_.run(saxpy_.launch);
  ASSERT_GT(run.total.warp_instructions, 0u);
  ASSERT_GT(run.total.l2_requests, 0u);
  for (std::size_t sm = 0; sm < run.per_sm.size(); ++sm) {
    const SmStatistics &want = run.per_sm[sm], &seen = probe.per_sm[sm];
    EXPECT_EQ(seen.warp_instructions, want.warp_instructions);
    EXPECT_EQ(seen.thread_instructions, want.thread_instructions);
    EXPECT_EQ(seen.stalls, want.stalls) << "SM " << sm;
    EXPECT_EQ(seen.l2_requests, want.l2_requests);
    EXPECT_EQ(seen.l2_sectors, want.l2_sectors);
    EXPECT_EQ(seen.l2.read, want.l2.read);
    EXPECT_EQ(seen.l2.write, want.l2.write);
    EXPECT_EQ(seen.tensor_busy_cycles, want.tensor_busy_cycles);
    EXPECT_EQ(seen.shared_wavefronts, want.shared_wavefronts);
    EXPECT_EQ(seen.copy_wavefronts, want.copy_wavefronts);
    EXPECT_EQ(seen.shared_conflict_wavefronts, want.shared_conflict_wavefronts);
    EXPECT_EQ(seen.l1_sector_hits, want.l1_sector_hits);
  }
  EXPECT_EQ(probe.memory.l2_sector_hits, run.memory.l2_sector_hits);
  EXPECT_EQ(probe.memory.l2_sector_misses, run.memory.l2_sector_misses);
  EXPECT_EQ(probe.memory.dram_read_sectors, run.memory.dram_read_sectors);
  EXPECT_EQ(probe.memory.dram_write_sectors, run.memory.dram_write_sectors);
}

TEST_F(Probed, AWarpsCyclesFollowEachOtherFromDispatchToItsEnd) {
  Recount probe(static_cast<std::size_t>(params_.sms));
  saxpy_.launch.probe = &probe;
  const RunStatistics run = machine_.run(saxpy_.launch);
  EXPECT_EQ(probe.spent.size(), static_cast<std::size_t>(Saxpy::kCtas * Saxpy::kThreads / 32));
  EXPECT_EQ(probe.issues, probe.issued);
  for (const auto& [place, spans] : probe.spent) {
    const CtaRecord& cta = run.ctas.at(std::get<2>(place));
    EXPECT_EQ(spans.front().first, cta.start);
    EXPECT_LE(spans.back().second, cta.end);
    for (std::size_t i = 1; i < spans.size(); ++i) EXPECT_EQ(spans[i].first, spans[i - 1].second);
  }
}

TEST_F(Probed, CtasBeginAndEndAsRecorded) {
  Recount probe(static_cast<std::size_t>(params_.sms));
  saxpy_.launch.probe = &probe;
  const RunStatistics run = machine_.run(saxpy_.launch);
  const auto sorted = [](std::vector<CtaRecord> records) {
    std::sort(records.begin(), records.end(),
              [](const CtaRecord& a, const CtaRecord& b) { return a.linear_index < b.linear_index; });
    return records;
  };
  const std::vector<CtaRecord> begun = sorted(probe.begun), ended = sorted(probe.ended);
  ASSERT_EQ(begun.size(), run.ctas.size());
  ASSERT_EQ(ended.size(), run.ctas.size());
  for (std::size_t i = 0; i < run.ctas.size(); ++i) {
    EXPECT_EQ(std::tie(begun[i].linear_index, begun[i].sm, begun[i].start),
              std::tie(run.ctas[i].linear_index, run.ctas[i].sm, run.ctas[i].start));
    EXPECT_EQ(std::tie(ended[i].linear_index, ended[i].sm, ended[i].start, ended[i].end),
              std::tie(run.ctas[i].linear_index, run.ctas[i].sm, run.ctas[i].start, run.ctas[i].end));
  }
}

TEST_F(Probed, ListeningChangesNothing) {
  Recount everything(static_cast<std::size_t>(params_.sms));
  struct CtasOnly : Recount {
    using Recount::Recount;
    bool only_ctas() const override { return true; }
  } ctas(static_cast<std::size_t>(params_.sms));
  const std::string unseen = bytes_of(machine_.run(saxpy_.launch));
  for (Recount* probe : {&everything, static_cast<Recount*>(&ctas)}) {
    saxpy_.launch.probe = probe;
    EXPECT_TRUE(bytes_of(machine_.run(saxpy_.launch)) == unseen);
    EXPECT_EQ(probe->ended.size(), static_cast<std::size_t>(Saxpy::kCtas));
  }
  EXPECT_TRUE(ctas.issues.empty() && ctas.spent.empty());
  EXPECT_FALSE(everything.issues.empty());
}

}  // namespace
}  // namespace stc::gpu
