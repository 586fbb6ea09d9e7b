// SPDX-License-Identifier: Apache-2.0
// A profile for people: the kernel's instructions with what each cost.
#pragma once

#include <cstddef>
#include <string>

#include "sim/profile/launch_profile.h"

namespace stc::sim {

struct ListingStyle {
  static constexpr std::size_t kNarrowest = 80;
  std::size_t columns = kNarrowest;  ///< lines are cut to them; fewer than kNarrowest count as so many
  bool colour = false;               ///< how hot an instruction is, as a colour in place of characters
};

/// What the launch was and where its warps waited, then a line an instruction. Lines of source that can be read stand
/// above their instructions.
std::string profile_listing(const LaunchProfile& launch, const ListingStyle& style);

}  // namespace stc::sim
