// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/fitted.h"
#include "sim/base/interrupt.h"
#include "sim/base/json_text.h"
#include "sim/base/version.h"
#include "sim/base/worker_pool.h"
#include "sim/commands/compare_report.h"
#include "sim/compare/baseline.h"
#include "sim/compare/compare_run.h"
#include "sim/compare/html_report.h"
#include "sim/compare/point_filter.h"
#include "sim/compare/read_measured.h"
#include "sim/compare/report_json.h"
#include "sim/compare/report_table.h"

namespace stc::sim {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  stcsim compare validation/measured/h200/gemm.csv\n"
    "  stcsim compare validation/measured/h200/intervals.csv --filter 'group=mma,warps<=8'\n"
    "  stcsim compare validation/measured/a100/published.csv --out results --baseline before/compare.json\n"
    "  stcsim compare profile.ncu-rep\n"
    "  stcsim compare measured.csv --gpu configs/gpus/h200.yaml --set sm.lsu.l1_latency=30\n"
    "An interrupted run goes on where it stopped: results are kept in --out.\n";

void require_use_of_tiles(const CompareCommand& command, const MeasuredData& data) {
  const auto chooses = [](const ComparePoint& point) { return point.kind == ComparePoint::Kind::kLibraryGemm; };
  if (!command.tiles || std::any_of(data.points.begin(), data.points.end(), chooses)) return;
  throw UserError("--tiles: is for timings of libraries, of which the measured files have none");
}

CompareReport empty_report(const CompareCommand& command, const GpuConfig& gpu, const MeasuredData& data) {
  CompareReport report;
  report.version = version();
  report.git = git_revision();
  report.gpu = gpu.params.name;
  report.gpu_file = gpu.file;
  report.config_hash = gpu.hash;
  report.clock_mhz = gpu.params.clock_mhz;
  report.measured_files = command.files;
  report.filter = command.filter;
  report.notes = data.notes;
  return report;
}

/// The same points twice would count twice in every mean.
void require_each_once(const std::vector<std::string>& files) {
  std::set<std::filesystem::path> seen;
  for (const std::string& file : files) {
    std::error_code error;
    if (!seen.insert(std::filesystem::weakly_canonical(file, error)).second) {
      throw UserError(fmt::format("{}: is given twice", file));
    }
  }
}

}  // namespace

Command add_compare_command(CommandLine& line, CompareCommand& command) {
  Command compare = line.command("compare", "Run every measured point in the simulator and report the errors");
  compare
      .option("MEASURED", command.files,
              "CSV files: GEMMs, convolutions, unstructured products, energy, microbenchmarks, published tables; "
              "validation/measured/README.md "
              "explains them. "
              "Or a report of Nsight Compute, REPORT.ncu-rep")
      .required();
  compare.option("--gpu", command.gpu_file, "GPU description; default: configs/gpus/FOLDER.yaml of the data's folder")
      .type("FILE");
  compare.option("--set", command.sets, "Replace a key of the GPU: --set clock_mhz=1755; may be repeated")
      .one_value()
      .type("KEY=VALUE");
  compare
      .option("--filter", command.filter,
              "Only points whose columns hold: 'group=mma,warps<=8,kernel~sp24'; = != < <= > >= ~ !~ (regular "
              "expression)")
      .type("EXPR");
  compare.option("--jobs", command.jobs, "Worker processes; default: one per core").whole_number(1, 4096).type("N");
  compare
      .option("--out", command.out_folder, "Folder for compare.html, compare.json, compare.csv and the results so far")
      .type("DIR")
      .shows_default();
  compare.option("--baseline", command.baseline, "compare.json of an earlier run: report what got better or worse")
      .type("REPORT");
  compare
      .option("--tiles", command.tiles,
              "Library timings: how many promising tiles to simulate per shape, dense and sparse each (default 2)")
      .whole_number(1, 100)
      .type("N");
  compare.footer(kExamples);
  return compare;
}

int compare(const CompareCommand& command) {
  if (std::any_of(command.files.begin(), command.files.end(), is_profiler_report)) return compare_report(command);
  const std::vector<Override> overrides = parse_overrides(command.sets);
  const GpuConfig gpu =
      read_gpu_config(command.gpu_file.empty() ? gpu_file_of(command.files) : command.gpu_file, overrides);
  const Manifest manifest = Manifest::load(default_kernels_folder());
  ReaderContext reader{gpu, manifest, default_micro_folder()};
  if (command.tiles) reader.tiles = *command.tiles;
  MeasuredData data;
  require_each_once(command.files);
  for (const std::string& file : command.files) read_measured(file, reader, data);
  require_use_of_tiles(command, data);
  const std::vector<ComparePoint> points = PointFilter(command.filter).apply(data.points);

  const auto path = [&](const char* name) { return resolve_path(command.out_folder, name); };
  for (const char* name : {"compare.json", "compare.csv", "compare.html", "compare.txt"}) require_writable(path(name));
  std::optional<Baseline> earlier;
  if (!command.baseline.empty()) earlier.emplace(command.baseline);
  CompareReport report = empty_report(command, gpu, data);
  const std::size_t workers = command.jobs != 0 ? command.jobs : static_cast<std::size_t>(available_processors());
  CompareProgress progress;
  stop_on_signals();
  try {
    report.points = run_points(points, {gpu, manifest, reader.micro_folder}, workers, path("results.jsonl"), progress);
  } catch (const Interrupted& stopped) {
    throw kept_in(stopped, path("results.jsonl"));
  }
  summarise(report, manifest);
  std::optional<BaselineComparison> baseline;
  if (earlier) baseline = earlier->compare(report);

  const std::string table = compare_table(report, baseline);
  OutputFiles outputs;
  outputs.add_text(path("compare.json"), json_text(compare_json(report), 1) + "\n");
  outputs.add_text(path("compare.csv"), compare_csv(report));
  outputs.add_text(path("compare.txt"), table);
  outputs.add_text(path("compare.html"), compare_html(report, baseline));
  outputs.commit();
  fmt::print("{}", for_output(fmt::format("{}\n{} launches simulated, {} taken from {}; report in {}\n", table,
                                          progress.run, progress.reused, path("results.jsonl"), path("compare.html"))));
  return report.failures == 0 ? kOk : kCheckFailed;
}

}  // namespace stc::sim
