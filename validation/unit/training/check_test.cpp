// SPDX-License-Identifier: Apache-2.0
// The check of a launch: passes what is right and finds a single wrong element, value or metadata.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "sim/launch/element_type.h"
#include "sim/training/training_check.h"

namespace stc::sim {
namespace {

using ::testing::HasSubstr;

constexpr int kM = 4, kN = 8, kK = 16;

void put(isa::GlobalMemory& memory, const std::string& name, int element, double value) {
  const auto bits = static_cast<std::uint16_t>(encode(ElementType::f16, value));
  std::memcpy(&memory.find(name)->data[static_cast<std::size_t>(element) * 2], &bits, sizeof bits);
}

double a_at(int i, int k) { return (i * 3 + k * 5) % 7 - 3; }
double b_at(int j, int k) { return (j * 2 + k) % 5 - 2; }

class GemmCheckTest : public ::testing::Test {
 protected:
  GemmCheckTest() {
    kernel_.storage = {"mk", "kn", "nm"};
    kernel_.epilogue = "relu2";
    launch_.kernel = &kernel_;
    launch_.buffers = {"A", "B", "D", "P"};
    launch_.sizes = {kM, kN, kK};
    memory_.allocate("A", kM * kK * 2);
    memory_.allocate("B", kN * kK * 2);
    memory_.allocate("D", kM * kN * 2);
    memory_.allocate("P", kM * kN * 2);
    for (int k = 0; k < kK; ++k) {
      for (int i = 0; i < kM; ++i) put(memory_, "A", i * kK + k, a_at(i, k));
      for (int j = 0; j < kN; ++j) put(memory_, "B", k * kN + j, b_at(j, k));
    }
    for (int i = 0; i < kM; ++i) {
      for (int j = 0; j < kN; ++j) {
        double sum = 0;
        for (int k = 0; k < kK; ++k) sum += a_at(i, k) * b_at(j, k);
        put(memory_, "D", j * kM + i, sum);
        put(memory_, "P", j * kM + i, sum > 0 ? sum * sum : 0);
      }
    }
  }
  TrainingKernel kernel_;
  StepLaunch launch_;
  isa::GlobalMemory memory_;
};

TEST_F(GemmCheckTest, PassesTheProduct) {
  const TrainingCheck check = check_launch(launch_, memory_);
  EXPECT_EQ(check.failure, "");
  EXPECT_EQ(check.error, 0);
}

TEST_F(GemmCheckTest, FindsOneWrongOutput) {
  put(memory_, "D", 9, 31);
  EXPECT_THAT(check_launch(launch_, memory_).failure, HasSubstr("exceeds"));
}

TEST_F(GemmCheckTest, FindsOneWrongActivationAndNan) {
  put(memory_, "P", 9, -1);
  EXPECT_THAT(check_launch(launch_, memory_).failure, HasSubstr("exceeds"));
  put(memory_, "P", 9, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT(check_launch(launch_, memory_).failure, HasSubstr("exceeds"));
}

/// A matrix of 16 x 64, pruned by row to the elements 0 and 1 of each four, which are the largest.
class PruneCheckTest : public ::testing::Test {
 protected:
  static constexpr int kRows = 16, kColumns = 64;
  PruneCheckTest() {
    kernel_.choice = "row";
    launch_.kernel = &kernel_;
    launch_.buffers = {"W", "W.A", "W.E"};
    launch_.sizes = {kRows, kColumns};
    memory_.allocate("W", kRows * kColumns * 2);
    memory_.allocate("W.A", kRows * kColumns);
    memory_.allocate("W.E", kRows * kColumns / 8);
    for (int i = 0; i < kRows * kColumns; ++i) {
      const double value = i % 4 < 2 ? 2 + i % 3 : 1;
      put(memory_, "W", i, value);
      if (i % 4 < 2) put(memory_, "W.A", i / 4 * 2 + i % 4, value);
    }
    std::memset(memory_.find("W.E")->data.data(), 0x44, kRows * kColumns / 8);  // first 0, second 1
  }
  TrainingKernel kernel_;
  StepLaunch launch_;
  isa::GlobalMemory memory_;
};

TEST_F(PruneCheckTest, PassesTheLargestOfEachFour) { EXPECT_EQ(check_launch(launch_, memory_).failure, ""); }

TEST_F(PruneCheckTest, FindsAWrongValue) {
  put(memory_, "W.A", 5, 1.5);
  EXPECT_THAT(check_launch(launch_, memory_).failure, HasSubstr("in place of"));
}

TEST_F(PruneCheckTest, FindsMetadataThatNamesAnElementTwice) {
  memory_.find("W.E")->data[3] = 0x45;
  EXPECT_THAT(check_launch(launch_, memory_).failure, HasSubstr("has metadata 0x5"));
}

TEST_F(PruneCheckTest, FindsAMaskThatKeepsTooLittle) {
  put(memory_, "W", 2, 8);  // now the largest of its four, but dropped
  EXPECT_THAT(check_launch(launch_, memory_).failure, HasSubstr("masks by 'row' keep"));
}

}  // namespace
}  // namespace stc::sim
