// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/unmodelled.h"

#include <fmt/format.h>

#include <algorithm>

namespace stc::cubin {

UnmodelledFeature& Unmodelled::feature(const std::string& name) {
  const auto known = std::find_if(features_.begin(), features_.end(),
                                  [&](const UnmodelledFeature& feature) { return feature.name == name; });
  if (known != features_.end()) return *known;
  features_.push_back({name, 0, 0, ""});
  return features_.back();
}

void Unmodelled::add_instruction(const std::string& name, std::uint32_t address, const std::string& reason) {
  UnmodelledFeature& known = feature(name);
  if (known.instructions++ != 0) return;
  known.first = address;
  known.reason = reason;
}

void Unmodelled::add(const std::string& name) { feature(name); }

std::string Unmodelled::list() const {
  std::string text;
  bool unit_said = false;
  for (const UnmodelledFeature& feature : features_) {
    text += (text.empty() ? "" : ", ") + feature.name;
    if (feature.instructions == 0) continue;
    const char* unit = unit_said ? "" : feature.instructions == 1 ? " instruction" : " instructions";
    text += fmt::format(" ({}{})", feature.instructions, unit);
    unit_said = true;
  }
  return text;
}

std::string Unmodelled::sentence() const {
  std::string text = fmt::format("uses {}, which {} not modelled", list(), features_.size() == 1 ? "is" : "are");
  const auto first =
      std::min_element(features_.begin(), features_.end(), [](const UnmodelledFeature& a, const UnmodelledFeature& b) {
        return a.instructions != 0 && (b.instructions == 0 || a.first < b.first);
      });
  if (first != features_.end() && first->instructions != 0) {
    text += fmt::format("; first at {:#06x}: {}", first->first, first->reason);
  }
  return text;
}

}  // namespace stc::cubin
