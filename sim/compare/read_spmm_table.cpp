// SPDX-License-Identifier: Apache-2.0
// Products with unstructured matrices, one row per kernel, shape and share of zeros, caches emptied before; a group of
// the report is a kernel.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/compare/read_measured.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kLargestMatrixSize = 1 << 16;
constexpr std::int64_t kMostElements = 1 << 27;  // of a matrix: half a GiB here
constexpr std::int64_t kMostParts = 64;

const SpmmKernel& spmm_kernel_of(const CsvRow& row, const std::vector<SpmmKernel>& library, int sm_version) {
  const std::string& name = row.text("kernel");
  const auto found =
      std::find_if(library.begin(), library.end(), [&](const SpmmKernel& kernel) { return kernel.name == name; });
  if (found == library.end()) {
    std::vector<std::string> names;
    names.reserve(library.size());
    for (const SpmmKernel& kernel : library) names.push_back(kernel.name);
    row.fail(fmt::format("column 'kernel': {}", unknown_word("kernel", name, names)));
  }
  if (found->cubins.count(sm_version) == 0) row.fail(fmt::format("kernel {} has no cubin for sm_{}", name, sm_version));
  return *found;
}

SimulationTask task_of(const CsvRow& row, const SpmmKernel& kernel) {
  SimulationTask task;
  task.kind = SimulationTask::Kind::kSpmm;
  task.kernel = kernel.name;
  task.spmm = kernel;
  task.m = row.integer("m", 1, kLargestMatrixSize);
  task.n = row.integer("n", 1, kLargestMatrixSize);
  task.k = row.integer("k", 1, kLargestMatrixSize);
  if (std::max({task.m * task.k, task.k * task.n, task.m * task.n}) > kMostElements) {
    row.fail(fmt::format("columns 'm', 'n' and 'k': a matrix may have {} elements at most", kMostElements));
  }
  task.sparsity = row.number("sparsity");
  if (task.sparsity < 0 || task.sparsity >= 1) {
    row.fail(fmt::format("column 'sparsity' must be a share of zeros from 0 to below 1, but is {}", task.sparsity));
  }
  task.parts = static_cast<int>(row.integer("parts_of_k", 1, kMostParts));
  const bool cuts = kernel.format == SpmmFormat::kSgemm || kernel.format == SpmmFormat::kBitmap;
  if (task.parts > 1 && !cuts) row.fail(fmt::format("column 'parts_of_k' must be 1: {} does not cut k", kernel.name));
  const std::string why =
      why_unfit(kernel, static_cast<int>(task.m), static_cast<int>(task.n), static_cast<int>(task.k));
  if (!why.empty()) row.fail(why);
  return task;
}

ComparePoint point_of(const CsvRow& row, const CsvTable& table, const SpmmKernel& kernel) {
  ComparePoint point;
  point.kind = ComparePoint::Kind::kSpmm;
  point.tasks = {task_of(row, kernel)};
  point.id = point.tasks.front().name();
  point.group = kernel.name;
  point.place = row.place();
  point.fields = fields_of(row, {"kernel", "m", "n", "k", "sparsity", "parts_of_k"});
  point.fields.emplace_back("group", "spmm");
  point.fields.emplace_back("format", name_of(kernel.format));
  point.fields.emplace_back("element", name_of(kernel.element));
  const SimulationTask& task = point.tasks.front();
  const double products = static_cast<double>(task.m) * static_cast<double>(task.n) * static_cast<double>(task.k);
  point.fields.emplace_back("gflop", fmt::format("{:.3f}", 2e-9 * products));  // were nothing zero
  point.measured = measured_values(row, table);
  point.measured.erase("l2_sectors");  // counts what crosses between L2's partitions, too
  if (point.measured.empty()) row.fail("holds no measured value");
  return point;
}

}  // namespace

void read_spmm_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data) {
  const std::vector<SpmmKernel> library = load_spmm_library(folder_of(context.manifest.file));
  for (const CsvRow& row : table.rows()) {
    data.points.push_back(point_of(row, table, spmm_kernel_of(row, library, context.gpu.params.sm_version)));
  }
}

}  // namespace stc::sim
