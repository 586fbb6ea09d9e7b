// SPDX-License-Identifier: Apache-2.0
// Bits, whole numbers of every width, hashes and ciphers.
#include <cstring>

#include "validation/foreign/foreign.h"

namespace {

__global__ void bit_intrinsics(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned a = in[i], b = in[(i + 1) % n];
  unsigned* o = out + i * 12;
  o[0] = __popc(a);
  o[1] = __clz(a);
  o[2] = __ffs(a);
  o[3] = __brev(a);
  o[4] = __byte_perm(a, b, 0x6132);
  o[5] = __funnelshift_l(a, b, a & 31);
  o[6] = __funnelshift_rc(a, b, b & 63);
  o[7] = __vadd4(a, b);
  o[8] = __vabsdiffu4(a, b);
  o[9] = __vmaxs2(a, b);
  o[10] = __umulhi(a, b);
  o[11] = __usad(a, b, 17);
}

__global__ void dot_products(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i * 4] = __dp4a(a[i], b[i], 5);
  out[i * 4 + 1] = static_cast<int>(__dp4a(static_cast<unsigned>(a[i]), static_cast<unsigned>(b[i]), 5u));
  out[i * 4 + 2] = __dp2a_lo(a[i], b[i], -9);
  out[i * 4 + 3] = __dp2a_hi(a[i], b[i], -9);
}

__global__ void wide_division(const long long* a, const long long* b, long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i * 4] = a[i] / b[i];
  out[i * 4 + 1] = a[i] % b[i];
  out[i * 4 + 2] =
      static_cast<long long>(static_cast<unsigned long long>(a[i]) / static_cast<unsigned long long>(b[i]));
  out[i * 4 + 3] = __mul64hi(a[i], b[i]) + a[i] * b[i];
}

__global__ void small_division(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = a[i] / b[i] + 3 * (a[i] % b[i]) + a[i] / 10 + a[i] % 7 +
           static_cast<int>(static_cast<unsigned>(a[i]) / 1000u) +
           static_cast<short>(a[i]) / static_cast<short>(b[i] | 1);
}

__global__ void narrow_types(const signed char* in, short* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const signed char v = in[i];
  signed char shifted = static_cast<signed char>(v << 1);
  unsigned char u = static_cast<unsigned char>(v);
  shifted = static_cast<signed char>(shifted + (u >> 3));
  out[i] = static_cast<short>(shifted * v - u);
}

__constant__ unsigned sha_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ unsigned rotate(unsigned v, int by) { return v >> by | v << (32 - by); }

// The digest of the four bytes of the thread's number.
__global__ void sha256(unsigned* digest, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned w[64] = {static_cast<unsigned>(i), 0x80000000u};
  w[15] = 32;
#pragma unroll
  for (int t = 16; t < 64; ++t) {
    const unsigned a = w[t - 15], b = w[t - 2];
    w[t] = w[t - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[t - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
  }
  const unsigned start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned h[8];
  for (int k = 0; k < 8; ++k) h[k] = start[k];
#pragma unroll
  for (int t = 0; t < 64; ++t) {
    const unsigned t1 = h[7] + (rotate(h[4], 6) ^ rotate(h[4], 11) ^ rotate(h[4], 25)) +
                        ((h[4] & h[5]) ^ (~h[4] & h[6])) + sha_constants[t] + w[t];
    const unsigned t2 =
        (rotate(h[0], 2) ^ rotate(h[0], 13) ^ rotate(h[0], 22)) + ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]));
    for (int k = 7; k > 0; --k) h[k] = h[k - 1];
    h[4] += t1;
    h[0] = t1 + t2;
  }
  for (int k = 0; k < 8; ++k) digest[i * 8 + k] = h[k] + start[k];
}

__global__ void crc32(const unsigned char* data, const unsigned* table, unsigned* out, int bytes) {
  __shared__ unsigned shared_table[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) shared_table[k] = table[k];
  __syncthreads();
  const unsigned char* mine = data + (blockIdx.x * blockDim.x + threadIdx.x) * bytes;
  unsigned crc = ~0u;
  for (int k = 0; k < bytes; ++k) crc = crc >> 8 ^ shared_table[(crc ^ mine[k]) & 255];
  out[blockIdx.x * blockDim.x + threadIdx.x] = ~crc;
}

__host__ __device__ unsigned long long mix(unsigned long long x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ x >> 33;
}

__global__ void murmur_finaliser(const unsigned long long* in, unsigned long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = mix(in[i]);
}

__global__ void big_numbers(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned product[8] = {};  // 128 by 128 bits
  for (int x = 0; x < 4; ++x) {
    unsigned long long carry = 0;
    for (int y = 0; y < 4; ++y) {
      carry += product[x + y] + static_cast<unsigned long long>(a[i * 4 + x]) * b[i * 4 + y];
      product[x + y] = static_cast<unsigned>(carry);
      carry >>= 32;
    }
    product[x + 4] = static_cast<unsigned>(carry);
  }
  for (int k = 0; k < 8; ++k) out[i * 8 + k] = product[k];
}

unsigned rotated(unsigned v, int by) { return v >> by | v << (32 - by); }

}  // namespace

FOREIGN_CASE(bit_intrinsics) {
  const int n = 500;
  std::vector<unsigned> in = foreign::integers<unsigned>(1, n, 0, 0xffffffffLL);
  in[3] = 0, in[4] = ~0u, in[5] = 0x80000000u;
  foreign::Device<unsigned> din(in), dout(12 * n);
  bit_intrinsics<<<4, 128>>>(din.get(), dout.get(), n);
  std::vector<unsigned> e(12 * n);
  for (int i = 0; i < n; ++i) {
    const unsigned a = in[i], b = in[(i + 1) % n];
    unsigned* o = &e[12 * i];
    o[0] = __builtin_popcount(a);
    o[1] = a ? __builtin_clz(a) : 32;
    o[2] = __builtin_ffs(static_cast<int>(a));
    for (int k = 0; k < 32; ++k) o[3] |= (a >> k & 1) << (31 - k);
    const std::uint64_t both = std::uint64_t(b) << 32 | a;
    const int order[4] = {2, 3, 1, 6};
    for (int k = 0; k < 4; ++k) o[4] |= static_cast<unsigned>(both >> (8 * order[k]) & 255) << (8 * k);
    o[5] = static_cast<unsigned>((both << (a & 31)) >> 32);
    const unsigned shift = std::min(b & 63, 32u);
    o[6] = static_cast<unsigned>(both >> shift);
    for (int k = 0; k < 32; k += 8) {
      const int x = a >> k & 255, y = b >> k & 255;
      o[7] |= ((x + y) & 255u) << k;
      o[8] |= static_cast<unsigned>(std::abs(x - y)) << k;
    }
    for (int k = 0; k < 32; k += 16) {
      const short x = static_cast<short>(a >> k), y = static_cast<short>(b >> k);
      o[9] |= static_cast<unsigned>(static_cast<unsigned short>(std::max(x, y))) << k;
    }
    o[10] = static_cast<unsigned>(std::uint64_t(a) * b >> 32);
    o[11] = (a > b ? a - b : b - a) + 17;
  }
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(dot_products) {
  const int n = 300;
  const std::vector<int> a = foreign::integers(2, n, -2147483648LL, 2147483647),
                         b = foreign::integers(3, n, -2147483648LL, 2147483647);
  foreign::Device<int> da(a), db(b), dout(4 * n);
  dot_products<<<3, 128>>>(da.get(), db.get(), dout.get(), n);
  std::vector<int> e(4 * n);
  for (int i = 0; i < n; ++i) {
    unsigned u = 5;
    e[4 * i] = 5;
    e[4 * i + 2] = e[4 * i + 3] = -9;
    for (int k = 0; k < 4; ++k) {
      const auto x = static_cast<signed char>(a[i] >> (8 * k)), y = static_cast<signed char>(b[i] >> (8 * k));
      e[4 * i] += x * y;
      u += static_cast<unsigned char>(x) * static_cast<unsigned char>(y);
      e[4 * i + 2 + k / 2] += static_cast<short>(a[i] >> (16 * (k & 1))) * y;
    }
    e[4 * i + 1] = static_cast<int>(u);
  }
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(wide_division) {
  const int n = 300;
  std::vector<long long> a(n), b(n), e(4 * n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<long long>(foreign::bits(4, i));
    b[i] = static_cast<long long>(foreign::bits(5, i)) >> (foreign::bits(6, i) % 60);
    if (b[i] == 0) b[i] = 3;
  }
  foreign::Device<long long> da(a), db(b), dout(4 * n);
  wide_division<<<3, 128>>>(da.get(), db.get(), dout.get(), n);
  for (int i = 0; i < n; ++i) {
    const std::uint64_t x = a[i], y = b[i];
    e[4 * i] = a[i] / b[i];
    e[4 * i + 1] = a[i] % b[i];
    e[4 * i + 2] = static_cast<long long>(x / y);
    e[4 * i + 3] = static_cast<long long>(static_cast<std::uint64_t>(static_cast<__int128>(a[i]) * b[i] >> 64) + x * y);
  }
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(small_division) {
  const int n = 400;
  std::vector<int> a = foreign::integers(7, n, -2000000000, 2000000000), b = foreign::integers(8, n, -3000, 3000), e(n);
  for (int i = 0; i < n; ++i) {
    if (b[i] == 0) b[i] = 11;
    e[i] = static_cast<int>(static_cast<unsigned>(a[i] / b[i]) + 3u * static_cast<unsigned>(a[i] % b[i]) +
                            static_cast<unsigned>(a[i] / 10 + a[i] % 7) + static_cast<unsigned>(a[i]) / 1000u +
                            static_cast<unsigned>(static_cast<short>(a[i]) / static_cast<short>(b[i] | 1)));
  }
  foreign::Device<int> da(a), db(b), dout(n);
  small_division<<<4, 128>>>(da.get(), db.get(), dout.get(), n);
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(narrow_types) {
  const int n = 256;
  std::vector<signed char> in(n);
  std::vector<short> e(n);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<signed char>(i);
    const auto u = static_cast<unsigned char>(i);
    const auto shifted = static_cast<signed char>(static_cast<signed char>(in[i] << 1) + (u >> 3));
    e[i] = static_cast<short>(shifted * in[i] - u);
  }
  foreign::Device<signed char> din(in);
  foreign::Device<short> dout(n);
  narrow_types<<<2, 128>>>(din.get(), dout.get(), n);
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(sha256) {
  const int n = 64;
  foreign::Device<unsigned> digest(8 * n);
  sha256<<<2, 32>>>(digest.get(), n);
  // Constants from the roots of the first primes, as the standard defines them.
  std::vector<unsigned> k, start, e(8 * n);
  for (int p = 2; k.size() < 64; ++p) {
    bool prime = true;
    for (int d = 2; d * d <= p; ++d) prime = prime && p % d != 0;
    if (!prime) continue;
    const long double cube = std::cbrt(static_cast<long double>(p)), square = std::sqrt(static_cast<long double>(p));
    k.push_back(static_cast<unsigned>(static_cast<std::uint64_t>((cube - std::floor(cube)) * 4294967296.0L)));
    if (start.size() < 8)
      start.push_back(static_cast<unsigned>(static_cast<std::uint64_t>((square - std::floor(square)) * 4294967296.0L)));
  }
  for (int i = 0; i < n; ++i) {
    unsigned w[64] = {static_cast<unsigned>(i), 0x80000000u};
    w[15] = 32;
    for (int t = 16; t < 64; ++t) {
      w[t] = w[t - 16] + w[t - 7] + (rotated(w[t - 15], 7) ^ rotated(w[t - 15], 18) ^ w[t - 15] >> 3) +
             (rotated(w[t - 2], 17) ^ rotated(w[t - 2], 19) ^ w[t - 2] >> 10);
    }
    std::vector<unsigned> h = start;
    for (int t = 0; t < 64; ++t) {
      const unsigned t1 = h[7] + (rotated(h[4], 6) ^ rotated(h[4], 11) ^ rotated(h[4], 25)) +
                          ((h[4] & h[5]) ^ (~h[4] & h[6])) + k[t] + w[t];
      const unsigned t2 =
          (rotated(h[0], 2) ^ rotated(h[0], 13) ^ rotated(h[0], 22)) + ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]));
      h.insert(h.begin(), t1 + t2);
      h.pop_back();
      h[4] += t1;
    }
    for (int x = 0; x < 8; ++x) e[8 * i + x] = start[x] + h[x];
  }
  return foreign::equal(digest.host(), e);
}

FOREIGN_CASE(crc32) {
  const int threads = 128, bytes = 40;
  const std::vector<unsigned char> data = foreign::integers<unsigned char>(9, threads * bytes, 0, 255);
  std::vector<unsigned> table(256), e(threads, ~0u);
  for (unsigned i = 0; i < 256; ++i) {
    table[i] = i;
    for (int k = 0; k < 8; ++k) table[i] = table[i] & 1 ? 0xedb88320u ^ table[i] >> 1 : table[i] >> 1;
  }
  foreign::Device<unsigned char> ddata(data);
  foreign::Device<unsigned> dtable(table), dout(threads);
  crc32<<<2, 64>>>(ddata.get(), dtable.get(), dout.get(), bytes);
  for (int t = 0; t < threads; ++t) {
    for (int k = 0; k < bytes; ++k) {
      e[t] ^= data[t * bytes + k];
      for (int bit = 0; bit < 8; ++bit) e[t] = e[t] & 1 ? 0xedb88320u ^ e[t] >> 1 : e[t] >> 1;
    }
    e[t] = ~e[t];
  }
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(murmur_finaliser) {
  const int n = 1000;
  std::vector<unsigned long long> in(n), e(n);
  for (int i = 0; i < n; ++i) in[i] = foreign::bits(10, i), e[i] = mix(in[i]);
  foreign::Device<unsigned long long> din(in), dout(n);
  murmur_finaliser<<<8, 128>>>(din.get(), dout.get(), n);
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(big_numbers) {
  const int n = 100;
  const std::vector<unsigned> a = foreign::integers<unsigned>(11, 4 * n, 0, 0xffffffffLL),
                              b = foreign::integers<unsigned>(12, 4 * n, 0, 0xffffffffLL);
  foreign::Device<unsigned> da(a), db(b), dout(8 * n);
  big_numbers<<<1, 128>>>(da.get(), db.get(), dout.get(), n);
  std::vector<unsigned> e(8 * n);
  for (int i = 0; i < n; ++i) {
    unsigned __int128 column = 0;  // sums of products of one weight, carries along
    for (int w = 0; w < 8; ++w) {
      for (int x = std::max(0, w - 3); x <= std::min(3, w); ++x)
        column += static_cast<std::uint64_t>(a[4 * i + x]) * b[4 * i + w - x];
      e[8 * i + w] = static_cast<unsigned>(column);
      column >>= 32;
    }
  }
  return foreign::equal(dout.host(), e);
}
