// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/run_looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/base/streams.h"
#include "sim/config/ideal_limits.h"
#include "sim/profile/profile_json.h"
#include "sim/profile/timeline_json.h"

namespace stc::sim {

void require_looks_possible(const RunCommand& command, const RunOptions& options, const gpu::GpuParams& gpu) {
  for (const auto& [name, file] :
       {std::pair("--profile", &command.profile_file), std::pair("--timeline", &command.timeline_file)}) {
    if (*file == "-") throw UserError(fmt::format("{} -: name a file", name));
    if (file->empty()) continue;
    if (std::find(options.ideal.begin(), options.ideal.end(), kTailLimit) != options.ideal.end()) {
      throw UserError(
          fmt::format("{}: does not go with 'tail' in options.ideal, which changes how many cycles all took, not what "
                      "happened when",
                      name));
    }
    if (!options.sampling) continue;
    throw UserError(fmt::format(
        "{}: does not go with 'options.sampling', which leaves out what repeats; 'sampling: off' simulates all of it",
        name));
  }
  for (const auto& [name, value] :
       {std::pair("--timeline-window", &command.timeline_window), std::pair("--timeline-sms", &command.timeline_sms)}) {
    if (!value->empty() && command.timeline_file.empty()) throw UserError(fmt::format("{}: needs --timeline", name));
  }
  TimelineChoice::read(command.timeline_window, command.timeline_sms, gpu.sms);
}

void RunLooks::choose(Simulation& how, const RunOptions& options, const gpu::GpuParams& gpu) {
  const bool for_page = !command_.html_file.empty() && !options.sampling;
  if (!command_.profile_file.empty() || for_page) how.profiles = &profiles_;
  if (command_.timeline_file.empty()) return;
  how.timelines = &timelines_;
  how.timeline = TimelineChoice::read(command_.timeline_window, command_.timeline_sms, gpu.sms);
}

void RunLooks::write(const gpu::GpuParams& gpu, OutputFiles& outputs) const {
  if (!command_.profile_file.empty()) {
    outputs.add_text(command_.profile_file, json_text(profile_json(profiles_)) + "\n");
  }
  if (command_.timeline_file.empty()) return;
  require_seen(timelines_);
  outputs.add_text(command_.timeline_file, timeline_json(timelines_, gpu.name));
  say(left_out(timelines_));
}

}  // namespace stc::sim
