// SPDX-License-Identifier: Apache-2.0
// Charts over categories, as inline SVG in the style of sim/report/html_page: stacked bars and heat maps.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stc::sim {

/// One bar: its name below, its parts from the bottom.
struct StackedBar {
  struct Part {
    double value = 0;
    std::string colour;  ///< class of the page's style sheet: s0 to s7
    std::string tooltip;
  };
  std::string name;
  std::vector<Part> parts;
};
/// `unit` labels the axis, which begins at 0.
std::string stacked_bars(const std::string& description, const std::string& unit, const std::vector<StackedBar>& bars);

struct HeatCell {
  double value = 0;
  std::string text;  ///< in the cell
  std::string tooltip;
};
struct HeatMap {
  std::string description;
  std::string row_label, column_label;
  std::vector<std::string> rows, columns;
  std::vector<std::vector<std::optional<HeatCell>>> cells;  ///< [row][column]
};
/// Colour goes from none at `low` to full at `high`.
std::string heat_map(const HeatMap& map, double low, double high);

}  // namespace stc::sim
