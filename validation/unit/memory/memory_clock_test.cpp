// SPDX-License-Identifier: Apache-2.0
// Cycles of memory while matrix instructions run, against an H200 (measured/h200/matrix_clock.csv).
#include "models/memory/memory_clock.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "validation/gpus.h"

namespace stc::memory {
namespace {

/// A number of a row; 0 where it is empty.
struct Measured {
  double cycles_per_load = 0, bytes_per_cycle = 0;
};

/// Of 132 CTAs, by what was done and what ran beside it.
std::map<std::string, Measured> measured() {
  std::ifstream file("validation/measured/h200/matrix_clock.csv");
  std::map<std::string, Measured> all;
  for (std::string row; std::getline(file, row);) {
    std::vector<std::string> fields;
    std::istringstream in(row);
    for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
    if (fields.size() != 8 || fields[1] != "132") continue;
    const auto number = [&](std::size_t i) { return fields[i].empty() ? 0.0 : std::stod(fields[i]); };
    all[fields[0] + " " + fields[2]] = {number(4), number(5)};
  }
  return all;
}

MemoryParams beside_matrix_instructions() {
  return in_cycles_of(validation::h200().matrix_clock_ratio, validation::h200().memory);
}

TEST(MemoryClock, RatesForEachCycleRiseAsOnSilicon) {
  std::map<std::string, Measured> silicon = measured();
  const MemoryParams full = validation::h200().memory, beside = beside_matrix_instructions();
  const auto rise = [&](const std::string& what) {
    return silicon.at(what + " mma").bytes_per_cycle / silicon.at(what + " none").bytes_per_cycle;
  };
  EXPECT_NEAR(beside.crossbar.gpc_read_bytes_per_cycle / full.crossbar.gpc_read_bytes_per_cycle, rise("read_l2"), 0.03);
  EXPECT_NEAR(beside.crossbar.write_bytes_per_cycle / full.crossbar.write_bytes_per_cycle, rise("store_l2"), 0.03);
  EXPECT_NEAR(beside.hbm.bytes_per_cycle / full.hbm.bytes_per_cycle, rise("store_dram"), 0.03);
  EXPECT_NEAR(beside.hbm.bytes_per_cycle / full.hbm.bytes_per_cycle, rise("read_dram"), 0.03);
}

/// Means over near and far lines and both halves of a partition; the L2 of the first chase has copies of all lines.
double load_from_l2(const L2Params& l2) { return l2.near_latency + l2.half_extra_latency / 2; }
double load_from_memory(const MemoryParams& params) {
  const HbmParams& hbm = params.hbm;
  return load_from_l2(params.l2) + params.l2.far_extra_latency / 2 + hbm.extra_latency +
         hbm.refresh_cycles * hbm.refresh_cycles / 2 / hbm.refresh_interval;
}

TEST(MemoryClock, LoadsTakeLessCyclesAsOnSilicon) {
  std::map<std::string, Measured> silicon = measured();
  const MemoryParams full = validation::h200().memory, beside = beside_matrix_instructions();
  const auto saved = [&](const std::string& what) {
    return silicon.at(what + " none").cycles_per_load - silicon.at(what + " mma").cycles_per_load;
  };
  EXPECT_NEAR(load_from_l2(full.l2) - load_from_l2(beside.l2), saved("chase_l2"), 2);
  EXPECT_NEAR(load_from_memory(full) - load_from_memory(beside), saved("chase_dram"), 4);
}

TEST(MemoryClock, TheFullClockChangesNothing) {
  const MemoryParams full = validation::h200().memory, same = in_cycles_of(1, full);
  EXPECT_EQ(same.l2.near_latency, full.l2.near_latency);
  EXPECT_EQ(same.hbm.extra_latency, full.hbm.extra_latency);
  EXPECT_EQ(same.crossbar.read_bytes_per_cycle, full.crossbar.read_bytes_per_cycle);
}

}  // namespace
}  // namespace stc::memory
