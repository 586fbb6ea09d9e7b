// SPDX-License-Identifier: Apache-2.0
#include "sim/base/large_pages.h"

#include <array>
#include <cstdint>
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace stc::sim {

#ifdef __GLIBC__

void use_large_pages() {
  constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20;
  constexpr int kHeap = 256 << 20;   // address space; memory is taken as it is used
  constexpr int kBlock = 32 << 20;   // the largest that the heap may be made to serve
  constexpr int kGrows = 256 << 10;  // a block that the heap as it begins has no room for
  const auto end_of_heap = [] { return reinterpret_cast<std::uintptr_t>(sbrk(0)); };
  const std::uintptr_t begin = (end_of_heap() + kPage - 1) / kPage * kPage;
  // Blocks of any size come from the heap, which keeps what it has.
  if (mallopt(M_MMAP_THRESHOLD, kBlock) == 0 || mallopt(M_TRIM_THRESHOLD, 2 * kHeap) == 0) return;
  // It grows at once, so that nothing but its beginning is written before: where one page is, no large one comes.
  if (mallopt(M_TOP_PAD, kHeap) == 0) return;
  // Volatile, for compilers leave out blocks that nobody uses; static, for it may be kept to the end.
  static void* volatile first = std::malloc(kGrows);
  mallopt(M_TOP_PAD, kGrows);
  const std::uintptr_t end = end_of_heap(), next = reinterpret_cast<std::uintptr_t>(first) + kGrows;
  if (end > begin + kPage) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    madvise(reinterpret_cast<void*>(begin), (end - begin) / kPage * kPage, MADV_HUGEPAGE);
    // What comes before stays unused.
    if (next < begin) first = std::realloc(first, kGrows + (begin - next));
    // The heap begins at a large page already.
    if (next >= begin) std::free(first);
  }
}

#else

void use_large_pages() {}

#endif

}  // namespace stc::sim
