// SPDX-License-Identifier: Apache-2.0
#include "sim/base/worker_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <stdexcept>

namespace stc::sim {
namespace {

using ::testing::HasSubstr;

std::string work(const std::string& job) {
  if (job == "throw") throw std::runtime_error("it was refused");
  if (job == "die") ::raise(SIGKILL);
  if (job == "exit") ::_exit(7);
  return job + job;
}

/// Submits all jobs and waits for all answers, by id.
std::map<std::size_t, WorkerPool::Answer> answers(WorkerPool& pool, const std::vector<std::string>& jobs) {
  std::map<std::size_t, WorkerPool::Answer> result;
  std::size_t next = 0;
  while (next < jobs.size() || pool.busy()) {
    for (; pool.has_idle() && next < jobs.size(); ++next) pool.submit(next, jobs[next]);
    if (const auto answer = pool.poll(10'000)) result[answer->id] = *answer;
  }
  return result;
}

TEST(WorkerPool, WorkersShareTheProcessors) {
  WorkerPool pool(2, [](const std::string&) { return std::to_string(processor_share()); });
  pool.submit(0, "");
  EXPECT_EQ(pool.poll(10'000).value().text, std::to_string(std::max(1, available_processors() / 2)));
  EXPECT_EQ(processor_share(), available_processors());
}

TEST(WorkerPool, AnswersEveryJob) {
  WorkerPool pool(3, work);
  std::vector<std::string> jobs;
  for (int i = 0; i < 50; ++i) jobs.push_back(std::to_string(i));
  const auto result = answers(pool, jobs);
  ASSERT_EQ(result.size(), 50U);
  for (const auto& [id, answer] : result) EXPECT_EQ(answer.text, jobs[id] + jobs[id]);
}

TEST(WorkerPool, LongTextsArriveWhole) {
  WorkerPool pool(1, work);
  const std::string text(3'000'000, 'x');
  EXPECT_EQ(answers(pool, {text})[0].text.size(), 6'000'000U);
}

TEST(WorkerPool, DeadWorkerCostsItsJobOnly) {
  WorkerPool pool(2, work);
  const auto result = answers(pool, {"a", "die", "b", "throw", "exit", "c", "d"});
  EXPECT_TRUE(result.at(1).failed);
  EXPECT_THAT(result.at(1).text, HasSubstr("signal 9"));
  EXPECT_TRUE(result.at(3).failed);
  EXPECT_EQ(result.at(3).text, "it was refused");
  EXPECT_TRUE(result.at(4).failed);
  EXPECT_THAT(result.at(4).text, HasSubstr("code 7"));
  for (const std::size_t id : {0, 2, 5, 6}) EXPECT_FALSE(result.at(id).failed);
}

TEST(WorkerPool, IdleWorkerThatDiesIsReplaced) {
  WorkerPool pool(1, work);
  const pid_t before = pool.process_ids().front();
  ::kill(before, SIGKILL);
  ::usleep(50'000);  // until its end of the channel is closed
  EXPECT_EQ(answers(pool, {"a"})[0].text, "aa");
  EXPECT_NE(pool.process_ids().front(), before);
}

}  // namespace
}  // namespace stc::sim
