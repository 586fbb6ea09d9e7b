// SPDX-License-Identifier: Apache-2.0
// Tables of a sweep: for the terminal and as CSV.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/csv_table.h"
#include "sim/base/text.h"
#include "sim/explore/case_columns.h"

namespace stc::sim {
namespace {

std::string bytes_header() {
  std::string out;
  for (const char* level : level_keys()) {
    out += fmt::format(",{0}_weight_bytes,{0}_metadata_bytes,{0}_activation_bytes,{0}_output_bytes,{0}_other_bytes",
                       level);
  }
  return out;
}

std::string bytes_fields(const PointResult& result) {
  std::string out;
  for (const LevelBytes& level : result.bytes) {
    for (const DataRole role :
         {DataRole::kWeight, DataRole::kMetadata, DataRole::kActivation, DataRole::kOutput, DataRole::kOther}) {
      const auto i = static_cast<std::size_t>(role);
      out += fmt::format(",{}", level.read[i] + level.write[i]);
    }
  }
  return out;
}

}  // namespace

std::string explore_table(const ExploreReport& report) {
  const Sweep& sweep = report.plan->sweep;
  std::size_t gpu_width = 3, shape_width = 5;
  for (const GpuVariant& gpu : sweep.gpus) gpu_width = std::max(gpu_width, gpu.name.size());
  for (const SweepShape& shape : sweep.shapes) shape_width = std::max(shape_width, shape.name.size());
  std::string out = fmt::format("{:<{}}  {:<{}}  {:<5} {:<8} {:<14} {:>12} {:>8} {:>8} {:>6} {:>8} {:>7}  {}\n", "gpu",
                                gpu_width, "shape", shape_width, "type", "pattern", "best tile", "cycles", "TFLOPS",
                                "speedup", "ideal", "ceiling", "kept %", "limited by");
  for (const CaseReport& one : report.cases) {
    const SweepCase& question = report.question(one);
    out += fmt::format("{:<{}}  {:<{}}  {:<5} {:<8} ", sweep.gpus[question.gpu].name, gpu_width,
                       sweep.shapes[question.shape].name, shape_width, isa::name_of(question.type),
                       question.pattern.name());
    if (!one.ok) {
      out += fmt::format("{:<14} {}\n", "failed", one.limit.reason);
      continue;
    }
    const LibraryKernel& kernel = report.point(one).problem.kernel;
    out += fmt::format("{:<14} {:>12} {:>8.1f} {:>8.3f} {:>6.2f} {:>8.2f} {:>7.1f}  {}\n",
                       fmt::format("{}x{}x{}", kernel.tile_m, kernel.tile_n, kernel.tile_k),
                       grouped(report.result(one).cycles), one.tflops, one.speedup, one.ideal, one.tensor_ceiling,
                       100 * one.kept.magnitude, one.limit.by);
  }
  return out;
}

std::string cases_csv(const ExploreReport& report) {
  std::string out = case_csv_header() + bytes_header() + "\n";
  for (const CaseReport& one : report.cases) {
    out += case_csv_fields(report, one) + bytes_fields(report.result(one)) + "\n";
  }
  return out;
}

std::string points_csv(const ExploreReport& report) {
  std::string out = "point,best,cycles,cycles_elapsed,tensor_busy,ctas_per_sm,registers,shared_bytes,bound,failure" +
                    bytes_header() + "\n";
  for (std::size_t i = 0; i < report.plan->points.size(); ++i) {
    const PointResult& result = report.results->points[i];
    const CaseReport& one = report.cases[report.plan->points[i].of_case];
    out += fmt::format("{},{},{},{},{},{},{},{},{},{}{}\n", csv_field(report.plan->points[i].name),
                       one.ok && one.best == i ? 1 : 0, result.cycles, result.cycles_elapsed, result.tensor_busy,
                       result.ctas_per_sm, result.registers, result.shared_bytes, result.bound,
                       csv_field(result.failure), bytes_fields(result));
  }
  return out;
}

std::string times_csv(const ExploreReport& report) {
  std::string out = "point,simulator_wall_s\n";
  for (std::size_t i = 0; i < report.plan->points.size(); ++i) {
    out += fmt::format("{},{:.3f}\n", csv_field(report.plan->points[i].name), report.results->points[i].wall_s);
  }
  return out;
}

}  // namespace stc::sim
