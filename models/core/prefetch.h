// SPDX-License-Identifier: Apache-2.0
// What will be read soon is brought into the processor's caches. That changes nothing but time.
#pragma once

namespace stc {

/// The line at `place`, which need not be anybody's.
inline void prefetch(const void* place) {
  __builtin_prefetch(place);
  // To GCC a function that does no more than prefetch has no effect: it leaves out calls of those that it does not
  // inline.
  asm volatile("");
}

}  // namespace stc
