// SPDX-License-Identifier: Apache-2.0
// Reports of Nsight Compute (.ncu-rep): kernels, the launches that were profiled, their metrics. The form was found by
// looking at reports; validation/unit/sim/profiler_report_test.cpp reads those of an H200 that stand beside it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stc::sim {

struct ProfiledLaunch {
  std::string kernel;  ///< as the profiler names it: mangled, or for people
  std::array<std::uint32_t, 3> grid{}, block{};
  std::map<std::string, double> numbers;  ///< metrics by their names, in base units: bytes, Hz
  std::map<std::string, std::string> texts;

  std::optional<double> number(const std::string& metric) const;
};

struct ProfilerReport {
  std::vector<std::vector<std::uint8_t>> cubins;
  std::vector<ProfiledLaunch> launches;
};

/// UserError when the file cannot be read, is no report, or is damaged.
ProfilerReport read_profiler_report(const std::string& path);

}  // namespace stc::sim
