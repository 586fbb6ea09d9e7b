// SPDX-License-Identifier: Apache-2.0
// Sorting: bitonic in shared memory and over several launches, radix by ballots, merging by search, odd-even.
#include <algorithm>

#include "validation/foreign/foreign.h"

namespace {

__global__ void bitonic_shared(int* data) {
  __shared__ int s[512];
  for (int i = threadIdx.x; i < 512; i += blockDim.x) s[i] = data[blockIdx.x * 512 + i];
  for (int size = 2; size <= 512; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int a = 2 * threadIdx.x - (threadIdx.x & (stride - 1)), b = a + stride;
      const bool up = (a & size) == 0;
      if ((s[a] > s[b]) == up) {
        const int t = s[a];
        s[a] = s[b];
        s[b] = t;
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 512; i += blockDim.x) data[blockIdx.x * 512 + i] = s[i];
}

__global__ void bitonic_step(float* keys, int* values, int size, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ stride;
  if (other <= i) return;
  const bool up = (i & size) == 0;
  if ((keys[i] > keys[other]) == up) {
    const float k = keys[i];
    keys[i] = keys[other];
    keys[other] = k;
    const int v = values[i];
    values[i] = values[other];
    values[other] = v;
  }
}

// One CTA sorts by splitting on each bit in turn, stably.
__global__ void radix_split(unsigned* data, int bits) {
  __shared__ unsigned s[2][256];
  __shared__ int zeros[8];
  const int t = threadIdx.x, warp = t / 32, lane = t & 31;
  int from = 0;
  s[0][t] = data[blockIdx.x * 256 + t];
  __syncthreads();
  for (int bit = 0; bit < bits; ++bit) {
    const unsigned v = s[from][t];
    const bool one = v >> bit & 1;
    const unsigned ballot = __ballot_sync(0xffffffffu, !one);
    if (lane == 0) zeros[warp] = __popc(ballot);
    __syncthreads();
    int before = __popc(ballot & ((1u << lane) - 1)), all = 0;
    for (int w = 0; w < 8; ++w) {
      if (w < warp) before += zeros[w];
      all += zeros[w];
    }
    s[1 - from][one ? all + t - before : before] = v;
    __syncthreads();
    from = 1 - from;
  }
  data[blockIdx.x * 256 + t] = s[from][t];
}

__global__ void merge_pairs(const int* in, int* out, int run) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, pair = i / (2 * run), start = pair * 2 * run;
  const bool second = i - start >= run;
  const int* other = in + start + (second ? 0 : run);
  const int v = in[i];
  int low = 0, high = run;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (second ? other[middle] <= v : other[middle] < v) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  out[start + low + (i - start) % run] = v;
}

__global__ void insertion_local(const short* in, short* out) {
  short mine[24];
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 24; ++i) {
    const short v = in[t * 24 + i];
    int place = i;
    while (place > 0 && mine[place - 1] > v) {
      mine[place] = mine[place - 1];
      --place;
    }
    mine[place] = v;
  }
  for (int i = 0; i < 24; ++i) out[t * 24 + i] = mine[i];
}

}  // namespace

FOREIGN_CASE(bitonic_shared) {
  std::vector<int> data = foreign::integers(1, 2048, -100000, 100000);
  foreign::Device<int> device(data);
  bitonic_shared<<<4, 256>>>(device.get());
  for (int b = 0; b < 4; ++b) std::sort(data.begin() + b * 512, data.begin() + (b + 1) * 512);
  return foreign::equal(device.host(), data);
}

FOREIGN_CASE(bitonic_pairs) {
  const int n = 256;
  std::vector<int> order(n);
  const std::vector<float> keys = foreign::reals(2, n);
  for (int i = 0; i < n; ++i) order[i] = i;
  foreign::Device<float> dkeys(keys);
  foreign::Device<int> dvalues(order);
  for (int size = 2; size <= n; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      bitonic_step<<<2, 128>>>(dkeys.get(), dvalues.get(), size, stride);
    }
  }
  std::sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  return foreign::equal(dvalues.host(), order);
}

FOREIGN_CASE(radix_split) {
  std::vector<unsigned> data = foreign::integers<unsigned>(3, 768, 0, (1 << 20) - 1);
  foreign::Device<unsigned> device(data);
  radix_split<<<3, 256>>>(device.get(), 20);
  for (int b = 0; b < 3; ++b) std::sort(data.begin() + b * 256, data.begin() + (b + 1) * 256);
  return foreign::equal(device.host(), data);
}

FOREIGN_CASE(merge_pairs) {
  const int n = 4096;
  std::vector<int> data = foreign::integers(4, n, 0, 500);
  for (int i = 0; i < n; i += 64) std::sort(data.begin() + i, data.begin() + i + 64);
  foreign::Device<int> a(data), b(n);
  for (int run = 64; run < n; run *= 2) {
    merge_pairs<<<n / 256, 256>>>(a.get(), b.get(), run);
    FOREIGN_CUDA(cudaMemcpy(a.get(), b.get(), n * sizeof(int), cudaMemcpyDeviceToDevice));
  }
  std::sort(data.begin(), data.end());
  return foreign::equal(a.host(), data);
}

FOREIGN_CASE(insertion_local) {
  std::vector<short> data = foreign::integers<short>(5, 24 * 128, -1000, 1000);
  foreign::Device<short> in(data), out(data.size());
  insertion_local<<<2, 64>>>(in.get(), out.get());
  for (int t = 0; t < 128; ++t) std::sort(data.begin() + t * 24, data.begin() + (t + 1) * 24);
  return foreign::equal(out.host(), data);
}
