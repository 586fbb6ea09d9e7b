// SPDX-License-Identifier: Apache-2.0
// Computes the points of a study that the journal does not have yet, on all workers.
#pragma once

#include <string>
#include <vector>

#include "sim/base/crew.h"
#include "sim/crossover/spmm_launch.h"
#include "sim/crossover/study_plan.h"
#include "sim/explore/point_result.h"
#include "sim/result/result_journal.h"

namespace stc::sim {

struct StudyResult {
  PointResult run;
  StorageBytes storage;  ///< of the sparse operands; dense: of A
  std::string wrong;     ///< values: full, and D differs from the reference; else empty

  nlohmann::ordered_json json() const;
  static StudyResult from_json(const nlohmann::ordered_json& json);
};

class StudyJournal : public ResultJournal<StudyResult> {
 public:
  explicit StudyJournal(const std::string& file, bool forget = false) : ResultJournal(file, "study", forget) {}
  /// Failures are kept for this study only; the next one tries them again.
  void add(const StudyPoint& point, const StudyResult& result) {
    ResultJournal::add(point.key, "point", point.name, result, result.run.ok());
  }
};

struct StudyResults {
  std::vector<StudyResult> points;  ///< in the order of the plan
  std::size_t reused = 0;           ///< taken from the journal
};

/// What a worker does: the number of a point in, its StudyResult as JSON out.
WorkerPool::Work study_worker(const StudyPlan& plan);

/// A point whose worker dies is tried once more.
StudyResults run_study(const StudyPlan& plan, StudyJournal& journal, Crew& crew);

}  // namespace stc::sim
