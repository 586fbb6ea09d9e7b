// SPDX-License-Identifier: Apache-2.0
// A small plot as inline SVG: two axes, dots, lines, bars. Colours come from the page's style sheet by class (s0 to s7
// for categories, q0 to q3 for an order), so that one drawing serves light and dark. Every mark can carry a tooltip.
//
//   SvgPlot plot({"Simulated against measured", 420, 420}, {"measured", Scale::kLog}, {"simulated", Scale::kLog});
//   plot.dot("s0", 100, 103, "point: +3 %");
//   page += plot.svg();
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace stc::sim {

enum class Scale { kLinear, kLog };

struct PlotAxis {
  std::string label;
  Scale scale = Scale::kLinear;
  double low = 0, high = 1;
  /// Fixed tick positions; empty: round numbers.
  std::vector<double> ticks = {};
  /// What stands at them in place of the numbers; as many as ticks, or none.
  std::vector<std::string> names = {};

  /// Widens to round numbers around the values.
  static PlotAxis around(std::string label, Scale scale, const std::vector<double>& values, bool from_zero = false);
};

struct PlotFrame {
  std::string description;  ///< for people who do not see the picture
  double width = 420, height = 320;
};

class SvgPlot {
 public:
  using Place = std::pair<double, double>;

  SvgPlot(PlotFrame frame, PlotAxis x, PlotAxis y);

  void dot(const std::string& colour, double x, double y, const std::string& tooltip, double radius = 3.2);
  /// A dot that is empty: another source's value beside it.
  void ring(const std::string& colour, double x, double y, const std::string& tooltip, double radius = 4);
  void line(const std::string& colour, const std::vector<Place>& places);
  /// A thin line behind the marks: a diagonal, zero, a bound.
  void rule(Place from, Place to, const std::string& label = "");
  /// A name beside the mark at a place: to its right or, where that would cover something, on another side.
  void text(double x, double y, const std::string& text);
  /// From y = 0 (or the axis' lower end) up to y.
  void bar(const std::string& colour, double x0, double x1, double y, const std::string& tooltip);

  std::string svg() const;

 private:
  struct Box {
    double left = 0, right = 0, top = 0, bottom = 0;
  };
  struct Label {
    double x = 0, y = 0;  ///< of the mark
    std::string text;
  };
  std::string labels() const;

  double at_x(double value) const;
  double at_y(double value) const;
  std::string axes() const;

  PlotFrame frame_;
  PlotAxis x_, y_;
  double left_, right_, top_, bottom_;
  std::string rules_, lines_, marks_;
  std::vector<Box> covered_;  ///< by dots and rules
  std::vector<Label> labels_;
};

/// The next of 1, 2 and 5 times a power of ten: a distance of ticks.
double round_step(double rough);
std::string escape_html(const std::string& text);
/// "950", "1.2k", "34M": short numbers for axes.
std::string short_number(double value);

}  // namespace stc::sim
