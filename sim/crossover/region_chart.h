// SPDX-License-Identifier: Apache-2.0
// Horizontal bars over the share of zeros, cut into regions: who wins where, as inline SVG.
#pragma once

#include <string>
#include <vector>

namespace stc::sim {

struct RegionBar {
  struct Part {
    double from = 0, to = 0;  ///< shares of zeros
    int region = 0;           ///< index into the colours
    std::string tooltip;
  };
  struct Line {
    double at = 0;
    std::string name;
  };
  std::string name;
  std::vector<Part> parts;
  std::vector<Line> lines;  ///< drawn across the bar, named above it
};

/// The axis runs from the least to the greatest share of all bars.
std::string region_chart(const std::string& description, const std::vector<RegionBar>& bars,
                         const std::vector<std::string>& colours);

}  // namespace stc::sim
