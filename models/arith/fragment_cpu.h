// SPDX-License-Identifier: Apache-2.0
// fragment_dot and fragment_integers, once for each kind of processor that they are compiled for.
#pragma once

#include "models/arith/fragment_dot.h"
#include "models/arith/fragment_integers.h"

namespace stc::arith::fragment {

bool compute_on_any(const FragmentDot& dot, std::uint32_t* d);
bool compute_on_x86_64_v3(const FragmentDot& dot, std::uint32_t* d);
bool compute_on_x86_64_v4(const FragmentDot& dot, std::uint32_t* d);

void compute_on_any(const FragmentIntegers& dot, std::uint32_t* d);
void compute_on_x86_64_v3(const FragmentIntegers& dot, std::uint32_t* d);
void compute_on_x86_64_v4(const FragmentIntegers& dot, std::uint32_t* d);

}  // namespace stc::arith::fragment
