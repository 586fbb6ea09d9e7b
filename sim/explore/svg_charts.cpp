// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/svg_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

std::string svg(const std::string& description, double width, double height, const std::string& body) {
  return fmt::format(
      "<svg role=\"img\" aria-label=\"{0}\" viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\">{3}</svg>",
      escape_html(description), width, height, body);
}

std::string text(const char* style, double x, double y, const char* anchor, const std::string& content) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", style, x, y, anchor,
                     escape_html(content));
}

std::string title(const std::string& tooltip) {
  return tooltip.empty() ? "" : fmt::format("<title>{}</title>", escape_html(tooltip));
}

double total_of(const StackedBar& bar) {
  double sum = 0;
  for (const StackedBar::Part& part : bar.parts) sum += part.value;
  return sum;
}

/// A round number so that about four ticks reach `most`.
double tick_step(double most) {
  const double rough = std::max(most, 1e-12) / 4;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

}  // namespace

std::string stacked_bars(const std::string& description, const std::string& unit, const std::vector<StackedBar>& bars) {
  constexpr double kLeft = 52, kTop = 10, kPlot = 170, kPitch = 38, kBar = 26;
  double most = 0;
  for (const StackedBar& bar : bars) most = std::max(most, total_of(bar));
  const double step = tick_step(most);
  const double high = std::ceil(most / step - 1e-9) * step;
  const double right = kLeft + kPitch * static_cast<double>(bars.size()) + 6;
  const double bottom = kTop + kPlot;
  const auto at = [&](double value) { return bottom - (high > 0 ? value / high : 0) * kPlot; };
  std::string body;
  for (int i = 0; i * step <= high * (1 + 1e-9); ++i) {
    const double y = at(i * step);
    body +=
        fmt::format("<line class=\"grid\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>", kLeft, y, right, y);
    body += text("tick", kLeft - 5, y + 3.5, "end", short_number(i * step));
    if (step <= 0) break;
  }
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const double x = kLeft + kPitch * static_cast<double>(i) + (kPitch - kBar) / 2 + 3;
    double from = 0;
    for (const StackedBar::Part& part : bars[i].parts) {
      const double y = at(from + part.value);
      body += fmt::format("<rect class=\"bar {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\">{}</rect>",
                          part.colour, x, y, kBar, at(from) - y, title(part.tooltip));
      from += part.value;
    }
    body += text("tick", x + kBar / 2, bottom + 15, "middle", bars[i].name);
  }
  body +=
      fmt::format("<line class=\"axis\" x1=\"{}\" y1=\"{}\" x2=\"{:.1f}\" y2=\"{}\"/>", kLeft, bottom, right, bottom);
  body += fmt::format(
      "<text class=\"label\" transform=\"translate(12 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
      (kTop + bottom) / 2, escape_html(unit));
  return svg(description, right + 4, bottom + 24, body);
}

std::string heat_map(const HeatMap& map, double low, double high) {
  constexpr double kLeft = 56, kTop = 8, kWidth = 58, kHeight = 34;
  const double right = kLeft + kWidth * static_cast<double>(map.columns.size());
  const double bottom = kTop + kHeight * static_cast<double>(map.rows.size());
  std::string body;
  for (std::size_t row = 0; row < map.rows.size(); ++row) {
    const double y = kTop + kHeight * static_cast<double>(row);
    body += text("tick", kLeft - 8, y + kHeight / 2 + 4, "end", map.rows[row]);
    for (std::size_t column = 0; column < map.columns.size(); ++column) {
      const double x = kLeft + kWidth * static_cast<double>(column);
      const auto& cell = map.cells[row][column];
      if (!cell) {
        body += fmt::format("<circle class=\"dot sx\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.5\"/>", x + kWidth / 2,
                            y + kHeight / 2);
        continue;
      }
      const double share = high > low ? std::clamp((cell->value - low) / (high - low), 0.0, 1.0) : 0.5;
      body += fmt::format(
          "<g>{}<rect class=\"bar s0\" fill-opacity=\"{:.2f}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" "
          "rx=\"3\"/>",
          title(cell->tooltip), 0.08 + 0.62 * share, x + 1, y + 1, kWidth - 2, kHeight - 2);
      body += text("value", x + kWidth / 2, y + kHeight / 2 + 4, "middle", cell->text) + "</g>";
    }
  }
  for (std::size_t column = 0; column < map.columns.size(); ++column) {
    body +=
        text("tick", kLeft + kWidth * (static_cast<double>(column) + 0.5), bottom + 15, "middle", map.columns[column]);
  }
  body += text("label", (kLeft + right) / 2, bottom + 34, "middle", map.column_label);
  body += fmt::format(
      "<text class=\"label\" transform=\"translate(12 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
      (kTop + bottom) / 2, escape_html(map.row_label));
  return svg(map.description, right + 8, bottom + 42, body);
}

}  // namespace stc::sim
