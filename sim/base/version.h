// SPDX-License-Identifier: Apache-2.0
// Which stcsim this is.
#pragma once

namespace stc::sim {

const char* version();       ///< "0.1.0"
const char* git_revision();  ///< commit at build time, "+" appended if files differed from it; "unknown" outside git

}  // namespace stc::sim
