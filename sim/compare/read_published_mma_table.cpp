// SPDX-License-Identifier: Apache-2.0
// Published latencies and rates of matrix instructions. Tables in clocks per loop iteration are predicted with the
// same loop (micro_mma_loop.cu), issue intervals with eight chains on four warps
// (micro_mma.cu).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/text.h"
#include "sim/compare/read_measured.h"

namespace stc::sim {
namespace {

constexpr int kIterations = 64;  ///< of the loop, 256 of the table; a clock more or less at the ends is below 0.1 %

constexpr double kMostCycles = 100000;

/// Instructions as disassemblers name them, and as PTX does.
const std::map<std::string, std::string>& ptx_names() {
  static const std::map<std::string, std::string> names = {
      {"HMMA.1688.F16", "mma.m16n8k8.f16.f16.f16.f16"},
      {"HMMA.1688.F32", "mma.m16n8k8.f32.f16.f16.f32"},
      {"HMMA.1688.F32.BF16", "mma.m16n8k8.f32.bf16.bf16.f32"},
      {"HMMA.16816.F16", "mma.m16n8k16.f16.f16.f16.f16"},
      {"HMMA.16816.F32", "mma.m16n8k16.f32.f16.f16.f32"},
      {"HMMA.16816.F32.BF16", "mma.m16n8k16.f32.bf16.bf16.f32"},
      {"HMMA.1684.F32.TF32", "mma.m16n8k4.f32.tf32.tf32.f32"},
      {"HMMA.1688.F32.TF32", "mma.m16n8k8.f32.tf32.tf32.f32"},
      {"IMMA.16832", "mma.m16n8k32.s32.s8.s8.s32"},
      {"IMMA.16864", "mma.m16n8k64.s32.s4.s4.s32"},
      {"HMMA.SP.16832.F16", "mma.sp.m16n8k32.f16.f16.f16.f16"},
      {"HMMA.SP.16832.F32", "mma.sp.m16n8k32.f32.f16.f16.f32"},
      {"HMMA.SP.16832.F32.BF16", "mma.sp.m16n8k32.f32.bf16.bf16.f32"},
      {"HMMA.SP.16816.F32.TF32", "mma.sp.m16n8k16.f32.tf32.tf32.f32"},
      {"IMMA.SP.16864", "mma.sp.m16n8k64.s32.s8.s8.s32"},
      {"IMMA.SP.168128", "mma.sp.m16n8k128.s32.s4.s4.s32"},
  };
  return names;
}

std::string kernel_part(std::string op) {
  std::replace(op.begin(), op.end(), '.', '_');
  return op;
}

/// Logical multiply-adds of "mma.sp.m16n8k32...".
double multiply_adds(const std::string& op) {
  for (const std::string& part : split(op, '.')) {
    if (part.rfind("m16n8k", 0) == 0)
      return 16.0 * 8.0 * static_cast<double>(parse_integer(part.substr(6)).value_or(0));
  }
  return 0;
}

SimulationTask micro_task(const std::string& cubin, const std::string& kernel, std::int64_t warps, int iterations) {
  SimulationTask task;
  task.kind = SimulationTask::Kind::kMicro;
  task.kernel = task.micro.kernel = kernel;
  task.micro.cubin = cubin;
  task.micro.warps = static_cast<std::uint32_t>(warps);
  task.micro.args = fmt::format("out {}", iterations);
  task.micro.measured = {kMostCycles};
  return task;
}

/// The row as a point, or nothing when no kernel here does what was measured.
bool make_point(const CsvRow& row, ComparePoint& point) {
  const std::string& metric = row.text("metric");
  std::string op = row.text("op");
  if (metric == "issue_interval") {
    const auto name = ptx_names().find(op);
    if (name == ptx_names().end()) return false;
    op = name->second;
    point.measured["interval"] = row.measured("value");
    point.tasks = {micro_task("micro_mma", fmt::format("micro_{}_c8", kernel_part(op)), 4, 32)};
  } else if (metric == "mma_latency" || metric == "mma_iteration" || metric == "mma_throughput") {
    if (op.find(".b1.") != std::string::npos) return false;  // no kernel here uses 1-bit operands
    const std::int64_t warps = row.integer("warps", 1, 32);
    std::int64_t chains = warps <= 4 ? 3 : 2;
    if (row.has("chains")) {
      chains = row.integer("chains", 1, 4);
    } else {
      point.caveat = fmt::format("chains are not printed; {} makes whole iterations of the printed throughput", chains);
    }
    const std::string key = metric == "mma_latency"     ? "latency"
                            : metric == "mma_iteration" ? "iteration"
                                                        : "throughput";
    point.measured[key] = row.measured("value");
    point.tasks = {
        micro_task("micro_mma_loop", fmt::format("micro_loop_{}_c{}", kernel_part(op), chains), warps, kIterations)};
  } else {
    return false;
  }
  point.operations = multiply_adds(op);
  point.kind = ComparePoint::Kind::kPublishedMma;
  point.group = fmt::format("published {}{}", metric, op.find(".sp.") == std::string::npos ? "" : ", sparse");
  return true;
}

}  // namespace

void read_published_mma_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data) {
  KernelNames names;
  std::map<std::string, int> left_out;
  for (const CsvRow& row : table.rows()) {
    ComparePoint point;
    if (!make_point(row, point)) {
      ++left_out[row.text("metric")];
      continue;
    }
    const SimulationTask& task = point.tasks.front();
    names.require(row, micro_cubin_path(context.micro_folder, context.gpu.params.sm_version, task.micro.cubin),
                  task.kernel);
    point.place = row.place();
    point.id = fmt::format("{} {} {} warps{} ({}, table {})", row.text("metric"), row.text("op"),
                           row.has("warps") ? row.text("warps") : "4",
                           row.has("chains") ? fmt::format(" {} chains", row.text("chains")) : "", row.text("source"),
                           row.text("table"));
    point.fields = fields_of(row, {"metric", "op", "warps", "chains", "source", "table"});
    point.fields.emplace_back("group", point.group);
    data.points.push_back(std::move(point));
  }
  for (const auto& [metric, count] : left_out) {
    data.notes.push_back(
        fmt::format("{}: {} rows of {} are left out: no kernel here repeats them", table.file(), count, metric));
  }
}

}  // namespace stc::sim
