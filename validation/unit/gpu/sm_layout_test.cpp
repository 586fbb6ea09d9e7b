// SPDX-License-Identifier: Apache-2.0
// Which SMs get the CTAs of small launches, against an H200 (measured/h200/ctas.csv, group ctas_few).
#include "models/gpu/sm_layout.h"

#include <gmock/gmock.h>
#include "validation/gpus.h"

namespace stc::gpu {
namespace {

using testing::ElementsAre;

using validation::h200;

std::vector<int> round(std::uint64_t ctas) {
  return SmWalk(h200()).round(ctas, [](int) { return true; });
}

TEST(SmLayout, SmsOfAnH200LieInTheGpcsWhoseClockTheyShare) {
  const std::vector<int> gpcs = gpc_of_sms(h200());
  ASSERT_EQ(gpcs.size(), 132u);
  const std::vector<std::pair<int, int>> measured = {{0, 0},  {17, 0},  {49, 0},  {124, 0}, {131, 0}, {2, 1},
                                                     {50, 1}, {64, 1},  {78, 1},  {107, 1}, {66, 2},  {83, 3},
                                                     {99, 4}, {115, 5}, {120, 6}, {117, 6}, {123, 7}, {118, 7}};
  for (const auto& [sm, gpc] : measured) EXPECT_EQ(gpcs[static_cast<std::size_t>(sm)], gpc) << "SM " << sm;
  const std::vector<int> sizes = {16, 16, 16, 16, 16, 16, 18, 18};
  for (int gpc = 0; gpc < 8; ++gpc) {
    EXPECT_EQ(std::count(gpcs.begin(), gpcs.end(), gpc), sizes[static_cast<std::size_t>(gpc)]) << "GPC " << gpc;
  }
}

TEST(SmLayout, FewCtasStayInTheFirstGroup) {
  EXPECT_THAT(round(1), ElementsAre(124));
  EXPECT_THAT(round(3), ElementsAre(124, 126, 128));
  EXPECT_THAT(round(5), ElementsAre(124, 125, 126, 128, 130));
  EXPECT_THAT(round(8), ElementsAre(124, 125, 126, 127, 128, 129, 130, 131));
}

TEST(SmLayout, FurtherOnesGoToOneSmOfAPairOfEachGpcInTurn) {
  EXPECT_THAT(round(20),
              ElementsAre(124, 125, 126, 127, 128, 129, 130, 131, 0, 16, 2, 18, 4, 20, 6, 22, 8, 10, 12, 14));
}

TEST(SmLayout, SecondSmsOfPairsComeLast) {
  EXPECT_THAT(round(72), ElementsAre(124, 125, 126, 127, 128, 129, 130, 131, 0, 1, 16, 32, 48,  //
                                     2, 3, 18, 34, 50, 64, 78, 92, 106,                         //
                                     4, 20, 36, 52, 66, 80, 94, 108, 6, 22, 38, 54, 68, 82, 96, 110, 8, 24, 40, 56, 70,
                                     84, 98, 112, 10, 26, 42, 58, 72, 86, 100, 114, 12, 28, 44, 60, 74, 88, 102, 116,
                                     120, 14, 30, 46, 62, 76, 90, 104, 118, 122));
}

TEST(SmLayout, SmsWithoutRoomAreLeftOut) {
  const std::vector<int> sms = SmWalk(h200()).round(10, [](int sm) { return sm != 124 && sm != 0; });
  EXPECT_THAT(sms, ElementsAre(125, 126, 127, 128, 129, 130, 131, 2, 4, 6));
}

TEST(SmLayout, AnyNumberOfSmsHasAPlace) {
  for (const int sms : {1, 2, 7, 9, 54, 131, 400}) {
    GpuParams params = h200();
    params.sms = sms;
    EXPECT_EQ(gpc_of_sms(params).size(), static_cast<std::size_t>(sms));
    std::vector<int> all = SmWalk(params).round(1000, [](int) { return true; });
    std::sort(all.begin(), all.end());
    for (int sm = 0; sm < sms; ++sm) EXPECT_EQ(all.at(static_cast<std::size_t>(sm)), sm);
  }
}

}  // namespace
}  // namespace stc::gpu
