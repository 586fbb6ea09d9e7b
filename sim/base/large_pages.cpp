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
  constexpr int kHeap = 256 << 20;  // address space; memory is taken as it is used
  constexpr int kBlock = 32 << 20;  // the largest that the heap may be made to serve
  auto begin = reinterpret_cast<std::uintptr_t>(sbrk(0));
  // Blocks of any size come from the heap, which keeps what it has.
  if (mallopt(M_MMAP_THRESHOLD, kBlock) == 0 || mallopt(M_TRIM_THRESHOLD, 2 * kHeap) == 0) return;
  std::array<void* volatile, 2 * kHeap / kBlock> room;  // volatile: compilers leave out blocks that nobody uses
  for (void* volatile& block : room) block = std::malloc(kBlock / 2);
  for (void* volatile& block : room) std::free(block);
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0));
  begin = (begin + kPage - 1) / kPage * kPage;
  if (end <= begin + kPage) return;
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  madvise(reinterpret_cast<void*>(begin), (end - begin) / kPage * kPage, MADV_HUGEPAGE);
}

#else

void use_large_pages() {}

#endif

}  // namespace stc::sim
