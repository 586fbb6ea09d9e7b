// SPDX-License-Identifier: Apache-2.0
// The frame of an HTML report: style sheet (light and dark, by the reader's setting), sections, tables, legends.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace stc::sim {

/// A whole page; `body` is HTML.
std::string html_page(const std::string& title, const std::string& body);

std::string html_section(const std::string& id, const std::string& title, const std::string& intro,
                         const std::string& body);
/// A drawing with its caption.
std::string html_figure(const std::string& caption, const std::string& svg);
/// Figures side by side, as many as fit.
std::string html_grid(const std::string& figures);
std::string html_wide_grid(const std::string& figures);  ///< two of them where there is room

/// Colour class, name and the mark that has it.
struct LegendEntry {
  enum class Mark { kDisc, kLine, kRing };
  std::string colour, name;
  Mark mark = Mark::kDisc;
};
std::string html_legend(const std::vector<LegendEntry>& entries);

/// Cells are text; columns that hold numbers are right-aligned.
class HtmlTable {
 public:
  enum class Style { kText, kNumber, kName };  ///< a name is not broken into lines
  struct Column {
    std::string title;
    Style style = Style::kText;
    Column(const char* text, bool number = false) : title(text), style(number ? Style::kNumber : Style::kText) {}
    Column(const char* text, Style as) : title(text), style(as) {}
  };
  explicit HtmlTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void row(const std::vector<std::string>& cells, const std::string& style = "");
  std::string html() const;

 private:
  std::vector<Column> columns_;
  std::string rows_;
  std::vector<std::size_t> longest_;  ///< text of each column, in bytes
};

/// A sentence that must not be overlooked; nothing when it is empty.
std::string html_warning(const std::string& text);

/// A figure that stands for a whole section.
struct HtmlTile {
  std::string title, value, detail;
};
std::string html_tiles(const std::vector<HtmlTile>& tiles);

}  // namespace stc::sim
