// SPDX-License-Identifier: Apache-2.0
// The rule of shared memory against what an H200 counted for every pattern of micro_patterns.cu: no wavefront differs.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "models/sm/coalescer.h"

namespace stc::sm {
namespace {

constexpr int kAccesses = 2 * 16 * 16;  // of a launch: passes, iterations, accesses of an iteration

struct Counted {
  std::string kernel, args;
  int wavefronts = 0, conflicts = 0;  ///< of all accesses
  bool stores() const { return kernel.find("_sts_") != std::string::npos; }
  bool random() const { return kernel.find("_random") != std::string::npos; }
  int bytes() const { return std::stoi(kernel.substr(std::string("micro_lds_").size())) / 8; }
};

std::vector<Counted> counted() {
  std::ifstream file("validation/measured/h200/shared_counts.csv");
  std::vector<Counted> all;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("micro_", 0) != 0) continue;
    std::istringstream cells(line);
    std::vector<std::string> cell;
    for (std::string text; std::getline(cells, text, ',');) cell.push_back(text);
    all.push_back({cell.at(0), cell.at(3), std::stoi(cell.at(4)) + std::stoi(cell.at(5)),
                   std::stoi(cell.at(6)) + std::stoi(cell.at(7))});
  }
  return all;
}

std::uint32_t random_word(std::uint32_t seed, std::uint32_t lane, std::uint32_t words) {
  const std::uint32_t mixed = (seed * 32u + lane) * 2654435761u;
  return ((mixed >> 16 ^ mixed) * 2246822519u >> 16) % words;
}

/// As the kernels make them of their arguments.
Wavefronts simulated(const Counted& point) {
  std::istringstream args(point.args);
  std::string out;
  long long iterations = 0, first = 0, second = 0;
  args >> out >> iterations >> first >> second;
  std::array<std::uint64_t, isa::kWarpSize> addresses{};
  isa::LaneMask lanes = ~isa::LaneMask{0};
  if (!point.random()) lanes = static_cast<isa::LaneMask>(first);
  for (std::uint32_t bit = 0; bit < 5 && !point.random(); ++bit) {
    for (std::uint32_t lane = 0; lane < isa::kWarpSize; ++lane) {
      addresses[lane] += (lane >> bit & 1u) != 0 ? static_cast<std::uint64_t>(second) : 0;
    }
    args >> second;
  }
  for (std::uint32_t lane = 0; lane < isa::kWarpSize && point.random(); ++lane) {
    const auto seed = static_cast<std::uint32_t>(first), words = static_cast<std::uint32_t>(second);
    addresses[lane] = std::uint64_t{random_word(seed, lane, words)} * static_cast<std::uint64_t>(point.bytes());
  }
  return shared_wavefronts(addresses.data(), lanes, point.bytes(),
                           point.stores() ? SharedAccess::kStore : SharedAccess::kLoad);
}

TEST(SharedPatterns, WavefrontsAndConflictsAreThoseOfAnH200) {
  const std::vector<Counted> points = counted();
  ASSERT_EQ(points.size(), 682u);
  for (const Counted& point : points) {
    const Wavefronts found = simulated(point);
    EXPECT_EQ(found.total * kAccesses, point.wavefronts) << point.kernel << " " << point.args;
    EXPECT_EQ(found.conflicts * kAccesses, point.conflicts) << point.kernel << " " << point.args;
  }
}

}  // namespace
}  // namespace stc::sm
