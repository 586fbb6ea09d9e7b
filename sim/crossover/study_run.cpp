// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/study_run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/base/progress.h"
#include "sim/base/streams.h"
#include "sim/base/text.h"
#include "sim/base/work_off.h"
#include "sim/crossover/study_point.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;

void report_point(std::size_t done, std::size_t all, const StudyPoint& point, const StudyResult& result) {
  const std::string outcome = !result.run.ok()        ? "failed: " + result.run.failure
                              : !result.wrong.empty() ? "wrong: " + result.wrong
                                                      : grouped(result.run.cycles_elapsed) + " cycles";
  say(fmt::format("{}/{} {}: {}\n", done, all, point.name, outcome));
}

}  // namespace

Json StudyResult::json() const {
  Json out = run.json();
  if (!run.ok()) return out;
  out["storage"] = {{"values", storage.values}, {"indices", storage.indices}};
  if (!wrong.empty()) out["wrong"] = wrong;
  return out;
}

StudyResult StudyResult::from_json(const Json& json) {
  StudyResult result;
  result.run = PointResult::from_json(json);
  if (!result.run.ok()) return result;
  json.at("storage").at("values").get_to(result.storage.values);
  json.at("storage").at("indices").get_to(result.storage.indices);
  if (json.contains("wrong")) json.at("wrong").get_to(result.wrong);
  return result;
}

WorkerPool::Work study_worker(const StudyPlan& plan) {
  return [&plan, machines = std::make_shared<WorkerMachines>(plan.study.gpus)](const std::string& job) {
    return json_text(run_study_point(plan, static_cast<std::size_t>(parse_integer(job).value()), *machines).json());
  };
}

StudyResults run_study(const StudyPlan& plan, StudyJournal& journal, Crew& crew) {
  StudyResults results;
  const std::deque<std::size_t> missing = missing_points(plan.points, journal, results.reused);
  say(fmt::format("{}: {} points to run on {} workers, {} known from before\n", plan.study.file, missing.size(),
                  crew.size(), results.reused));
  WorkProgress progress("points", missing.size(), cost_of(plan.points, missing));
  std::size_t done = 0;
  const auto answered = [&](const WorkerPool::Answer& answer) {
    StudyResult result;
    if (answer.failed) {
      result.run.failure = answer.text;
    } else {
      result = StudyResult::from_json(Json::parse(answer.text));
    }
    journal.add(plan.points[answer.id], result);
    progress.finished(plan.points[answer.id].cost, !result.run.ok());
    if (!progress.shown()) report_point(++done, missing.size(), plan.points[answer.id], result);
  };
  work_off(missing, crew, answered, shown_until_stopped(progress, "run"));
  for (const StudyPoint& point : plan.points) results.points.push_back(*journal.find(point.key));
  return results;
}

}  // namespace stc::sim
