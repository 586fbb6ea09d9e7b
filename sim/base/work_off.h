// SPDX-License-Identifier: Apache-2.0
// Everything that is to be computed, by a crew, in one loop.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <set>
#include <string>

#include "sim/base/crew.h"
#include "sim/base/interrupt.h"

namespace stc::sim {

/// Those of `points` (each has a key and a cost) that `journal` does not know: of points with the same key the first,
/// the dearest before others, so that no long one is left for the end. `reused` counts the points that it knows.
template <class Points, class Journal>
std::deque<std::size_t> missing_points(const Points& points, const Journal& journal, std::size_t& reused) {
  std::deque<std::size_t> missing;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (journal.find(points[i].key) != nullptr) {
      ++reused;
    } else if (seen.insert(points[i].key).second) {
      missing.push_back(i);
    }
  }
  std::stable_sort(missing.begin(), missing.end(),
                   [&](std::size_t a, std::size_t b) { return points[a].cost > points[b].cost; });
  return missing;
}

/// Sum of the costs of the points with these numbers.
template <class Points>
double cost_of(const Points& points, const std::deque<std::size_t>& numbers) {
  double sum = 0;
  for (const std::size_t number : numbers) sum += points[number].cost;
  return sum;
}

/// The numbers of `count` points, from 0 on.
std::deque<std::size_t> all_points(std::size_t count);

/// Gives `points` to the crew in their order until each has its answer, which `answered` gets. A point whose process
/// dies is tried once more, after the others. `waiting` is called several times a second.
void work_off(
    std::deque<std::size_t> points, Crew& crew, const std::function<void(const WorkerPool::Answer&)>& answered,
    const std::function<void()>& waiting = [] {});

/// For `waiting`: draws `progress`, which outlives it, and when a signal asks to stop throws Interrupted, which says
/// how many "have been `done`".
template <class Progress>
std::function<void()> shown_until_stopped(Progress& progress, const std::string& done) {
  return [&progress, done] {
    progress.draw();
    stop_if_asked(progress.reached() + " have been " + done);
  };
}

}  // namespace stc::sim
