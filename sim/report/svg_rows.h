// SPDX-License-Identifier: Apache-2.0
// Bars side by side as inline SVG, one row each: a name, pieces from left to right, a figure behind them. Pieces say
// where they begin and end, so that bars may be stacked or float (a waterfall). Colours as in svg_plot.h.
//
//   SvgRows rows({"Where warps wait", 460}, {0, 100, "% of warp-cycles"});
//   rows.add({"sparse", {{"s0", 0, 43, "tensor_busy: 43 %"}, {"s1", 43, 60, "..."}}, "43 %"});
//   page += rows.svg();
#pragma once

#include <string>
#include <vector>

namespace stc::sim {

class SvgRows {
 public:
  struct Frame {
    std::string description;  ///< for people who do not see the picture
    double width = 460;
  };
  struct Axis {
    double low = 0, high = 1;
    std::string label;
  };
  struct Piece {
    std::string colour;
    double from = 0, to = 0;  ///< in either order
    std::string tooltip;
  };
  struct Row {
    std::string name;
    std::vector<Piece> pieces;
    std::string value;    ///< behind the bar
    bool strong = false;  ///< a sum, an end
    bool joined = false;  ///< a thin line leads from where the last piece ends to the row below
  };

  SvgRows(Frame frame, Axis axis) : frame_(std::move(frame)), axis_(std::move(axis)) {}
  void add(Row row) { rows_.push_back(std::move(row)); }
  std::string svg() const;

 private:
  struct Places {
    double left = 0, right = 0, bottom = 0;  ///< of the bars
  };
  Places places() const;
  double at(const Places& places, double value) const;
  std::string axis(const Places& places) const;

  Frame frame_;
  Axis axis_;
  std::vector<Row> rows_;
};

}  // namespace stc::sim
