// SPDX-License-Identifier: Apache-2.0
#include "sim/base/work_off.h"

#include <unistd.h>

#include <map>
#include <stdexcept>

#include "sim/base/files.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Point {
  std::string key;
  double cost;
};

/// Knows one key.
struct OneResult {
  std::string key;
  int result = 0;
  const int* find(const std::string& other) const { return other == key ? &result : nullptr; }
};

TEST(WorkOff, WhatIsMissingComesOnceTheDearestFirst) {
  const std::vector<Point> points = {{"a", 1}, {"b", 3}, {"known", 9}, {"b", 3}, {"c", 2}, {"d", 3}, {"known", 9}};
  std::size_t reused = 0;
  EXPECT_THAT(missing_points(points, OneResult{"known"}, reused), ElementsAre(1, 5, 4, 0));
  EXPECT_EQ(reused, 2U);
}

/// Every answer to `count` points, each handled by `work` in a process.
std::map<std::size_t, WorkerPool::Answer> answers(std::size_t count, const WorkerPool::Work& work,
                                                  const std::string& log_file = "") {
  std::map<std::size_t, WorkerPool::Answer> result;
  LocalCrew crew(2, work, log_file);
  work_off(all_points(count), crew, [&](const WorkerPool::Answer& answer) {
    EXPECT_TRUE(result.emplace(answer.id, answer).second) << answer.id << " was answered twice";
  });
  return result;
}

TEST(WorkOff, APointWhoseProcessDiesIsTriedOnceMore) {
  const TemporaryFolder folder;
  const auto result = answers(4, [&](const std::string& point) {
    const std::string mark = folder.path("tried_" + point);
    const bool first = !std::filesystem::exists(mark);
    std::ofstream(mark, std::ios::app) << "x";
    if (point == "1" || (point == "2" && first)) ::_exit(7);
    if (point == "3") throw std::runtime_error("it was refused");
    return "answer " + point;
  });
  ASSERT_EQ(result.size(), 4U);
  EXPECT_EQ(result.at(0).text, "answer 0");
  EXPECT_TRUE(result.at(1).died);
  EXPECT_EQ(read_text(folder.path("tried_1")), "xx");
  EXPECT_EQ(result.at(2).text, "answer 2");
  // What was refused is refused again.
  EXPECT_TRUE(result.at(3).failed);
  EXPECT_FALSE(result.at(3).died);
  EXPECT_EQ(read_text(folder.path("tried_3")), "x");
}

TEST(WorkOff, WordsOfWorkersGoToTheirLog) {
  const TemporaryFolder folder;
  const std::string log = folder.write("log", "before\n");
  answers(
      1, [](const std::string&) { return std::string(::write(STDERR_FILENO, "last words\n", 11) == 11 ? "" : "!"); },
      log);
  EXPECT_EQ(read_text(log), "before\nlast words\n");
}

}  // namespace
}  // namespace stc::sim
