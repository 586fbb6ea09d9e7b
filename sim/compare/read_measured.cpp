// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/read_measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "sim/base/data_folder.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"
#include "traces/cubin/cubin.h"
#include "traces/cubin/cubin_error.h"

namespace stc::sim {
namespace {

/// A repeated row gets " #2", " #3" ... after its name.
void make_ids_unique(std::vector<ComparePoint>& points) {
  std::map<std::string, int> seen;
  for (ComparePoint& point : points) {
    const int count = ++seen[point.id];
    if (count > 1) point.id += fmt::format(" #{}", count);
  }
}

}  // namespace

void read_measured(const std::string& file, const ReaderContext& context, MeasuredData& data) {
  const CsvTable table(file);
  const std::size_t before = data.points.size();
  if (table.has_columns({"metric", "op", "value"})) {
    read_published_mma_table(table, context, data);
  } else if (table.has_columns({"dense_us", "sparse_us"})) {
    read_library_gemm_table(table, context, data);
  } else if (table.has_columns({"case", "launch"})) {
    read_foreign_table(table, context, data);
  } else if (table.has_columns({"joules", "mark"})) {
    read_energy_table(table, context, data);
  } else if (table.has_columns({"cubin"})) {
    read_micro_table(table, context, data);
  } else if (table.has_columns({"kernel", "stride"})) {
    read_convolution_table(table, context, data);
  } else if (table.has_columns({"kernel", "sparsity"})) {
    read_spmm_table(table, context, data);
  } else if (table.has_columns({"kernel"})) {
    read_gemm_table(table, context, data);
  } else {
    throw UserError(fmt::format(
        "{}: is no measured file that is known here. A GEMM file has the columns kernel, m, n, k, l2; a convolution "
        "file "
        "kernel, n, h, w, c, k, r, s, stride, pad, l2; products with unstructured matrices kernel, m, n, k, sparsity, "
        "parts_of_k; a microbenchmark "
        "file cubin, kernel, ctas, warps; a published table metric, op, value; library timings m, n, k, dense_us, "
        "sparse_us; launches of foreign programs case, launch; energy point, mark, joules, watts. This one has {}",
        file, join(table.columns(), ", ")));
  }
  for (const std::string& comment : table.comments()) data.notes.push_back(fmt::format("{}: {}", file, comment));
  make_ids_unique(data.points);
  if (data.points.size() == before) throw UserError(fmt::format("{}: holds no row that can be simulated", file));
}

MetricValues measured_values(const CsvRow& row, const CsvTable& table) {
  MetricValues values;
  for (const Metric& metric : all_metrics()) {
    for (const char* column : metric.measured_columns) {
      if (!table.find(column)) continue;
      const std::string unit = metric.unit;
      if (!row.has(column)) break;
      const double value = row.measured(column, unit != "SM cycles" && unit != "microseconds");
      if (value >= metric.least) values[metric.key] = value;
      break;
    }
  }
  return values;
}

std::string default_micro_folder() {
  const char* folder = std::getenv("STC_MICRO_KERNELS");
  return folder != nullptr && *folder != '\0' ? folder : data_folder() + "/validation/kernels";
}

std::string gpu_file_of(const std::vector<std::string>& files) {
  const std::string gpus = data_folder() + "/configs/gpus";
  for (const std::string& file : files) {
    const std::string folder = std::filesystem::absolute(file).parent_path().filename().string();
    std::string path = resolve_path(gpus, folder + ".yaml");
    if (std::filesystem::exists(path)) return path;
  }
  throw UserError(
      fmt::format("--gpu is needed: {} lies in no folder with the name of a file in {}", files.front(), gpus));
}

std::string micro_cubin_path(const std::string& folder, int sm_version, const std::string& cubin) {
  return resolve_path(folder, fmt::format("sm_{}/{}.cubin", sm_version, cubin));
}

std::vector<std::pair<std::string, std::string>> fields_of(const CsvRow& row, const std::vector<std::string>& columns) {
  std::vector<std::pair<std::string, std::string>> fields;
  for (const std::string& column : columns) {
    if (row.has(column)) fields.emplace_back(column, row.text(column));
  }
  return fields;
}

const LibraryKernel& library_kernel_of(const CsvRow& row, const ReaderContext& context) {
  const std::string& name = row.text("kernel");
  const LibraryKernel* kernel = context.manifest.find(name);
  if (kernel == nullptr || kernel->name != name) {
    row.fail(fmt::format("column 'kernel': {}", unknown_word("kernel", name, context.manifest.names())));
  }
  if (kernel->cubins.count(context.gpu.params.sm_version) == 0) {
    row.fail(fmt::format("kernel {} has no cubin for sm_{}", name, context.gpu.params.sm_version));
  }
  return *kernel;
}

void KernelNames::require(const CsvRow& row, const std::string& path, const std::string& kernel) {
  if (names_.count(path) == 0) {
    try {
      std::vector<std::string>& names = names_[path];
      for (const isa::Kernel& candidate : cubin::list_kernels(path)) names.push_back(candidate.name);
    } catch (const cubin::CubinError& error) {
      row.fail(error.what());
    }
  }
  const std::vector<std::string>& names = names_.at(path);
  if (std::find(names.begin(), names.end(), kernel) != names.end()) return;
  const auto near = nearest(kernel, names);
  row.fail(fmt::format("column 'kernel': {} has no kernel '{}'{}", path, kernel,
                       near ? fmt::format("; did you mean '{}'?", *near) : ""));
}

}  // namespace stc::sim
