// SPDX-License-Identifier: Apache-2.0
// Tensor cores as CUDA offers them: the wmma API in all its types, mma.sync and mma.sp in PTX, ldmatrix.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "validation/foreign/foreign.h"

namespace wmma = nvcuda::wmma;

namespace {

template <typename In, typename Fragment, typename Out, int M, int N, int K>
__global__ void wmma_product(const In* a, const In* b, Out* d, int n, int k) {
  wmma::fragment<wmma::matrix_a, M, N, K, Fragment, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, Fragment, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Out> sum;
  wmma::fill_fragment(sum, Out(0.f));
  for (int i = 0; i < k; i += K) {
    wmma::load_matrix_sync(fa, a + blockIdx.y * M * k + i, k);
    wmma::load_matrix_sync(fb, b + blockIdx.x * N * k + i, k);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::store_matrix_sync(d + blockIdx.y * M * n + blockIdx.x * N, sum, n, wmma::mem_row_major);
}

template <typename In, typename Fragment, typename Out, int M, int N, int K>
bool run_wmma(int blocks_m, int blocks_n, int k) {
  const int m = blocks_m * M, n = blocks_n * N;
  const std::vector<int> a = foreign::integers(1, m * k, -3, 3), b = foreign::integers(2, n * k, -3, 3);
  std::vector<In> ta(m * k), tb(n * k);
  for (int i = 0; i < m * k; ++i) ta[i] = In(float(a[i]));
  for (int i = 0; i < n * k; ++i) tb[i] = In(float(b[i]));
  foreign::Device<In> da(ta), db(tb);
  foreign::Device<Out> dd(m * n);
  wmma_product<In, Fragment, Out, M, N, K><<<dim3(blocks_n, blocks_m), 32>>>(da.get(), db.get(), dd.get(), n, k);
  std::vector<double> expected(m * n), got;
  for (const Out v : dd.host()) got.push_back(static_cast<double>(static_cast<float>(v)));
  for (int i = 0; i < m * n; ++i) {
    for (int x = 0; x < k; ++x) expected[i] += a[i / n * k + x] * b[i % n * k + x];
  }
  return foreign::equal(got, expected);
}

__global__ void mma_m16n8k16(const __half* a, const __half* b, float* d) {
  const int lane = threadIdx.x, group = lane / 4, pair = lane % 4 * 2;
  const auto word = [](const __half* p) { return *reinterpret_cast<const unsigned*>(p); };
  const unsigned a0 = word(a + group * 16 + pair), a1 = word(a + (group + 8) * 16 + pair);
  const unsigned a2 = word(a + group * 16 + pair + 8), a3 = word(a + (group + 8) * 16 + pair + 8);
  const unsigned b0 = word(b + group * 16 + pair), b1 = word(b + group * 16 + pair + 8);
  float c[4] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  for (int i = 0; i < 4; ++i) d[(group + i / 2 * 8) * 8 + pair + i % 2] = c[i];
}

// ldmatrix brings both operands; B transposed on the way.
__global__ void mma_ldmatrix(const __half* a, const __half* b, float* d) {
  __shared__ alignas(16) __half sa[16 * 16], sb[16 * 8];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  __syncwarp();
  const int lane = threadIdx.x;
  unsigned ra[4], rb[2];
  const unsigned pa = static_cast<unsigned>(__cvta_generic_to_shared(sa + (lane % 16) * 16 + lane / 16 * 8));
  const unsigned pb = static_cast<unsigned>(__cvta_generic_to_shared(sb + (lane % 16) * 8));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
               : "r"(pa));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
  float c[4] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  for (int i = 0; i < 4; ++i) d[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = c[i];
}

// Two of four: A holds 16 x 16 stored values of 16 x 32; one word of metadata a lane, selector 0.
__global__ void mma_sparse(const __half* a, const unsigned* metadata, const __half* b, float* d) {
  const int lane = threadIdx.x, group = lane / 4, pair = lane % 4 * 2;
  const auto word = [](const __half* p) { return *reinterpret_cast<const unsigned*>(p); };
  unsigned ra[4], rb[4];
  for (int i = 0; i < 4; ++i) ra[i] = word(a + (group + i % 2 * 8) * 16 + pair + i / 2 * 8);
  for (int i = 0; i < 4; ++i) rb[i] = word(b + group * 32 + pair + i * 8);
  float c[4] = {};
  asm volatile(
      "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
      "{%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x0;"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]),
        "r"(metadata[lane]));
  for (int i = 0; i < 4; ++i) d[(group + i / 2 * 8) * 8 + pair + i % 2] = c[i];
}

__global__ void mma_binary(const unsigned* a, const unsigned* b, int* d) {
  const int lane = threadIdx.x, group = lane / 4, word = lane % 4;
  int c0 = 0, c1 = 0;
  asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+r"(c0), "+r"(c1)
               : "r"(a[group * 4 + word]), "r"(b[group * 4 + word]));
  d[group * 8 + word * 2] = c0;
  d[group * 8 + word * 2 + 1] = c1;
}

}  // namespace

FOREIGN_CASE(wmma_f16) { return run_wmma<__half, __half, float, 16, 16, 16>(3, 2, 64); }
FOREIGN_CASE(wmma_f16_f16) { return run_wmma<__half, __half, __half, 32, 8, 16>(2, 3, 48); }
FOREIGN_CASE(wmma_bf16) { return run_wmma<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16>(2, 2, 64); }
FOREIGN_CASE(wmma_tf32) { return run_wmma<float, wmma::precision::tf32, float, 16, 16, 8>(2, 2, 32); }
FOREIGN_CASE(wmma_s8) { return run_wmma<signed char, signed char, int, 16, 16, 16>(2, 2, 64); }
FOREIGN_CASE(wmma_f64) { return run_wmma<double, double, double, 8, 8, 4>(3, 3, 32); }

namespace {

std::vector<__half> halves(const std::vector<int>& values) {
  std::vector<__half> result;
  for (const int v : values) result.push_back(__float2half(float(v)));
  return result;
}

}  // namespace

FOREIGN_CASE(mma_m16n8k16) {
  const std::vector<int> a = foreign::integers(3, 256, -9, 9), b = foreign::integers(4, 128, -9, 9);
  foreign::Device<__half> da(halves(a)), db(halves(b));
  foreign::Device<float> dd(128);
  mma_m16n8k16<<<1, 32>>>(da.get(), db.get(), dd.get());
  std::vector<float> expected(128);
  for (int i = 0; i < 128; ++i) {
    for (int k = 0; k < 16; ++k) expected[i] += a[i / 8 * 16 + k] * b[i % 8 * 16 + k];
  }
  return foreign::equal(dd.host(), expected);
}

FOREIGN_CASE(mma_ldmatrix) {
  const std::vector<int> a = foreign::integers(5, 256, -9, 9), b = foreign::integers(6, 128, -9, 9);
  foreign::Device<__half> da(halves(a)), db(halves(b));
  foreign::Device<float> dd(128);
  mma_ldmatrix<<<1, 32>>>(da.get(), db.get(), dd.get());
  std::vector<float> expected(128);
  for (int i = 0; i < 128; ++i) {
    for (int k = 0; k < 16; ++k) expected[i] += a[i / 8 * 16 + k] * b[k * 8 + i % 8];
  }
  return foreign::equal(dd.host(), expected);
}

FOREIGN_CASE(mma_sparse) {
  const std::vector<int> a = foreign::integers(7, 256, -9, 9), b = foreign::integers(8, 256, -9, 9);
  // Per row and group of four: two positions, the same for a lane's both rows apart.
  constexpr int kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  std::vector<unsigned> metadata(32);
  std::vector<float> expected(128);
  for (int row = 0; row < 16; ++row) {
    for (int g = 0; g < 8; ++g) {
      const int* places = kPairs[foreign::bits(9, row * 8 + g) % 6];
      // Selector 0: lanes 0 and 1 of a row's four give it; the first 16 of k in lane 0, the others in lane 1;
      // rows 0 to 7 in the lower half of the word, rows 8 to 15 in the upper.
      const int lane = row % 8 * 4 + g / 4;
      metadata[lane] |= static_cast<unsigned>(places[0] | places[1] << 2) << (4 * (g % 4) + (row / 8) * 16);
      for (int s = 0; s < 2; ++s) {
        for (int n = 0; n < 8; ++n) expected[row * 8 + n] += a[row * 16 + g * 2 + s] * b[n * 32 + g * 4 + places[s]];
      }
    }
  }
  foreign::Device<__half> da(halves(a)), db(halves(b));
  foreign::Device<unsigned> dm(metadata);
  foreign::Device<float> dd(128);
  mma_sparse<<<1, 32>>>(da.get(), dm.get(), db.get(), dd.get());
  return foreign::equal(dd.host(), expected);
}

FOREIGN_CASE(mma_binary) {
  const std::vector<unsigned> a = foreign::integers<unsigned>(10, 32, 0, 0xffffffffLL),
                              b = foreign::integers<unsigned>(11, 32, 0, 0xffffffffLL);
  foreign::Device<unsigned> da(a), db(b);
  foreign::Device<int> dd(64);
  mma_binary<<<1, 32>>>(da.get(), db.get(), dd.get());
  std::vector<int> expected(64);
  for (int i = 0; i < 64; ++i) {
    for (int w = 0; w < 4; ++w) expected[i] += __builtin_popcount(a[i / 8 * 4 + w] ^ b[i % 8 * 4 + w]);
  }
  return foreign::equal(dd.host(), expected);
}
