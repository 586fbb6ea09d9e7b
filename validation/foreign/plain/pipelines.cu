// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies and barriers: cp.async with zero fill, cuda::pipeline, cuda::barrier, named barriers.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "validation/foreign/foreign.h"

namespace cg = cooperative_groups;

namespace {

// Three stages of copies in front of a running sum.
__global__ void copy_pipeline(const float4* in, float* out, int tiles) {
  __shared__ float4 stage[3][64];
  float sum = 0;
  const auto copy = [&](int t) {
    if (t < tiles)
      __pipeline_memcpy_async(&stage[t % 3][threadIdx.x], &in[(blockIdx.x * tiles + t) * 64 + threadIdx.x], 16);
    __pipeline_commit();
  };
  copy(0);
  copy(1);
  for (int t = 0; t < tiles; ++t) {
    copy(t + 2);
    __pipeline_wait_prior(2);
    __syncthreads();
    const float4 v = stage[t % 3][63 - threadIdx.x];
    sum += v.x - v.y + 2 * v.z - 3 * v.w;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Sources of 0 to 16 of 16 bytes; the rest of the place in shared memory becomes zero.
__global__ void zero_fill(const unsigned char* in, unsigned char* out, int n) {
  __shared__ alignas(16) unsigned char s[128 * 16];
  for (int i = 0; i < 16; ++i) s[threadIdx.x * 16 + i] = 0xee;
  __syncthreads();
  const int at = threadIdx.x * 16, left = max(0, min(16, n - at));
  __pipeline_memcpy_async(&s[at], &in[left == 0 ? 0 : at], 16, 16 - left);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int i = 0; i < 16; ++i) out[at + i] = s[at + i];
}

__global__ void zero_fill_predicate(const int* in, int* out, int n) {
  __shared__ alignas(16) int s[256];
  for (int i = threadIdx.x; i < 256; i += 64) s[i] = -1;
  __syncthreads();
  const bool inside = threadIdx.x * 4 < n;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s[threadIdx.x * 4]));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(in + threadIdx.x * 4),
               "r"(inside ? 16 : 0));
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 64) out[i] = s[i];
}

__global__ void small_copies(const short* in8, const int* in4, int* out) {
  __shared__ alignas(16) int s4[64];
  __shared__ alignas(16) short s8[64 * 4];
  __pipeline_memcpy_async(&s4[threadIdx.x], &in4[63 - threadIdx.x], 4);
  __pipeline_memcpy_async(&s8[threadIdx.x * 4], &in8[threadIdx.x * 4], 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = s4[threadIdx.x ^ 1] + s8[threadIdx.x * 4 + 3];
}

__global__ void cuda_barrier(const int* in, int* out) {
  __shared__ int s[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, 128);
  __syncthreads();
  int v = in[threadIdx.x];
  for (int round = 0; round < 4; ++round) {
    s[threadIdx.x] = v;
    barrier.arrive_and_wait();
    v += s[(threadIdx.x + 37) & 127];
    barrier.arrive_and_wait();
  }
  out[threadIdx.x] = v;
}

__global__ void cuda_pipeline(const int* in, int* out, int tiles) {
  __shared__ int stage[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int t = 0, next = 0; t < tiles; ++t) {
    for (; next < tiles && next < t + 2; ++next) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, stage[next % 2], in + next * 128, cuda::aligned_size_t<16>(512), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += stage[t % 2][127 - threadIdx.x] * (t + 1);
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}

__global__ void group_copy(const int* in, int* out) {
  __shared__ int s[256];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in + blockIdx.x * 256, sizeof s);
  cg::wait(block);
  out[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}

// Two halves of a CTA meet at named barriers: one makes, the other uses.
__global__ void named_barriers(const int* in, int* out, int rounds) {
  __shared__ int box[64];
  const int t = threadIdx.x % 64;
  for (int r = 0; r < rounds; ++r) {
    if (threadIdx.x < 64) {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      box[t] = in[r * 64 + t] * 2;
      asm volatile("bar.arrive 2, 128;" ::: "memory");
    } else {
      asm volatile("bar.arrive 1, 128;" ::: "memory");
      asm volatile("bar.sync 2, 128;" ::: "memory");
      out[r * 64 + t] = box[63 - t];
    }
  }
}

__global__ void counting_barriers(const int* in, int* out) {
  const int odd = __syncthreads_count(in[threadIdx.x] & 1);
  const int all = __syncthreads_and(in[threadIdx.x] < 1000), any = __syncthreads_or(in[threadIdx.x] == 5);
  out[threadIdx.x] = odd * 4 + (all ? 2 : 0) + (any ? 1 : 0);
}

}  // namespace

FOREIGN_CASE(copy_pipeline) {
  const int tiles = 9, blocks = 4;
  const std::vector<float> in = foreign::integers<float>(1, blocks * tiles * 256, -50, 50);
  foreign::Device<float> din(in), dout(blocks * 64);
  copy_pipeline<<<blocks, 64>>>(reinterpret_cast<const float4*>(din.get()), dout.get(), tiles);
  std::vector<float> expected(blocks * 64);
  for (int i = 0; i < blocks * 64; ++i) {
    for (int t = 0; t < tiles; ++t) {
      const float* v = &in[((i / 64 * tiles + t) * 64 + 63 - i % 64) * 4];
      expected[i] += v[0] - v[1] + 2 * v[2] - 3 * v[3];
    }
  }
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(zero_fill) {
  const int n = 1000 + 7;
  const std::vector<unsigned char> in = foreign::integers<unsigned char>(2, 2048, 1, 255);
  foreign::Device<unsigned char> din(in), dout(2048);
  zero_fill<<<1, 128>>>(din.get(), dout.get(), n);
  std::vector<unsigned char> expected(2048);
  for (int i = 0; i < n; ++i) expected[i] = in[i];
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(zero_fill_predicate) {
  const std::vector<int> in = foreign::integers(3, 256, 1, 999);
  foreign::Device<int> din(in), dout(256);
  zero_fill_predicate<<<1, 64>>>(din.get(), dout.get(), 100);
  std::vector<int> expected(256);
  for (int i = 0; i < 100; ++i) expected[i] = in[i];
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(small_copies) {
  const std::vector<short> in8 = foreign::integers<short>(4, 256, -99, 99);
  const std::vector<int> in4 = foreign::integers(5, 64, -9999, 9999);
  foreign::Device<short> d8(in8);
  foreign::Device<int> d4(in4), dout(64);
  small_copies<<<1, 64>>>(d8.get(), d4.get(), dout.get());
  std::vector<int> expected(64);
  for (int i = 0; i < 64; ++i) expected[i] = in4[63 - (i ^ 1)] + in8[i * 4 + 3];
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(cuda_barrier) {
  const std::vector<int> in = foreign::integers(6, 128, -99, 99);
  foreign::Device<int> din(in), dout(128);
  cuda_barrier<<<1, 128>>>(din.get(), dout.get());
  std::vector<int> v = in;
  for (int round = 0; round < 4; ++round) {
    const std::vector<int> s = v;
    for (int i = 0; i < 128; ++i) v[i] += s[(i + 37) & 127];
  }
  return foreign::equal(dout.host(), v);
}

FOREIGN_CASE(cuda_pipeline) {
  const int tiles = 6;
  const std::vector<int> in = foreign::integers(7, tiles * 128, -99, 99);
  foreign::Device<int> din(in), dout(128);
  cuda_pipeline<<<1, 128>>>(din.get(), dout.get(), tiles);
  std::vector<int> expected(128);
  for (int i = 0; i < 128; ++i) {
    for (int t = 0; t < tiles; ++t) expected[i] += in[t * 128 + 127 - i] * (t + 1);
  }
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(group_copy) {
  const std::vector<int> in = foreign::integers(8, 1024, -99, 99);
  foreign::Device<int> din(in), dout(1024);
  group_copy<<<4, 256>>>(din.get(), dout.get());
  std::vector<int> expected(1024);
  for (int i = 0; i < 1024; ++i) expected[i] = in[i / 256 * 256 + 255 - i % 256];
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(named_barriers) {
  const int rounds = 5;
  const std::vector<int> in = foreign::integers(9, rounds * 64, -99, 99);
  foreign::Device<int> din(in), dout(rounds * 64);
  named_barriers<<<1, 128>>>(din.get(), dout.get(), rounds);
  std::vector<int> expected(rounds * 64);
  for (int i = 0; i < rounds * 64; ++i) expected[i] = 2 * in[i / 64 * 64 + 63 - i % 64];
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(counting_barriers) {
  const std::vector<int> in = foreign::integers(10, 192, 0, 999);
  foreign::Device<int> din(in), dout(192);
  counting_barriers<<<1, 192>>>(din.get(), dout.get());
  int odd = 0, five = 0;
  for (const int v : in) odd += v & 1, five |= v == 5;
  return foreign::equal(dout.host(), std::vector<int>(192, odd * 4 + 2 + five));
}
