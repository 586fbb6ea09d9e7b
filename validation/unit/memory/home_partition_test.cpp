// SPDX-License-Identifier: Apache-2.0
// On which side of L2 lines have their home, as loads on an H200 show it (measured/h200/dram_loads.csv, sides.csv).
#include "models/memory/home_partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "models/isa/state/global_memory.h"
#include "validation/gpus.h"

namespace stc::memory {
namespace {

struct Loads {
  std::uint64_t stride = 0;
  std::vector<int> cycles;
};

/// Loads of lines `stride` bytes apart from the beginning of a page on.
std::vector<Loads> measured_loads() {
  std::ifstream file("validation/measured/h200/dram_loads.csv");
  std::vector<Loads> all;
  for (std::string row; std::getline(file, row);) {
    if (row.rfind("dram_loads,", 0) != 0) continue;
    Loads loads;
    std::istringstream arguments(row.substr(row.find("out data")));
    std::string word;
    arguments >> word >> word >> word >> loads.stride;
    std::istringstream cycles(row.substr(row.rfind(',') + 1));
    for (int value = 0; cycles >> value;) loads.cycles.push_back(value);
    all.push_back(loads);
  }
  return all;
}

const HomePartition& home() {
  static const MemoryParams params = validation::h200().memory;
  static const HomePartition partition(params.l2);
  return partition;
}

TEST(HomePartition, LiesWhereLoadsOfAnH200TakeLonger) {
  constexpr int kSides = 655, kLate = 830;  // cycles between both modes; later loads met a refresh
  constexpr std::uint64_t kPage = 2U << 20U;
  int rows = 0;
  for (const Loads& loads : measured_loads()) {
    ASSERT_EQ(loads.cycles.size(), 512U);
    if (loads.stride * 512 > kPage) continue;  // more pages, each with a side of its own
    SCOPED_TRACE(loads.stride);
    ++rows;
    int same = 0, compared = 0;
    for (std::size_t i = 0; i < loads.cycles.size(); ++i) {
      if (loads.cycles[i] >= kLate) continue;
      ++compared;
      same += (loads.cycles[i] > kSides) == (home().of(i * loads.stride / kLineBytes) == 1) ? 1 : 0;
    }
    const int agree = std::max(same, compared - same);  // which side is the near one is the page's
    EXPECT_GT(agree, compared * 95 / 100);
  }
  EXPECT_EQ(rows, 18);
}

TEST(HomePartition, OfSmallBuffersIsTheSameInEachProcessOfASession) {
  constexpr int kFirstSm = 124, kSides = 620;  // cycles between both modes, shortest of several loads
  isa::GlobalMemory memory;
  memory.allocate("first", 512);
  const std::uint64_t data = memory.allocate("data", 65536).address;
  HomePartition partition = home();
  partition.lay_out(&memory);
  std::ifstream file("validation/measured/h200/sides.csv");
  int rows = 0;
  for (std::string row; std::getline(file, row);) {
    int process = 0, sm = 0, place = 0, cycles = 0;
    if (std::sscanf(row.c_str(), "%d,%d,%d,%d", &process, &sm, &place, &cycles) != 4 || sm != kFirstSm) continue;
    ++rows;
    // The SM of the first CTA is attached to partition 0.
    EXPECT_EQ(partition.of((data + static_cast<std::uint64_t>(place)) / kLineBytes) == 1, cycles > kSides) << row;
  }
  EXPECT_EQ(rows, 13 * 16);
}

TEST(HomePartition, OneOfTwoNeighboursIsNearAndPagesHaveSidesOfTheirOwn) {
  constexpr std::uint64_t kChunk = 4096 / kLineBytes, kPageChunks = 512;
  int ones = 0;
  for (std::uint64_t chunk = 0; chunk < 64 * kPageChunks; chunk += 2) {
    EXPECT_NE(home().of(chunk * kChunk), home().of((chunk + 1) * kChunk));
    EXPECT_EQ(home().of(chunk * kChunk), home().of(chunk * kChunk + kChunk - 1));
    if (chunk % kPageChunks == 0) ones += home().of(chunk * kChunk);
  }
  EXPECT_GT(ones, 16);
  EXPECT_LT(ones, 48);
}

}  // namespace
}  // namespace stc::memory
