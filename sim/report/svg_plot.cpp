// SPDX-License-Identifier: Apache-2.0
#include "sim/report/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stc::sim {
namespace {

std::vector<double> linear_ticks(double low, double high) {
  std::vector<double> ticks;
  const double step = round_step((high - low) / 5);
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) ticks.push_back(i * step);
  return ticks;
}

std::vector<double> log_ticks(double low, double high) {
  const double decades = std::log10(high / low);
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  std::vector<double> ticks;
  for (int power = static_cast<int>(std::floor(std::log10(low))); power <= last; ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor != 1.0 && decades > 2.2) continue;
      const double tick = factor * std::pow(10.0, power);
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push_back(tick);
    }
  }
  return ticks;
}

double fraction_of(const PlotAxis& axis, double value) {
  const bool log = axis.scale == Scale::kLog;
  const auto place = [&](double v) { return log ? std::log10(std::max(v, 1e-300)) : v; };
  return std::clamp((place(value) - place(axis.low)) / (place(axis.high) - place(axis.low)), 0.0, 1.0);
}

std::vector<double> ticks_of(const PlotAxis& axis) {
  if (!axis.ticks.empty()) return axis.ticks;
  return axis.scale == Scale::kLog ? log_ticks(axis.low, axis.high) : linear_ticks(axis.low, axis.high);
}

std::string title(const std::string& tooltip) {
  return tooltip.empty() ? "" : fmt::format("<title>{}</title>", escape_html(tooltip));
}

}  // namespace

double round_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * 0.999) return factor * power;
  }
  return 10 * power;
}

std::string escape_html(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string short_number(double value) {
  const double size = std::fabs(value);
  if (size < 1e-12) return "0";  // also for -0
  if (size >= 1e9) return fmt::format("{:.4g}G", value / 1e9);
  if (size >= 1e6) return fmt::format("{:.4g}M", value / 1e6);
  if (size >= 1e3) return fmt::format("{:.4g}k", value / 1e3);
  return fmt::format("{:.4g}", value);
}

PlotAxis PlotAxis::around(std::string label, Scale scale, const std::vector<double>& values, bool from_zero) {
  PlotAxis axis{std::move(label), scale, 0, 1, {}};
  if (values.empty()) return axis;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (scale == Scale::kLog) {
    axis.low = std::max(*least, 1e-9) / 1.25;
    axis.high = std::max(*most, 1e-9) * 1.25;
    return axis;
  }
  axis.low = from_zero ? std::min(0.0, *least) : *least;
  axis.high = *most > axis.low ? *most : axis.low + 1;
  const double step = round_step((axis.high - axis.low) / 5);
  axis.low = std::floor(axis.low / step + 1e-9) * step;
  axis.high = std::ceil((axis.high + 0.1 * step) / step) * step;
  return axis;
}

SvgPlot::SvgPlot(PlotFrame frame, PlotAxis x, PlotAxis y)
    : frame_(std::move(frame)),
      x_(std::move(x)),
      y_(std::move(y)),
      left_(y_.label.empty() ? 40 : 58),
      right_(frame_.width - 14),
      top_(12),
      bottom_(frame_.height - (x_.label.empty() ? 24 : 44)) {}

double SvgPlot::at_x(double value) const { return left_ + fraction_of(x_, value) * (right_ - left_); }
double SvgPlot::at_y(double value) const { return bottom_ - fraction_of(y_, value) * (bottom_ - top_); }

void SvgPlot::dot(const std::string& colour, double x, double y, const std::string& tooltip, double radius) {
  marks_ += fmt::format("<circle class=\"dot {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\">{}</circle>", colour, at_x(x),
                        at_y(y), radius, title(tooltip));
  covered_.push_back({at_x(x) - radius, at_x(x) + radius, at_y(y) - radius, at_y(y) + radius});
}

void SvgPlot::ring(const std::string& colour, double x, double y, const std::string& tooltip, double radius) {
  marks_ += fmt::format("<circle class=\"line {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\">{}</circle>", colour, at_x(x),
                        at_y(y), radius, title(tooltip));
  covered_.push_back({at_x(x) - radius, at_x(x) + radius, at_y(y) - radius, at_y(y) + radius});
}

void SvgPlot::line(const std::string& colour, const std::vector<Place>& places) {
  std::string path;
  for (const auto& [x, y] : places) path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", at_x(x), at_y(y));
  lines_ += fmt::format("<path class=\"line {}\" d=\"{}\"/>", colour, path);
}

void SvgPlot::rule(Place from, Place to, const std::string& label) {
  rules_ += fmt::format("<line class=\"rule\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>",
                        at_x(from.first), at_y(from.second), at_x(to.first), at_y(to.second));
  constexpr int kSteps = 100;
  for (int i = 0; i <= kSteps; ++i) {
    const double x = at_x(from.first) + (at_x(to.first) - at_x(from.first)) * i / kSteps;
    const double y = at_y(from.second) + (at_y(to.second) - at_y(from.second)) * i / kSteps;
    covered_.push_back({x - 1, x + 1, y - 1, y + 1});
  }
  if (label.empty()) return;
  rules_ += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                        at_x(to.first) - 4, at_y(to.second) - 4, escape_html(label));
}

void SvgPlot::bar(const std::string& colour, double x0, double x1, double y, const std::string& tooltip) {
  const double left = at_x(x0) + 1, right = at_x(x1) - 1, base = at_y(std::max(0.0, y_.low));
  marks_ += fmt::format("<rect class=\"bar {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">{}</rect>",
                        colour, left, at_y(y), std::max(right - left, 0.5), base - at_y(y), title(tooltip));
}

void SvgPlot::text(double x, double y, const std::string& text) { labels_.push_back({at_x(x), at_y(y), text}); }

std::string SvgPlot::labels() const {
  constexpr double kLetter = 6.2, kUp = 8.5, kDown = 3, kGap = 7, kAbove = 9, kBelow = 17, kFar = 26;
  std::vector<Box> taken = covered_;
  std::string out;
  for (const Label& label : labels_) {
    const double width = kLetter * static_cast<double>(label.text.size());
    // Left end and base line, the best place first.
    const std::vector<Place> places = {{label.x + kGap, label.y + 3.5},         {label.x - kGap - width, label.y + 3.5},
                                       {label.x - width / 2, label.y - kAbove}, {label.x - width / 2, label.y + kBelow},
                                       {label.x + kGap, label.y - kAbove},      {label.x + kGap, label.y + kBelow},
                                       {label.x - width / 2, label.y - kFar},   {label.x - width / 2, label.y + kFar}};
    const auto box_at = [&](const Place& place) {
      return Box{place.first, place.first + width, place.second - kUp, place.second + kDown};
    };
    const auto is_free = [&](const Place& place) {
      const Box box = box_at(place);
      if (box.left < left_ || box.right > frame_.width || box.top < 0 || box.bottom > bottom_) return false;
      return std::none_of(taken.begin(), taken.end(), [&](const Box& other) {
        return box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom;
      });
    };
    const auto found = std::find_if(places.begin(), places.end(), is_free);
    const Place place = found == places.end() ? places.front() : *found;
    taken.push_back(box_at(place));
    // A label that had to go far keeps a line to its point.
    if (std::abs(place.second - label.y) >= kFar) {
      const double end = place.second < label.y ? place.second + kDown : place.second - kUp;
      out += fmt::format("<line class=\"axis\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>", label.x,
                         label.y, end);
    }
    out += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", place.first, place.second,
                       escape_html(label.text));
  }
  return out;
}

std::string SvgPlot::axes() const {
  std::string out;
  for (const double tick : ticks_of(y_)) {
    const double y = at_y(tick);
    out += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>", left_, y,
                       right_, y);
    out += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", left_ - 6,
                       y + 3.5, short_number(tick));
  }
  std::size_t at = 0;
  for (const double tick : ticks_of(x_)) {
    const double x = at_x(tick);
    const std::string name = x_.names.empty() ? short_number(tick) : escape_html(x_.names.at(at++));
    out += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>", x, top_, x,
                       bottom_);
    out += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", x,
                       bottom_ + 15, name);
  }
  out += fmt::format("<line class=\"axis\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>", left_, bottom_,
                     right_, bottom_);
  if (!x_.label.empty()) {
    out += fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                       (left_ + right_) / 2, frame_.height - 8, escape_html(x_.label));
  }
  if (!y_.label.empty()) {
    out += fmt::format(
        "<text class=\"label\" transform=\"translate(13 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}"
        "</text>",
        (top_ + bottom_) / 2, escape_html(y_.label));
  }
  return out;
}

std::string SvgPlot::svg() const {
  return fmt::format(
      "<svg role=\"img\" aria-label=\"{0}\" viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\">{3}{4}{5}{6}{7}</svg>",
      escape_html(frame_.description), frame_.width, frame_.height, axes(), rules_, lines_, marks_, labels());
}

}  // namespace stc::sim
