// SPDX-License-Identifier: Apache-2.0
// What a launch pays for first accesses to constants and code, against an H200 (measured/h200/first_accesses.csv).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "models/sm/constant_cache.h"
#include "models/sm/instruction_cache.h"
#include "validation/gpus.h"

namespace stc::sm {
namespace {

struct Row {
  std::string caches, kind;
  int bytes = 0, ctas = 0, delay = 0;
  std::vector<int> clocks;
};

std::vector<Row> measured(const std::string& kind) {
  std::ifstream file("validation/measured/h200/first_accesses.csv");
  std::vector<Row> rows;
  for (std::string text; std::getline(file, text);) {
    std::vector<std::string> fields;
    std::istringstream in(text);
    for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
    if (fields.size() != 7 || fields[1] != kind || fields[5] != "0") continue;
    Row row{fields[0], kind, std::stoi(fields[2]), std::stoi(fields[3]), std::stoi(fields[4]), {}};
    std::istringstream clocks(fields[6]);
    for (int clock = 0; clocks >> clock;) row.clocks.push_back(clock);
    rows.push_back(row);
  }
  return rows;
}

ConstantCache empty_constants() {
  const SmParams& sm = validation::h200().sm;
  ConstantCache cache(sm.issue, sm.sub_cores);
  cache.reset(false);
  return cache;
}

/// Cycles of `count` ULDC of words of bank 3, `bytes` apart, each with a product behind it.
int named(ConstantCache& cache, int sub_core, int count, int bytes, Cycle start) {
  constexpr Cycle kEach = 4;
  Cycle now = start;
  for (int i = 0; i < count; ++i)
    now = cache.operand_arrival(sub_core, constant_line(3, static_cast<std::uint32_t>(i * bytes)), now) + kEach;
  return static_cast<int>(now - start);
}

TEST(FirstAccesses, AParameterIsOneNearMissAway) {
  int rows = 0;
  for (const Row& row : measured("named")) {
    if (row.ctas != 1) continue;
    ++rows;
    ConstantCache cache = empty_constants();
    constexpr int kThere = 2;  // cycles of ULDC and the clock behind it
    for (std::size_t i = 0; i < row.clocks.size(); i += 2) {
      const std::int32_t line = constant_line(0, 0x260 + static_cast<std::uint32_t>(i) * 64);
      EXPECT_NEAR(static_cast<int>(cache.operand_arrival(0, line, 1000) - 1000) + kThere, row.clocks[i], 3)
          << row.caches << " behind " << row.delay << " clocks";
    }
  }
  EXPECT_EQ(rows, 6);
}

TEST(FirstAccesses, TheNearCacheOfNamedConstantsHoldsWhatAnH200sHolds) {
  int rows = 0;
  for (const Row& row : measured("again")) {
    ++rows;
    ConstantCache cache = empty_constants();
    const int lines = row.ctas;
    named(cache, 0, lines, row.bytes, 0);
    for (Cycle pass = 1; pass < 3; ++pass) {
      const int cycles = named(cache, 0, lines, row.bytes, pass * 100000);
      if (lines == 40 && pass == 1) continue;  // five lines of a set: the second time an H200 has some of them
      EXPECT_NEAR(cycles, row.clocks[pass], 0.03 * cycles + 1) << lines << " lines " << row.bytes << " bytes apart";
    }
  }
  EXPECT_EQ(rows, 12);
}

TEST(FirstAccesses, EachSubCoreHasItsOwnNearCache) {
  for (const Row& row : measured("turns")) {
    if (row.bytes != 0) continue;
    ConstantCache cache = empty_constants();
    for (Cycle turn = 0; turn < 3; ++turn) {
      const int cycles = named(cache, turn == 1 ? 1 : 0, 8, 64, turn * 100000);
      if (turn == 0) continue;  // its lines come from L2
      EXPECT_NEAR(cycles, row.clocks[turn], 0.03 * cycles + 1) << turn;
    }
  }
}

/// Of a jump over `bytes` of code, `delay` cycles behind the first instruction.
int jump(const Row& row, const FetchParams& params) {
  constexpr int kTaken = 11;  // of a branch whose target is there
  InstructionCache cache(params);
  cache.reset(82 * 1024, row.caches == "emptied");
  const Cycle first = cache.fetch(0, 1000), now = first + static_cast<Cycle>(row.delay);
  return static_cast<int>(cache.fetch(static_cast<std::uint32_t>(row.bytes) / kCodeLineBytes + 2, now) - now) + kTaken;
}

TEST(FirstAccesses, JumpsWaitForTheLaunchToBringTheirCode) {
  FetchParams all_there = validation::h200().sm.fetch;
  all_there.launch_interval = 0;
  double sum = 0, sum_without = 0;
  int rows = 0;
  for (const Row& row : measured("jump")) {
    ++rows;
    sum += std::abs(jump(row, validation::h200().sm.fetch) - row.clocks[0]);
    sum_without += std::abs(jump(row, all_there) - row.clocks[0]);
  }
  EXPECT_EQ(rows, 330);
  EXPECT_LT(sum / rows, 120);
  EXPECT_GT(sum_without / rows, 150);
}

TEST(FirstAccesses, AWarpWhoseCodeIsThereIsActiveForItsInstructionsAndTheLaunch) {
  constexpr int kOwn = 97;  // one pass of the loop, with the first access to its parameter
  int rows = 0;
  for (const Row& row : measured("waits")) {
    if (row.caches != "kept" || row.bytes < 8 || row.bytes > 60) continue;  // behind its own kind, one pass
    ++rows;
    EXPECT_NEAR(validation::h200().launch.cta_launch_latency + kOwn, row.clocks[0], 3) << row.bytes;
  }
  EXPECT_EQ(rows, 14);
}

}  // namespace
}  // namespace stc::sm
