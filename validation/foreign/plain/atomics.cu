// SPDX-License-Identifier: Apache-2.0
// Atomics: every operation and type, histograms, a reduction whose last CTA finishes, locks, a queue.
#include <cuda_fp16.h>

#include <algorithm>

#include "validation/foreign/foreign.h"

namespace {

__global__ void every_operation(const int* in, int* out, unsigned* wrapped) {
  const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&out[0], v);
  atomicSub(&out[1], v);
  atomicMin(&out[2], v);
  atomicMax(&out[3], v);
  atomicAnd(&out[4], v);
  atomicOr(&out[5], v);
  atomicXor(&out[6], v);
  atomicInc(&wrapped[0], 16);
  atomicDec(&wrapped[1], 100);
  atomicCAS(&out[7], 0, 77);
}

__global__ void wide_types(const float* in, float* sums, double* sums64, unsigned long long* counts, __half2* halves) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[i & 7], in[i]);
  atomicAdd(&sums64[i & 3], static_cast<double>(in[i]));
  atomicAdd(&counts[i & 1], 1ull << 33);
  atomicMax(&counts[2], static_cast<unsigned long long>(i) << 32);
  atomicAdd(&halves[i & 1], __floats2half2_rn(1.f, 2.f));
}

__global__ void histogram_global(const unsigned char* in, int* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1);
}

__global__ void histogram_shared(const unsigned char* in, int* bins, int n) {
  __shared__ int mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__device__ int finished;

__global__ void last_cta_reduces(const int* in, int* partial, int* out, int n) {
  __shared__ int s[128];
  __shared__ bool last;
  int sum = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) sum += in[i];
  s[threadIdx.x] = sum;
  for (int d = 64; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    last = atomicAdd(&finished, 1) == static_cast<int>(gridDim.x) - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += *static_cast<volatile int*>(partial + b);
    *out = all;
    finished = 0;
  }
}

__global__ void float_maximum(const float* in, int* bits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int old = *bits;
  while (__int_as_float(old) < in[i]) {
    const int seen = atomicCAS(bits, old, __float_as_int(in[i]));
    if (seen == old) break;
    old = seen;
  }
}

// One lock, a lane of each CTA takes it.
__global__ void lock_per_cta(int* lock, int* value, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    if (threadIdx.x == 0) {
      while (atomicCAS(lock, 0, 1) != 0) {
      }
      __threadfence();
      *static_cast<volatile int*>(value) = *static_cast<volatile int*>(value) + 1;
      __threadfence();
      atomicExch(lock, 0);
    }
    __syncthreads();
  }
}

// One lock, every thread takes it: needs progress of lanes that diverged.
__global__ void lock_per_thread(int* lock, int* value) {
  while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20);
  __threadfence();
  *static_cast<volatile int*>(value) = *static_cast<volatile int*>(value) + static_cast<int>(threadIdx.x) + 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void ticket_lock(unsigned* next, unsigned* serving, int* order) {
  if (threadIdx.x != 0) return;
  const unsigned mine = atomicAdd(next, 1);
  while (atomicAdd(serving, 0) != mine) {
  }
  order[mine] = 1 + blockIdx.x;
  __threadfence();
  atomicAdd(serving, 1);
}

__global__ void queue(int* head, int* tail, int* items, int* done, int limit) {
  for (;;) {
    const int place = atomicAdd(head, 1);
    if (place >= limit) return;
    int item;
    while ((item = atomicAdd(&items[place], 0)) == 0) {
    }
    atomicAdd(done, item);
    for (int child = 0; child < 2; ++child) {
      const int at = atomicAdd(tail, 1);
      if (at < limit) atomicExch(&items[at], item + 1 + child);
    }
  }
}

}  // namespace

FOREIGN_CASE(every_operation) {
  const int n = 512;
  const std::vector<int> in = foreign::integers(1, n, -1000000, 1000000);
  foreign::Device<int> din(in), out(std::vector<int>{0, 0, 1 << 30, -(1 << 30), -1, 0, 0, 0});
  foreign::Device<unsigned> wrapped(std::vector<unsigned>{3, 40});
  every_operation<<<4, 128>>>(din.get(), out.get(), wrapped.get());
  std::vector<int> e{0, 0, 1 << 30, -(1 << 30), -1, 0, 0, 77};
  std::vector<unsigned> w{3, 40};
  for (const int v : in) {
    e[0] += v, e[1] -= v, e[2] = std::min(e[2], v), e[3] = std::max(e[3], v), e[4] &= v, e[5] |= v, e[6] ^= v;
    w[0] = w[0] >= 16 ? 0 : w[0] + 1;
    w[1] = w[1] == 0 || w[1] > 100 ? 100 : w[1] - 1;
  }
  return foreign::equal(out.host(), e) && foreign::equal(wrapped.host(), w);
}

FOREIGN_CASE(wide_types) {
  const int n = 1024;
  const std::vector<float> in = foreign::integers<float>(2, n, -8, 8);
  foreign::Device<float> din(in), sums(8);
  foreign::Device<double> sums64(4);
  foreign::Device<unsigned long long> counts(3);
  foreign::Device<__half2> halves(2);
  wide_types<<<8, 128>>>(din.get(), sums.get(), sums64.get(), counts.get(), halves.get());
  std::vector<float> e(8);
  std::vector<double> e64(4);
  for (int i = 0; i < n; ++i) e[i & 7] += in[i], e64[i & 3] += in[i];
  const std::vector<__half2> h = halves.host();
  const bool half_right = __low2float(h[0]) == 512 && __high2float(h[1]) == 1024;
  return half_right && foreign::equal(sums.host(), e) && foreign::equal(sums64.host(), e64) &&
         foreign::equal(counts.host(), {512ull << 33, 512ull << 33, 1023ull << 32});
}

namespace {

bool run_histogram(bool shared) {
  const int n = 20000;
  const std::vector<unsigned char> in = foreign::integers<unsigned char>(3, n, 0, 255);
  foreign::Device<unsigned char> din(in);
  foreign::Device<int> bins(256);
  if (shared) {
    histogram_shared<<<12, 256>>>(din.get(), bins.get(), n);
  } else {
    histogram_global<<<12, 256>>>(din.get(), bins.get(), n);
  }
  std::vector<int> expected(256);
  for (const unsigned char v : in) ++expected[v];
  return foreign::equal(bins.host(), expected);
}

}  // namespace

FOREIGN_CASE(histogram_global) { return run_histogram(false); }
FOREIGN_CASE(histogram_shared) { return run_histogram(true); }

FOREIGN_CASE(last_cta_reduces) {
  const int n = 50000;
  const std::vector<int> in = foreign::integers(4, n, -1000, 1000);
  foreign::Device<int> din(in), partial(20), out(2);
  last_cta_reduces<<<20, 128>>>(din.get(), partial.get(), out.get(), n);
  last_cta_reduces<<<10, 128>>>(din.get(), partial.get(), out.get() + 1, n / 2);
  std::vector<int> expected(2);
  for (int i = 0; i < n; ++i) expected[0] += in[i], expected[1] += i < n / 2 ? in[i] : 0;
  return foreign::equal(out.host(), expected);
}

FOREIGN_RACE(float_maximum) {
  const int n = 4096;
  const std::vector<float> in = foreign::reals(5, n, 0, 1000);
  foreign::Device<float> din(in);
  foreign::Device<int> bits(1);
  float_maximum<<<16, 256>>>(din.get(), bits.get(), n);
  const int got = bits.host()[0];
  float value;
  static_assert(sizeof value == sizeof got);
  std::copy_n(reinterpret_cast<const char*>(&got), sizeof got, reinterpret_cast<char*>(&value));
  return foreign::equal<float>({value}, {*std::max_element(in.begin(), in.end())});
}

FOREIGN_RACE(lock_per_cta) {
  foreign::Device<int> lock(1), value(1);
  lock_per_cta<<<24, 64>>>(lock.get(), value.get(), 4);
  return foreign::equal(value.host(), {96});
}

FOREIGN_RACE(lock_per_thread) {
  foreign::Device<int> lock(1), value(1);
  lock_per_thread<<<2, 96>>>(lock.get(), value.get());
  return foreign::equal(value.host(), {2 * 96 * 97 / 2});
}

FOREIGN_RACE(ticket_lock) {
  const int n = 40;
  foreign::Device<unsigned> next(1), serving(1);
  foreign::Device<int> order(n);
  ticket_lock<<<n, 32>>>(next.get(), serving.get(), order.get());
  std::vector<int> got = order.host(), expected(n);
  std::sort(got.begin(), got.end());
  for (int i = 0; i < n; ++i) expected[i] = i + 1;
  return foreign::equal(got, expected);
}

FOREIGN_RACE(work_queue) {
  const int limit = 63;  // a whole tree of six levels, whoever takes which place
  foreign::Device<int> head(1), tail(std::vector<int>{1}), items(limit), done(1);
  std::vector<int> first(limit);
  first[0] = 1;
  items.set(first);
  queue<<<6, 1>>>(head.get(), tail.get(), items.get(), done.get(), limit);
  const std::vector<int> left = items.host();
  int sum = 0;
  for (const int item : left) sum += item;
  return left[0] == 1 && std::count(left.begin(), left.end(), 0) == 0 && foreign::equal(done.host(), {sum});
}
