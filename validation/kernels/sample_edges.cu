// SPDX-License-Identifier: Apache-2.0
// Copies whose bytes are used before they are known to be there, and parameters of more than 4 KiB.
#include <cstdint>

/// A copy of four bytes a thread; each reads what the thread `apart` further on copied. `wait`, `meet`: whether it
/// waits for its copies, and at the barrier.
template <bool kWait, bool kMeet>
__device__ void pass_on(int* out, const int* in, int apart) {
  __shared__ int tile[64];
  const auto to = static_cast<std::uint32_t>(__cvta_generic_to_shared(tile + threadIdx.x));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  if (kWait) asm volatile("cp.async.wait_group 0;" ::: "memory");
  if (kMeet) __syncthreads();
  out[threadIdx.x] = *static_cast<volatile int*>(tile + (threadIdx.x + apart) % 64);
  asm volatile("cp.async.wait_all;" ::: "memory");
}

extern "C" __global__ void copies_waited_for(int* out, const int* in, int apart) {
  pass_on<true, true>(out, in, apart);
}
extern "C" __global__ void copies_not_waited_for(int* out, const int* in, int apart) {
  pass_on<false, true>(out, in, apart);
}
extern "C" __global__ void copies_without_barrier(int* out, const int* in, int apart) {
  pass_on<true, false>(out, in, apart);
}

struct Wide {
  int words[1200];
};

extern "C" __global__ void wide_parameter(int* out, const __grid_constant__ Wide wide, int step) {
  out[threadIdx.x] = wide.words[threadIdx.x * step];
}
