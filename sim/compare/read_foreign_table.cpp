// SPDX-License-Identifier: Apache-2.0
// Launches of the foreign programs (validation/foreign), which `scripts/foreign run` recorded.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/compare/read_measured.h"
#include "sim/compare/stall_shares.h"

namespace stc::sim {
namespace {

/// Folder of the launches of one GPU: in $STC_FOREIGN, else where scripts/foreign puts them.
std::string launches_folder(const std::string& gpu) {
  const auto setting = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  };
  std::string root = setting("STC_FOREIGN");
  if (root.empty()) {
    const std::string cache = setting("XDG_CACHE_HOME");
    root = (cache.empty() ? setting("HOME") + "/.cache" : cache) + "/stcsim/foreign/launches";
  }
  return resolve_path(root, gpu);
}

ComparePoint point_of(const CsvRow& row, const CsvTable& table, const std::string& folder) {
  constexpr std::int64_t kMostLaunches = 999;
  const std::int64_t launch = row.integer("launch", 0, kMostLaunches);
  const bool races = row.integer("races", 0, 1) != 0;
  SimulationTask task;
  task.kind = SimulationTask::Kind::kForeign;
  task.kernel = row.text("kernel");
  task.foreign = {folder + "/" + row.text("case"), fmt::format("{:03}", launch), races};

  ComparePoint point;
  point.kind = ComparePoint::Kind::kForeign;
  point.id = fmt::format("{} launch {}", row.text("case"), launch);
  point.group = races ? "foreign, races" : "foreign";
  point.place = row.place();
  point.fields = fields_of(row, {"case", "launch", "kernel", "grid", "races"});
  point.fields.emplace_back("group", point.group);
  for (const char* metric : {"warp_instructions", "cycles_elapsed", "cycles"}) {
    if (row.has(metric)) point.measured[metric] = row.number(metric);
  }
  if (races) {
    point.caveat = "what it executes depends on time";
    for (const auto& [metric, prefix] :
         {std::pair{"warp_instructions", "instructions"}, {"cycles_elapsed", "cycles_elapsed"}}) {
      const std::string least = std::string(prefix) + "_min", most = std::string(prefix) + "_max";
      if (row.has(least) && row.has(most)) point.spans[metric] = {row.number(least), row.number(most)};
    }
  }
  point.stall_shares = measured_stall_shares(row, table);
  point.tasks = {task};
  return point;
}

}  // namespace

void read_foreign_table(const CsvTable& table, const ReaderContext&, MeasuredData& data) {
  const std::string gpu = std::filesystem::absolute(table.file()).parent_path().filename().string();
  const std::string folder = launches_folder(gpu);
  std::size_t missing = 0;
  for (const CsvRow& row : table.rows()) {
    ComparePoint point = point_of(row, table, folder);
    if (std::filesystem::exists(point.tasks.front().foreign.case_folder)) {
      data.points.push_back(std::move(point));
    } else {
      ++missing;
    }
  }
  if (missing == table.rows().size()) {
    throw UserError(fmt::format("{}: no launch is recorded in {}; 'scripts/foreign run --gpu {}' records them",
                                table.file(), folder, gpu));
  }
  if (missing != 0) {
    data.notes.push_back(fmt::format("{}: {} of {} launches are left out: they are not recorded in {}", table.file(),
                                     missing, table.rows().size(), folder));
  }
}

}  // namespace stc::sim
