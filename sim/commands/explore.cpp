// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/fitted.h"
#include "sim/base/interrupt.h"
#include "sim/base/json_text.h"
#include "sim/base/streams.h"
#include "sim/base/text.h"
#include "sim/explore/explore_report.h"
#include "sim/explore/mpi_crew.h"
#include "sim/explore/mpi_ranks.h"

namespace stc::sim {
namespace {

constexpr const char* kExploreExamples =
    "Examples:\n"
    "  stcsim explore configs/sweeps/small.yaml\n"
    "  stcsim explore configs/sweeps/family_50.yaml --jobs 8 --out family_50\n"
    "  mpirun -n 4 stcsim explore configs/sweeps/family_50.yaml --jobs 16 --out family_50\n"
    "Results are kept in DIR/points.jsonl as they come; the same command continues an interrupted sweep.\n";

constexpr SweepWords kExploreWords = {"sweep", "configs/sweeps", "explore",
                                      "one per processor, under MPI one per rank"};

/// Everything that can be known to be wrong before time passes.
struct Prepared {
  SweepPlan plan;
  QualityTable quality;
  std::string weights;
  std::string folder;
};

SweepPlan plan_of(const SweepCommand& command, int jobs) {
  const std::vector<Override> overrides = parse_overrides(command.sets);
  SweepPlan plan = plan_sweep(read_sweep(command.file, overrides));
  require_memory_for(plan, jobs);
  return plan;
}

Prepared prepare(const SweepCommand& command, int jobs) {
  Prepared prepared;
  prepared.plan = plan_of(command, jobs);
  prepared.quality = pattern_quality(prepared.plan.sweep, prepared.weights);
  prepared.folder = made_results_folder(
      command, kExploreWords, {"points.jsonl", "cases.csv", "points.csv", "times.csv", "result.json", "report.html"});
  return prepared;
}

int list_points(const SweepPlan& plan) {
  for (const SweepPoint& point : plan.points) fmt::print("{}\n", point.name);
  for (const UnfitReason& why : unfit_reasons(plan)) {
    fmt::print("does not fit ({} questions, {}): {}\n", why.questions, join(why.gpus, ", "), why.reason);
  }
  fmt::print("{} points, {} cases\n", plan.points.size(), plan.sweep.cases.size());
  return kOk;
}

int run_and_report(const SweepCommand& command, const Prepared& prepared, Crew& crew) {
  const auto path = [&](const char* name) { return resolve_path(prepared.folder, name); };
  Journal journal(path("points.jsonl"), command.fresh);
  const SweepResults results = run_sweep(prepared.plan, journal, crew);
  const ExploreReport report = make_explore_report(prepared.plan, results, prepared.quality, prepared.weights);
  OutputFiles outputs;
  outputs.add_text(path("cases.csv"), cases_csv(report));
  outputs.add_text(path("points.csv"), points_csv(report));
  outputs.add_text(path("times.csv"), times_csv(report));
  outputs.add_text(path("result.json"), json_text(explore_json(report), 2) + "\n");
  outputs.add_text(path("report.html"), explore_html(report));
  outputs.commit();
  fmt::print("{}", for_output(explore_table(report) + fmt::format("{} points, {} known from before, {} failed; {}\n",
                                                                  results.points.size(), results.reused,
                                                                  report.failures(), path("report.html"))));
  return report.failures() == 0 ? kOk : kFaultExit;
}

int explore_with_mpi(const SweepCommand& command, int ranks) {
  if (!built_with_mpi()) {
    throw UserError(fmt::format(
        "was started in an MPI job of {} ranks, but this stcsim was built without MPI (libboost-mpi1.81-dev)", ranks));
  }
  std::optional<Prepared> prepared;
  std::unique_ptr<LocalCrew> own;
  std::string failure;
  try {
    const int jobs = std::max(1, command.jobs);
    share_processors(ranks);  // if they are on several computers, less than all is used
    prepared = prepare(command, jobs);
    // Workers are forked before MPI starts its threads.
    own =
        std::make_unique<LocalCrew>(jobs, point_worker(prepared->plan), resolve_path(prepared->folder, "workers.log"));
  } catch (const UserError& error) {
    failure = error.what();
  }
  MpiJob job(own.get(), failure, prepared ? identity_of(prepared->plan) : "");
  if (!job.failure().empty()) {
    // Not thrown: an exception on its way through MPI's end would abort the job with a code of MPI's own.
    if (job.rank() == 0) say(fmt::format("stcsim: {}\n", job.failure()));
    return kUserErrorExit;
  }
  if (job.rank() != 0) {
    job.serve();
    return kOk;
  }
  const std::unique_ptr<Crew> crew = job.crew();
  return run_and_report(command, *prepared, *crew);
}

}  // namespace

Command add_explore_command(CommandLine& line, SweepCommand& command) {
  Command explore = line.command("explore", "Sweep patterns, GPU variants, shapes and tiles");
  add_sweep_options(explore, command, kExploreWords);
  explore.footer(kExploreExamples);
  return explore;
}

int explore(const SweepCommand& command) {
  require_meaning(command);
  const int ranks = mpi_ranks();
  if (ranks > 1 && !command.dry_run) return explore_with_mpi(command, ranks);
  const int jobs = command.jobs > 0 ? command.jobs : available_processors();
  if (command.dry_run) return list_points(plan_of(command, jobs));
  const Prepared prepared = prepare(command, jobs);
  const int workers = std::min(jobs, static_cast<int>(prepared.plan.points.size()));
  LocalCrew crew(workers, point_worker(prepared.plan), resolve_path(prepared.folder, "workers.log"));
  stop_on_signals();  // not of MPI ranks: who started them ends them
  try {
    return run_and_report(command, prepared, crew);
  } catch (const Interrupted& stopped) {
    throw kept_in(stopped, resolve_path(prepared.folder, "points.jsonl"));
  }
}

}  // namespace stc::sim
