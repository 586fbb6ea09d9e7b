// SPDX-License-Identifier: Apache-2.0
// Which pages of device memory are refreshed at one time, as loads on an H200 show it (measured/h200/refresh.csv).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "models/memory/address_hash.h"
#include "models/memory/hbm.h"
#include "validation/gpus.h"

namespace stc::memory {
namespace {

constexpr std::uint64_t kPage = 1024, kNeighbourhood = 65536;

const HbmParams& device() {
  static const MemoryParams params = validation::h200().memory;
  return params.hbm;
}

struct MeasuredRefresh {
  double period = 0;
  std::vector<double> phases;                                // of pages, cycles
  std::map<std::pair<std::uint64_t, int>, double> together;  // cycles, by bytes and lanes
};

MeasuredRefresh measured_refresh() {
  std::ifstream file("validation/measured/h200/refresh.csv");
  MeasuredRefresh all;
  for (std::string row; std::getline(file, row);) {
    char what[32] = {};
    unsigned long bytes = 0;
    int lanes = 0;
    double value = 0;
    if (std::sscanf(row.c_str(), "%31[a-z],%lu,%d,%lf", static_cast<char*>(what), &bytes, &lanes, &value) != 4)
      continue;
    const std::string kind = static_cast<const char*>(what);
    if (kind == "period") all.period = value;
    if (kind == "phase") all.phases.push_back(value);
    if (kind == "together") all.together[{bytes, lanes}] = value;
  }
  return all;
}

/// How far two phases are apart.
double apart(double a, double b, double period) {
  const double d = std::fabs(a - b);
  return std::min(d, period - d);
}

TEST(Refresh, PagesOfANeighbourhoodShareTwoTimesOfWhichOneHasTwoThirds) {
  const MeasuredRefresh silicon = measured_refresh();
  ASSERT_EQ(silicon.phases.size(), 1024U);
  EXPECT_NEAR(silicon.period, device().refresh_interval, 0.5);
  constexpr std::size_t kPages = kNeighbourhood / kPage;
  constexpr double kNear = 300;  // cycles: a turn lies 219 from the next
  int measured_first = 0, modelled_first = 0;
  for (std::size_t first = 0; first < silicon.phases.size(); first += kPages) {
    std::vector<double> sorted(silicon.phases.begin() + static_cast<std::ptrdiff_t>(first),
                               silicon.phases.begin() + static_cast<std::ptrdiff_t>(first + kPages));
    // The page with which most others share their time, and how many do.
    int most = 0;
    for (const double candidate : sorted) {
      int near = 0;
      for (const double phase : sorted) near += apart(phase, candidate, silicon.period) < kNear ? 1 : 0;
      most = std::max(most, near);
    }
    measured_first += most;
    const RefreshTimes times(device());
    std::map<std::uint64_t, int> turns;
    for (std::size_t page = first; page < first + kPages; ++page) ++turns[times.turn_of(page * kPage / kLineBytes)];
    EXPECT_EQ(turns.size(), 2U);
    for (const auto& [turn, pages] : turns) modelled_first += pages > static_cast<int>(kPages) / 2 ? pages : 0;
  }
  EXPECT_NEAR(measured_first / 1024.0, 2.0 / 3, 0.06);
  EXPECT_NEAR(modelled_first / 1024.0, 2.0 / 3, 0.06);
}

/// Mean wait of a warp whose lanes load from places `stride` apart, from any page, at any time.
double modelled_wait(Hbm& memory, std::uint64_t stride, int lanes) {
  std::mt19937_64 random(1);
  double sum = 0;
  constexpr int kWarps = 4000;
  for (int i = 0; i < kWarps; ++i) {
    const std::uint64_t base = random() % (1U << 18U) * 4096;
    const Tick now = cycles_to_ticks(static_cast<double>(random() % 1000000));
    Tick latest = 0;
    for (int lane = 0; lane < lanes; ++lane) {
      DeviceAccess access;
      access.now = now;
      access.line = (base + static_cast<std::uint64_t>(lane) * stride) / kLineBytes;
      access.sectors = 1;
      Tick waited = 0;
      latest = std::max(latest, memory.read(access, 0, waited));
    }
    sum += static_cast<double>(latest) / kTicksPerCycle - device().extra_latency;
  }
  return sum / kWarps;
}

TEST(Refresh, WarpsMeetItAsOftenAsOnAnH200) {
  const MeasuredRefresh silicon = measured_refresh();
  Hbm memory(device());
  memory.reset(0, nullptr, device());
  const auto beyond_first = [&](std::uint64_t stride, int lanes) {
    return silicon.together.at({stride, lanes}) - silicon.together.at({stride, 1});
  };
  const double one = modelled_wait(memory, kPage, 1);
  EXPECT_NEAR(one, 40, 8);
  // Lanes on both sides of L2 wait for the far one, which is 85 cycles more than a lane by itself, and a lane takes a
  // cycle or two; the rest is refresh.
  for (const auto& [stride, lanes, slack] :
       {std::tuple{std::uint64_t{1024}, 8, 60.0}, {1024, 12, 80.0}, {65536, 8, 60.0}}) {
    const double more = modelled_wait(memory, stride, lanes) - one;
    EXPECT_NEAR(more, beyond_first(stride, lanes) - 85 - 1.5 * lanes, slack) << stride << " " << lanes;
  }
}

}  // namespace
}  // namespace stc::memory
