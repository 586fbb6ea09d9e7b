// SPDX-License-Identifier: Apache-2.0
// cp.async with every source size, known when compiled or not, with a source that is ignored, and with part of a warp.
// A lane's slot holds 0xaa before. Launched with one warp; `take` names the lanes that copy.
#include <cstdint>

namespace {

constexpr int kSlot = 16;

struct Slots {
  std::uint8_t bytes[32 * kSlot];
};

enum class Cache { kAll, kGlobal };  // .ca, .cg

template <Cache kCache, int kBytes>
__device__ void copy(std::uint32_t to, const std::uint8_t* from, int source) {
  if (kCache == Cache::kGlobal) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(source) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(kBytes), "r"(source)
                 : "memory");
  }
}

template <Cache kCache, int kBytes, int kSource>
__device__ void copy_constant(std::uint32_t to, const std::uint8_t* from) {
  if (kCache == Cache::kGlobal) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "n"(kSource) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(kBytes), "n"(kSource)
                 : "memory");
  }
}

template <Cache kCache, int kBytes>
__device__ void copy_unless(std::uint32_t to, const std::uint8_t* from, int ignore) {
  if (kCache == Cache::kGlobal) {
    asm volatile("{.reg .pred p; setp.ne.s32 p, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, p;}" ::"r"(to),
                 "l"(from), "r"(ignore)
                 : "memory");
  } else {
    asm volatile("{.reg .pred p; setp.ne.s32 p, %3, 0; cp.async.ca.shared.global [%0], [%1], %2, p;}" ::"r"(to),
                 "l"(from), "n"(kBytes), "r"(ignore)
                 : "memory");
  }
}

/// Fills the slots, lets the taken lanes copy and writes all bytes out.
template <class Copy>
__device__ void round(Slots& shared, std::uint8_t*& out, std::uint32_t take, Copy copy_one) {
  std::uint8_t* slot = shared.bytes + threadIdx.x * kSlot;
  for (int i = 0; i < kSlot; ++i) slot[i] = 0xaa;
  __syncthreads();
  if (take >> threadIdx.x & 1) copy_one(static_cast<std::uint32_t>(__cvta_generic_to_shared(slot)));
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  for (int i = 0; i < kSlot; ++i) out[threadIdx.x * kSlot + i] = slot[i];
  out += 32 * kSlot;
}

template <Cache kCache, int kBytes, int kSource>
__device__ void constant_sizes(Slots& shared, const std::uint8_t* from, std::uint8_t*& out, std::uint32_t take) {
  round(shared, out, take, [&](std::uint32_t to) { copy_constant<kCache, kBytes, kSource>(to, from); });
  if constexpr (kSource < kBytes) constant_sizes<kCache, kBytes, kSource + 1>(shared, from, out, take);
}

/// Rounds: source sizes 0 .. kBytes as constants; lane % (kBytes + 1) at run time; ignored in every third lane with a
/// predicate, and with a size that is all or nothing. Lanes that read nothing have a pointer to nowhere.
template <Cache kCache, int kBytes>
__device__ void copies(const std::uint8_t* in, std::uint8_t* out, std::uint32_t take) {
  __shared__ __align__(16) Slots shared;
  const int lane = threadIdx.x;
  const std::uint8_t* from = in + lane * kBytes;
  constant_sizes<kCache, kBytes, 0>(shared, from, out, take);
  const int size = lane % (kBytes + 1);
  const std::uint8_t* sized = size == 0 ? nullptr : from;
  round(shared, out, take, [&](std::uint32_t to) { copy<kCache, kBytes>(to, sized, size); });
  const int ignore = lane % 3 == 0;
  const std::uint8_t* followed = ignore ? nullptr : from;
  round(shared, out, take, [&](std::uint32_t to) { copy_unless<kCache, kBytes>(to, followed, ignore); });
  round(shared, out, take, [&](std::uint32_t to) { copy<kCache, kBytes>(to, followed, ignore ? 0 : kBytes); });
}

}  // namespace

#define STC_COPIES(name, cache, bytes)                                                             \
  extern "C" __global__ void name(const std::uint8_t* in, std::uint8_t* out, std::uint32_t take) { \
    copies<cache, bytes>(in, out, take);                                                           \
  }
STC_COPIES(copies_4, Cache::kAll, 4)
STC_COPIES(copies_8, Cache::kAll, 8)
STC_COPIES(copies_16, Cache::kAll, 16)
STC_COPIES(copies_16_bypass, Cache::kGlobal, 16)
