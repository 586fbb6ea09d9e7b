// SPDX-License-Identifier: Apache-2.0
// Computes the points of a study that the journal does not have yet, on all workers.
#pragma once

#include <string>

#include "sim/base/crew.h"
#include "sim/crossover/spmm_launch.h"
#include "sim/crossover/study_plan.h"
#include "sim/explore/point_result.h"
#include "sim/result/run_points.h"

namespace stc::sim {

struct StudyResult {
  PointResult run;
  StorageBytes storage;  ///< of the sparse operands; dense: of A
  std::string wrong;     ///< values: full, and D differs from the reference; else empty

  bool ok() const { return run.ok(); }  ///< it ran, whatever its values are
  std::string outcome() const;
  nlohmann::ordered_json json() const;
  static StudyResult from_json(const nlohmann::ordered_json& json);
  static StudyResult failed(const std::string& why);
};

class StudyJournal : public PointJournal<StudyResult> {
 public:
  explicit StudyJournal(const std::string& file, bool forget = false) : PointJournal(file, "study", forget) {}
};

using StudyResults = PointResults<StudyResult>;

/// What a worker does: the number of a point in, its StudyResult as JSON out.
WorkerPool::Work study_worker(const StudyPlan& plan);

StudyResults run_study(const StudyPlan& plan, StudyJournal& journal, Crew& crew);

}  // namespace stc::sim
