// SPDX-License-Identifier: Apache-2.0
// Convolutions of the kernel library, one row per kernel, layer and state of L2.
#include <fmt/format.h>

#include "sim/base/files.h"
#include "sim/compare/read_measured.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kLargestLayerSize = 1 << 16;
constexpr std::int64_t kLargestWindow = 15;

ConvolutionLayer layer_of(const CsvRow& row) {
  const auto size = [&](const char* column, std::int64_t low, std::int64_t high) {
    return static_cast<int>(row.integer(column, low, high));
  };
  ConvolutionLayer layer;
  layer.place = row.place();
  layer.n = size("n", 1, kLargestLayerSize);
  layer.h = size("h", 1, kLargestLayerSize);
  layer.w = size("w", 1, kLargestLayerSize);
  layer.c = size("c", 1, kLargestLayerSize);
  layer.k = size("k", 1, kLargestLayerSize);
  layer.r = size("r", 1, kLargestWindow);
  layer.s = size("s", 1, kLargestWindow);
  layer.stride = size("stride", 1, kLargestLayerSize);
  layer.pad = size("pad", 0, kLargestWindow);
  if (layer.r > layer.h + 2 * layer.pad || layer.s > layer.w + 2 * layer.pad) {
    row.fail("the window is larger than the padded image");
  }
  return layer;
}

ComparePoint point_of(const CsvRow& row, const CsvTable& table, const ReaderContext& context,
                      const ConvolutionLibrary& library) {
  SimulationTask task;
  task.kind = SimulationTask::Kind::kConvolution;
  task.kernel = row.text("kernel");
  task.layer = layer_of(row);
  task.convolution = library.find(task.kernel, fmt::format("{}: column 'kernel'", row.place()));
  task.warm_l2 = row.one_of("l2", {"cold", "warm"}) == "warm";
  const std::string why = why_unfit(task.convolution, task.layer);
  if (!why.empty()) row.fail(why);
  if (task.convolution.gemm.cubins.count(context.gpu.params.sm_version) == 0) {
    row.fail(fmt::format("kernel {} has no cubin for sm_{}", task.kernel, context.gpu.params.sm_version));
  }
  ComparePoint point;
  point.kind = ComparePoint::Kind::kConvolution;
  point.id = task.name();
  point.group = fmt::format("convolution, {} L2", row.text("l2"));
  point.place = row.place();
  point.fields = fields_of(row, {"kernel", "n", "h", "w", "c", "k", "r", "s", "stride", "pad", "l2"});
  point.fields.emplace_back("group", "convolution");
  point.fields.emplace_back("element", name_of(task.convolution.gemm.element));
  point.fields.emplace_back("pattern", task.convolution.gemm.pattern_name());
  point.fields.emplace_back("gflop", fmt::format("{:.3f}", 1e-9 * task.layer.operations()));
  point.measured = measured_values(row, table);
  if (point.measured.empty()) row.fail("holds no measured value");
  point.tasks = {task};
  return point;
}

}  // namespace

void read_convolution_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data) {
  const ConvolutionLibrary library = ConvolutionLibrary::load(folder_of(context.manifest.file));
  for (const CsvRow& row : table.rows()) data.points.push_back(point_of(row, table, context, library));
}

}  // namespace stc::sim
