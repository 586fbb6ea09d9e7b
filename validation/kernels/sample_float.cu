// SPDX-License-Identifier: Apache-2.0
// Instruction sample: floating point of all widths and the conversions between them. Only its machine code matters.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

extern "C" __global__ void float_single(const float* a, float* out, float s) {
  int i = threadIdx.x;
  float x = a[i], y = a[i + 32], z = a[i + 64];
  float r = x + y * z - s;
  r += __fmul_rd(x, y) + __fadd_ru(x, s) + __fmaf_rz(x, y, z) + __saturatef(x * y) + fabsf(x - y);
  r += fminf(x, y) + fmaxf(y, -fabsf(z)) + (x < y ? z : s) + (x != z ? 1.0f : 2.0f);
  r += x / y + sqrtf(z) + __frsqrt_rn(x) + __fdividef(x, y) + __frcp_rn(z) + rsqrtf(y);
  r += __sinf(x) + __cosf(y) + __expf(z) + __logf(x) + exp2f(y) + log2f(z) + tanhf(x) + __powf(x, y);
  r += floorf(x) + ceilf(y) + truncf(z) + rintf(x) + roundf(y) + fmodf(x, y);
  float t;
  asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(x));
  r += t;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(t) : "f"(y));
  r += t;
  asm("set.gt.ftz.f32.f32 %0, %1, %2;" : "=f"(t) : "f"(y), "f"(x));
  r += t;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(t) : "f"(y), "f"(x));
  r += t + (isnan(x) ? 3.0f : 4.0f) + (isinf(z) ? r : s) + copysignf(x, y);
  out[i] = r;
}

extern "C" __global__ void float_trig(const float* a, float* out) {
  out[threadIdx.x] = sinf(a[threadIdx.x]) + expf(a[threadIdx.x + 32]) + logf(a[threadIdx.x + 64]);
}

extern "C" __global__ void float_double(const double* a, double* out, double s) {
  int i = threadIdx.x;
  double x = a[i], y = a[i + 32], z = a[i + 64];
  double r = x * y + z + x / y + sqrt(z) + 1.0 / x + rsqrt(y);
  r += fmin(x, y) + fmax(y, s) + fabs(x - s) + (x < y ? z : s) + (x >= s && y != z ? 2.0 : -x);
  r += floor(x) + ceil(y) + trunc(z) + rint(x) + __dadd_rd(x, y) + __dmul_ru(x, 3.0) + __fma_rz(x, y, s);
  out[i] = r;
}

extern "C" __global__ void float_half(const __half2* a, __half2* out, __half2 s, const __half* h) {
  int i = threadIdx.x;
  __half2 x = a[i], y = a[i + 32], z = a[i + 64];
  __half2 r = __hadd2(x, __hmul2(y, z));
  r = __hfma2(r, x, s);
  r = __hadd2(r, __hfma2_sat(x, y, z));
  r = __hadd2(r, __hmax2(x, y));
  r = __hadd2(r, __hmin2(x, __habs2(z)));
  r = __hadd2(r, __hfma2_relu(x, y, z));
  r = __hadd2(r, __hgt2(x, y));
  r = __hadd2(r, __hsub2(__low2half2(x), __high2half2(y)));
  r = __hmul2(r, __float2half2_rn(3.0f));
  if (__hbgt2(x, y)) r = __hneg2(r);
  __half k = __hadd(h[i], h[i + 1]);
  k = __hfma(k, __low2half(x), __high2half(y));
  if (__hlt(k, h[i + 3])) k = __hmul(k, k);
  k = __hadd(k, hsqrt(h[i]));
  k = __hadd(k, hexp2(h[i + 1]));
  k = __hadd(k, htanh(k));
  r = __hadd2(r, __half2half2(k));
  float2 f = __half22float2(r);
  out[i] = __hadd2(r, __floats2half2_rn(f.x * 3.0f, f.y));
}

extern "C" __global__ void float_bfloat(const __nv_bfloat162* a, __nv_bfloat162* out, __nv_bfloat162 s) {
  int i = threadIdx.x;
  __nv_bfloat162 x = a[i], y = a[i + 32], z = a[i + 64];
  __nv_bfloat162 r = __hfma2(x, y, z);
  r = __hadd2(r, __hmul2(x, s));
  r = __hadd2(r, __hmax2(x, __habs2(y)));
  r = __hadd2(r, __hfma2_relu(x, y, z));
  r = __hadd2(r, __hmin2(z, y));
  r = __hadd2(r, __hgt2(x, y));
  if (__hbgt2(x, y)) r = __hneg2(r);
  float2 f = __bfloat1622float2(r);
  out[i] = __hadd2(r, __floats2bfloat162_rn(f.x, f.y * 2.0f));
}

extern "C" __global__ void float_convert(const int8_t* i8, const uint8_t* u8, const int16_t* i16, const uint16_t* u16,
                                         const int* i32, const unsigned* u32, const long long* i64,
                                         const unsigned long long* u64, const float* f32, const double* f64,
                                         const __half* f16, float* of, double* od, __half* oh, long long* ol,
                                         __nv_bfloat16* ob) {
  int i = threadIdx.x;
  of[i] = static_cast<float>(i8[i]) + static_cast<float>(u8[i]) + static_cast<float>(i16[i]) +
          static_cast<float>(u16[i]) + static_cast<float>(i32[i]) + static_cast<float>(u32[i]) +
          static_cast<float>(i64[i]) + static_cast<float>(u64[i]) + static_cast<float>(f64[i]) + __half2float(f16[i]) +
          __int2float_rz(i32[i]) + __uint2float_ru(u32[i + 1]);
  od[i] = static_cast<double>(i8[i]) + static_cast<double>(u8[i]) + static_cast<double>(i16[i]) +
          static_cast<double>(u16[i]) + static_cast<double>(i32[i]) + static_cast<double>(u32[i]) +
          static_cast<double>(i64[i]) + static_cast<double>(u64[i]) + static_cast<double>(f32[i]) +
          static_cast<double>(__half2float(f16[i]));
  oh[i] = __hadd(__float2half_rn(f32[i]), __float2half_rz(f32[i + 1]));
  oh[i + 32] = __hadd(__int2half_rn(i32[i]), __short2half_rn(i16[i]));
  oh[i + 64] = __hadd(__uint2half_rz(u32[i]), __ull2half_rn(u64[i]));
  oh[i + 96] = __hadd(__ushort2half_rn(u16[i]), __ll2half_rn(i64[i]));
  oh[i + 128] = __double2half(f64[i]);
  ol[i] = static_cast<int>(f32[i]) + static_cast<long long>(static_cast<unsigned>(f32[i + 1])) +
          static_cast<long long>(f32[i + 2]) + static_cast<long long>(static_cast<unsigned long long>(f32[i + 3])) +
          static_cast<int8_t>(f32[i + 4]) + static_cast<uint16_t>(f32[i + 5]) + __float2int_rn(f32[i + 6]) +
          __float2int_ru(f32[i + 7]) + __float2int_rd(f32[i + 8]);
  ol[i + 32] = static_cast<int>(f64[i]) + static_cast<long long>(static_cast<unsigned>(f64[i + 1])) +
               static_cast<long long>(f64[i + 2]) +
               static_cast<long long>(static_cast<unsigned long long>(f64[i + 3])) + __double2int_rn(f64[i + 4]) +
               __double2ll_rd(f64[i + 5]);
  ol[i + 64] = __half2int_rn(f16[i]) + __half2uint_rz(f16[i + 1]) + __half2ll_rn(f16[i + 2]) +
               __half2short_rz(f16[i + 3]) + static_cast<long long>(__half2ull_rz(f16[i + 4]));
  short s16;
  asm("cvt.rni.sat.s8.f32 %0, %1;" : "=h"(s16) : "f"(f32[i + 9]));
  ol[i + 96] = s16;
  asm("cvt.sat.u8.s32 %0, %1;" : "=h"(s16) : "r"(i32[i + 9]));
  ol[i + 128] = s16;
  asm("cvt.sat.s16.s32 %0, %1;" : "=h"(s16) : "r"(i32[i + 10]));
  ol[i + 160] = s16;
  ob[i] = __float2bfloat16_rn(f32[i]);
  ob[i + 32] = __float2bfloat16_rz(f32[i + 32]);
  ob[i + 64] = __int2bfloat16_rn(i32[i]);
  ob[i + 96] = __double2bfloat16(f64[i]);
  ol[i + 192] = __bfloat162int_rz(ob[i + 128]);
  float t;
  unsigned packed;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(packed) : "f"(f32[i]));
  of[i + 32] = __uint_as_float(packed);
  asm("cvt.rn.sat.f32.f64 %0, %1;" : "=f"(t) : "d"(f64[i]));
  of[i + 64] = t;
  asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(f32[i]), "f"(f32[i + 1]));
  of[i + 96] = __uint_as_float(packed);
  asm("cvt.rz.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(f32[i]), "f"(f32[i + 1]));
  of[i + 128] = __uint_as_float(packed);
  asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;" : "=r"(packed) : "r"(i32[i]), "r"(i32[i + 1]), "r"(i32[i + 2]));
  of[i + 160] = __uint_as_float(packed);
  asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(packed) : "r"(i32[i]), "r"(i32[i + 1]));
  of[i + 192] = __uint_as_float(packed);
}
