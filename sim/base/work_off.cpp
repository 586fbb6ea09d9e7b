// SPDX-License-Identifier: Apache-2.0
#include "sim/base/work_off.h"

#include <numeric>

namespace stc::sim {

std::deque<std::size_t> all_points(std::size_t count) {
  std::deque<std::size_t> points(count);
  std::iota(points.begin(), points.end(), std::size_t{0});
  return points;
}

void work_off(std::deque<std::size_t> points, Crew& crew,
              const std::function<void(const WorkerPool::Answer&)>& answered, const std::function<void()>& waiting) {
  constexpr int kPollMs = 200;
  std::set<std::size_t> retried;
  while (!points.empty() || crew.busy()) {
    for (; !points.empty() && crew.has_idle(); points.pop_front()) crew.submit(points.front());
    const auto answer = crew.poll(kPollMs);
    waiting();
    if (!answer) continue;
    if (answer->died && retried.insert(answer->id).second) {
      points.push_back(answer->id);
    } else {
      answered(*answer);
    }
  }
}

}  // namespace stc::sim
