// SPDX-License-Identifier: Apache-2.0
// Variables that a host sets before a launch, and reads of what nobody wrote.

__constant__ float coefficients[16];
__constant__ int preset[4] = {1, 2, 3, 4};
__device__ float table[64];
__device__ int started = 5;

namespace image {
__constant__ double gamma;
__device__ short offsets[8];
static __device__ int shift;
}  // namespace image

namespace audio {
__device__ short offsets[8];
}

extern "C" __global__ void use_variables(double* out) {
  const int t = threadIdx.x;
  out[t] = coefficients[t & 15] * preset[t & 3] + table[t] + started + image::gamma + image::offsets[t & 7] +
           image::shift + audio::offsets[1];
}

/// What the kernel itself writes first needs no value from the host.
extern "C" __global__ void write_before_reading(float* out) {
  table[threadIdx.x] = threadIdx.x * 2.0f;
  __syncthreads();
  out[threadIdx.x] = table[63 - threadIdx.x];
}

__device__ __noinline__ float pick(const float* from, int i) { return from[i] + from[i + 1]; }

/// A generic pointer that may point to a constant.
extern "C" __global__ void point_to_constant(float* out, int n) {
  out[threadIdx.x] = pick(threadIdx.x & 1 ? coefficients : table, n + (threadIdx.x >> 1));
}

/// Threads of the second warp read shared memory that nobody wrote.
extern "C" __global__ void read_shared(int* out) {
  __shared__ int values[64];
  if (threadIdx.x < 32) values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];
}

/// Lanes 5 and up read local memory that they did not write.
extern "C" __global__ void read_local(int* out, int written) {
  volatile int values[8];
  if (threadIdx.x < 5) values[written] = 3;
  out[threadIdx.x] = values[written];
}

/// Odd lanes store registers that they did not load.
extern "C" __global__ void read_register(int4* out) {
  asm volatile(
      "{.reg .pred even; .reg .u32 a, b, c, d, odd; and.b32 odd, %1, 1; setp.eq.u32 even, odd, 0;"
      " @even ld.global.v4.u32 {a, b, c, d}, [%0]; st.global.v4.u32 [%0], {a, b, c, d};}" ::"l"(out + threadIdx.x),
      "r"(threadIdx.x)
      : "memory");
}
