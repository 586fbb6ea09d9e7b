// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/sim/failing_allocator.h"

#include <cstdlib>
#include <new>

namespace stc::sim {

long allocations_left = -1;
bool throw_a_number = false;

}  // namespace stc::sim

void* operator new(std::size_t bytes) {
  using namespace stc::sim;
  if (allocations_left > 0 && --allocations_left == 0) {
    allocations_left = -1;
    if (throw_a_number) throw 7;
    throw std::bad_alloc();
  }
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}

// Its memory is given back by the operators below, so it must come from the same place; who asks so expects refusals.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return std::malloc(bytes == 0 ? 1 : bytes); }

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
