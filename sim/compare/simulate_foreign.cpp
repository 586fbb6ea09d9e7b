// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/simulate_foreign.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <variant>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/json_text.h"
#include "sim/run/run_launch.h"

namespace stc::sim {
namespace {

nlohmann::ordered_json read_json(const std::string& file) {
  nlohmann::ordered_json json = parse_json_or_discard(read_text(file));
  if (json.is_discarded()) throw UserError(fmt::format("{}: is no JSON", file));
  return json;
}

void require_right(const ForeignLaunch& launch) {
  const nlohmann::ordered_json outcome = read_json(outcome_file_of(launch));
  const std::string status = outcome.value("status", "missing");
  if (status != "right") throw UserError(fmt::format("{}: {}", status, outcome.value("words", "")));
}

void require_same_memory(const ForeignLaunch& launch, const LaunchResult& result) {
  const nlohmann::ordered_json recorded = read_json(launch.case_folder + "/" + launch.number + "/result.json");
  for (const BufferResult& buffer : result.buffers) {
    const nlohmann::ordered_json& known = recorded.at("buffers").at(buffer.name).at("hash");
    if (known != buffer.hash) throw UserError(fmt::format("buffer {} differs from what was found right", buffer.name));
  }
}

}  // namespace

std::string outcome_file_of(const ForeignLaunch& launch) { return launch.case_folder + "/case.json"; }

gpu::RunStatistics simulate_foreign(const ForeignLaunch& launch, const GpuConfig& gpu, gpu::Machine& machine) {
  require_right(launch);
  const RunFile run_file = read_run_file(launch.case_folder + "/" + launch.number + "/run.yaml");
  ReadyLaunch ready = make_ready(prepare_launch(std::get<LaunchPlan>(run_file.work)), gpu);
  isa::GlobalMemory memory;
  const LaunchResult result = run_launch(ready, machine, run_file.options, memory);
  if (!launch.races) require_same_memory(launch, result);
  return result.run;
}

}  // namespace stc::sim
