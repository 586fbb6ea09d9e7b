// SPDX-License-Identifier: Apache-2.0
#include "sim/micro/point.h"

#include <algorithm>
#include <fstream>

#include "sim/base/error.h"
#include "sim/base/median.h"
#include "sim/base/text.h"

namespace stc::micro {
namespace {

using Columns = std::map<std::string, std::size_t>;

/// Which kind of table has these columns.
Kind kind_of(const Columns& columns, const std::string& file) {
  if (columns.count("cycles_median") != 0) return Kind::kInterval;
  if (columns.count("warp") != 0 && columns.count("clocks") != 0) return Kind::kClocks;
  if (columns.count("sm") != 0 && columns.count("cycles") != 0) return Kind::kLatency;
  if (columns.count("cta") != 0 && columns.count("clocks") != 0) return Kind::kCtas;
  throw sim::UserError(file + ": is none of the tables intervals, clocks, latency, ctas");
}

std::vector<double> numbers(const std::string& text) {
  std::vector<double> out;
  for (const std::string& word : sim::split(text, ' ')) out.push_back(std::stod(word));
  return out;
}

class Row {
 public:
  Row(const Columns& columns, std::vector<std::string> fields) : columns_(columns), fields_(std::move(fields)) {}
  bool has(const char* column) const { return columns_.count(column) != 0; }
  const std::string& text(const char* column) const { return fields_.at(columns_.at(column)); }
  std::uint64_t number(const char* column) const { return std::stoull(text(column)); }

 private:
  const Columns& columns_;
  std::vector<std::string> fields_;
};

Point launch_of(const Row& row) {
  Point p;
  p.group = row.text("group"), p.cubin = row.text("cubin"), p.kernel = row.text("kernel"), p.args = row.text("args");
  p.ctas = static_cast<std::uint32_t>(row.number("ctas"));
  p.warps = static_cast<std::uint32_t>(row.number("warps"));
  p.shared_bytes = static_cast<std::uint32_t>(row.number("shared_bytes"));
  p.data_bytes = row.number("data_bytes");
  p.flushed = row.has("flushed") && row.number("flushed") != 0;
  return p;
}

void add_measured(const Row& row, Point& p) {
  switch (p.kind) {
    case Kind::kInterval:
      for (const char* column : {"cycles_median", "cta_cycles_median", "warp_cycles_median"})
        p.measured.push_back(std::stod(row.text(column)));
      break;
    case Kind::kClocks: {
      const std::vector<double> clocks = numbers(row.text("clocks"));
      p.samples = static_cast<std::uint32_t>(clocks.size());
      p.measured.insert(p.measured.end(), clocks.begin(), clocks.end());
      break;
    }
    case Kind::kLatency: {
      const std::vector<double> cycles = numbers(row.text("cycles"));
      p.samples = static_cast<std::uint32_t>(cycles.size());
      p.measured.push_back(sim::median(cycles));
      break;
    }
    case Kind::kCtas: p.measured.push_back(std::stod(row.text("clocks"))); break;
  }
}

}  // namespace

bool shorten(Point& point, std::uint32_t factor) {
  const bool load = point.kernel.rfind("micro_ldg_", 0) == 0 || point.kernel.rfind("micro_stg_", 0) == 0;
  const bool copy = point.kernel.rfind("micro_ldgsts_", 0) == 0 && point.kernel.find("_rate") != std::string::npos;
  if (point.ctas == 1 || !(load || copy)) return false;
  std::vector<std::string> words = sim::split(point.args, ' ');
  std::string& rounds = words.at(load ? 3 : 4);  // out data kib rounds; out data kib stride rounds ...
  const auto count = sim::parse_integer(rounds).value_or(0);
  if (count < 2 * std::int64_t{factor} || count % factor != 0) return false;
  rounds = std::to_string(count / factor);
  point.args = sim::join(words, " ");
  for (double& value : point.measured) value /= factor;
  return true;
}

std::vector<Point> read_points(const std::string& file, const std::string& filter) {
  std::ifstream stream(file);
  if (!stream) throw sim::UserError(file + ": cannot be read");
  Columns columns;
  std::vector<Point> points;
  std::map<std::string, std::size_t> known;
  Kind kind = Kind::kInterval;
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields = sim::split(line, ',');
    if (columns.empty()) {
      for (std::size_t i = 0; i < fields.size(); ++i) columns[fields[i]] = i;
      kind = kind_of(columns, file);
      continue;
    }
    try {
      const Row row(columns, std::move(fields));
      Point p = launch_of(row);
      p.kind = kind;
      const std::string key = p.key() + "," + std::to_string(p.shared_bytes);
      if (p.key().find(filter) == std::string::npos) continue;
      const auto place = known.try_emplace(key, points.size());
      if (place.second) points.push_back(std::move(p));
      add_measured(row, points[place.first->second]);
    } catch (const std::logic_error& error) {  // a missing column or a bad number
      throw sim::UserError(file + ":" + std::to_string(number) + ": not a row of this table (" + error.what() + ")");
    }
  }
  return points;
}

}  // namespace stc::micro
