// SPDX-License-Identifier: Apache-2.0
// micro_runner: the measured microbenchmarks on the simulated GPU, unmodified, side by side with what the GPU took.
//   micro_runner --gpu configs/gpus/h200.yaml --measured validation/measured/h200/intervals.csv --filter mma, --out
//   sim.csv
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>

#include "models/gpu/machine/machine.h"
#include "sim/base/command_line.h"
#include "sim/base/error.h"
#include "sim/base/work_off.h"
#include "sim/config/gpu_config.h"
#include "sim/micro/report.h"
#include "sim/micro/run_point.h"

namespace {

using namespace stc;
using namespace stc::micro;

struct Options {
  std::string gpu, out, filter, cubins = "validation/kernels";
  std::vector<std::string> measured, sets;
  int jobs = 2;
  std::uint32_t shorten = 1;
  std::size_t every = 1;
  bool rows = false, check_dependences = false;
};

std::string numbers_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += fmt::format(" {}", number);
  return text;
}

void collect(const sim::WorkerPool::Answer& answer, Result& result) {
  if (answer.failed) {
    result.failure = answer.text;
    return;
  }
  std::istringstream stream(answer.text);
  stream >> result.wall_s;
  for (double number = 0; stream >> number;) result.simulated.push_back(number);
}

std::vector<Result> run_all(const std::vector<Point>& points, const gpu::GpuParams& gpu, const Options& options) {
  gpu::Machine machine("gpu", gpu);  // each worker process has its own copy
  Runner runner(machine, options.cubins, options.check_dependences);
  sim::LocalCrew crew(options.jobs, [&](const std::string& job) {
    const auto start = std::chrono::steady_clock::now();
    const Outcome outcome = runner.run(points[std::stoul(job)]);
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return fmt::format("{}", wall) + numbers_text(outcome.simulated);
  });
  std::vector<Result> results(points.size());
  const bool terminal = isatty(STDERR_FILENO) != 0;
  std::ofstream partial(options.out.empty() ? "/dev/null" : options.out + ".partial");
  for (std::size_t i = 0; i < points.size(); ++i) results[i].point = &points[i];
  std::size_t done = 0;
  sim::work_off(sim::all_points(points.size()), crew, [&](const sim::WorkerPool::Answer& answer) {
    Result& result = results[answer.id];
    collect(answer, result);
    partial << csv_row(result) << std::flush;  // what there is when someone stops the run
    if (options.rows) fmt::print("{}\n", text_row(result)), std::fflush(stdout);
    if (terminal) fmt::print(stderr, "\r{} of {}", ++done, points.size());
  });
  if (terminal) fmt::print(stderr, "\r");
  return results;
}

int run(const Options& options) {
  std::vector<sim::Override> overrides;
  for (const std::string& set : options.sets) overrides.push_back(sim::parse_override(set));
  const sim::GpuConfig gpu = sim::read_gpu_config(options.gpu, overrides);
  std::vector<Point> points;
  for (const std::string& file : options.measured) {
    std::vector<Point> more = read_points(file, options.filter);
    for (std::size_t i = 0; i < more.size(); i += options.every) points.push_back(std::move(more[i]));
  }
  for (Point& point : points) {
    if (options.shorten > 1) shorten(point, options.shorten);
  }
  if (points.empty()) throw sim::UserError("no point contains \"" + options.filter + "\"");
  const std::vector<Result> results = run_all(points, gpu.params, options);
  if (!options.out.empty()) {
    std::ofstream file(options.out);
    file << csv(results);
    if (!file) throw sim::UserError(options.out + ": cannot be written");
    std::remove((options.out + ".partial").c_str());
  }
  fmt::print("{}", summary(results));
  for (const Result& r : results) {
    if (!r.failure.empty()) return sim::kFaultExit;
  }
  return sim::kOk;
}

}  // namespace

int main(int argc, char** argv) {
  stc::sim::CommandLine line("micro_runner",
                             "The measured microbenchmarks on the simulated GPU, side by side with what the GPU took.");
  stc::sim::Command app = line.whole();
  Options options;
  app.option("--gpu", options.gpu, "GPU description, e.g. configs/gpus/h200.yaml").required();
  app.option("--measured", options.measured,
             "Tables in validation/measured/GPU: intervals.csv, clocks.csv, latency.csv, ctas.csv")
      .required();
  app.option("--filter", options.filter, "Only points whose \"group,kernel,ctas,warps,args\" contains this text");
  app.option("--every", options.every, "Only each N-th of them").positive();
  app.option("--shorten", options.shorten,
             "Transfers of all SMs take minutes each: run them and count them N times shorter");
  app.option("--set", options.sets, "Replace a parameter of the GPU: --set clock_mhz=1095; may be repeated");
  app.option("--cubins", options.cubins, "Folder with sm_80/ and sm_90/ of the microbenchmarks");
  app.option("--out", options.out, "CSV of all points");
  app.option("--jobs", options.jobs, "Processes").positive();
  app.flag("--rows", options.rows, "Print every point as it ends, not only groups");
  app.flag("--check-dependences", options.check_dependences,
           "A register used before control codes let it is a fault of the point");
  if (const auto exit_code = line.parse(argc, argv)) return *exit_code;
  try {
    return run(options);
  } catch (const sim::UserError& error) {
    fmt::print(stderr, "micro_runner: {}\n", error.what());
    return sim::kUserErrorExit;
  }
}
