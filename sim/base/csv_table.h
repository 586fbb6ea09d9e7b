// SPDX-License-Identifier: Apache-2.0
// A CSV file whose every complaint names file, line and column. Lines that begin with # are comments; fields may be
// quoted ("a, ""b"""); the first line that is no comment names the columns. A byte-order mark in front is skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stc::sim {

class CsvTable;

class CsvRow {
 public:
  CsvRow(const CsvTable& table, int line, std::vector<std::string> fields)
      : table_(&table), line_(line), fields_(std::move(fields)) {}

  bool has(const std::string& column) const;                 ///< the column exists and this row's field is not empty
  const std::string& text(const std::string& column) const;  ///< UserError when the column is missing
  double number(const std::string& column) const;            ///< UserError when it is no finite number
  /// A figure of hardware: not negative, and 0 only for what can be counted and not be there.
  double measured(const std::string& column, bool can_be_zero = false) const;
  std::int64_t integer(const std::string& column, std::int64_t low, std::int64_t high) const;
  const std::string& one_of(const std::string& column, const std::vector<std::string>& allowed) const;
  std::string place() const;  ///< "gemm.csv:17"
  [[noreturn]] void fail(const std::string& message) const;

 private:
  friend class CsvTable;
  const CsvTable* table_;
  int line_;
  std::vector<std::string> fields_;
};

class CsvTable {
 public:
  /// UserError when the file cannot be read, has no header, or a row has another number of fields than the header.
  explicit CsvTable(const std::string& file);
  CsvTable(const std::string& name, const std::string& text);
  CsvTable(const CsvTable&) = delete;
  CsvTable& operator=(const CsvTable&) = delete;

  const std::string& file() const { return file_; }
  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<std::string>& comments() const { return comments_; }  ///< without the leading "# "
  const std::vector<CsvRow>& rows() const { return rows_; }
  bool has_columns(const std::vector<std::string>& names) const;
  std::optional<std::size_t> find(const std::string& column) const;
  std::size_t index(const std::string& column, int line) const;  ///< UserError when missing

 private:
  void parse(const std::string& text);

  std::string file_;
  int header_line_ = 0;
  std::vector<std::string> columns_;
  std::vector<std::string> comments_;
  std::vector<CsvRow> rows_;
};

/// A field as it must stand in a file: quoted when it holds a comma, a quote or a line end.
std::string csv_field(const std::string& text);

}  // namespace stc::sim
