// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/source_lines.h"

namespace stc::cubin {

SourceLine SourceLines::at(std::uint32_t address) const {
  const auto next = rows_.upper_bound(address);
  return next == rows_.begin() ? SourceLine{} : std::prev(next)->second;
}

}  // namespace stc::cubin
