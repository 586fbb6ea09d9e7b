// SPDX-License-Identifier: Apache-2.0
#include "sim/report/svg_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

constexpr double kRowHeight = 22, kBarHeight = 15, kTop = 4, kAxisHeight = 36;
constexpr double kLetter = 7.3, kGap = 8;  // of 12 pixels' text
constexpr double kLeastBars = 120;

double text_width(const std::string& text) { return kLetter * static_cast<double>(text.size()); }

}  // namespace

SvgRows::Places SvgRows::places() const {
  double names = 0, values = 0;
  for (const Row& row : rows_) {
    names = std::max(names, text_width(row.name));
    values = std::max(values, text_width(row.value));
  }
  const double right = frame_.width - (values > 0 ? values + kGap : 4);
  const double left = std::min(names + kGap, right - kLeastBars);
  return {left, right, kTop + kRowHeight * static_cast<double>(rows_.size())};
}

double SvgRows::at(const Places& places, double value) const {
  const double share = axis_.high > axis_.low ? (value - axis_.low) / (axis_.high - axis_.low) : 0;
  return places.left + std::clamp(share, 0.0, 1.0) * (places.right - places.left);
}

std::string SvgRows::axis(const Places& places) const {
  std::string out;
  const double span = axis_.high - axis_.low;
  const double step = round_step(span / 4);
  const auto first = static_cast<long>(std::ceil(axis_.low / step - 1e-9));
  const auto last = static_cast<long>(std::floor(axis_.high / step + 1e-9));
  for (long i = first; i <= last; ++i) {
    const double tick = static_cast<double>(i) * step;
    const double x = at(places, tick);
    out += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\"/>", x, kTop,
                       places.bottom);
    out += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", x,
                       places.bottom + 14, short_number(tick));
  }
  if (!axis_.label.empty()) {
    out += fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                       (places.left + places.right) / 2, places.bottom + 30, escape_html(axis_.label));
  }
  return out;
}

std::string SvgRows::svg() const {
  const Places places = this->places();
  std::string bars;
  double y = kTop;
  for (const Row& row : rows_) {
    const double middle = y + kRowHeight / 2 + 4;
    const char* const weight = row.strong ? " font-weight=\"600\"" : "";
    bars += fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\"{}>{}</text>",
                        places.left - kGap, middle, weight, escape_html(row.name));
    for (const Piece& piece : row.pieces) {
      const double left = at(places, std::min(piece.from, piece.to)),
                   right = at(places, std::max(piece.from, piece.to));
      bars += fmt::format(
          "<rect class=\"bar {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"><title>{}</title></rect>",
          piece.colour, left, y + (kRowHeight - kBarHeight) / 2, std::max(right - left, 1.0), kBarHeight,
          escape_html(piece.tooltip));
    }
    if (row.joined && !row.pieces.empty()) {
      const double x = at(places, row.pieces.back().to);
      bars += fmt::format("<line class=\"axis\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>", x,
                          y + (kRowHeight + kBarHeight) / 2, y + kRowHeight + (kRowHeight - kBarHeight) / 2);
    }
    bars += fmt::format("<text class=\"value\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\"{}>{}</text>", frame_.width,
                        middle, weight, escape_html(row.value));
    y += kRowHeight;
  }
  const double height = places.bottom + (axis_.label.empty() ? kAxisHeight - 16 : kAxisHeight);
  return fmt::format(
      "<svg role=\"img\" aria-label=\"{0}\" viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\">{3}{4}</svg>",
      escape_html(frame_.description), frame_.width, height, axis(places), bars);
}

}  // namespace stc::sim
