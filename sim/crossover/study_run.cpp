// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/study_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/json_text.h"
#include "sim/base/streams.h"
#include "sim/base/text.h"
#include "sim/crossover/study_point.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kPollMs = 200;

bool redirect_standard_error(const std::string& file) {
  const int log = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (log < 0) return false;
  ::dup2(log, STDERR_FILENO);
  ::close(log);
  return true;
}

/// Points without a result, the dearest first, so that no long one is left for the end.
std::deque<std::size_t> missing_points(const StudyPlan& plan, const StudyJournal& journal, StudyResults& results) {
  std::deque<std::size_t> missing;
  std::set<std::string> known;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    if (journal.find(plan.points[i].key) != nullptr) {
      ++results.reused;
    } else if (known.insert(plan.points[i].key).second) {
      missing.push_back(i);
    }
  }
  std::stable_sort(missing.begin(), missing.end(),
                   [&](std::size_t a, std::size_t b) { return plan.points[a].cost > plan.points[b].cost; });
  return missing;
}

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

StudyJournal::StudyJournal(const std::string& file, bool forget) : lines_(file, "study", forget) {
  for (const std::string& line : lines_.lines()) {
    const auto json = Json::parse(line, nullptr, false);
    if (json.is_discarded() || !json.is_object()) continue;
    try {
      results_[json.at("key").get<std::string>()] = StudyResult::from_json(json.at("result"));
    } catch (const nlohmann::json::exception&) {
      // Lines of another version are no results of this one.
    }
  }
}

const StudyResult* StudyJournal::find(const std::string& key) const {
  const auto found = results_.find(key);
  return found == results_.end() ? nullptr : &found->second;
}

void StudyJournal::add(const StudyPoint& point, const StudyResult& result) {
  results_[point.key] = result;
  if (result.run.ok()) {
    lines_.append(json_text({{"key", point.key}, {"point", point.name}, {"result", result.json()}}));
  }
}

WorkerPool::Work study_worker(const StudyPlan& plan, const std::string& log_file) {
  // Built by each worker process, for its first point.
  return [&plan, log_file, machines = std::shared_ptr<StudyMachines>()](const std::string& job) mutable {
    static const bool redirected = redirect_standard_error(log_file);
    static_cast<void>(redirected);
    if (!machines) machines = std::make_shared<StudyMachines>(plan.study);
    return json_text(run_study_point(plan, static_cast<std::size_t>(parse_integer(job).value()), *machines).json());
  };
}

StudyResults run_study(const StudyPlan& plan, StudyJournal& journal, Crew& crew) {
  StudyResults results;
  std::deque<std::size_t> missing = missing_points(plan, journal, results);
  const std::size_t all = missing.size();
  say(fmt::format("{}: {} points to run on {} workers, {} known from before\n", plan.study.file, all, crew.size(),
                  results.reused));
  std::size_t done = 0;
  std::set<std::size_t> retried;
  while (!missing.empty() || crew.busy()) {
    for (; !missing.empty() && crew.has_idle(); missing.pop_front()) crew.submit(missing.front());
    const auto answer = crew.poll(kPollMs);
    if (!answer) continue;
    if (answer->failed && retried.insert(answer->id).second) {
      missing.push_back(answer->id);
      continue;
    }
    StudyResult result;
    if (answer->failed) {
      result.run.failure = answer->text;
    } else {
      result = StudyResult::from_json(Json::parse(answer->text));
    }
    journal.add(plan.points[answer->id], result);
    report_point(++done, all, plan.points[answer->id], result);
  }
  for (const StudyPoint& point : plan.points) results.points.push_back(*journal.find(point.key));
  return results;
}

}  // namespace stc::sim
