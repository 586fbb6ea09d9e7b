// SPDX-License-Identifier: Apache-2.0
// Replaces operator new of the program that it is linked into by one that can be made to fail.
#pragma once

namespace stc::sim {

extern long allocations_left;  ///< the last of so many allocations fails, once; -1: none does
extern bool throw_a_number;    ///< instead of std::bad_alloc: an exception that nobody expects

}  // namespace stc::sim
