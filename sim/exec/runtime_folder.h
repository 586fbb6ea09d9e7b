// SPDX-License-Identifier: Apache-2.0
// Where the stand-ins for CUDA's libraries lie.
#pragma once

#include <string>

namespace stc::sim {

/// lib/stcsim of the prefix that the running program is installed in, else the folder beside it in the build tree.
std::string runtime_folder();

}  // namespace stc::sim
