// SPDX-License-Identifier: Apache-2.0
// Microbenchmarks: every row says itself how it was launched. Of the tables with several rows per launch (clocks.csv,
// latency.csv, ctas.csv) a median over the rows is compared.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/base/error.h"
#include "sim/base/median.h"
#include "sim/base/text.h"
#include "sim/compare/read_measured.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;
constexpr double kMostClocks = 1e12;

struct Layout {
  micro::Kind kind;
  const char* metric;  ///< what the values of a row become
  const char* column;  ///< that holds them
};

Layout layout_of(const CsvTable& table) {
  if (table.has_columns({"warp", "clocks"})) return {micro::Kind::kClocks, "last_clock", "clocks"};
  if (table.has_columns({"sm", "cycles"})) return {micro::Kind::kLatency, "latency", "cycles"};
  if (table.has_columns({"cta", "clocks"})) return {micro::Kind::kCtas, "cta_cycles", "clocks"};
  return {micro::Kind::kInterval, "cycles", "cycles_median"};
}

void check_arguments(const CsvRow& row) {
  for (const std::string& argument : split(row.text("args"), ' ')) {
    if (argument == "data" && row.integer("data_bytes", 0, kMostBytes) == 0) {
      row.fail("column 'args' passes data, but column 'data_bytes' is 0");
    }
    if (argument.empty() || argument == "out" || argument == "data" || parse_integer(argument)) continue;
    row.fail(fmt::format("column 'args' holds '{}'; allowed: out, data, whole numbers", argument));
  }
}

/// "3 5 7": the numbers of a row.
std::vector<double> numbers_of(const CsvRow& row, const char* column) {
  std::vector<double> values;
  for (const std::string& word : split(row.text(column), ' ')) {
    const auto value = parse_number(word);
    if (!value || !(*value >= 0 && *value <= kMostClocks)) {
      row.fail(fmt::format("column '{}' must hold numbers of 0 to {:g}, but holds '{}'", column, kMostClocks, word));
    }
    values.push_back(*value);
  }
  return values;
}

ComparePoint point_of(const CsvRow& row, micro::Kind kind) {
  SimulationTask task;
  task.kind = SimulationTask::Kind::kMicro;
  micro::Point& launch = task.micro;
  launch.kind = kind;
  launch.group = row.text("group");
  launch.cubin = row.text("cubin");
  launch.kernel = task.kernel = row.text("kernel");
  launch.ctas = static_cast<std::uint32_t>(row.integer("ctas", 1, 1 << 20));
  launch.warps = static_cast<std::uint32_t>(row.integer("warps", 1, 32));
  launch.shared_bytes = static_cast<std::uint32_t>(row.integer("shared_bytes", 0, 1 << 20));
  launch.data_bytes = static_cast<std::uint64_t>(row.integer("data_bytes", 0, kMostBytes));
  launch.args = row.text("args");
  launch.flushed = row.has("flushed") && row.integer("flushed", 0, 1) != 0;
  check_arguments(row);

  ComparePoint point;
  point.kind = ComparePoint::Kind::kMicro;
  point.id = fmt::format("{}: {}, {} x {} warps ({}){}", launch.group, launch.kernel, launch.ctas, launch.warps,
                         launch.args, launch.flushed ? ", caches emptied" : "");
  point.group = launch.group;
  point.place = row.place();
  point.fields = fields_of(row, {"group", "cubin", "kernel", "ctas", "warps", "shared_bytes", "data_bytes", "args"});
  point.tasks = {task};
  return point;
}

}  // namespace

void read_micro_table(const CsvTable& table, const ReaderContext& context, MeasuredData& data) {
  const Layout layout = layout_of(table);
  KernelNames names;
  std::vector<ComparePoint> points;
  std::vector<std::vector<double>> values;
  std::set<std::string> ids;
  std::map<std::string, std::size_t> places;  // rows of one launch are one point
  for (const CsvRow& row : table.rows()) {
    ComparePoint point = point_of(row, layout.kind);
    const micro::Point& launch = point.tasks.front().micro;
    names.require(row, micro_cubin_path(context.micro_folder, context.gpu.params.sm_version, launch.cubin),
                  launch.kernel);
    const bool interval = layout.kind == micro::Kind::kInterval;
    const auto [place, is_new] = places.emplace(point.tasks.front().name(), points.size());
    if (is_new || interval) {
      if (interval) {
        point.measured["cycles"] = row.measured("cycles_median");
        if (launch.ctas > 1) point.measured["cta_cycles"] = row.measured("cta_cycles_median");
        point.operations = row.measured("operations_per_warp", true);
      }
      if (!ids.insert(point.id).second) point.id += fmt::format(", {} B shared", launch.shared_bytes);
      points.push_back(std::move(point));
      values.emplace_back();
    }
    if (interval) continue;
    const std::vector<double> numbers = numbers_of(row, layout.column);
    points[place->second].tasks.front().micro.samples = static_cast<std::uint32_t>(numbers.size());
    values[place->second].push_back(layout.kind == micro::Kind::kClocks ? numbers.back() : median(numbers));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!values[i].empty()) {
      const double measured = median(values[i]);
      if (measured == 0)
        throw UserError(fmt::format("{}: column '{}': the median is 0", points[i].place, layout.column));
      points[i].measured[layout.metric] = measured;
    }
    for (const auto& [metric, value] : points[i].measured) points[i].tasks.front().micro.measured.push_back(value);
    data.points.push_back(std::move(points[i]));
  }
}

}  // namespace stc::sim
