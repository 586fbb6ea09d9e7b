// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/study_run.h"

#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/crossover/study_point.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string StudyResult::outcome() const {
  if (!run.ok()) return run.outcome();
  return wrong.empty() ? grouped(run.cycles_elapsed) + " cycles" : "wrong: " + wrong;
}

StudyResult StudyResult::failed(const std::string& why) {
  StudyResult result;
  result.run = PointResult::failed(why);
  return result;
}

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
  return run_points(plan.study.file, plan.points, journal, crew);
}

}  // namespace stc::sim
