// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/region_chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

constexpr double kLeft = 190, kWidth = 560, kTop = 8, kPitch = 46, kBar = 22;

std::string text(const char* style, double x, double y, const char* anchor, const std::string& content) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", style, x, y, anchor,
                     escape_html(content));
}

class RegionDrawing {
 public:
  RegionDrawing(const std::vector<RegionBar>& bars, const std::vector<std::string>& colours) : colours_(colours) {
    for (const RegionBar& bar : bars) {
      for (const RegionBar::Part& part : bar.parts) {
        low_ = std::min(low_, part.from);
        high_ = std::max(high_, part.to);
      }
    }
  }

  std::string bar(const RegionBar& bar, double y) const {
    std::string out = text("label", kLeft - 10, y + kBar / 2 + 4, "end", bar.name);
    for (const RegionBar::Part& part : bar.parts) {
      out += fmt::format(
          "<rect class=\"bar {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"><title>{}</title></rect>",
          colours_[static_cast<std::size_t>(part.region)], at(part.from), y, at(part.to) - at(part.from), kBar,
          escape_html(part.tooltip));
    }
    for (std::size_t i = 0; i < bar.lines.size(); ++i) {
      const RegionBar::Line& line = bar.lines[i];
      // Of two lines, which may lie near each other, the first is named to its left and the other to its right.
      const char* anchor = "middle";
      if (bar.lines.size() == 2) {
        const double other = bar.lines[1 - i].at;
        anchor = line.at < other || (line.at == other && i == 0) ? "end" : "start";
      }
      out += fmt::format(
          "<line class=\"axis\" style=\"stroke: var(--ink)\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\""
          " y2=\"{2:.1f}\"/>",
          at(line.at), y - 3, y + kBar + 3);
      out += text("tick", at(line.at), y - 5, anchor, fmt::format("{} {:.1f} %", line.name, 100 * line.at));
    }
    return out;
  }

  std::string axis(double bottom) const {
    std::string out;
    for (int percent = 0; percent <= 100; percent += 5) {
      const double share = percent / 100.0;
      if (share < low_ - 1e-9 || share > high_ + 1e-9) continue;
      out += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>", at(share),
                         kTop, bottom);
      out += text("tick", at(share), bottom + 15, "middle", std::to_string(percent));
    }
    return out + text("label", kLeft + kWidth / 2, bottom + 34, "middle", "zeros, %");
  }

 private:
  double at(double share) const { return kLeft + (share - low_) / std::max(1e-9, high_ - low_) * kWidth; }

  const std::vector<std::string>& colours_;
  double low_ = 1, high_ = 0;
};

}  // namespace

std::string region_chart(const std::string& description, const std::vector<RegionBar>& bars,
                         const std::vector<std::string>& colours) {
  const RegionDrawing drawing(bars, colours);
  const double bottom = kTop + kPitch * static_cast<double>(bars.size()) + 4;
  std::string body = drawing.axis(bottom);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    body += drawing.bar(bars[i], kTop + kPitch * static_cast<double>(i) + 18);
  }
  return fmt::format(
      "<svg role=\"img\" aria-label=\"{0}\" viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\">{3}</svg>",
      escape_html(description), kLeft + kWidth + 90, bottom + 42, body);
}

}  // namespace stc::sim
