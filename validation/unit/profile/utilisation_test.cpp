// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/utilisation.h"

#include <gtest/gtest.h>

#include "validation/gpus.h"

namespace stc::sim {
namespace {

const std::array<double, kSeriesResources> kOffered = {2, 2, 2, 2, 2, 2, 2};
constexpr std::size_t kIssue = static_cast<std::size_t>(Resource::kIssue);

TEST(Utilisation, CountsWhereTimeIs) {
  SeriesCounts counts;
  counts.count({Resource::kIssue, 0, 1});
  counts.count({Resource::kIssue, 15, 2});
  counts.count({Resource::kIssue, 16, 4});
  const UtilisationSeries series = counts.series(33, kOffered);
  EXPECT_EQ(series.bucket_cycles, 16u);
  EXPECT_EQ(series.used[kIssue], (std::vector<std::uint64_t>{3, 4, 0}));
  EXPECT_DOUBLE_EQ(series.fraction(Resource::kIssue, 1), 4.0 / 32);
}

// A run of any length has at most so many buckets, and what was counted early stays where it was.
TEST(Utilisation, BucketsGetWider) {
  SeriesCounts counts;
  for (std::uint64_t cycle = 0; cycle < 100'000; ++cycle) counts.count({Resource::kIssue, cycle, 1});
  const UtilisationSeries series = counts.series(100'000, kOffered);
  EXPECT_EQ(series.bucket_cycles, 512u);
  EXPECT_EQ(series.buckets(), 196u);
  for (std::size_t i = 0; i + 1 < series.buckets(); ++i) EXPECT_EQ(series.used[kIssue][i], 512u) << i;
  EXPECT_EQ(series.total(Resource::kIssue), 100'000u);
}

TEST(Utilisation, ASpanIsSplitAmongBuckets) {
  SeriesCounts counts;
  counts.count_span(Resource::kTensor, 10, 30);
  EXPECT_EQ(counts.series(48, kOffered).used[0], (std::vector<std::uint64_t>{6, 16, 8}));
  counts.count_span(Resource::kTensor, 4090, 20);  // beyond the last bucket
  const UtilisationSeries series = counts.series(5000, kOffered);
  EXPECT_EQ(series.total(Resource::kTensor), 50u);
  EXPECT_EQ(series.used[0][127], 6u);
  EXPECT_EQ(series.used[0][128], 14u);
}

// Who counted what, and how far each had come, does not matter.
TEST(Utilisation, PartsAddUpInAnyOrder) {
  SeriesCounts early, late, whole;
  for (std::uint64_t cycle = 0; cycle < 30'000; cycle += 7) {
    SeriesCounts& part = cycle < 3000 ? early : late;
    part.count({Resource::kDram, cycle, cycle});
    whole.count({Resource::kDram, cycle, cycle});
  }
  SeriesCounts one = early, other = late;
  one.add(late);
  other.add(early);
  const UtilisationSeries want = whole.series(30'000, kOffered);
  EXPECT_EQ(one.series(30'000, kOffered).used, want.used);
  EXPECT_EQ(other.series(30'000, kOffered).used, want.used);
  EXPECT_EQ(one.series(30'000, kOffered).bucket_cycles, want.bucket_cycles);
}

TEST(Utilisation, OffersWhatTheGpuHas) {
  const auto offered = offered_per_cycle(validation::a100());
  EXPECT_DOUBLE_EQ(offered[static_cast<std::size_t>(Resource::kTensor)], 108 * 4);
  EXPECT_DOUBLE_EQ(offered[static_cast<std::size_t>(Resource::kShared)], 108);
  EXPECT_DOUBLE_EQ(offered[static_cast<std::size_t>(Resource::kL1)], 108 * 4);
}

}  // namespace
}  // namespace stc::sim
