// SPDX-License-Identifier: Apache-2.0
// What a kernel of paths.cu leaves behind, as text: "place:lanes@clock", in the order of the clocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace stc::paths {

constexpr std::size_t kSteps = 128;  ///< of a lane
constexpr std::size_t kLanes = 32;
constexpr std::size_t kTrailWords = kSteps * kLanes * 2;

struct Passage {
  std::uint32_t place = 0;
  std::uint32_t lanes = 0;
  std::uint32_t clock = 0;
};

/// Lanes that passed a place in the same clock passed together. `words` holds a place and a clock for each lane of each
/// step; place 0: no step. Clocks count from the first passage.
inline std::vector<Passage> passages(const std::vector<std::uint32_t>& words) {
  std::vector<Passage> all;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    if (words[i] == 0) continue;
    const auto same = std::find_if(all.begin(), all.end(),
                                   [&](const Passage& p) { return p.clock == words[i + 1] && p.place == words[i]; });
    const std::uint32_t lane = 1u << (i / 2 % kLanes);
    if (same != all.end()) {
      same->lanes |= lane;
    } else {
      all.push_back({words[i], lane, words[i + 1]});
    }
  }
  if (all.empty()) return all;
  const std::uint32_t origin = all.front().clock;
  for (Passage& p : all) p.clock -= origin;
  std::stable_sort(all.begin(), all.end(), [](const Passage& a, const Passage& b) {
    return static_cast<std::int32_t>(a.clock) < static_cast<std::int32_t>(b.clock);
  });
  return all;
}

inline std::string trail_text(const std::vector<Passage>& all) {
  std::string text;
  char word[64];
  for (const Passage& p : all) {
    std::snprintf(word, sizeof word, "%s%x:%x@%u", text.empty() ? "" : " ", p.place, p.lanes, p.clock);
    text += word;
  }
  return text;
}

}  // namespace stc::paths
