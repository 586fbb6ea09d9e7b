// SPDX-License-Identifier: Apache-2.0
// `stcsim run --why`: the launch of a run file, and the dense one beside it, again with limits of the GPU lifted.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/launch/run_file.h"
#include "sim/result/run_result.h"

namespace stc::sim {

/// What is to be explained.
struct WhyPlan {
  std::string file;               ///< run file
  std::vector<std::string> sets;  ///< --set of the command line
  std::string dense_file;         ///< run file of the dense kernel; empty: that of the library, if there is one
  bool dense = false;             ///< whether there is one of either kind
  struct Gpu {
    GpuConfig config;
  };
  std::vector<Gpu> gpus;  ///< with the first limit lifted, the first two, ... all; one that has no keys makes none
  struct Step {
    std::vector<std::string> lifted;
    std::size_t gpu = 0;
  };
  std::vector<Step> steps;  ///< one for each limit
};

/// The GPUs of the plan; `run_file` is that of plan.file. UserError where limits are lifted already.
WhyPlan plan_why(const std::string& file, const std::vector<std::string>& sets, const std::string& dense_file,
                 const RunFile& run_file);

/// Processes that wait for their work: they are forked before the first machine of this process is built.
class WhyRuns {
 public:
  /// So many processes at most. `plan` outlives it.
  WhyRuns(const WhyPlan& plan, int processes);
  ~WhyRuns();
  WhyRuns(const WhyRuns&) = delete;
  WhyRuns& operator=(const WhyRuns&) = delete;

  /// `result`: the run itself, with all limits. Interrupted when a signal asks to stop.
  Waterfall explain(const RunResult& result);

 private:
  struct Crew;
  const WhyPlan& plan_;
  std::unique_ptr<Crew> crew_;
};

}  // namespace stc::sim
