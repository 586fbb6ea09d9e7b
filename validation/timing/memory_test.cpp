// SPDX-License-Identifier: Apache-2.0
// Latency and bandwidth of crossbar, L2 partitions and HBM: idle latencies to the cycle, rates under load.
#include <gtest/gtest.h>

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
  MemoryRig rig{memory::MemoryParams{}};
  const std::uint64_t line = rig.line_of(0);
  read(rig, 0, line);
  EXPECT_DOUBLE_EQ(read(rig, 0, line), rig.params.l2.near_latency);
}

TEST_F(Memory, AMissAddsDeviceMemory) {
  MemoryRig rig{memory::MemoryParams{}};
  const double transfer = rig.params.hbm.access_bytes / (rig.params.hbm.bytes_per_cycle / rig.params.hbm.channels);
  EXPECT_NEAR(read(rig, 0, rig.line_of(0)), rig.params.l2.near_latency + rig.params.hbm.extra_latency, transfer / 1e3);
}

TEST_F(Memory, AFarLineIsKeptNearAfterTheFirstRead) {
  MemoryRig rig{memory::MemoryParams{}};
  const std::uint64_t line = rig.line_of(1);
  read(rig, 1, line);  // brings it into its home
  EXPECT_DOUBLE_EQ(read(rig, 0, line), rig.params.l2.near_latency + rig.params.l2.far_extra_latency);
  EXPECT_DOUBLE_EQ(read(rig, 0, line), rig.params.l2.near_latency);
}

TEST_F(Memory, WithoutReplicationAFarLineStaysFar) {
  memory::MemoryParams params;
  params.l2.replicate_far_lines = false;
  MemoryRig rig{params};
  const std::uint64_t line = rig.line_of(1);
  read(rig, 1, line);
  read(rig, 0, line);
  EXPECT_DOUBLE_EQ(read(rig, 0, line), rig.params.l2.near_latency + rig.params.l2.far_extra_latency);
}

TEST_F(Memory, AWriteElsewhereTakesAwayTheCopy) {
  MemoryRig rig{memory::MemoryParams{}};
  const std::uint64_t line = rig.line_of(1);
  read(rig, 1, line);
  read(rig, 0, line);
  rig.sm[0]->request(line, kAllSectors, true, 0);
  EXPECT_DOUBLE_EQ(read(rig, 0, line), rig.params.l2.near_latency + rig.params.l2.far_extra_latency);
}

TEST_F(Memory, OnlyMissingSectorsAreFetched) {
  MemoryRig rig{memory::MemoryParams{}};
  const std::uint64_t line = rig.line_of(0);
  read(rig, 0, line, 0b0001);
  EXPECT_EQ(rig.hbm.statistics().dram_read_sectors, 2u);  // 64-byte accesses
  read(rig, 0, line, 0b0001);
  EXPECT_EQ(rig.hbm.statistics().dram_read_sectors, 2u);
  read(rig, 0, line, 0b1100);
  EXPECT_EQ(rig.hbm.statistics().dram_read_sectors, 4u);
}

TEST_F(Memory, OneSmReceivesItsPortsBandwidth) {
  memory::MemoryParams params;
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
  MemoryRig rig(memory::MemoryParams{}, 64);
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
  memory::MemoryParams params;
  params.l2.capacity_mib = 0.0625;  // 512 lines
  MemoryRig rig{params};
  for (std::uint64_t i = 0; i < 4096; ++i) rig.sm[0]->request(i, kAllSectors, true, 0);
  MemoryRig::advance(100000);
  EXPECT_EQ(rig.hbm.statistics().dram_write_sectors, 4u * (4096 - 512));
  EXPECT_EQ(rig.hbm.statistics().dram_read_sectors, 0u);
}

}  // namespace
}  // namespace stc::timing
