// SPDX-License-Identifier: Apache-2.0
// Kernels as anybody writes them, without matrix instructions: validation/unit/sim/ordinary_kernels_test.cpp runs them
// through run files and checks their results.
#include <cstdint>

constexpr unsigned kAllLanes = 0xffffffffu;

/// *sum += all in[i]: shuffles inside a warp, shared memory inside a CTA, one atomic per CTA.
extern "C" __global__ void reduce(const float* in, float* sum, int n) {
  __shared__ float of_warp[32];
  float s = 0;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    s += in[i];
  }
  for (int offset = 16; offset > 0; offset /= 2) s += __shfl_down_sync(kAllLanes, s, offset);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) of_warp[warp] = s;
  __syncthreads();
  if (warp != 0) return;
  s = lane < (blockDim.x + 31) / 32 ? of_warp[lane] : 0;
  for (int offset = 16; offset > 0; offset /= 2) s += __shfl_xor_sync(kAllLanes, s, offset);
  if (lane == 0) atomicAdd(sum, s);
}

/// One CTA a row; blockDim.x is a power of two and the number of floats of shared memory.
extern "C" __global__ void softmax(const float* in, float* out, int columns) {
  extern __shared__ float part[];
  const float* x = in + static_cast<std::size_t>(blockIdx.x) * columns;
  float* y = out + static_cast<std::size_t>(blockIdx.x) * columns;
  const int first = static_cast<int>(threadIdx.x), step = static_cast<int>(blockDim.x);
  float most = -INFINITY;
  for (int i = first; i < columns; i += step) most = fmaxf(most, x[i]);
  part[first] = most;
  __syncthreads();
  for (int half = step / 2; half > 0; half /= 2) {
    if (first < half) part[first] = fmaxf(part[first], part[first + half]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();
  float sum = 0;
  for (int i = first; i < columns; i += step) sum += expf(x[i] - most);
  part[first] = sum;
  __syncthreads();
  for (int half = step / 2; half > 0; half /= 2) {
    if (first < half) part[first] += part[first + half];
    __syncthreads();
  }
  for (int i = first; i < columns; i += step) y[i] = expf(x[i] - most) / part[0];
}

/// Counts bytes by value: atomics on shared memory, then on global memory.
extern "C" __global__ void histogram(const std::uint8_t* in, unsigned* bins, int n) {
  __shared__ unsigned local[256];
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    atomicAdd(&local[in[i]], 1u);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) {
    if (local[i] != 0) atomicAdd(&bins[i], local[i]);
  }
}

/// out[x][y] = in[y][x] by tiles of 32 x 32 that CTAs of 32 x 8 threads turn in shared memory; edges may be ragged.
extern "C" __global__ void transpose(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  int x = static_cast<int>(blockIdx.x * 32 + threadIdx.x), y = static_cast<int>(blockIdx.y * 32 + threadIdx.y);
  for (int j = 0; j < 32; j += 8) {
    if (x < columns && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
  }
  __syncthreads();
  x = static_cast<int>(blockIdx.y * 32 + threadIdx.x), y = static_cast<int>(blockIdx.x * 32 + threadIdx.y);
  for (int j = 0; j < 32; j += 8) {
    if (x < rows && y + j < columns) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

/// Quotients and remainders of 64-bit numbers, signed and unsigned: calls inside the kernel, lanes that part.
extern "C" __global__ void divide(const std::int64_t* a, const std::int64_t* b, std::int64_t* quotient,
                                  std::int64_t* remainder, std::uint64_t* unsigned_quotient, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n || b[i] == 0) return;
  quotient[i] = a[i] / b[i];
  remainder[i] = a[i] % b[i];
  unsigned_quotient[i] = static_cast<std::uint64_t>(a[i]) / static_cast<std::uint64_t>(b[i]);
}
