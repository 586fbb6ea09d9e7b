// SPDX-License-Identifier: Apache-2.0
#include "sim/base/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"

namespace stc::sim {
namespace {

constexpr double kLargestMeasured = 1e13;  // clocks of an hour, ten terabytes

[[noreturn]] void fail_at(const std::string& file, int line, const std::string& message) {
  throw UserError(fmt::format("{}:{}: {}", file, line, message));
}

std::vector<std::string> split_fields(const std::string& line, const std::string& file, int number) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"' && (quoted || fields.back().empty())) {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  if (quoted) fail_at(file, number, "a quotation mark is not closed");
  return fields;
}

}  // namespace

bool CsvRow::has(const std::string& column) const {
  const auto place = table_->find(column);
  return place && !fields_[*place].empty();
}

const std::string& CsvRow::text(const std::string& column) const { return fields_[table_->index(column, line_)]; }

double CsvRow::measured(const std::string& column, bool can_be_zero) const {
  const double value = number(column);
  if (value < 0 || (value == 0 && !can_be_zero) || value > kLargestMeasured) {
    fail(fmt::format("column '{}' must be {} and at most {:g}, but is '{}'", column,
                     can_be_zero ? "0 or more" : "greater than 0", kLargestMeasured, text(column)));
  }
  return value;
}

double CsvRow::number(const std::string& column) const {
  const auto value = parse_number(text(column));
  if (!value || !std::isfinite(*value)) {
    fail(fmt::format("column '{}' must be a number, but is '{}'", column, text(column)));
  }
  return *value;
}

std::int64_t CsvRow::integer(const std::string& column, std::int64_t low, std::int64_t high) const {
  const auto value = parse_integer(text(column));
  if (!value || *value < low || *value > high) {
    fail(fmt::format("column '{}' must be a whole number from {} to {}, but is '{}'", column, low, high, text(column)));
  }
  return *value;
}

const std::string& CsvRow::one_of(const std::string& column, const std::vector<std::string>& allowed) const {
  const std::string& word = text(column);
  if (std::find(allowed.begin(), allowed.end(), word) == allowed.end()) {
    fail(fmt::format("column '{}' must be one of {}, but is '{}'", column, join(allowed, ", "), word));
  }
  return word;
}

std::string CsvRow::place() const { return fmt::format("{}:{}", table_->file(), line_); }

void CsvRow::fail(const std::string& message) const { fail_at(table_->file(), line_, message); }

CsvTable::CsvTable(const std::string& file) : file_(file) { parse(read_text(file)); }

CsvTable::CsvTable(const std::string& name, const std::string& text) : file_(name) { parse(text); }

void CsvTable::parse(const std::string& text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";  // by which spreadsheets say that a file is UTF-8
  const bool marked = std::string_view(text).substr(0, kMark.size()) == kMark;
  int number = 0;
  for (std::string line : split(std::string_view(text).substr(marked ? kMark.size() : 0), '\n')) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    if (line.front() == '#') {
      comments_.push_back(
          line.substr(line.find_first_not_of("# ") == std::string::npos ? line.size() : line.find_first_not_of("# ")));
      continue;
    }
    std::vector<std::string> fields = split_fields(line, file_, number);
    if (columns_.empty()) {
      columns_ = std::move(fields);
      header_line_ = number;
      continue;
    }
    if (fields.size() != columns_.size()) {
      fail_at(file_, number,
              fmt::format("has {} fields, but line {} names {} columns", fields.size(), header_line_, columns_.size()));
    }
    rows_.emplace_back(*this, number, std::move(fields));
  }
  if (columns_.empty()) throw UserError(fmt::format("{}: is empty, a line with column names is needed", file_));
}

bool CsvTable::has_columns(const std::vector<std::string>& names) const {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) { return find(name).has_value(); });
}

std::optional<std::size_t> CsvTable::find(const std::string& column) const {
  const auto place = std::find(columns_.begin(), columns_.end(), column);
  if (place == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(place - columns_.begin());
}

std::size_t CsvTable::index(const std::string& column, int line) const {
  const auto place = find(column);
  if (!place) {
    fail_at(file_, header_line_,
            fmt::format("column '{}' is missing (needed by line {}); the columns are {}", column, line,
                        join(columns_, ", ")));
  }
  return *place;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace stc::sim
