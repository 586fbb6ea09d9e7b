// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/worker_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

namespace stc::gpu {
namespace {

TEST(WorkerTeam, EveryPartIsDoneOnceARound) {
  for (const int size : {1, 2, 5, 16}) {
    WorkerTeam team(size);
    ASSERT_EQ(team.size(), size);
    std::vector<int> done(static_cast<std::size_t>(size));
    for (int round = 1; round <= 500; ++round) {
      team.run([&](int part) { ++done[static_cast<std::size_t>(part)]; });
      for (const int times : done) ASSERT_EQ(times, round);
    }
  }
}

TEST(WorkerTeam, WakesThreadsThatSleep) {
  WorkerTeam team(3);
  std::vector<int> done(3);
  for (int round = 1; round <= 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    team.run([&](int part) { ++done[static_cast<std::size_t>(part)]; });
    EXPECT_EQ(done, std::vector<int>(3, round));
  }
}

TEST(WorkerTeam, WhatIsBegunIsDoneWithoutWaiting) {
  std::atomic<int> tasks{0}, done{0};
  const std::function<void(int)> work = [&](int) {
    for (int left = tasks; left > 0; left = tasks) {
      if (tasks.compare_exchange_strong(left, left - 1)) ++done;
    }
  };
  WorkerTeam team(4);
  for (int round = 1; round <= 500; ++round) {
    tasks = 3;
    team.begin(work);
    while (done != 3 * round) std::this_thread::yield();  // none by this thread
  }
}

TEST(WorkerTeam, EndsWithoutWork) { const WorkerTeam team(4); }

}  // namespace
}  // namespace stc::gpu
