// SPDX-License-Identifier: Apache-2.0
// From measured files to points. The columns say what a file is:
//   kernel, m, n, k, l2 and any metric    GEMMs of the kernel library (validation/measured/GPU/gemm.csv)
//   group, cubin, kernel, ctas, ...       microbenchmarks (intervals.csv)
//   metric, op, warps, chains, value      published tables of matrix instructions (a100/published.csv)
//   m, n, k, dense_us, sparse_us          published timings of library GEMMs
//   kernel, n, h, w, c, k, r, s, stride ... convolutions of the kernel library (convolution.csv)
//   kernel, sparsity, parts_of_k ...      products with unstructured matrices (spmm.csv)
//   case, launch, kernel, races           launches of foreign programs (foreign.csv)
//   point, mark, joules, watts, ...       energy of GEMMs (energy.csv)
// Whatever cannot be simulated is a UserError with file and line: a missing column, a bad number, an unknown kernel.
#pragma once

#include <string>
#include <vector>

#include "sim/base/csv_table.h"
#include "sim/compare/compare_point.h"
#include "sim/config/gpu_config.h"
#include "sim/launch/manifest.h"

namespace stc::sim {

struct MeasuredData {
  std::vector<ComparePoint> points;
  std::vector<std::string> notes;  ///< what was left out, and the comments of the files
};

/// What readers need to know besides the file.
struct ReaderContext {
  const GpuConfig& gpu;
  const Manifest& manifest;
  std::string micro_folder;  ///< holds sm_80/, sm_90/ with the microbenchmarks' cubins
  std::size_t tiles = 2;     ///< library GEMMs: how many promising tiles are simulated, dense and sparse each
};

/// Reads one file of any kind and appends to `data`.
void read_measured(const std::string& file, const ReaderContext& context, MeasuredData& data);

/// Folder of the microbenchmarks: the environment variable STC_MICRO_KERNELS, or that of data_folder().
std::string default_micro_folder();
/// The GPU description that belongs to measured files: they lie in a folder with its name, as h200/gemm.csv does.
std::string gpu_file_of(const std::vector<std::string>& files);
/// Path of a microbenchmark's cubin for this GPU.
std::string micro_cubin_path(const std::string& folder, int sm_version, const std::string& cubin);

// The readers, one file each.
void read_gemm_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data);
void read_micro_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data);
void read_published_mma_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data);
void read_library_gemm_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data);
void read_convolution_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data);
void read_spmm_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data);
void read_energy_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data);
void read_foreign_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data);

/// The row's values by metric, of the columns that a metric is known by.
MetricValues measured_values(const CsvRow& row, const CsvTable& table);

/// Columns of the row as the filter sees them, empty ones left out.
std::vector<std::pair<std::string, std::string>> fields_of(const CsvRow& row, const std::vector<std::string>& columns);

/// The kernel of the library that the row names in full, UserError where there is none or none for the GPU.
const LibraryKernel& library_kernel_of(const CsvRow& row, const ReaderContext& context);

/// Knows which kernels the cubins of a folder hold; opens each once.
class KernelNames {
 public:
  /// UserError at `row` when the cubin does not exist or has no such kernel.
  void require(const CsvRow& row, const std::string& path, const std::string& kernel);

 private:
  std::map<std::string, std::vector<std::string>> names_;  // by path
};

}  // namespace stc::sim
