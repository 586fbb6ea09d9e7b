// SPDX-License-Identifier: Apache-2.0
// Local memory: arrays of a thread whose index the compiler does not know.
//   micro_local_<what>(Interval* out, int lane_words, int step, int count)
//   lane_words: between the words that two lanes of a warp name, 0: all name the same word of their array; step: words
//   between one access and the next. "load": each needs the value of the one before it; "swap": a load, another that
//   needs it, and two stores to those places, as a sort does; "store": stores alone; "scatter": a swap whose second
//   place differs from lane to lane as if by chance.
//   micro_local_twice(Interval* out, int lane_words, int apart, int gap, int count)
//   a store, `gap` clocks later one `apart` words on, long after them a load of the first place.
#include "micro_common.cuh"

constexpr int kWords = 64;

/// The array of a thread: its accesses are what the source says.
struct Words {
  std::uint32_t address;
  __device__ std::uint32_t load(std::uint32_t place) const {
    std::uint32_t value;
    asm volatile("ld.local.u32 %0, [%1];" : "=r"(value) : "r"(address + 4 * place) : "memory");
    return value;
  }
  __device__ void store(std::uint32_t place, std::uint32_t value) const {
    asm volatile("st.local.u32 [%0], %1;" ::"r"(address + 4 * place), "r"(value) : "memory");
  }
};

template <class Pass>
__device__ __forceinline__ void local_passes(Interval* out, int lane_words, int step, int count, Pass pass) {
  std::uint32_t memory[kWords];
  const Words words{static_cast<std::uint32_t>(__cvta_generic_to_local(memory))};
#pragma unroll 1
  for (std::uint32_t i = 0; i < kWords; ++i) words.store(i, (i + count) & 0x40000000u);  // zero
  std::uint32_t place = (threadIdx.x % 32) * static_cast<unsigned>(lane_words) % kWords;
  const std::uint64_t start = read_clock();
#pragma unroll 1
  for (int i = 0; i < count; ++i) place = pass(words, place, static_cast<unsigned>(step));
  const std::uint64_t stop = read_clock();
  report(out, start, stop, static_cast<std::uint64_t>(count), place * 0x9E3779B9u);
}

extern "C" __global__ void micro_local_load(Interval* out, int lane_words, int step, int count) {
  local_passes(out, lane_words, step, count, [](const Words& words, std::uint32_t place, std::uint32_t step) {
    return (place + step + words.load(place)) % kWords;
  });
}

extern "C" __global__ void micro_local_swap(Interval* out, int lane_words, int step, int count) {
  local_passes(out, lane_words, step, count, [](const Words& words, std::uint32_t place, std::uint32_t step) {
    const std::uint32_t a = words.load(place), other = (place + 5 + a) % kWords, b = words.load(other);
    words.store(place, b);
    words.store(other, a);
    return (place + step + b) % kWords;
  });
}

extern "C" __global__ void micro_local_store(Interval* out, int lane_words, int step, int count) {
  local_passes(out, lane_words, step, count, [](const Words& words, std::uint32_t place, std::uint32_t step) {
    words.store(place, step);
    return (place + step) % kWords;
  });
}

extern "C" __global__ void micro_local_scatter(Interval* out, int lane_words, int step, int count) {
  local_passes(out, lane_words, step, count, [](const Words& words, std::uint32_t place, std::uint32_t step) {
    const std::uint32_t a = words.load(place), hashed = (place * 40503u + threadIdx.x * 30011u) >> 7;
    const std::uint32_t other = (hashed + a) % kWords, b = words.load(other);
    words.store(place, b);
    words.store(other, a);
    return (place + step + b) % kWords;
  });
}

__device__ __forceinline__ void wait_clocks(std::uint32_t clocks) {
  const std::uint32_t from = read_clock32();
  while (read_clock32() - from < clocks) continue;
}

extern "C" __global__ void micro_local_twice(Interval* out, int lane_words, int apart, int gap, int count) {
  constexpr std::uint32_t kRest = 600;
  local_passes(out, lane_words, 7, count, [=](const Words& words, std::uint32_t place, std::uint32_t step) {
    words.store(place, 0);
    if (gap != 0) wait_clocks(static_cast<std::uint32_t>(gap));
    words.store((place + static_cast<std::uint32_t>(apart)) % kWords, 0);
    wait_clocks(kRest);
    return (place + step + words.load(place)) % kWords;
  });
}
