// SPDX-License-Identifier: Apache-2.0
// Pointers to functions that one kernel makes and another one calls (-rdc=true): each kernel reaches others itself.

using PointersStep = unsigned (*)(unsigned);

__device__ __noinline__ unsigned pointers_double(unsigned x) { return 2 * x; }
__device__ __noinline__ unsigned pointers_thousand(unsigned x) { return x + 1000; }
__device__ __noinline__ unsigned pointers_nested(unsigned x) { return pointers_thousand(x) ^ 1; }

/// What the device runtime calls to launch a kernel from a kernel: it is not modelled.
extern "C" __device__ void* __cuda_syscall_cnpv2GetParameterBufferV2(void*, dim3, dim3, unsigned);
__device__ __noinline__ unsigned pointers_launch(unsigned x) {
  return __cuda_syscall_cnpv2GetParameterBufferV2(nullptr, dim3(x), dim3(1), 0) == nullptr;
}
__device__ __noinline__ unsigned pointers_surface(unsigned x) {
  return surf1Dread<unsigned>(cudaSurfaceObject_t{x}, 4);
}

/// Of another type and with more registers than kernels have that call functions of one argument.
__device__ unsigned pointers_words[64];
__device__ __noinline__ unsigned pointers_wide(unsigned x, unsigned y) {
  unsigned v[48], sum = 0;
#pragma unroll
  for (unsigned i = 0; i < 48; ++i) v[i] = pointers_words[(x + i * y) % 64];
#pragma unroll
  for (unsigned i = 0; i < 48; ++i) sum = sum * v[i] + 1;
#pragma unroll
  for (unsigned i = 0; i < 48; ++i) sum = sum * v[47 - i] + 1;
  return sum;
}

__device__ PointersStep pointers_current, pointers_other;
__device__ PointersStep pointers_table[3] = {pointers_nested, pointers_double, pointers_surface};
__device__ unsigned (*pointers_pair)(unsigned, unsigned) = pointers_wide;

extern "C" __global__ void pointers_set(unsigned choice) {
  pointers_current = choice == 0 ? pointers_double : pointers_launch;
}

extern "C" __global__ void pointers_call(unsigned* out) {
  pointers_other = pointers_thousand;
  out[threadIdx.x] = pointers_current(threadIdx.x);
}

/// What the host has read of the table.
extern "C" __global__ void pointers_given(unsigned* out, PointersStep step) { out[threadIdx.x] = step(threadIdx.x); }

struct PointersShape {
  __device__ virtual unsigned area(unsigned x) const = 0;
  unsigned width = 10;
};
struct PointersSquare : PointersShape {
  __device__ unsigned area(unsigned x) const override { return x * width + 1; }
};
struct PointersRound : PointersShape {
  __device__ unsigned area(unsigned x) const override { return 3 * x * width; }
};
__device__ PointersShape* pointers_shapes[2];

extern "C" __global__ void pointers_make() {
  pointers_shapes[0] = new PointersSquare;
  pointers_shapes[1] = new PointersRound;
}
extern "C" __global__ void pointers_virtual(unsigned* out) {
  out[threadIdx.x] = pointers_shapes[threadIdx.x & 1]->area(threadIdx.x);
}

extern "C" __global__ void pointers_none(unsigned* out) { out[threadIdx.x] = 7; }
