// SPDX-License-Identifier: Apache-2.0
// The page of a run: what bounds it, where warps wait, what each level carries, energy; beside its dense kernel and
// with the waterfall where there are such.
#pragma once

#include <string>
#include <vector>

#include "sim/profile/launch_profile.h"
#include "sim/result/run_result.h"

namespace stc::sim {

/// A whole page (HTML). `profiles`: what was seen of its launches; without them it says nothing of instructions and of
/// use over time.
std::string run_page(const RunResult& result, const std::vector<LaunchProfile>& profiles);

/// A launch of a page by the name that it has there.
struct PageLaunch {
  std::string name;    ///< "sparse", "dense", "launch"
  std::string colour;  ///< class of its marks
  const LaunchResult* launch = nullptr;
  const LaunchProfile* profile = nullptr;  ///< none: nobody looked
};

/// Sections about launches side by side, all of the same GPU; each is a whole <section>.
std::string stalls_section(const std::vector<PageLaunch>& launches);
/// Both empty where nobody looked.
std::string over_time_section(const std::vector<PageLaunch>& launches);
std::string hottest_section(const std::vector<PageLaunch>& launches);
std::string levels_section(const std::vector<PageLaunch>& launches, const gpu::GpuParams& gpu);
std::string bytes_section(const std::vector<PageLaunch>& launches);
std::string energy_section(const std::vector<PageLaunch>& launches);
std::string waterfall_section(const Waterfall& waterfall);

}  // namespace stc::sim
