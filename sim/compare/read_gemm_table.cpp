// SPDX-License-Identifier: Apache-2.0
// GEMMs of the kernel library, one row per kernel, shape and state of L2.
#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/compare/read_measured.h"
#include "sim/compare/stall_shares.h"
#include "sim/launch/gemm_workload.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kLargestSize = 1 << 20;

std::int64_t size_of(const CsvRow& row, const char* column, int tile) {
  const std::int64_t size = row.integer(column, 1, kLargestSize);
  if (size % tile != 0) row.fail(fmt::format("column '{}' must be a multiple of {}, but is {}", column, tile, size));
  return size;
}

ComparePoint point_of(const CsvRow& row, const CsvTable& table, const ReaderContext& context) {
  const LibraryKernel& kernel = library_kernel_of(row, context);
  SimulationTask task;
  task.kind = SimulationTask::Kind::kGemm;
  task.kernel = kernel.name;
  task.m = size_of(row, "m", kernel.tile_m);
  task.n = size_of(row, "n", kernel.tile_n);
  task.k = size_of(row, "k", kernel.tile_k);
  task.warm_l2 = row.one_of("l2", {"cold", "warm"}) == "warm";

  ComparePoint point;
  point.kind = ComparePoint::Kind::kGemm;
  point.id = task.name();
  point.group = fmt::format("gemm, {} L2", row.text("l2"));
  point.place = row.place();
  point.fields = fields_of(row, {"kernel", "m", "n", "k", "l2"});
  point.fields.emplace_back("group", "gemm");
  point.fields.emplace_back("element", name_of(kernel.element));
  point.fields.emplace_back("pattern", kernel.pattern_name());
  point.fields.emplace_back("gflop",
                            fmt::format("{:.3f}", 2e-9 * static_cast<double>(task.m) * static_cast<double>(task.n) *
                                                      static_cast<double>(task.k)));
  point.measured = measured_values(row, table);
  if (point.measured.empty()) row.fail("holds no measured value");
  point.stall_shares = measured_stall_shares(row, table);
  point.tasks = {task};
  return point;
}

}  // namespace

void read_gemm_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data) {
  for (const CsvRow& row : table.rows()) data.points.push_back(point_of(row, table, context));
}

}  // namespace stc::sim
