// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/compare_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "models/gpu/machine/machine.h"
#include "sim/base/data_folder.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/fitted.h"
#include "sim/base/interrupt.h"
#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/base/worker_pool.h"
#include "sim/compare/read_measured.h"
#include "sim/compare/report_launch.h"
#include "sim/launch/run_file.h"
#include "sim/run/run_launch.h"

namespace stc::sim {
namespace {

namespace fs = std::filesystem;

void require_report_alone(const CompareCommand& command) {
  if (command.files.size() != 1) throw UserError(fmt::format("{}: a report is compared alone", command.files[0]));
  const auto refuse = [](const char* option) {
    throw UserError(fmt::format("{}: is for measured CSV files, not for reports", option));
  };
  if (!command.filter.empty()) refuse("--filter");
  if (!command.baseline.empty()) refuse("--baseline");
  if (command.tiles) refuse("--tiles");
}

/// The GPU file for the device that was profiled.
std::string gpu_file_of(const ProfilerReport& report) {
  const auto& texts = report.launches.front().texts;
  const auto found = texts.find("device__attribute_display_name");
  const std::string device = found == texts.end() ? "" : found->second;
  for (const auto& [name, file] : {std::pair{"A100", "a100.yaml"}, {"H200", "h200.yaml"}}) {
    if (device.find(name) != std::string::npos) return data_folder() + "/configs/gpus/" + file;
  }
  throw UserError(fmt::format("the report is of {}: name a GPU file with --gpu", device.empty() ? "a GPU" : device));
}

/// Mean clock of the SMs in the report, in MHz.
std::optional<double> clock_of(const ProfilerReport& report) {
  double sum = 0;
  for (const ProfiledLaunch& launch : report.launches) {
    const std::optional<double> clock = launch.number("gpc__cycles_elapsed.avg.per_second");
    if (!clock) return std::nullopt;
    sum += *clock / 1e6;
  }
  return sum / static_cast<double>(report.launches.size());
}

/// The GPU at the clock of the report; device memory keeps its own, so that it gives more or less for each cycle.
GpuConfig gpu_of(const CompareCommand& command, const ProfilerReport& report) {
  const std::string file = command.gpu_file.empty() ? gpu_file_of(report) : command.gpu_file;
  std::vector<Override> overrides = parse_overrides(command.sets);
  GpuConfig gpu = read_gpu_config(file, overrides);
  const std::optional<double> clock = clock_of(report);
  if (!clock || std::any_of(overrides.begin(), overrides.end(), [](const Override& one) {
        return one.path == "clock_mhz" || one.path == "memory.hbm.bytes_per_cycle";
      })) {
    return gpu;
  }
  const double share = gpu.params.clock_mhz / *clock;
  overrides.push_back({"clock_mhz", fmt::format("{:.0f}", *clock)});
  overrides.push_back(
      {"memory.hbm.bytes_per_cycle", fmt::format("{:.0f}", gpu.params.memory.hbm.bytes_per_cycle * share)});
  return read_gpu_config(file, overrides);
}

std::string run_file_of(const CompareCommand& command, std::size_t index) {
  return resolve_path(command.out_folder, fmt::format("{:03}/run.yaml", index + 1));
}

/// UserError that names the run files that are to be filled in; those that are missing are written.
void require_run_files(const CompareCommand& command, const ProfilerReport& report, const GpuConfig& gpu) {
  OutputFiles outputs;
  std::vector<std::string> open;
  for (std::size_t i = 0; i < report.launches.size(); ++i) {
    const std::string file = run_file_of(command, i);
    if (fs::exists(file)) {
      if (read_text(file).find(kToFillIn) != std::string::npos) open.push_back(file);
      continue;
    }
    const ProfiledLaunch& launch = report.launches[i];
    const ReportedKernel found = kernel_of(report, launch);
    std::string about =
        fmt::format("Launch {} of {}: {}", i + 1, fs::path(command.files[0]).filename().string(), launch.kernel);
    std::replace_if(
        about.begin(), about.end(), [](char c) { return c >= 0 && c < ' '; }, '?');  // it is a comment
    outputs.add(folder_of(file) + "/kernel.cubin", *found.cubin);
    outputs.add_text(file, run_file_template(launch, found.kernel, about, fs::absolute(gpu.file).string()));
    open.push_back(file);
  }
  outputs.commit();
  if (open.empty()) return;
  throw UserError(
      fmt::format("a report holds neither arguments nor memory: fill in args and buffers of {}, then compare again",
                  join(open, ", ")));
}

LaunchPlan plan_of(const std::string& file, const ProfiledLaunch& launch) {
  const RunFile run_file = read_run_file(file);
  const auto* const plan = std::get_if<LaunchPlan>(&run_file.work);
  const auto same = [](const isa::Dim3& a, const std::array<std::uint32_t, 3>& b) {
    return a.x == b[0] && a.y == b[1] && a.z == b[2];
  };
  if (plan == nullptr || !same(plan->grid, launch.grid) || !same(plan->block, launch.block)) {
    throw UserError(
        fmt::format("{}: is not the launch of the report, {} with another grid or block", file, launch.kernel));
  }
  return *plan;
}

std::string number_text(double value) {
  return value >= 100 && value < 1e15 ? grouped(static_cast<std::uint64_t>(std::llround(value)))
                                      : fmt::format("{:.3f}", value);
}

std::string table_of(const ProfiledLaunch& launch, std::size_t number, const std::vector<ReportedFigure>& rows) {
  std::string text = fmt::format("launch {}, {}\n  {:<34}{:>16}{:>16}{:>10}\n", number, launch.kernel, "", "reported",
                                 "simulated", "error");
  for (const ReportedFigure& row : rows) {
    const std::string title = row.unit.empty() ? row.title : fmt::format("{} [{}]", row.title, row.unit);
    const std::string error =
        row.reported == 0 ? "" : fmt::format("{:+.1f} %", 100 * (row.simulated / row.reported - 1));
    text += fmt::format("  {:<34}{:>16}{:>16}{:>10}\n", title, number_text(row.reported), number_text(row.simulated),
                        error);
  }
  return text;
}

nlohmann::ordered_json json_of(const ProfiledLaunch& launch, std::size_t number,
                               const std::vector<ReportedFigure>& rows) {
  nlohmann::ordered_json out = {{"number", number}, {"kernel", launch.kernel}};
  for (const ReportedFigure& row : rows) {
    out["figures"].push_back(
        {{"title", row.title}, {"unit", row.unit}, {"reported", row.reported}, {"simulated", row.simulated}});
  }
  return out;
}

}  // namespace

bool is_profiler_report(const std::string& file) { return fs::path(file).extension() == ".ncu-rep"; }

int compare_report(const CompareCommand& command) {
  require_report_alone(command);
  const ProfilerReport report = read_profiler_report(command.files[0]);
  const GpuConfig gpu = gpu_of(command, report);
  require_run_files(command, report, gpu);
  const std::string json_file = resolve_path(command.out_folder, "report.json");
  require_writable(json_file);
  stop_on_signals();
  gpu::Machine machine("gpu", gpu.params);
  machine.use_threads(processor_share());
  std::string text;
  nlohmann::ordered_json json = {{"schema", "stcsim.report/1"},
                                 {"report", command.files[0]},
                                 {"gpu", gpu.params.name},
                                 {"clock_mhz", gpu.params.clock_mhz}};
  for (std::size_t i = 0; i < report.launches.size(); ++i) {
    const ProfiledLaunch& launch = report.launches[i];
    const std::string file = run_file_of(command, i);
    ReadyLaunch ready = make_ready(prepare_launch(plan_of(file, launch)), gpu);
    ready.step = fmt::format("launch {}/{}", i + 1, report.launches.size());
    isa::GlobalMemory memory;
    const LaunchResult result = run_launch(ready, machine, read_run_file(file).options, memory);
    const auto rows = reported_figures(launch, describe_run().json({&result.run, &gpu.params}));
    text += table_of(launch, i + 1, rows) + "\n";
    json["launches"].push_back(json_of(launch, i + 1, rows));
  }
  OutputFiles outputs;
  outputs.add_text(json_file, json_text(json, 1) + "\n");
  outputs.commit();
  fmt::print("{}", for_output(fmt::format("{}{} at {:.0f} MHz, device memory at its own clock; all figures in {}\n",
                                          text, gpu.params.name, gpu.params.clock_mhz, json_file)));
  return kOk;
}

}  // namespace stc::sim
