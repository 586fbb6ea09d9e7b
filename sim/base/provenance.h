// SPDX-License-Identifier: Apache-2.0
// Whether others can build again what computed a figure.
#pragma once

#include <string>

namespace stc::sim {

/// A sentence for reports when git_revision() does not name all of the program: files differed from the commit, or
/// there was none. Empty when the commit is enough.
std::string caveat_of_revision(const std::string& revision);

}  // namespace stc::sim
