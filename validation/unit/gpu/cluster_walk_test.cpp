// SPDX-License-Identifier: Apache-2.0
// Which SMs clusters get: as many at once as an H200 says, and where its clusters were seen.
#include "models/gpu/cluster_walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "models/gpu/gpu.h"
#include "sim/base/text.h"
#include "validation/gpus.h"

namespace stc::gpu {
namespace {

using validation::h200;

TEST(Clusters, AsManyAreResidentAsTheDriverSays) {
  struct Row {
    std::uint64_t ctas, clusters;  // cudaOccupancyMaxActiveClusters on an H200
    int ctas_per_sm;
  };
  for (const Row& row : {Row{1, 132, 1}, Row{2, 66, 1}, Row{3, 39, 1}, Row{4, 30, 1}, Row{5, 22, 1}, Row{6, 17, 1},
                         Row{7, 15, 1}, Row{8, 15, 1}, Row{16, 7, 1}, Row{2, 132, 2}, Row{3, 79, 2}, Row{4, 62, 2},
                         Row{8, 30, 2}, Row{3, 124, 3}, Row{4, 92, 3}, Row{8, 45, 3}, Row{3, 163, 4}, Row{8, 62, 4}}) {
    EXPECT_EQ(resident_clusters(h200(), row.ctas, {row.ctas_per_sm, ""}), row.clusters) << row.ctas;
  }
}

/// The SMs of clusters placed one after the other on an empty machine that holds one CTA per SM.
std::vector<std::vector<int>> first_wave(std::size_t ctas, std::uint64_t clusters) {
  ClusterWalk walk(h200());
  std::vector<int> free(132, 1);
  walk.reset(clusters);
  std::vector<std::vector<int>> placed;
  for (std::uint64_t i = 0; i < clusters; ++i) {
    placed.push_back(walk.place(ctas, [&](int sm) { return free[static_cast<std::size_t>(sm)]; }));
    for (const int sm : placed.back()) --free[static_cast<std::size_t>(sm)];
  }
  return placed;
}

TEST(Clusters, GetTheSmsThatTheyGetOnAnH200) {
  using Sms = std::vector<int>;
  const auto pairs = first_wave(2, 66);
  EXPECT_EQ(pairs[0], (Sms{126, 127}));
  EXPECT_EQ(pairs[3], (Sms{124, 125}));
  EXPECT_EQ(pairs[4], (Sms{0, 1}));
  EXPECT_EQ(first_wave(2, 2)[1], (Sms{124, 125}));
  const auto fives = first_wave(5, 22);
  EXPECT_EQ(fives[0], (Sms{0, 1, 16, 17, 32}));
  EXPECT_EQ(fives[8], (Sms{35, 50, 51, 64, 65}));
  EXPECT_EQ(fives[21], (Sms{90, 91, 104, 105, 118}));
  const auto eights = first_wave(8, 16);
  EXPECT_EQ(eights[7], (Sms{14, 15, 30, 31, 46, 47, 62, 63}));
  EXPECT_EQ(eights[8], (Sms{64, 65, 78, 79, 92, 93, 106, 107}));
  EXPECT_TRUE(eights[15].empty());
}

TEST(Clusters, EveryOneThatWasMeasuredLiesInOneGroup) {
  const std::vector<ClusterGroup> groups = cluster_groups(h200());
  std::ifstream file("validation/measured/h200/clusters.csv");
  int seen = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("micro_cluster_ctas_", 0) != 0) continue;
    const std::vector<std::string> fields = sim::split(line, ',');
    const std::size_t ctas = std::stoul(fields[0].substr(19));
    std::istringstream list(fields[3]);
    const std::vector<int> sms{std::istream_iterator<int>(list), {}};
    for (std::size_t first = 0; first < sms.size(); first += ctas, ++seen) {
      const bool inside = std::any_of(groups.begin(), groups.end(), [&](const ClusterGroup& group) {
        if (group.most_ctas != 0 && ctas > group.most_ctas) return false;
        return std::all_of(
            sms.begin() + static_cast<std::ptrdiff_t>(first), sms.begin() + static_cast<std::ptrdiff_t>(first + ctas),
            [&](int sm) { return std::find(group.sms.begin(), group.sms.end(), sm) != group.sms.end(); });
      });
      EXPECT_TRUE(inside) << line << " " << first;
    }
  }
  EXPECT_GT(seen, 1000);
}

}  // namespace
}  // namespace stc::gpu
