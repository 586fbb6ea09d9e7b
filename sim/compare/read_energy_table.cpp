// SPDX-License-Identifier: Apache-2.0
// Energy of launches behind one another (validation/measured/h200/energy.csv), a row per point and repetition. Loops
// give the GPU file's numbers (scripts/energy fit), so only what is marked `test` is compared: GEMMs of the kernel
// library.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/error.h"
#include "sim/base/text.h"
#include "sim/compare/read_measured.h"
#include "sim/launch/gemm_workload.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kLargestGemm = 1 << 20;
constexpr std::int64_t kMostRepetitions = 1000;
constexpr const char* kMarks[] = {"fit", "zero", "limit", "half", "test"};

/// The last three of a GEMM's arguments are m, n and k.
std::int64_t size_of(const CsvRow& row, std::size_t from_end, int tile) {
  const std::vector<std::string> words = split(row.text("arguments"), ' ');
  const std::optional<double> value = words.size() < 3 ? std::nullopt : parse_number(words[words.size() - from_end]);
  const auto size = static_cast<std::int64_t>(value.value_or(0));
  if (!value || static_cast<double>(size) != *value || size < 1 || size > kLargestGemm || size % tile != 0) {
    row.fail(fmt::format("column 'arguments' must end in m, n and k, multiples of the kernel's tile, but is '{}'",
                         row.text("arguments")));
  }
  return size;
}

SimulationTask task_of(const CsvRow& row, const LibraryKernel& kernel) {
  SimulationTask task;
  task.kind = SimulationTask::Kind::kGemm;
  task.kernel = kernel.name;
  task.m = size_of(row, 3, kernel.tile_m);
  task.n = size_of(row, 2, kernel.tile_n);
  task.k = size_of(row, 1, kernel.tile_k);
  task.warm_l2 = true;  // launches behind one another
  return task;
}

ComparePoint point_of(const CsvRow& row, const ReaderContext& context) {
  const LibraryKernel& kernel = library_kernel_of(row, context);
  ComparePoint point;
  point.kind = ComparePoint::Kind::kEnergy;
  point.tasks = {task_of(row, kernel)};
  point.zero_operands = row.text("fill") == "zero";
  const SimulationTask& task = point.tasks.front();
  point.id = fmt::format("{} {}x{}x{} {}", kernel.name, task.m, task.n, task.k, row.text("fill"));
  point.group = point.zero_operands ? "energy, zeros" : "energy, random operands";
  point.place = row.place();
  point.fields = fields_of(row, {"point", "kernel", "fill"});
  for (const auto& [column, size] : {std::pair{"m", task.m}, {"n", task.n}, {"k", task.k}}) {
    point.fields.emplace_back(column, std::to_string(size));
  }
  point.fields.emplace_back("group", "energy");
  point.fields.emplace_back("element", name_of(kernel.element));
  point.fields.emplace_back("pattern", kernel.pattern_name());
  return point;
}

/// Means over the repetitions; the first one warms the board up and counts only if it is alone.
void add_values(const std::vector<const CsvRow*>& rows, ComparePoint& point) {
  std::vector<double> watts;
  MetricValues sum;
  for (const CsvRow* row : rows) {
    if (rows.size() > 1 && row->integer("repetition", 0, kMostRepetitions) == 0) continue;
    watts.push_back(row->measured("watts"));
    sum["watts"] += watts.back();
    sum["joules"] += watts.back() * row->measured("us_per_launch") * 1e-6;
    sum["limited_us"] += row->measured("us_per_launch");
    sum["limited_mhz"] += row->measured("sm_mhz");
  }
  if (watts.empty()) rows.front()->fail("column 'repetition': all rows of this point are repetition 0");
  for (const auto& [metric, value] : sum) point.measured[metric] = value / static_cast<double>(watts.size());
  const auto [least, most] = std::minmax_element(watts.begin(), watts.end());
  point.caveat = fmt::format("{} repetitions, watts within {:.1f} %", watts.size(), 100 * (*most / *least - 1));
}

}  // namespace

void read_energy_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data) {
  std::map<std::string, std::vector<const CsvRow*>> repetitions;
  std::vector<std::string> order;
  std::size_t loops = 0;
  for (const CsvRow& row : table.rows()) {
    if (row.one_of("mark", {std::begin(kMarks), std::end(kMarks)}) != "test") {
      ++loops;
      continue;
    }
    std::vector<const CsvRow*>& rows = repetitions[row.text("point")];
    if (rows.empty()) order.push_back(row.text("point"));
    rows.push_back(&row);
  }
  for (const std::string& name : order) {
    ComparePoint point = point_of(*repetitions[name].front(), context);
    add_values(repetitions[name], point);
    data.points.push_back(std::move(point));
  }
  if (loops != 0) {
    data.notes.push_back(fmt::format(
        "{}: {} rows are of loops, from which the GPU file's numbers come, and are left out", table.file(), loops));
  }
}

}  // namespace stc::sim
