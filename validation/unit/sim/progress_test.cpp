// SPDX-License-Identifier: Apache-2.0
// The line that says how far a run is: what it says and when it is drawn, by a clock of the test's own.
#include "sim/base/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stc::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Progress launch() {
  Progress progress;
  progress.step = "launch 2/3";
  progress.done = 432;
  progress.all = 1024;
  progress.unit = "CTAs";
  progress.fraction = 432.0 / 1024;
  progress.cycles = 124'000;
  progress.title = "f16_dense_128x128x64_w64x32_s3";
  return progress;
}

TEST(ProgressText, SaysAllThatIsKnown) {
  EXPECT_EQ(progress_text(launch(), 10.0, 13.7, 160),
            "launch 2/3 [############..................] 432 of 1024 CTAs, 124,000 cycles, 12,400/s, 14 s to go, "
            "f16_dense_128x128x64_w64x32_s3");
}

TEST(ProgressText, LeavesOutWhatIsEmpty) {
  Progress points;
  points.done = 3;
  points.all = 4;
  points.unit = "points";
  points.fraction = 1.0;  // the last one costs nothing
  points.failed = 1;
  EXPECT_EQ(progress_text(points, 10.0, std::nullopt, 80), "[##########] 3 of 4 points, ? to go, 1 failed");
}

TEST(ProgressText, FitsItsTerminal) {
  EXPECT_EQ(progress_text(launch(), 10.0, 13.7, 80),
            "launch 2/3 [####......] 432 of 1024 CTAs, 124,000 cycles, 12,400/s, 14 s to go");
  for (std::size_t columns = 20; columns < 200; ++columns) {
    EXPECT_LT(progress_text(launch(), 10.0, 13.7, columns).size(), columns);  // else the next one begins a new line
  }
}

TEST(ProgressText, LongTimesAreInMinutesAndHours) {
  EXPECT_EQ(duration_text(99.4), "99 s");
  EXPECT_EQ(duration_text(150.0), "3 min");
  EXPECT_EQ(duration_text(9000.0), "2.5 h");
}

TEST(ProgressText, NamesCannotSteerTheTerminal) {
  Progress progress = launch();
  progress.title = "a\033[2Jb\n";
  EXPECT_THAT(progress_text(progress, 10.0, 1.0, 160), testing::EndsWith("a?[2Jb?"));
}

class ProgressLineTest : public testing::Test {
 protected:
  ProgressScreen screen() {
    return {[this] { return now_; }, [] { return std::size_t{80}; },
            [this](const std::string& text) { drawn_.push_back(text); }};
  }
  double now_ = 100;
  std::vector<std::string> drawn_;
};

TEST_F(ProgressLineTest, IsDrawnFiveTimesASecondAndErased) {
  {
    ProgressLine line(screen());
    for (int ms = 0; ms < 2500; ms += 10) {
      now_ = 100 + ms / 1000.0;
      line.update(launch());
      if (ms < 490) {
        EXPECT_THAT(drawn_, IsEmpty());
      }
    }
    EXPECT_GE(drawn_.size(), 9u);
    EXPECT_LE(drawn_.size(), 10u);
  }
  EXPECT_EQ(drawn_.back(), "\r\033[K");
}

TEST_F(ProgressLineTest, ShortOnesDrawNothing) {
  { ProgressLine(screen()).update(launch()); }
  EXPECT_THAT(drawn_, IsEmpty());
}

TEST_F(ProgressLineTest, NothingIsDrawnWithoutATerminal) {
  ProgressScreen none = screen();
  none.write = nullptr;
  ProgressLine line(none);
  now_ += 10;
  line.update(launch());
  EXPECT_FALSE(line.shown());
}

TEST_F(ProgressLineTest, TheEstimateIsThatOfTheLastStepForward) {
  ProgressLine line(screen());
  EXPECT_EQ(line.to_go(), std::nullopt);
  Progress progress = launch();
  progress.fraction = 0.25;
  now_ += 10;  // a quarter in ten seconds
  line.update(progress);
  EXPECT_NEAR(line.to_go().value(), 30, 1e-9);
  now_ += 6;  // the next wave of CTAs is on its way
  line.update(progress);
  EXPECT_NEAR(line.to_go().value(), 24, 1e-9);
  now_ += 100;
  EXPECT_EQ(line.to_go(), 0.0);
}

}  // namespace
}  // namespace stc::sim
