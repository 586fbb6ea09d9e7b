// SPDX-License-Identifier: Apache-2.0
// Which stcsim this is.
#pragma once

namespace stc::sim {

const char* version();  ///< "0.1.0"
/// Commit at build time, "+" appended if files differed from it or were new; "unknown" outside git.
const char* git_revision();

}  // namespace stc::sim
