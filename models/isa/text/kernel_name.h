// SPDX-License-Identifier: Apache-2.0
// Names of kernels as people read them.
#pragma once

#include <string>

namespace stc::isa {

/// The C++ name behind a symbol without parameters and return type, long template arguments cut:
/// "_Z4gemmIfEvPT_i" is "gemm<float>". A symbol that is no C++ name stays as it is.
std::string readable_name(const std::string& symbol);

}  // namespace stc::isa
