// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/json_text.h"
#include "sim/profile/profile_json.h"

namespace stc::sim {
namespace {

using ReadJson = nlohmann::ordered_json;

InstructionCounts read_counts(const ReadJson& from) {
  InstructionCounts counts;
  for (const CountColumn& column : count_columns()) {
    if (from.contains(column.key)) counts.*column.value = from.at(column.key).get<std::uint64_t>();
  }
  for (std::size_t i = 0; i < counts.stalls.size(); ++i) {
    const char* const name = name_of(static_cast<Stall>(i));
    if (from.at("stalls").contains(name)) counts.stalls[i] = from.at("stalls").at(name).get<std::uint64_t>();
  }
  return counts;
}

cubin::SourceLine read_source(const ReadJson& from) {
  cubin::SourceLine line{from.at("file").get<std::string>(), from.at("line").get<std::uint32_t>(), {}};
  if (!from.contains("called_from")) return line;
  for (const ReadJson& caller : from.at("called_from")) {
    line.called_from.emplace_back(caller.at("file").get<std::string>(), caller.at("line").get<std::uint32_t>());
  }
  return line;
}

ProfiledInstruction read_instruction(const ReadJson& from) {
  ProfiledInstruction one;
  one.address = from.at("address").get<std::uint32_t>();
  one.text = from.at("text").get<std::string>();
  if (from.contains("source")) one.source = read_source(from.at("source"));
  one.counts = read_counts(from);
  return one;
}

UtilisationSeries read_series(const ReadJson& from) {
  UtilisationSeries series;
  series.bucket_cycles = from.at("bucket_cycles").get<std::uint64_t>();
  for (std::size_t i = 0; i < kSeriesResources; ++i) {
    const char* const name = name_of(static_cast<Resource>(i));
    series.used[i] = from.at("used").at(name).get<std::vector<std::uint64_t>>();
    series.per_cycle[i] = from.at("offered_per_cycle").at(name).get<double>();
    if (series.used[i].size() != series.used[0].size()) throw std::out_of_range("lists of different lengths");
  }
  return series;
}

bool same_counts(const InstructionCounts& a, const InstructionCounts& b) {
  const auto& columns = count_columns();
  return a.stalls == b.stalls && std::all_of(columns.begin(), columns.end(), [&](const CountColumn& column) {
           return a.*column.value == b.*column.value;
         });
}

LaunchProfile read_launch_profile(const ReadJson& from) {
  LaunchProfile launch;
  launch.role = from.at("role").get<std::string>();
  launch.kernel = from.at("kernel").get<std::string>();
  launch.title = from.at("title").get<std::string>();
  launch.kernel_hash = from.at("kernel_hash").get<std::string>();
  launch.sm_version = from.at("sm_version").get<int>();
  launch.launches = from.at("launches").get<std::uint64_t>();
  launch.cycles = from.at("cycles").get<std::uint64_t>();
  if (from.contains("utilisation")) launch.series = read_series(from.at("utilisation"));
  for (const ReadJson& one : from.at("instructions")) launch.instructions.push_back(read_instruction(one));
  if (!same_counts(launch.totals(), read_counts(from.at("totals")))) {
    throw std::out_of_range(
        fmt::format("it is damaged: its instructions of {} do not add up to its totals", launch.kernel));
  }
  return launch;
}

}  // namespace

std::vector<LaunchProfile> read_profile(const std::string& path) {
  const std::string text = read_text(path);
  try {
    const ReadJson profile = parse_json(text);
    const std::string schema = profile.at("schema").get<std::string>();
    if (schema != kProfileSchema) {
      throw UserError(fmt::format("{}: is {}, not a profile ({})", path, schema, kProfileSchema));
    }
    std::vector<LaunchProfile> launches;
    for (const ReadJson& launch : profile.at("launches")) launches.push_back(read_launch_profile(launch));
    return launches;
  } catch (const nlohmann::json::exception&) {
    throw UserError(fmt::format(
        "{}: is no profile of `stcsim run --profile`: it is no JSON, or lacks what a profile has, or has it otherwise",
        path));
  } catch (const std::out_of_range& error) {
    throw UserError(fmt::format("{}: is no profile of `stcsim run --profile`: {}", path, error.what()));
  }
}

}  // namespace stc::sim
