// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/crossover.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/fitted.h"
#include "sim/base/interrupt.h"
#include "sim/base/json_text.h"
#include "sim/crossover/crossover_report.h"

namespace stc::sim {
namespace {

constexpr const char* kCrossoverExamples =
    "Examples:\n"
    "  stcsim crossover configs/crossover/small.yaml\n"
    "  stcsim crossover configs/crossover/published_f32.yaml --jobs 8 --out f32\n"
    "Results are kept in DIR/points.jsonl as they come; the same command continues an interrupted study.\n";

constexpr SweepWords kCrossoverWords = {"study", "configs/crossover", "crossover", "one per processor"};

int list_points(const StudyPlan& plan) {
  for (const StudyPoint& point : plan.points) fmt::print("{}\n", point.name);
  fmt::print("{} points, {} cases\n", plan.points.size(), plan.cases.size());
  return kOk;
}

int exit_code_of(const CrossoverReport& report) {
  if (report.failures() > 0) return kFaultExit;
  return report.wrong() > 0 ? kCheckFailed : kOk;
}

int run_and_report(const StudyPlan& plan, const SweepCommand& command, const std::string& folder, Crew& crew) {
  const auto path = [&](const char* name) { return resolve_path(folder, name); };
  StudyJournal journal(path("points.jsonl"), command.fresh);
  const StudyResults results = run_study(plan, journal, crew);
  const CrossoverReport report = make_crossover_report(plan, results);
  OutputFiles outputs;
  outputs.add_text(path("answers.csv"), crossover_csv(report));
  outputs.add_text(path("result.json"), json_text(crossover_json(report), 2) + "\n");
  outputs.add_text(path("report.html"), crossover_html(report));
  outputs.commit();
  fmt::print("{}",
             for_output(crossover_table(report) +
                        fmt::format("{} points, {} known from before, {} failed, {} wrong; {}\n", results.points.size(),
                                    results.reused, report.failures(), report.wrong(), path("report.html"))));
  return exit_code_of(report);
}

}  // namespace

Command add_crossover_command(CommandLine& line, SweepCommand& command) {
  Command crossover =
      line.command("crossover", "Find the density from which unstructured sparsity pays, beside dense and 2:4");
  add_sweep_options(crossover, command, kCrossoverWords);
  crossover.footer(kCrossoverExamples);
  return crossover;
}

int crossover(const SweepCommand& command) {
  require_meaning(command);
  const std::vector<Override> overrides = parse_overrides(command.sets);
  const StudyPlan plan = plan_study(read_study(command.file, overrides));
  const int jobs = command.jobs > 0 ? command.jobs : available_processors();
  require_memory_for(plan, jobs);
  if (command.dry_run) return list_points(plan);
  const std::string folder =
      made_results_folder(command, kCrossoverWords, {"points.jsonl", "answers.csv", "result.json", "report.html"});
  const int workers = std::min(jobs, static_cast<int>(plan.points.size()));
  LocalCrew crew(workers, study_worker(plan), resolve_path(folder, "workers.log"));
  stop_on_signals();
  try {
    return run_and_report(plan, command, folder, crew);
  } catch (const Interrupted& stopped) {
    throw kept_in(stopped, resolve_path(folder, "points.jsonl"));
  }
}

}  // namespace stc::sim
