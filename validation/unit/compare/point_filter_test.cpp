// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/point_filter.h"

#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

ComparePoint point(const std::string& group, const std::string& kernel, const std::string& warps) {
  ComparePoint made;
  made.id = group + kernel + warps;
  made.fields = {{"group", group}, {"kernel", kernel}};
  if (!warps.empty()) made.fields.emplace_back("warps", warps);
  return made;
}

TEST(PointFilter, EmptyPassesAll) { EXPECT_TRUE(PointFilter("").passes(point("mma", "k", "1"))); }

TEST(PointFilter, ComparesNumbersAsNumbers) {
  EXPECT_TRUE(PointFilter("warps<=8").passes(point("mma", "k", "8")));
  EXPECT_FALSE(PointFilter("warps<8").passes(point("mma", "k", "8")));
  EXPECT_TRUE(PointFilter("warps>9").passes(point("mma", "k", "12")));  // as text "12" would be less
  EXPECT_TRUE(PointFilter("warps=8.0").passes(point("mma", "k", "8")));
  EXPECT_FALSE(PointFilter("warps!=8").passes(point("mma", "k", "8")));
  EXPECT_TRUE(PointFilter("warps>=8").passes(point("mma", "k", "8")));
}

TEST(PointFilter, SearchesRegularExpressions) {
  EXPECT_TRUE(PointFilter("kernel~_c[14]$").passes(point("mma", "x_c4", "1")));
  EXPECT_FALSE(PointFilter("kernel!~_c[14]$").passes(point("mma", "x_c4", "1")));
}

TEST(PointFilter, HostileExpressionsAreRefused) {
  const std::string refused = user_error([] { PointFilter("kernel~" + std::string(20000, '(')); });
  EXPECT_THAT(refused, testing::HasSubstr("no regular expression"));
  EXPECT_LT(refused.size(), 200U);
  EXPECT_THAT(user_error([] { PointFilter("kernel~((a{1000}){1000}){1000}"); }), testing::HasSubstr("repetition"));
  EXPECT_THAT(user_error([] { PointFilter("kernel~(a)\\1"); }), testing::HasSubstr("no regular expression"));
}

TEST(PointFilter, NoTextTakesLong) {
  const std::string text(20000, 'a');
  EXPECT_FALSE(PointFilter("kernel~(a*)*b").passes(point("mma", text, "1")));  // exponential for who backtracks
  EXPECT_TRUE(PointFilter("kernel~\xff.").passes(point("mma", "\xff\x80", "1")));
}

TEST(PointFilter, AllTermsMustHold) {
  const PointFilter filter("group=mma,warps>2");
  EXPECT_TRUE(filter.passes(point("mma", "k", "4")));
  EXPECT_FALSE(filter.passes(point("mma", "k", "1")));
  EXPECT_FALSE(filter.passes(point("lds", "k", "4")));
  EXPECT_FALSE(filter.passes(point("mma", "k", "")));  // has no such column
}

TEST(PointFilter, ExplainsWhatItCannotUse) {
  EXPECT_THAT(user_error([] { PointFilter("warps"); }), testing::HasSubstr("COLUMN and VALUE"));
  EXPECT_EQ(user_error([] { PointFilter("warps<=x"); }), "--filter: 'warps<=x': < <= > >= need a number");
  EXPECT_EQ(user_error([] { PointFilter("warps<=nan"); }), "--filter: 'warps<=nan': < <= > >= need a number");
  EXPECT_EQ(user_error([] { PointFilter("warps=nan"); }), "--filter: 'warps=nan': nan equals nothing");
  EXPECT_THAT(user_error([] { PointFilter("kernel~("); }), testing::HasSubstr("no regular expression"));
  EXPECT_THAT(user_error([] { PointFilter("warp=1").apply({point("mma", "k", "1")}); }),
              testing::HasSubstr("did you mean 'warps'"));
  EXPECT_EQ(user_error([] { PointFilter("warps=3").apply({point("mma", "k", "1")}); }),
            "--filter: none of the 1 measured points passes 'warps=3'");
}

}  // namespace
}  // namespace stc::sim
