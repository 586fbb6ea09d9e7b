// SPDX-License-Identifier: Apache-2.0
// The points of a study: those that its journal knows, and the others as a crew computes them.
#pragma once

#include <string>
#include <vector>

#include "sim/base/json_text.h"
#include "sim/base/points_progress.h"
#include "sim/base/work_off.h"
#include "sim/result/result_journal.h"

namespace stc::sim {

/// Result: what a ResultJournal needs, ok(), outcome() ("1,234 cycles"), and the static failed(why).
template <class Result>
class PointJournal : public ResultJournal<Result> {
 public:
  using ResultJournal<Result>::ResultJournal;
  /// Failures are kept for this study only; the next one tries them again.
  void add(const std::string& key, const std::string& name, const Result& result) {
    ResultJournal<Result>::add(key, "point", name, result, result.ok());
  }
};

template <class Result>
struct PointResults {
  std::vector<Result> points;  ///< in the order of the plan
  std::size_t reused = 0;      ///< taken from the journal
};

/// Point: has key, name and cost. Workers answer with a Result's json(). A point whose worker dies is tried once more.
/// Points with the same key share a run.
template <class Result, class Point>
PointResults<Result> run_points(const std::string& study, const std::vector<Point>& points,
                                PointJournal<Result>& journal, Crew& crew) {
  PointResults<Result> results;
  const std::deque<std::size_t> missing = missing_points(points, journal, results.reused);
  PointsProgress progress(study, missing.size(), cost_of(points, missing), results.reused, crew.size());
  const auto answered = [&](const WorkerPool::Answer& answer) {
    const Result result = answer.failed ? Result::failed(answer.text) : Result::from_json(parse_json(answer.text));
    const Point& point = points[answer.id];
    journal.add(point.key, point.name, result);
    progress.finished(point.name, point.cost, !result.ok(), result.outcome());
  };
  work_off(missing, crew, answered, shown_until_stopped(progress, "run"));
  for (const Point& point : points) results.points.push_back(*journal.find(point.key));
  return results;
}

}  // namespace stc::sim
