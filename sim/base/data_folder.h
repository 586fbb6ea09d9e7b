// SPDX-License-Identifier: Apache-2.0
// Where the files that come with stcsim lie: GPUs, kernels, measured figures.
#pragma once

#include <string>

namespace stc::sim {

/// Folder with configs/, traces/kernels/ and validation/ as in the source tree: share/stcsim of the prefix that the
/// running program is installed in, else the source tree that it was built from.
/// A host of stcsim's code, such as Python, says where the files are.
std::string data_folder();
void use_data_folder(const std::string& folder);

}  // namespace stc::sim
