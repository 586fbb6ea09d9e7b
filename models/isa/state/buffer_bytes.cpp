// SPDX-License-Identifier: Apache-2.0
#include "models/isa/state/buffer_bytes.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <utility>

namespace stc::isa {

BufferBytes BufferBytes::zeros(std::size_t count) {
  BufferBytes all;
  if (count == 0) return all;
  // A large block comes from the system, which has no page of it yet; the heap would write what it had before.
  constexpr std::size_t kLarge = std::size_t{4} << 20;
  void* block = nullptr;
  if (count < kLarge) {
    block = std::calloc(count, 1);
  } else {
    block = mmap(nullptr, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) block = nullptr;
  }
  if (block == nullptr) throw std::bad_alloc();
  all.zeros_ =
      std::unique_ptr<std::uint8_t[], Free>(static_cast<std::uint8_t*>(block), Free{count < kLarge ? 0 : count});
  all.begin_ = all.zeros_.get();
  all.size_ = count;
  return all;
}

BufferBytes BufferBytes::padded(std::vector<std::uint8_t> first, std::size_t count) {
  if (first.empty()) return zeros(count);
  first.resize(count);
  return first;
}

void BufferBytes::Free::operator()(std::uint8_t* bytes) const {
  if (mapped == 0) {
    std::free(bytes);
  } else {
    munmap(bytes, mapped);
  }
}

void BufferBytes::swap(BufferBytes& other) noexcept {
  held_.swap(other.held_);
  zeros_.swap(other.zeros_);
  std::swap(begin_, other.begin_);
  std::swap(size_, other.size_);
}

}  // namespace stc::isa
