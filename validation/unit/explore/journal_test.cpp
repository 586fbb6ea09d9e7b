// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/journal.h"
#include <nlohmann/json.hpp>

#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

PointResult some_result(std::uint64_t cycles) {
  PointResult result;
  result.cycles = cycles;
  result.cycles_elapsed = cycles + 3000;
  result.tensor_busy = 0.1;
  result.bytes[2].read[static_cast<std::size_t>(DataRole::kMetadata)] = 77;
  result.bytes[3].write[static_cast<std::size_t>(DataRole::kOutput)] = 88;
  result.bound = "tensor";
  result.utilisation[Bound::kDram] = 0.25;
  result.wall_s = 1.5;
  return result;
}

TEST(Journal, GivesBackWhatWasAdded) {
  const TemporaryFolder folder;
  { Journal(folder.path("j/points.jsonl")).add("key", "a point", some_result(123)); }
  const Journal journal(folder.path("j/points.jsonl"));
  const PointResult* found = journal.find("key");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->json(), some_result(123).json());
  EXPECT_EQ(found->bytes[2].read[static_cast<std::size_t>(DataRole::kMetadata)], 77U);
  EXPECT_EQ(journal.find("other"), nullptr);
}

TEST(Journal, FailuresLastForOneSweepOnly) {
  const TemporaryFolder folder;
  PointResult failed;
  failed.failure = "a deadlock";
  {
    Journal journal(folder.path("points.jsonl"));
    journal.add("key", "a point", failed);
    EXPECT_EQ(journal.find("key")->failure, "a deadlock");
  }
  EXPECT_EQ(Journal(folder.path("points.jsonl")).find("key"), nullptr);
}

TEST(Journal, DropsWhatIsNoResult) {
  const TemporaryFolder folder;
  { Journal(folder.path("points.jsonl")).add("key", "a point", some_result(1)); }
  std::ofstream(folder.path("points.jsonl"), std::ios::app)
      << "not json\n{\"key\": \"x\", \"result\": {}}\n{\"key\": \"cut";
  {
    Journal journal(folder.path("points.jsonl"));
    EXPECT_NE(journal.find("key"), nullptr);
    EXPECT_EQ(journal.find("x"), nullptr);
    journal.add("next", "another point", some_result(2));
  }
  EXPECT_NE(Journal(folder.path("points.jsonl")).find("next"), nullptr);
}

TEST(Journal, ForgetsOnlyWhatItHasForItself) {
  const TemporaryFolder folder;
  const std::string file = folder.path("points.jsonl");
  {
    Journal journal(file);
    journal.add("key", "a point", some_result(1));
    // Another sweep that would begin anew takes nothing away from the one that runs.
    EXPECT_THAT(user_error([&] { Journal(file, true); }), testing::HasSubstr("another sweep is writing it"));
  }
  EXPECT_NE(Journal(file).find("key"), nullptr);
  EXPECT_EQ(Journal(file, true).find("key"), nullptr);
  EXPECT_EQ(Journal(file).find("key"), nullptr);
}

TEST(Journal, BelongsToOneSweepAtATime) {
  const TemporaryFolder folder;
  const Journal journal(folder.path("points.jsonl"));
  EXPECT_THAT(user_error([&] { Journal other(folder.path("points.jsonl")); }),
              ::testing::HasSubstr("another sweep is writing it"));
}

}  // namespace
}  // namespace stc::sim
