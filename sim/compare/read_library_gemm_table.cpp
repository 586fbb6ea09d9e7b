// SPDX-License-Identifier: Apache-2.0
// Published timings of dense and sparse GEMM libraries. The libraries' kernels are not here: the best of our tiles
// stands for each, and only the speedup is a fair comparison. An estimate picks the tiles worth simulating.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "models/gpu/gpu.h"
#include "sim/base/error.h"
#include "sim/base/text.h"
#include "sim/compare/read_measured.h"
#include "traces/cubin/cubin.h"

namespace stc::sim {
namespace {

struct Tile {
  const LibraryKernel* kernel;
  int ctas_per_sm;
};

/// f16 stands for kernels whose warps multiply, as it always has; 8-bit floats have warpgroup kernels alone.
std::vector<Tile> tiles_of(const ReaderContext& context, ElementType element, bool sparse) {
  std::vector<Tile> tiles;
  const int version = context.gpu.params.sm_version;
  for (const LibraryKernel& kernel : context.manifest.kernels) {
    const auto path = kernel.cubins.find(version);
    if (kernel.element != element || kernel.sparse() != sparse || path == kernel.cubins.end()) continue;
    if (element == ElementType::f16 && kernel.cluster != 0) continue;
    for (const isa::Kernel& candidate : cubin::list_kernels(path->second)) {
      if (candidate.name != kernel.symbol) continue;
      const isa::Dim3 block{kernel.threads, 1, 1};
      try {
        tiles.push_back(
            {&kernel, gpu::occupancy(context.gpu.params, candidate, block, kernel.dynamic_shared_bytes).ctas_per_sm});
      } catch (const gpu::LaunchError&) {
        continue;  // this GPU has too little shared memory for the tile
      }
    }
  }
  return tiles;
}

/// Cycles, roughly: rounds of CTAs over all SMs, each as slow as its multiplications or its operands from L2.
double estimate(const Tile& tile, const gpu::GpuParams& gpu, double m, double n, double k) {
  constexpr double kCtaOverhead = 1500;    // first loads, epilogue
  constexpr double kL2BytesPerCycle = 40;  // of one SM when all ask
  const LibraryKernel& kernel = *tile.kernel;
  const double multiply_adds_per_cycle = kernel.cluster != 0 ? 4096 : 1024;  // of 8-bit floats, of f16
  const double bytes = bytes_of(kernel.element);
  const double kept = static_cast<double>(kernel.stored) / kernel.group;
  const double ctas = m / kernel.tile_m * n / kernel.tile_n;
  const double rounds = std::ceil(ctas / gpu.sms);
  const double multiply = kernel.tile_m * kernel.tile_n * k * kept / multiply_adds_per_cycle;
  const double load = (kernel.tile_m * kept * 1.125 + kernel.tile_n) * bytes * k / kL2BytesPerCycle;
  return rounds * std::max(multiply, load) + std::ceil(rounds / tile.ctas_per_sm) * kCtaOverhead;
}

std::vector<SimulationTask> best_tiles(const std::vector<Tile>& tiles, const ReaderContext& context, std::int64_t m,
                                       std::int64_t n, std::int64_t k) {
  std::vector<std::pair<double, const LibraryKernel*>> ranked;
  for (const Tile& tile : tiles) {
    if (m % tile.kernel->tile_m != 0 || n % tile.kernel->tile_n != 0 || k % tile.kernel->tile_k != 0) continue;
    ranked.emplace_back(
        estimate(tile, context.gpu.params, static_cast<double>(m), static_cast<double>(n), static_cast<double>(k)),
        tile.kernel);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (ranked.size() > context.tiles) ranked.resize(context.tiles);
  std::vector<SimulationTask> tasks;
  for (const auto& [cycles, kernel] : ranked) {
    SimulationTask task;
    task.kind = SimulationTask::Kind::kGemm;
    task.kernel = kernel->name;
    task.m = m;
    task.n = n;
    task.k = k;
    task.warm_l2 = true;  // published timings repeat the launch
    tasks.push_back(task);
  }
  return tasks;
}

/// The rows' own notes sort them: only those whose time is the kernel's can be predicted.
std::string group_of(const CsvRow& row) {
  const std::string note = row.has("note") ? row.text("note") : "";
  const auto begins = [&](const char* word) { return note.rfind(word, 0) == 0; };
  if (begins("launch")) return "library GEMM, below 5 GFLOP";
  if (note.empty() || begins("compute") || begins("OK") || begins("good (median") || note == "good") {
    return "library GEMM, 5 GFLOP and more";
  }
  return "library GEMM, set apart by the source";
}

}  // namespace

void read_library_gemm_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data) {
  std::map<std::string, std::array<std::vector<Tile>, 2>> tiles;  // by element, dense and sparse
  for (const ElementType element : {ElementType::f16, ElementType::e4m3}) {
    tiles[name_of(element)] = {tiles_of(context, element, false), tiles_of(context, element, true)};
  }
  int left_out = 0;
  for (const CsvRow& row : table.rows()) {
    const std::string element = row.has("dtype") ? row.text("dtype") : "f16";
    const auto& [dense, sparse] = tiles[element];
    const std::int64_t m = row.integer("m", 1, 1 << 20), n = row.integer("n", 1, 1 << 20),
                       k = row.integer("k", 1, 1 << 20);
    ComparePoint point;
    point.kind = ComparePoint::Kind::kLibraryGemm;
    const bool has_dense = row.has("dense_us");
    if (has_dense) point.tasks = best_tiles(dense, context, m, n, k);
    point.dense_tasks = point.tasks.size();
    for (SimulationTask& task : best_tiles(sparse, context, m, n, k)) point.tasks.push_back(std::move(task));
    if (!row.has("sparse_us") || (has_dense && point.dense_tasks == 0) || point.dense_tasks == point.tasks.size()) {
      ++left_out;
      continue;
    }
    point.place = row.place();
    point.id = fmt::format("library GEMM {}x{}x{}", m, n, k);
    point.group = group_of(row);
    point.fields = fields_of(row, {"m", "n", "k", "dtype", "gpu", "dense_library", "sparse_library", "note"});
    point.fields.emplace_back("group", point.group);
    point.fields.emplace_back("gflop", fmt::format("{:.3f}", 2e-9 * static_cast<double>(m) * static_cast<double>(n) *
                                                                 static_cast<double>(k)));
    point.measured["sparse_us"] = row.measured("sparse_us");
    if (has_dense) {
      point.measured["dense_us"] = row.measured("dense_us");
      point.measured["speedup"] = point.measured["dense_us"] / point.measured["sparse_us"];
    }
    if (row.has("note")) point.caveat = row.text("note");
    data.points.push_back(std::move(point));
  }
  if (left_out != 0) {
    data.notes.push_back(
        fmt::format("{}: {} rows are left out: neither f16 nor e4m3, a time is missing, or no tile of the library "
                    "divides the sizes",
                    table.file(), left_out));
  }
}

}  // namespace stc::sim
