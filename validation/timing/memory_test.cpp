// SPDX-License-Identifier: Apache-2.0
// Latency and bandwidth of crossbar, L2 partitions and HBM: idle latencies to the cycle, rates under load.
#include <gtest/gtest.h>

#include "models/isa/state/global_memory.h"
#include "models/memory/memory_system.h"
#include "validation/gpus.h"
#include "validation/timing/memory_rig.h"

namespace stc::timing {
namespace {

using memory::kAllSectors;

class Memory : public testing::Test {
 protected:
  /// Reads one line with SM `sm` on an idle machine; the latency in cycles.
  double read(MemoryRig& rig, int sm, std::uint64_t line, std::uint8_t sectors = 1) {
    MemoryRig::advance(10000);
    const double sent = MemoryRig::now();
    rig.sm[static_cast<std::size_t>(sm)]->request(line, sectors, false, ++token_);
    MemoryRig::advance(5000);
    return rig.sm[static_cast<std::size_t>(sm)]->arrival(token_) - sent;
  }
  std::uint32_t token_ = 0;
};

TEST_F(Memory, NearHitTakesTheNearLatency) {
  MemoryRig rig{validation::a100().memory};
  const std::uint64_t line = rig.line_of(0);
  read(rig, 0, line);
  EXPECT_DOUBLE_EQ(read(rig, 0, line), rig.params.l2.near_latency);
}

TEST_F(Memory, AMissAddsDeviceMemory) {
  MemoryRig rig{validation::a100().memory};
  const double transfer = rig.params.hbm.access_bytes / (rig.params.hbm.bytes_per_cycle / rig.params.hbm.channels);
  EXPECT_NEAR(read(rig, 0, rig.line_of(0)), rig.params.l2.near_latency + rig.params.hbm.extra_latency, transfer / 1e3);
}

TEST_F(Memory, AFarLineIsKeptNearAfterTheFirstRead) {
  MemoryRig rig{validation::a100().memory};
  const std::uint64_t line = rig.line_of(1);
  read(rig, 1, line);  // brings it into its home
  EXPECT_DOUBLE_EQ(read(rig, 0, line), rig.params.l2.near_latency + rig.params.l2.far_extra_latency);
  EXPECT_DOUBLE_EQ(read(rig, 0, line), rig.params.l2.near_latency);
}

TEST_F(Memory, WithoutReplicationAFarLineStaysFar) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.replicate_far_lines = false;
  MemoryRig rig{params};
  const std::uint64_t line = rig.line_of(1);
  read(rig, 1, line);
  read(rig, 0, line);
  EXPECT_DOUBLE_EQ(read(rig, 0, line), rig.params.l2.near_latency + rig.params.l2.far_extra_latency);
}

TEST_F(Memory, AStoreLeavesACopyOnItsWayToTheOtherPartition) {
  MemoryRig rig{validation::a100().memory};
  const std::uint64_t line = rig.line_of(1);
  rig.sm[0]->request(line, kAllSectors, true, 0);
  EXPECT_DOUBLE_EQ(read(rig, 0, line), rig.params.l2.near_latency);
  EXPECT_DOUBLE_EQ(read(rig, 1, line), rig.params.l2.near_latency);
}

TEST_F(Memory, AStoreIsAcknowledgedFromItsHome) {
  MemoryRig rig{validation::a100().memory};
  std::vector<double> took;
  for (const int home : {0, 1}) {
    MemoryRig::advance(10000);
    const double sent = MemoryRig::now();
    rig.sm[0]->request(rig.line_of(home), kAllSectors, true, 0);
    MemoryRig::advance(100);
    took.push_back(rig.sm[0]->acknowledged() - sent);
  }
  EXPECT_NEAR(took[0], rig.params.l2.near_latency, 1);
  EXPECT_DOUBLE_EQ(took[1] - took[0], rig.params.l2.far_extra_latency);
}

TEST_F(Memory, OnlyMissingSectorsAreFetched) {
  MemoryRig rig{validation::a100().memory};
  const std::uint64_t line = rig.line_of(0);
  read(rig, 0, line, 0b0001);
  EXPECT_EQ(rig.hbm.statistics().dram_read_sectors, 2u);  // 64-byte accesses
  read(rig, 0, line, 0b0001);
  EXPECT_EQ(rig.hbm.statistics().dram_read_sectors, 2u);
  read(rig, 0, line, 0b0010);
  EXPECT_EQ(rig.hbm.statistics().dram_read_sectors, 2u) << "it came with its neighbour";
  read(rig, 0, line, 0b1100);
  EXPECT_EQ(rig.hbm.statistics().dram_read_sectors, 4u);
}

TEST_F(Memory, TheOtherHalfOfAPartitionIsFurtherAway) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.half_extra_latency = 31;
  params.l2.second_half_gpcs = 0b100;  // SM 2, attached to the same partition as SM 0
  MemoryRig rig(params, 3);
  int further = 0;
  for (std::uint64_t line = 0; line < 64; ++line) {
    if (memory::HomePartition(params.l2).of(line * 32) != 0) continue;
    read(rig, 0, line * 32);
    const double one = read(rig, 0, line * 32), other = read(rig, 2, line * 32);
    EXPECT_DOUBLE_EQ(one + other, 2 * params.l2.near_latency + 31);
    further += one > other ? 1 : 0;
  }
  EXPECT_GT(further, 5);
  EXPECT_LT(further, 60);
}

TEST_F(Memory, TheFirstSmOfAGpcIsOneStepAway) {
  memory::MemoryParams params = validation::a100().memory;
  params.crossbar.sm_step = 4;
  MemoryRig rig{params};
  const std::uint64_t line = rig.line_of(0);
  read(rig, 0, line);
  EXPECT_DOUBLE_EQ(read(rig, 0, line), params.l2.near_latency + 4);
}

TEST_F(Memory, ConsecutiveLinesFillItToTheLast) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.capacity_mib = 0.125;  // 512 lines in each partition
  params.l2.interleave_bytes = 1 << 24;
  MemoryRig rig{params};
  const std::uint64_t first = rig.line_of(0);
  for (int pass = 0; pass < 2; ++pass) {
    for (std::uint64_t i = 0; i < 512; ++i) rig.sm[0]->request(first + i, kAllSectors, false, 0);
    MemoryRig::advance(100000);
    EXPECT_EQ(rig.hbm.statistics().dram_read_sectors, 4u * 512) << "pass " << pass;
  }
}

TEST_F(Memory, BeyondItsShareTheOldestStoredLinesAreWritten) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.capacity_mib = 1;
  params.l2.dirty_mib = 0.125;  // 512 lines in each partition
  params.l2.interleave_bytes = 1 << 24;
  MemoryRig rig{params};
  const std::uint64_t first = rig.line_of(0);
  for (std::uint64_t i = 0; i < 600; ++i) rig.sm[0]->request(first + i, kAllSectors, true, 0);
  MemoryRig::advance(100000);
  EXPECT_EQ(rig.hbm.statistics().dram_write_sectors, 4u * 88);
  read(rig, 0, first, kAllSectors);
  EXPECT_EQ(rig.hbm.statistics().dram_read_sectors, 0u) << "what was written is still there";
  for (std::uint64_t i = 100; i < 600; ++i) rig.sm[0]->request(first + i, kAllSectors, true, 0);
  MemoryRig::advance(100000);
  EXPECT_EQ(rig.hbm.statistics().dram_write_sectors, 4u * 88) << "stored again before they were written";
}

/// A partition that keeps 512 stored lines, two for each of its sets, of which those beyond 256 go when sets are used,
/// and that has stored 600, `apart` cycles apart.
std::unique_ptr<MemoryRig> stored_600_lines(int apart) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.capacity_mib = 1;
  params.l2.eager_mib = 0.0625;
  params.l2.dirty_mib = 0.125;
  params.l2.interleave_bytes = 1 << 24;
  auto rig = std::make_unique<MemoryRig>(params);
  const std::uint64_t first = rig->line_of(0);
  for (std::uint64_t i = 0; i < 600; ++i) {
    rig->sm[0]->request(first + i, kAllSectors, true, 0);
    if (apart != 0) MemoryRig::advance(apart);
  }
  MemoryRig::advance(100000);
  return rig;
}

TEST_F(Memory, StoredLinesThatComeFastAreKept) {
  EXPECT_EQ(stored_600_lines(0)->hbm.statistics().dram_write_sectors, 4u * (600 - 512));
}
TEST_F(Memory, AsManyAreKeptThatComeSlowly) {
  EXPECT_EQ(stored_600_lines(20)->hbm.statistics().dram_write_sectors, 4u * (600 - 512));
}

/// Sectors that are written when `lines` of those are read, or stored to, again.
std::uint64_t sectors_written_by_use(std::uint64_t lines, int times, bool stores) {
  const auto rig = stored_600_lines(0);
  const std::uint64_t before = rig->hbm.statistics().dram_write_sectors;
  for (int n = 0; n < times; ++n) {
    for (std::uint64_t i = 0; i < lines; ++i) {
      rig->sm[0]->request(rig->line_of(0) + 599 - i, kAllSectors, stores, 1);
      MemoryRig::advance(20);
    }
  }
  MemoryRig::advance(100000);
  return rig->hbm.statistics().dram_write_sectors - before;
}

TEST_F(Memory, SetsThatAreReadHaveTheirOldestStoredLinesWritten) {
  EXPECT_EQ(sectors_written_by_use(512, 1, false), 4u * 256) << "down to one of each set";
}
TEST_F(Memory, SetsThatAreStoredToAgainDo) { EXPECT_EQ(sectors_written_by_use(512, 1, true), 4u * 256); }
TEST_F(Memory, SetsThatAreNotUsedKeepTheirs) {
  EXPECT_LE(sectors_written_by_use(4, 50, false), 4u * 4 * 2) << "one or two of each of four sets";
}

TEST_F(Memory, WhatWasStoredBeforeAWarmLaunchIsWrittenForWhatItStores) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.capacity_mib = 1;
  params.l2.dirty_mib = 0.125;  // 512
  params.l2.dirty_at_launch_mib = params.l2.lines_at_launch_mib = 0;
  params.l2.interleave_bytes = 1 << 24;
  MemoryRig rig{params};
  rig.l2_0.reset(false, params);
  const std::uint64_t first = rig.line_of(0);
  for (std::uint64_t i = 0; i < 600; ++i) rig.l2_0.touch(first + i, DataRole::kOutput, true);
  EXPECT_EQ(rig.l2_0.passed_over().dram_write_sectors, 0u) << "before the launch";
  for (std::uint64_t i = 600; i < 610; ++i) rig.sm[0]->request(first + i, kAllSectors, true, 0);
  MemoryRig::advance(100000);
  EXPECT_EQ(rig.hbm.statistics().dram_write_sectors, 4u * 10);
}

TEST_F(Memory, AWarmL2HoldsOutputsAsStored) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.dirty_mib = 0.125;  // 512 lines of each partition
  params.l2.dirty_at_launch_mib = params.l2.lines_at_launch_mib = 0;
  memory::MemorySystem system(params, MemoryRig::gpcs(1), std::make_unique<memory::Hbm>(params.hbm));
  MockSm sm(system.crossbar(), 0, 0);
  isa::GlobalMemory values;
  values.allocate("read", 256 << 10, DataRole::kWeight);
  values.allocate("stored", 256 << 10, DataRole::kOutput);
  const isa::Allocation& more = values.allocate("more", 8 << 10);
  system.reset(0, false, &values, params);
  system.warm_l2(values);
  EXPECT_EQ(system.passed_over().dram_write_sectors, 0u) << "before the launch";
  for (std::uint64_t i = 0; i < 64; ++i) sm.request(more.address / memory::kLineBytes + i, kAllSectors, true, 0);
  MemoryRig::advance(100000);
  EXPECT_EQ(system.statistics().dram_write_sectors, 4u * 64);
}

/// One channel of 32 bytes a cycle with a queue of 64 cycles.
memory::HbmParams one_channel() {
  memory::HbmParams params = validation::a100().memory.hbm;
  params.channels = 1;
  params.bytes_per_cycle = 32;
  params.refresh_cycles = 0;
  params.write_queue_kib = 2;
  return params;
}

/// Cycles that a read waits `behind` cycles after `lines` were written to it, ten cycles apart.
double wait_for_writes(int lines, int behind) {
  memory::Hbm hbm(one_channel());
  Tick waited = 0;
  for (int i = 0; i < lines; ++i) {
    const Tick now = cycles_to_ticks(10.0 * i);
    hbm.write({static_cast<std::uint64_t>(i), kAllSectors, DataRole::kOutput, now}, waited);
  }
  EXPECT_EQ(waited, 0u);
  const Tick now = cycles_to_ticks(10.0 * (lines - 1) + behind);
  hbm.read({1000, kAllSectors, DataRole::kOther, now}, 0, waited);
  return static_cast<double>(waited) / kTicksPerCycle;
}

TEST_F(Memory, ReadsWaitForAChannelThatWritesWhatItHasCollected) {
  EXPECT_EQ(wait_for_writes(7, 5), 0) << "28 of 32 cycles";
  // 32 cycles of writes came in 70: of the 30 that are left the channel writes 30 / (1 - 32 / 72) more.
  EXPECT_NEAR(wait_for_writes(8, 2), 54, 0.1);
  EXPECT_EQ(wait_for_writes(8, 33), 0) << "they are written";
}

TEST_F(Memory, ReadsWaitForNoMoreThanAFullQueueOfWrites) {
  memory::Hbm hbm(one_channel());
  Tick waited = 0;
  for (std::uint64_t i = 0; i < 16; ++i) hbm.write({i, kAllSectors, DataRole::kOutput, 0}, waited);
  EXPECT_EQ(waited, 0u) << "they fit";
  hbm.write({16, kAllSectors, DataRole::kOutput, 0}, waited);
  EXPECT_EQ(waited, 0u) << "it begins when the queue has room";
  hbm.write({17, kAllSectors, DataRole::kOutput, 0}, waited);
  EXPECT_EQ(waited, cycles_to_ticks(4)) << "it waits for one";
  waited = 0;
  hbm.read({1000, kAllSectors, DataRole::kOther, cycles_to_ticks(4)}, 0, waited);
  EXPECT_EQ(waited, cycles_to_ticks(68)) << "17 of the 18 lines are to be transferred yet";
}

/// Two SMs whose stores enter L2 at 32 bytes a cycle, with a queue of 80 cycles; the first has stored 40 lines.
std::unique_ptr<MemoryRig> forty_stores() {
  memory::MemoryParams params = validation::a100().memory;
  params.crossbar.write_bytes_per_cycle = 32;
  params.crossbar.store_queue_kib = 2.5;
  params.hbm.refresh_cycles = 0;
  auto rig = std::make_unique<MemoryRig>(params);
  for (int sm : {0, 1}) rig->sm[static_cast<std::size_t>(sm)]->request(rig->line_of(sm, 100000), 1, false, 1);
  MemoryRig::advance(10000);  // these are here from now on
  for (std::uint64_t i = 0; i < 40; ++i) rig->sm[0]->request(i, kAllSectors, true, 0);
  return rig;
}

TEST_F(Memory, AnSmIsHeldUpWhenStoresFillTheirQueue) {
  const auto rig = forty_stores();
  const double begin = MemoryRig::now();
  MemoryRig::advance(1);
  EXPECT_NEAR(rig->sm[0]->held_until() - begin, 39 * 4 - 80, 1);
}

TEST_F(Memory, LoadsGoBehindTheStoresOfTheirOwnSm) {
  const auto rig = forty_stores();
  const double begin = MemoryRig::now();
  MemoryRig::advance(1);
  for (int sm : {0, 1}) rig->sm[static_cast<std::size_t>(sm)]->request(rig->line_of(sm, 100000), 1, false, 7);
  MemoryRig::advance(10000);
  EXPECT_GT(rig->sm[0]->arrival(7), rig->sm[1]->arrival(7) + 39 * 4 - 3);
  EXPECT_LT(rig->sm[1]->arrival(7) - begin, 300);
}

TEST_F(Memory, ABurstOfLoadsBeginsBehindTheStoresOfItsSm) {
  const auto rig = forty_stores();
  MemoryRig::advance(10000);
  constexpr std::uint32_t kLines = 32;
  const auto load = [&rig](std::size_t sm, std::uint32_t token) {
    for (std::uint32_t i = 0; i < kLines; ++i)
      rig->sm[sm]->request(200000 + sm * 1000 + i, kAllSectors, false, token + i);
  };
  for (std::size_t sm : {0, 1}) load(sm, 100);
  MemoryRig::advance(10000);  // these are here from now on
  for (std::uint64_t i = 0; i < 40; ++i) rig->sm[0]->request(i, kAllSectors, true, 0);
  MemoryRig::advance(1);
  for (std::size_t sm : {0, 1}) load(sm, 200);
  MemoryRig::advance(10000);
  for (const std::uint32_t last : {200u, 200 + kLines - 1}) {
    EXPECT_NEAR(rig->sm[0]->arrival(last) - rig->sm[1]->arrival(last), 39 * 4, 20) << last;
  }
}

/// A partition of 32 sets of 16 lines, full of 256 lines that were stored and then as many others that were read,
/// `apart` cycles apart.
std::unique_ptr<MemoryRig> full_partition(int apart) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.capacity_mib = 0.125;
  params.l2.interleave_bytes = 1 << 24;
  auto rig = std::make_unique<MemoryRig>(params, 3);
  const std::uint64_t first = rig->line_of(0);
  for (std::uint64_t i = 0; i < 512; ++i) {
    const bool stored = i < 256;
    rig->sm[stored ? 0 : 2]->request(first + i, kAllSectors, stored, 0);
    if (apart != 0) MemoryRig::advance(apart);
  }
  MemoryRig::advance(100000);
  return rig;
}

TEST_F(Memory, StoredLinesThatGoNextAreWrittenAheadWhereMemoryIsIdle) {
  const auto rig = full_partition(20);
  EXPECT_EQ(rig->hbm.statistics().dram_write_sectors, 4u * 32) << "one of each set";
  const std::uint64_t read_before = rig->hbm.statistics().dram_read_sectors;
  read(*rig, 0, rig->line_of(0));
  EXPECT_EQ(rig->hbm.statistics().dram_read_sectors, read_before) << "they are still there";
}

TEST_F(Memory, StoredLinesThatGoNextAreKeptWhileMemoryIsBusy) {
  EXPECT_LT(full_partition(0)->hbm.statistics().dram_write_sectors, 4u * 32);
}

TEST_F(Memory, WhatOthersStoredBeforeTheLaunchIsWrittenWhenItIsEvicted) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.capacity_mib = 0.125;
  params.l2.dirty_at_launch_mib = 0.03125;  // 256 lines in all
  MemoryRig rig{params};
  rig.l2_0.reset(false, params);
  rig.l2_1.reset(false, params);
  for (std::uint64_t i = 0; i < 8192; ++i) rig.sm[0]->request(i, kAllSectors, false, 0);
  MemoryRig::advance(100000);
  EXPECT_EQ(rig.hbm.statistics().dram_write_sectors, 4u * 256);
}

TEST_F(Memory, WhatOthersStoredDoesNotCountWhereAWarmL2HasNoRoomForIt) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.capacity_mib = 1;
  params.l2.dirty_at_launch_mib = 0.03125;  // 128 lines in each partition of 4096
  params.l2.dirty_mib = 0.125;              // 512
  params.l2.interleave_bytes = 1 << 24;
  MemoryRig rig{params};
  rig.l2_0.reset(false, params);
  rig.l2_1.reset(false, params);
  const std::uint64_t first = rig.line_of(0);
  for (std::uint64_t i = 0; i < 8192; ++i) rig.l2_0.touch(first + i, DataRole::kWeight, false);
  for (std::uint64_t i = 0; i < 600; ++i) rig.sm[0]->request(first + i, kAllSectors, true, 0);
  MemoryRig::advance(100000);
  EXPECT_EQ(rig.hbm.statistics().dram_write_sectors, 4u * (600 - 512));
}

/// Sectors of 128 stored lines of others that three quarters of a partition's lines, read, throw out, when it holds so
/// much of others.
std::uint64_t sectors_thrown_out_of(double lines_at_launch_mib) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.capacity_mib = 1;
  params.l2.dirty_at_launch_mib = 0.03125;
  params.l2.lines_at_launch_mib = lines_at_launch_mib;
  params.l2.interleave_bytes = 1 << 24;
  MemoryRig rig{params};
  rig.l2_0.reset(false, params);
  rig.l2_1.reset(false, params);
  const std::uint64_t first = rig.line_of(0);
  for (std::uint64_t i = 0; i < 3072; ++i) rig.sm[0]->request(first + i, kAllSectors, false, 0);
  MemoryRig::advance(100000);
  return rig.hbm.statistics().dram_write_sectors;
}

TEST_F(Memory, WhatOthersStoredStaysWhereThereIsRoom) { EXPECT_EQ(sectors_thrown_out_of(0), 0u); }

TEST_F(Memory, WhatOthersReadSinceLeavesLessRoomForWhatTheyStored) {
  const std::uint64_t sectors = sectors_thrown_out_of(0.5);
  EXPECT_GT(sectors, 4u * 100);
  EXPECT_LE(sectors, 4u * 128);
}

TEST_F(Memory, AnSmReadsOrStores) {
  MemoryRig rig{validation::a100().memory};
  const std::uint64_t line = rig.line_of(0), stored = rig.line_of(0, line + 1);
  read(rig, 0, line);
  MemoryRig::advance(10000);
  const double sent = MemoryRig::now();
  rig.sm[0]->request(stored, kAllSectors, true, 0);
  rig.sm[0]->request(line, 1, false, 100);
  MemoryRig::advance(5000);
  const double stores = 128 / rig.params.crossbar.sm_write_bytes_per_cycle;
  EXPECT_NEAR(rig.sm[0]->arrival(100) - sent, rig.params.l2.near_latency + stores, 0.1);
}

/// Cycles by which a read of a line in L2 is later behind the store of another one, of another SM, in the only slice.
double behind_a_store(bool joins) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.slices_per_partition = 1;
  params.l2.lookup_interval = 7;
  MemoryRig rig(params, 3);
  const std::uint64_t line = rig.line_of(0), stored = rig.line_of(0, line + 1);
  rig.sm[0]->request(line, 1, false, 1);
  MemoryRig::advance(10000);
  const double sent = MemoryRig::now();
  const bool first = rig.crossbar.first_of(static_cast<std::uint64_t>(sent)) == 0;
  rig.sm[first ? 0 : 2]->request(stored, 1, true, 0, false, joins);
  rig.sm[first ? 2 : 0]->request(line, 1, false, 2);
  MemoryRig::advance(5000);
  return rig.sm[first ? 2 : 0]->arrival(2) - sent - params.l2.near_latency;
}

TEST_F(Memory, ASliceTakesARequestInTheTimeOfALookup) { EXPECT_NEAR(behind_a_store(false), 7, 0.01); }
TEST_F(Memory, ASliceHasLookedUpTheLineThatAStoreJoins) { EXPECT_NEAR(behind_a_store(true), 0.5, 0.01); }

TEST_F(Memory, ALineThatIsWrittenBackTakesALookupOfItsSlice) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.capacity_mib = 0.0625;
  params.l2.dirty_mib = params.l2.eager_mib = params.l2.dirty_at_launch_mib = 0.001;
  params.l2.replicate_far_lines = false;
  params.l2.slices_per_partition = 1;
  params.l2.lookup_interval = 100;
  MemoryRig rig{params};
  const double sent = MemoryRig::now();
  constexpr int kLines = 1000;
  for (std::uint64_t i = 0; i < kLines; ++i) rig.sm[0]->request(i, kAllSectors, true, 0);
  MemoryRig::advance(200000);
  // Half of them in each partition, each looked up and written back.
  EXPECT_NEAR((rig.sm[0]->acknowledged() - sent) / params.l2.lookup_interval, kLines, 0.06 * kLines);
}

TEST_F(Memory, OneSmReceivesItsPortsBandwidth) {
  memory::MemoryParams params = validation::a100().memory;
  params.crossbar.request_interval = 0.001;
  MemoryRig rig{params};
  constexpr int kLines = 400;
  const std::uint64_t line = rig.line_of(0);
  read(rig, 0, line, kAllSectors);
  const double sent = MemoryRig::now();
  for (std::uint32_t i = 0; i < kLines; ++i) rig.sm[0]->request(line, kAllSectors, false, 5000 + i);
  MemoryRig::advance(10000);
  double last = 0;
  for (std::uint32_t i = 0; i < kLines; ++i) last = std::max(last, rig.sm[0]->arrival(5000 + i));
  // All ask one slice, which gives 64 bytes per cycle as the port does.
  EXPECT_NEAR((last - sent - params.l2.near_latency) / kLines, 128 / params.crossbar.sm_read_bytes_per_cycle, 0.02);
}

TEST_F(Memory, DeviceMemoryIsBoundByItsBandwidth) {
  MemoryRig rig(validation::a100().memory, 64);
  constexpr std::uint32_t kLines = 20000;
  const double sent = MemoryRig::now();
  for (std::uint32_t i = 0; i < kLines; ++i) rig.sm[i % 64]->request(1000000 + i, kAllSectors, false, i);
  MemoryRig::advance(100000);
  double last = 0;
  for (std::uint32_t i = 0; i < kLines; ++i) last = std::max(last, rig.sm[i % 64]->arrival(i));
  const double ideal = 128.0 * kLines / rig.params.hbm.bytes_per_cycle;
  EXPECT_GT(last - sent, ideal);
  EXPECT_LT(last - sent, ideal * 1.25 + 1000);  // lines are hashed over channels, not dealt out
}

TEST_F(Memory, EvictedDirtyLinesAreWrittenBack) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.capacity_mib = 0.0625;  // 512 lines
  params.l2.replicate_far_lines = false;
  MemoryRig rig{params};
  for (std::uint64_t i = 0; i < 4096; ++i) rig.sm[0]->request(i, kAllSectors, true, 0);
  MemoryRig::advance(100000);
  EXPECT_EQ(rig.hbm.statistics().dram_write_sectors, 4u * (4096 - 512));
  EXPECT_EQ(rig.hbm.statistics().dram_read_sectors, 0u);
}

}  // namespace
}  // namespace stc::timing
