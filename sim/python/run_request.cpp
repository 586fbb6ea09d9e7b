// SPDX-License-Identifier: Apache-2.0
#include "sim/python/run_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/jobs/simulate.h"
#include "sim/result/result_json.h"
#include "sim/result/result_table.h"

namespace stc::sim {
namespace {

/// Contents take the place of what the run file fills its buffers with.
void give_contents(const RunRequest& request, RunFile& run_file) {
  auto* const launch = std::get_if<LaunchPlan>(&run_file.work);
  for (const auto& [name, contents] : request.contents) {
    std::vector<std::string> names;
    if (launch != nullptr) {
      for (const BufferPlan& buffer : launch->buffers) names.push_back(buffer.name);
    }
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw UserError(
          launch == nullptr
              ? fmt::format("{}: '{}': only a 'launch' takes buffers; stcsim.gemm takes operands", request.name, name)
              : fmt::format("{}: {}", request.name, unknown_word("buffer", name, names)));
    }
    Fill& fill = launch->buffers[static_cast<std::size_t>(found - names.begin())].fill;
    fill = {};
    fill.kind = Fill::Kind::kGiven;
    fill.given = contents;
    fill.place = fmt::format("{}: buffer {}", request.name, name);
  }
}

void give_operands(const RunRequest& request, RunFile& run_file) {
  if (request.a.empty()) return;
  auto given = std::make_shared<GivenMatrices>();
  given->a = request.a;
  given->b = request.b;
  std::get<GemmPlan>(run_file.work).given = given;
}

void require_names(const RunRequest& request, const RunResult& result) {
  if (!request.keep) return;
  std::vector<std::string> names;
  for (const BufferResult& buffer : result.launch.buffers) names.push_back(buffer.name);
  for (const std::string& name : *request.keep) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw UserError(fmt::format("{}: keep: {}", request.name, unknown_word("buffer", name, names)));
    }
  }
}

}  // namespace

WorkerAnswer answer_request(const RunRequest& request, std::FILE* printed) {
  const std::vector<Override> overrides = parse_overrides(request.sets);
  RunFile run_file =
      request.text ? parse_run_file(*request.text, request.name, overrides) : read_run_file(request.name, overrides);
  const GpuConfig gpu = read_gpu_config(run_file.gpu_file, run_file.gpu_overrides);
  if (!run_file.saves.empty()) run_file.saves.clear();  // the answer has the buffers
  give_contents(request, run_file);
  give_operands(request, run_file);
  RunResult result = empty_result(run_file, gpu, request.sets);
  WorkerAnswer answer;
  const auto take = [&](const Contents& contents) {
    require_names(request, result);
    if (!run_file.options.full_values) return;
    for (const BufferResult& buffer : result.launch.buffers) {
      const bool kept =
          !request.keep || std::find(request.keep->begin(), request.keep->end(), buffer.name) != request.keep->end();
      if (kept) answer.buffers.emplace_back(buffer.name, contents(buffer.name).to_vector());
    }
  };
  Simulation how;
  how.threads = request.threads;
  how.printed = printed;
  how.ended = take;
  simulate(run_file, gpu, how, result);
  answer.json =
      json_text({{"result", result_json(result)}, {"table", result_table(result)}, {"passed", result.checks_passed()}});
  return answer;
}

}  // namespace stc::sim
