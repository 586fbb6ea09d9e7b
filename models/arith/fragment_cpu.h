// SPDX-License-Identifier: Apache-2.0
// fragment_dot, once for each kind of processor that it is compiled for.
#pragma once

#include "models/arith/fragment_dot.h"

namespace stc::arith::fragment {

bool compute_on_any(const FragmentDot& dot, std::uint32_t* d);
bool compute_on_x86_64_v3(const FragmentDot& dot, std::uint32_t* d);
bool compute_on_x86_64_v4(const FragmentDot& dot, std::uint32_t* d);

}  // namespace stc::arith::fragment
