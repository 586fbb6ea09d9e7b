// SPDX-License-Identifier: Apache-2.0
#include "sim/formats/matrix_market.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kLargestSize = std::int64_t{1} << 24;
constexpr std::int64_t kMostElements = std::int64_t{1} << 31;

struct Entry {
  int row = 0, column = 0;
  float value = 0;
  std::size_t line = 0;  ///< of the file, from 1
};

class MatrixMarketReader {
 public:
  explicit MatrixMarketReader(const std::string& path) : path_(path), text_(read_text(path)) {}

  SparseMatrix read() {
    read_banner();
    read_sizes();
    for (std::int64_t i = 0; i < count_; ++i) read_entry(i);
    if (next_line()) fail(fmt::format("holds more than the {} entries that its size line announces", count_));
    return sorted();
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { fail_at(line_, why); }
  [[noreturn]] void fail_at(std::size_t line, const std::string& why) const {
    throw UserError(fmt::format("{}:{}: {}", path_, line, why));
  }

  /// The words of the next line that is no comment and not empty; false at the end.
  bool next_line() {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      const std::string_view line = std::string_view(text_).substr(at_, end - at_);
      at_ = end + 1;
      ++line_;
      words_.clear();
      for (std::size_t i = 0; i < line.size();) {
        if (std::isspace(static_cast<unsigned char>(line[i])) != 0) {
          ++i;
          continue;
        }
        std::size_t stop = i;
        while (stop < line.size() && std::isspace(static_cast<unsigned char>(line[stop])) == 0) ++stop;
        words_.push_back(line.substr(i, stop - i));
        i = stop;
      }
      if (!words_.empty() && (words_[0][0] != '%' || line_ == 1)) return true;
    }
    return false;
  }

  std::string word(std::size_t i) const {
    std::string lower(words_[i]);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
  }

  void read_banner() {
    if (!next_line() || words_.size() != 5 || word(0) != "%%matrixmarket" || word(1) != "matrix") {
      line_ = 1;
      fail("is no Matrix Market file (it must begin with %%MatrixMarket matrix FORMAT FIELD SYMMETRY)");
    }
    const auto require = [&](std::size_t i, const char* kind, const std::vector<std::string>& allowed) {
      if (std::find(allowed.begin(), allowed.end(), word(i)) == allowed.end()) {
        fail(unknown_word(kind, word(i), allowed));
      }
    };
    require(2, "format", {"coordinate"});
    require(3, "field", {"real", "integer", "pattern"});
    require(4, "symmetry", {"general", "symmetric", "skew-symmetric"});
    pattern_ = word(3) == "pattern";
    symmetric_ = word(4) != "general";
    skew_ = word(4) == "skew-symmetric";
  }

  std::int64_t whole(std::size_t i, const char* what, std::int64_t low, std::int64_t high) const {
    const auto value = parse_integer(words_[i]);
    if (!value || *value < low || *value > high) {
      fail(fmt::format("{} is '{}', but must be a whole number from {} to {}", what, words_[i], low, high));
    }
    return *value;
  }

  void read_sizes() {
    if (!next_line()) fail("ends before its size line");
    if (words_.size() != 3)
      fail(fmt::format("the size line has {} words, but 'ROWS COLUMNS ENTRIES' are needed", words_.size()));
    matrix_.rows = static_cast<int>(whole(0, "the number of rows", 1, kLargestSize));
    matrix_.columns = static_cast<int>(whole(1, "the number of columns", 1, kLargestSize));
    const std::int64_t most = std::min(kMostElements - 1, std::int64_t{matrix_.rows} * matrix_.columns);
    count_ = whole(2, "the number of entries", 0, most);
    if (symmetric_ && matrix_.rows != matrix_.columns) {
      fail(fmt::format("a symmetric matrix is square, but this is {} x {}", matrix_.rows, matrix_.columns));
    }
  }

  void read_entry(std::int64_t number) {
    if (!next_line()) {
      fail(fmt::format("the file ends after {} of the {} entries that its size line announces", number, count_));
    }
    const std::size_t wanted = pattern_ ? 2 : 3;
    if (words_.size() != wanted) {
      fail(fmt::format("the entry has {} words, but '{}' are needed", words_.size(),
                       pattern_ ? "ROW COLUMN" : "ROW COLUMN VALUE"));
    }
    Entry entry;
    entry.row = static_cast<int>(whole(0, "the row", 1, matrix_.rows)) - 1;
    entry.column = static_cast<int>(whole(1, "the column", 1, matrix_.columns)) - 1;
    entry.line = line_;
    entry.value = 1;
    if (!pattern_) {
      const auto value = parse_number(words_[2]);
      if (!value || !std::isfinite(static_cast<float>(*value))) {
        fail(fmt::format("the value is '{}', but must be a finite number within f32", words_[2]));
      }
      entry.value = static_cast<float>(*value);
    }
    if (symmetric_ && entry.column > entry.row) {
      fail(fmt::format("entry ({}, {}) lies above the diagonal, but a symmetric file holds the lower half only",
                       entry.row + 1, entry.column + 1));
    }
    if (skew_ && entry.column == entry.row) {
      fail(fmt::format("entry ({}, {}) lies on the diagonal, which a skew-symmetric matrix has none of", entry.row + 1,
                       entry.column + 1));
    }
    entries_.push_back(entry);
    if (symmetric_ && entry.row != entry.column) {
      entries_.push_back({entry.column, entry.row, skew_ ? -entry.value : entry.value, entry.line});
    }
  }

  SparseMatrix sorted() {
    if (static_cast<std::int64_t>(entries_.size()) >= kMostElements) fail_at(1, "has 2^31 entries or more");
    std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
    matrix_.source = path_;
    matrix_.offsets.assign(static_cast<std::size_t>(matrix_.rows) + 1, 0);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Entry& entry = entries_[i];
      if (i > 0 && entries_[i - 1].row == entry.row && entries_[i - 1].column == entry.column) {
        fail_at(entry.line, fmt::format("entry ({}, {}) was given before, in line {}", entry.row + 1, entry.column + 1,
                                        entries_[i - 1].line));
      }
      ++matrix_.offsets[static_cast<std::size_t>(entry.row) + 1];
      matrix_.indices.push_back(static_cast<std::uint32_t>(entry.column));
      matrix_.values.push_back(entry.value);
    }
    std::partial_sum(matrix_.offsets.begin(), matrix_.offsets.end(), matrix_.offsets.begin());
    return std::move(matrix_);
  }

  std::string path_, text_;
  std::size_t at_ = 0, line_ = 0;
  std::vector<std::string_view> words_;
  bool pattern_ = false, symmetric_ = false, skew_ = false;
  std::int64_t count_ = 0;
  SparseMatrix matrix_;
  std::vector<Entry> entries_;
};

}  // namespace

SparseMatrix read_matrix_market(const std::string& path) { return MatrixMarketReader(path).read(); }

}  // namespace stc::sim
