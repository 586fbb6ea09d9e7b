// SPDX-License-Identifier: Apache-2.0
// Instruction sample: integer arithmetic, bit operations and their uniform-datapath twins. Only its machine code
// matters.
#include <cstdint>

template <typename T>
__device__ T divide_all(T a, T b) {
  return a / b + a % b;
}

extern "C" __global__ void integer_divide(const int* a32, const unsigned* u32, const long long* a64,
                                          const unsigned long long* u64, long long* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long sum = divide_all(a32[i], a32[i + 1]);
  sum += divide_all(u32[i], u32[i + 1]);
  sum += divide_all(a64[i], a64[i + 1]);
  sum += static_cast<long long>(divide_all(u64[i], u64[i + 1]));
  sum += a32[i] / 7 + a32[i] % 12 + static_cast<int>(u32[i] / 10u) + a64[i] / 1000;
  out[i] = sum;
}

extern "C" __global__ void integer_bits(const int* a, const unsigned* b, unsigned* out, int n, unsigned mask) {
  int i = threadIdx.x;
  int x = a[i];
  unsigned y = b[i];
  unsigned r = __popc(y) + __clz(x) + __ffs(x) + __brev(y) + __byte_perm(y, static_cast<unsigned>(x), mask);
  r ^= __funnelshift_l(y, r, mask) + __funnelshift_r(y, r, mask) + __funnelshift_lc(y, r, mask) +
       __funnelshift_rc(y, r, mask);
  r += static_cast<unsigned>(abs(x)) + static_cast<unsigned>(min(x, n)) + max(y, mask) +
       static_cast<unsigned>(max(x, -5)) + min(y, 77u);
  r += static_cast<unsigned>(__dp4a(x, n, static_cast<int>(r)));
  r += __dp4a(y, mask, r);
  r += static_cast<unsigned>(__dp2a_lo(x, n, static_cast<int>(r))) + static_cast<unsigned>(__dp2a_hi(x, n, 3));
  r += __usad(y, mask, r) + static_cast<unsigned>(__sad(x, n, r));
  r = (r & y) | (~r & mask) | (r ^ static_cast<unsigned>(n));
  unsigned field, inserted, shifted;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(field) : "r"(y), "r"(mask), "r"(n));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(inserted) : "r"(y), "r"(r), "r"(mask), "r"(n));
  asm("bfind.shiftamt.s32 %0, %1;" : "=r"(shifted) : "r"(x));
  r += field + inserted + shifted + static_cast<unsigned>(x >> n) + (y >> mask) + (y << n);
  asm("szext.clamp.s32 %0, %1, %2;" : "=r"(field) : "r"(x), "r"(mask));
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(inserted) : "r"(mask), "r"(n));
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(shifted) : "r"(y), "r"(n));
  out[i] = r + field + inserted + shifted;
}

extern "C" __global__ void integer_wide(const long long* a, const unsigned long long* b, long long* out, long long n,
                                        int s) {
  int i = threadIdx.x;
  long long x = a[i];
  unsigned long long y = b[i];
  long long r = (x << s) + (x >> s) + static_cast<long long>(y >> s) + x * n + static_cast<long long>(y * y);
  r += __mul64hi(x, n) + static_cast<long long>(__umul64hi(y, y));
  r += x > n ? x : n;
  r += y < static_cast<unsigned long long>(n) ? 17 : 4;
  r += __popcll(y) + __clzll(x) + __ffsll(x) + static_cast<long long>(__brevll(y));
  r += llabs(x) + llmin(x, r) + static_cast<long long>(ullmax(y, 5ull));
  r += __mulhi(static_cast<int>(x), s) + static_cast<long long>(__umulhi(static_cast<unsigned>(y), 77u));
  r += static_cast<long long>(static_cast<int>(x)) * s - (x - r);
  r += static_cast<long long>(static_cast<unsigned>(y)) * 1000003u;
  r += static_cast<signed char>(x) + static_cast<short>(y) + static_cast<unsigned char>(x >> 8);
  out[i] = x == y ? r : -r;
}

extern "C" __global__ void integer_simd(const unsigned* a, unsigned* out, unsigned m) {
  unsigned x = a[threadIdx.x], y = a[threadIdx.x + 32];
  unsigned r = __vadd2(x, y) + __vsub4(x, y) + __vmaxs2(x, m) + __vminu2(y, m) + __vabsdiffu4(x, y) + __vavgu2(x, y);
  r += __vcmpeq4(x, y) + __vcmpgtu2(x, y) + __vmaxu4(x, y);
#if __CUDA_ARCH__ >= 900
  r += __viaddmax_s32(static_cast<int>(x), static_cast<int>(y), static_cast<int>(m)) + __viaddmin_s16x2(x, y, m) +
       __vimax3_u32(x, y, m) + __vimin_s32_relu(static_cast<int>(x), static_cast<int>(y)) + __vimax_s16x2_relu(x, y) +
       __viaddmax_u16x2(x, y, m);
#endif
  out[threadIdx.x] = r;
}

// Scalar arithmetic on kernel parameters: the compiler keeps it in the uniform datapath.
extern "C" __global__ void integer_uniform(unsigned* out, int a, int b, long long c, unsigned d, const int* table) {
  int steps = (a * b + 7) / 3;
  int k = 0;
  for (int i = 0; i < steps; i += b) {
    int index = (i * 5 + blockIdx.x) & (a - 1);
    long long wide = c * i + (static_cast<long long>(blockIdx.y) << 3);
    if (blockIdx.z > d) index ^= 0x55;
    __syncthreads();
    out[threadIdx.x + index + wide] = static_cast<unsigned>(k + table[index]) + __popc(blockIdx.x) + (d >> i);
    k += min(index, b) + (blockIdx.x == 3 ? 11 : 4);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = static_cast<unsigned>(blockIdx.x * gridDim.y + steps) + __brev(blockIdx.y);
}

// Many live predicates: P2R and R2P.
extern "C" __global__ void integer_predicates(const int* a, int* out, int n) {
  bool p[24];
  int base = threadIdx.x * 24;
#pragma unroll
  for (int i = 0; i < 24; ++i) p[i] = a[base + i] > n + i;
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 24; ++i) {
      if (p[i]) out[base + i + j] = a[base + j] + i;
    }
  }
}
