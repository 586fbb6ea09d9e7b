// SPDX-License-Identifier: Apache-2.0
// A profiled launch beside its simulation: the run file that it needs, and the figures that both have.
#pragma once

#include <string>
#include <vector>

#include "models/isa/state/kernel.h"
#include "sim/compare/profiler_report.h"
#include "sim/result/describe_run.h"

namespace stc::sim {

/// Stands in a run file for a report where an argument is to be filled in.
constexpr char kToFillIn[] = "- FILL_IN";

struct ReportedKernel {
  const std::vector<std::uint8_t>* cubin = nullptr;
  isa::Kernel kernel;  ///< without its code
};

/// UserError when the report has no machine code for the launch, or several kernels go by its name.
ReportedKernel kernel_of(const ProfilerReport& report, const ProfiledLaunch& launch);

/// `about` says which launch of what; the module is kernel.cubin beside the file.
std::string run_file_template(const ProfiledLaunch& launch, const isa::Kernel& kernel, const std::string& about,
                              const std::string& gpu_file);

struct ReportedFigure {
  std::string title, unit;
  double reported = 0, simulated = 0;
};

/// Those of the report that the simulator counts, too. `figures`: describe_run()'s JSON.
std::vector<ReportedFigure> reported_figures(const ProfiledLaunch& launch, const Json& figures);

}  // namespace stc::sim
