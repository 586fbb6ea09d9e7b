// SPDX-License-Identifier: Apache-2.0
// Prefix sums: by doubling, by up and down sweeps, by shuffles, by segments, and over many CTAs in one launch.
#include "validation/foreign/foreign.h"

namespace {

template <typename T>
__global__ void hillis_steele(const T* in, T* out) {
  __shared__ T buffer[2][256];
  int from = 0;
  const int t = threadIdx.x;
  buffer[0][t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    buffer[1 - from][t] = t >= step ? buffer[from][t] + buffer[from][t - step] : buffer[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = buffer[from][t];
}

__global__ void blelloch(const int* in, int* out) {
  __shared__ int tree[512];
  const int t = threadIdx.x;
  tree[2 * t] = in[blockIdx.x * 512 + 2 * t];
  tree[2 * t + 1] = in[blockIdx.x * 512 + 2 * t + 1];
  int stride = 1;
  for (int d = 256; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) tree[stride * (2 * t + 2) - 1] += tree[stride * (2 * t + 1) - 1];
    stride *= 2;
  }
  if (t == 0) tree[511] = 0;
  for (int d = 1; d < 512; d *= 2) {
    stride >>= 1;
    __syncthreads();
    if (t < d) {
      const int a = stride * (2 * t + 1) - 1, b = stride * (2 * t + 2) - 1, left = tree[a];
      tree[a] = tree[b];
      tree[b] += left;
    }
  }
  __syncthreads();
  out[blockIdx.x * 512 + 2 * t] = tree[2 * t];
  out[blockIdx.x * 512 + 2 * t + 1] = tree[2 * t + 1];
}

__device__ long long warp_scan(long long v) {
  for (int d = 1; d < 32; d *= 2) {
    const long long other = __shfl_up_sync(0xffffffffu, v, d);
    if ((threadIdx.x & 31) >= d) v += other;
  }
  return v;
}

__global__ void block_scan_64(const long long* in, long long* out) {
  __shared__ long long sums[16];
  const int t = threadIdx.x;
  long long v = warp_scan(in[blockIdx.x * 512 + t]);
  if ((t & 31) == 31) sums[t / 32] = v;
  __syncthreads();
  if (t < 32) {
    const long long s = warp_scan(t < 16 ? sums[t] : 0);
    if (t < 16) sums[t] = s;
  }
  __syncthreads();
  out[blockIdx.x * 512 + t] = v + (t >= 32 ? sums[t / 32 - 1] : 0);
}

__global__ void segmented(const int* in, const unsigned char* heads, int* out) {
  __shared__ int value[256];
  __shared__ unsigned char head[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  value[t] = in[i];
  head[t] = heads[i] || t == 0;
  for (int d = 1; d < 256; d *= 2) {
    __syncthreads();
    int v = value[t];
    unsigned char h = head[t];
    if (t >= d && !h) {
      v += value[t - d];
      h = head[t - d];
    }
    __syncthreads();
    value[t] = v;
    head[t] = h;
  }
  out[i] = value[t];
}

// Decoupled look-back: each CTA publishes its sum, then its prefix, and waits for those before it.
struct Status {
  volatile int state;  // 0 nothing, 1 sum, 2 prefix
  volatile int sum, prefix;
};

__global__ void look_back(const int* in, int* out, Status* status, int* ticket) {
  __shared__ int block, before, part[256];
  const int t = threadIdx.x;
  if (t == 0) block = atomicAdd(ticket, 1);
  __syncthreads();
  const int i = block * 256 + t;
  part[t] = in[i];
  for (int d = 1; d < 256; d *= 2) {
    __syncthreads();
    const int v = t >= d ? part[t - d] : 0;
    __syncthreads();
    part[t] += v;
  }
  __syncthreads();
  if (t == 0) {
    const int sum = part[255];
    int prefix = 0;
    if (block > 0) {
      status[block].sum = sum;
      __threadfence();
      status[block].state = 1;
      for (int b = block - 1;;) {
        const int state = status[b].state;
        if (state == 0) continue;
        __threadfence();
        if (state == 2) {
          prefix += status[b].prefix;
          break;
        }
        prefix += status[b--].sum;
      }
    }
    status[block].prefix = prefix + sum;
    __threadfence();
    status[block].state = 2;
    before = prefix;
  }
  __syncthreads();
  out[i] = before + part[t];
}

template <typename T>
std::vector<T> inclusive(const std::vector<T>& in, std::size_t segment) {
  std::vector<T> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] + (i % segment ? out[i - 1] : T{});
  return out;
}

}  // namespace

FOREIGN_CASE(hillis_steele) {
  const std::vector<int> in = foreign::integers(1, 1024, -100, 100);
  foreign::Device<int> din(in), dout(in.size());
  hillis_steele<<<4, 256>>>(din.get(), dout.get());
  return foreign::equal(dout.host(), inclusive(in, 256));
}

FOREIGN_CASE(hillis_steele_f64) {
  const std::vector<double> in = foreign::integers<double>(2, 512, -100, 100);
  foreign::Device<double> din(in), dout(in.size());
  hillis_steele<<<2, 256>>>(din.get(), dout.get());
  return foreign::equal(dout.host(), inclusive(in, 256));
}

FOREIGN_CASE(blelloch) {
  const std::vector<int> in = foreign::integers(3, 2048, -100, 100);
  foreign::Device<int> din(in), dout(in.size());
  blelloch<<<4, 256>>>(din.get(), dout.get());
  std::vector<int> expected = inclusive(in, 512);
  for (std::size_t i = 0; i < in.size(); ++i) expected[i] -= in[i];
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(block_scan_i64) {
  const std::vector<long long> in = foreign::integers<long long>(4, 1536, -(1LL << 40), 1LL << 40);
  foreign::Device<long long> din(in), dout(in.size());
  block_scan_64<<<3, 512>>>(din.get(), dout.get());
  return foreign::equal(dout.host(), inclusive(in, 512));
}

FOREIGN_CASE(segmented) {
  const int n = 1024;
  const std::vector<int> in = foreign::integers(5, n, -100, 100);
  std::vector<unsigned char> heads = foreign::integers<unsigned char>(6, n, 0, 9);
  for (auto& head : heads) head = head == 0;
  foreign::Device<int> din(in), dout(n);
  foreign::Device<unsigned char> dheads(heads);
  segmented<<<4, 256>>>(din.get(), dheads.get(), dout.get());
  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = in[i] + (i % 256 == 0 || heads[i] ? 0 : expected[i - 1]);
  return foreign::equal(dout.host(), expected);
}

FOREIGN_RACE(look_back) {
  const int blocks = 48, n = blocks * 256;
  const std::vector<int> in = foreign::integers(7, n, -100, 100);
  foreign::Device<int> din(in), dout(n), ticket(1);
  foreign::Device<Status> status(blocks);
  look_back<<<blocks, 256>>>(din.get(), dout.get(), status.get(), ticket.get());
  return foreign::equal(dout.host(), inclusive(in, n));
}
