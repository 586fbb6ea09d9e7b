// SPDX-License-Identifier: Apache-2.0
// Number formats and mathematical functions: halves, bfloat16, 8-bit floats, rounding modes, accurate and fast.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cfenv>
#include <cstring>

#include "validation/foreign/foreign.h"

namespace {

__global__ void half2_arithmetic(const __half2* x, const __half2* y, __half2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half2 a = x[i], b = y[i];
  out[i * 6] = __hadd2(a, b);
  out[i * 6 + 1] = __hmul2(a, b);
  out[i * 6 + 2] = __hfma2(a, b, a);
  out[i * 6 + 3] = __hmax2(a, b);
  out[i * 6 + 4] = __hsub2(__habs2(a), __hneg2(b));
  out[i * 6 + 5] = __lows2half2(a, b);
}

__global__ void bfloat_arithmetic(const __nv_bfloat16* x, const __nv_bfloat16* y, __nv_bfloat16* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i * 3] = __hadd(x[i], y[i]);
  out[i * 3 + 1] = __hmul(x[i], y[i]);
  out[i * 3 + 2] = __float2bfloat16(__bfloat162float(x[i]) / __bfloat162float(y[i]));
}

__global__ void fp8_round_trip(const float* in, unsigned char* e4m3, unsigned char* e5m2, float* back, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __nv_fp8_e4m3 a(in[i]);
  const __nv_fp8_e5m2 b(in[i]);
  e4m3[i] = a.__x;
  e5m2[i] = b.__x;
  back[2 * i] = float(a);
  back[2 * i + 1] = float(b);
}

__global__ void rounding_modes(const float* x, const float* y, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float* o = out + i * 8;
  o[0] = __fadd_rd(x[i], y[i]);
  o[1] = __fadd_ru(x[i], y[i]);
  o[2] = __fmul_rz(x[i], y[i]);
  o[3] = __fmul_ru(x[i], y[i]);
  o[4] = __fdiv_rn(x[i], y[i]);
  o[5] = __fsqrt_rn(fabsf(x[i]));
  o[6] = __fdiv_rd(x[i], y[i]);
  o[7] = __frcp_rn(y[i]);
}

__global__ void conversions(const double* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* o = out + i * 8;
  const float f = static_cast<float>(in[i]);
  o[0] = __float2int_rn(f);
  o[1] = __float2int_rd(f);
  o[2] = __float2int_ru(f);
  o[3] = static_cast<int>(in[i]);
  o[4] = static_cast<int>(static_cast<unsigned>(f < 0 ? 0 : f));
  o[5] = static_cast<int>(static_cast<long long>(in[i] * 1e6) % 1000003);
  o[6] = __float_as_int(rintf(f) + truncf(f) + floorf(f) + ceilf(f));
  o[7] = __float_as_int(static_cast<float>(static_cast<unsigned long long>(fabs(in[i]) * 1e9)));
}

template <typename T>
__global__ void functions(const T* in, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T x = in[i];
  T* o = out + i * 10;
  o[0] = sin(x * 20);
  o[1] = cos(x);
  o[2] = exp(x);
  o[3] = log(fabs(x) + T(0.01));
  o[4] = pow(fabs(x), T(1.7));
  o[5] = atan2(x, T(0.3));
  o[6] = tanh(x);
  o[7] = erf(x);
  o[8] = cbrt(x) + rsqrt(fabs(x) + T(1));
  o[9] = fmod(x * 10, T(0.7)) + hypot(x, T(2)) + tgamma(x * x + T(1.5));
}

__global__ void fast_functions(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float* o = out + i * 6;
  o[0] = __sinf(x);
  o[1] = __expf(x);
  o[2] = __logf(fabsf(x) + 0.5f);
  o[3] = __fdividef(x, 3.7f);
  o[4] = __powf(fabsf(x) + 0.1f, 1.5f);
  o[5] = rsqrtf(fabsf(x) + 1) + __saturatef(x);
}

__global__ void min_max(const double* a, const double* b, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i * 4] = fmin(a[i], b[i]);
  out[i * 4 + 1] = fmax(a[i], b[i]);
  out[i * 4 + 2] = fmax(fmin(a[i], 1.0), -1.0);
  out[i * 4 + 3] = hypot(a[i], b[i]) + fdim(a[i], b[i]);
}

__global__ void big_angles(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sincosf(in[i], &out[2 * i], &out[2 * i + 1]);
}

__global__ void kahan(const float* in, float* out, int n) {
  float sum = 0, lost = 0;
  for (int i = threadIdx.x; i < n; i += 32) {
    const float y = __fsub_rn(in[i], lost), t = __fadd_rn(sum, y);
    lost = __fsub_rn(__fsub_rn(t, sum), y);
    sum = t;
  }
  out[threadIdx.x] = sum;
}

float half_of(double value) { return __half2float(__double2half(value)); }
float bfloat_of(double value) { return __bfloat162float(__double2bfloat16(value)); }

}  // namespace

FOREIGN_CASE(half2_arithmetic) {
  const int n = 400;
  const std::vector<float> x = foreign::reals(1, 2 * n, -8, 8), y = foreign::reals(2, 2 * n, -8, 8);
  std::vector<__half2> hx(n), hy(n);
  for (int i = 0; i < n; ++i)
    hx[i] = __floats2half2_rn(x[2 * i], x[2 * i + 1]), hy[i] = __floats2half2_rn(y[2 * i], y[2 * i + 1]);
  foreign::Device<__half2> dx(hx), dy(hy), dout(6 * n);
  half2_arithmetic<<<4, 128>>>(dx.get(), dy.get(), dout.get(), n);
  std::vector<float> got, expected;
  for (const __half2 v : dout.host()) got.push_back(__low2float(v)), got.push_back(__high2float(v));
  for (int i = 0; i < n; ++i) {
    const double a[2] = {__low2float(hx[i]), __high2float(hx[i])}, b[2] = {__low2float(hy[i]), __high2float(hy[i])};
    for (int k = 0; k < 2; ++k) expected.push_back(half_of(a[k] + b[k]));
    for (int k = 0; k < 2; ++k) expected.push_back(half_of(a[k] * b[k]));
    for (int k = 0; k < 2; ++k) expected.push_back(half_of(a[k] * b[k] + a[k]));
    for (int k = 0; k < 2; ++k) expected.push_back(half_of(std::max(a[k], b[k])));
    for (int k = 0; k < 2; ++k) expected.push_back(half_of(std::fabs(a[k]) + b[k]));
    expected.push_back(half_of(a[0])), expected.push_back(half_of(b[0]));
  }
  return foreign::equal(got, expected);
}

FOREIGN_CASE(bfloat_arithmetic) {
  const int n = 300;
  const std::vector<float> x = foreign::reals(3, n, -8, 8), y = foreign::reals(4, n, 1, 8);
  std::vector<__nv_bfloat16> bx(n), by(n);
  for (int i = 0; i < n; ++i) bx[i] = __float2bfloat16(x[i]), by[i] = __float2bfloat16(y[i]);
  foreign::Device<__nv_bfloat16> dx(bx), dy(by), dout(3 * n);
  bfloat_arithmetic<<<3, 128>>>(dx.get(), dy.get(), dout.get(), n);
  std::vector<float> got, expected;
  for (const __nv_bfloat16 v : dout.host()) got.push_back(__bfloat162float(v));
  for (int i = 0; i < n; ++i) {
    const float a = __bfloat162float(bx[i]), b = __bfloat162float(by[i]);
    expected.insert(expected.end(), {bfloat_of(double(a) + b), bfloat_of(double(a) * b), bfloat_of(a / b)});
  }
  return foreign::equal(got, expected);
}

FOREIGN_CASE(fp8_round_trip) {
  const int n = 600;
  std::vector<float> in = foreign::reals(5, n, -500, 500);
  for (int i = 0; i < n / 2; ++i) in[i] *= std::ldexp(1.f, -(i % 18));
  foreign::Device<float> din(in), back(2 * n);
  foreign::Device<unsigned char> e4m3(n), e5m2(n);
  fp8_round_trip<<<5, 128>>>(din.get(), e4m3.get(), e5m2.get(), back.get(), n);
  // Nearest value of the format, ties to even mantissas, saturated.
  const auto nearest = [](double v, int mantissa, int least, double most) {
    const double size = std::fabs(v);
    int exponent = size > 0 ? std::ilogb(size) : least;
    exponent = std::max(exponent, least);
    const double step = std::ldexp(1.0, exponent - mantissa);
    return std::copysign(std::min(std::nearbyint(size / step) * step, most), v);
  };
  std::vector<float> expected;
  for (const float v : in) {
    expected.push_back(static_cast<float>(nearest(v, 3, -6, 448)));
    expected.push_back(static_cast<float>(nearest(v, 2, -14, 57344)));
  }
  return foreign::equal(back.host(), expected);
}

FOREIGN_CASE(rounding_modes) {
  const int n = 300;
  const std::vector<float> x = foreign::reals(6, n, -9, 9), y = foreign::reals(7, n, 0.1, 9);
  foreign::Device<float> dx(x), dy(y), dout(8 * n);
  rounding_modes<<<3, 128>>>(dx.get(), dy.get(), dout.get(), n);
  std::vector<float> e(8 * n);
  const auto rounded = [](int mode, auto operation) {
    std::fesetround(mode);
    const volatile float result = operation();
    std::fesetround(FE_TONEAREST);
    return result;
  };
  for (int i = 0; i < n; ++i) {
    const volatile float a = x[i], b = y[i];
    e[8 * i] = rounded(FE_DOWNWARD, [&] { return a + b; });
    e[8 * i + 1] = rounded(FE_UPWARD, [&] { return a + b; });
    e[8 * i + 2] = rounded(FE_TOWARDZERO, [&] { return a * b; });
    e[8 * i + 3] = rounded(FE_UPWARD, [&] { return a * b; });
    e[8 * i + 4] = a / b;
    e[8 * i + 5] = std::sqrt(std::fabs(x[i]));
    e[8 * i + 6] = rounded(FE_DOWNWARD, [&] { return a / b; });
    e[8 * i + 7] = 1 / b;
  }
  return foreign::equal(dout.host(), e);
}

FOREIGN_CASE(conversions) {
  const int n = 300;
  std::vector<double> in = foreign::reals<double>(8, n, -5000, 5000);
  for (int i = 0; i < 40; ++i) in[i] = i / 2.0 - 10;
  foreign::Device<double> din(in);
  foreign::Device<int> dout(8 * n);
  conversions<<<3, 128>>>(din.get(), dout.get(), n);
  std::vector<int> e(8 * n);
  const auto bits_of = [](float f) {
    int word;
    std::memcpy(&word, &f, sizeof word);
    return word;
  };
  for (int i = 0; i < n; ++i) {
    const float f = static_cast<float>(in[i]);
    int* o = &e[8 * i];
    o[0] = static_cast<int>(std::nearbyint(f));
    o[1] = static_cast<int>(std::floor(f));
    o[2] = static_cast<int>(std::ceil(f));
    o[3] = static_cast<int>(in[i]);
    o[4] = f < 0 ? 0 : static_cast<int>(f);
    o[5] = static_cast<int>(static_cast<long long>(in[i] * 1e6) % 1000003);
    o[6] = bits_of(std::nearbyint(f) + std::trunc(f) + std::floor(f) + std::ceil(f));
    o[7] = bits_of(static_cast<float>(static_cast<unsigned long long>(std::fabs(in[i]) * 1e9)));
  }
  return foreign::equal(dout.host(), e);
}

namespace {

template <typename T>
bool run_functions(double tolerance) {
  const int n = 160;
  const std::vector<T> in = foreign::reals<T>(9, n, -2, 2);
  foreign::Device<T> din(in), dout(10 * n);
  functions<T><<<2, 80>>>(din.get(), dout.get(), n);
  std::vector<double> e;
  for (const T t : in) {
    const double x = t;
    e.insert(e.end(),
             {std::sin(double(T(t * 20))), std::cos(x), std::exp(x), std::log(double(T(std::fabs(t) + T(0.01)))),
              std::pow(std::fabs(x), double(T(1.7))), std::atan2(x, double(T(0.3))), std::tanh(x), std::erf(x),
              std::cbrt(x) + 1 / std::sqrt(std::fabs(x) + 1),
              std::fmod(double(T(t * 10)), double(T(0.7))) + std::hypot(x, 2.0) + std::tgamma(x * x + 1.5)});
  }
  return foreign::near(dout.host(), e, tolerance, tolerance);
}

}  // namespace

FOREIGN_CASE(functions_f32) { return run_functions<float>(3e-6); }
FOREIGN_CASE(functions_f64) { return run_functions<double>(1e-14); }

FOREIGN_CASE(fast_functions) {
  const int n = 256;
  const std::vector<float> in = foreign::reals(10, n, -3, 3);
  foreign::Device<float> din(in), dout(6 * n);
  fast_functions<<<2, 128>>>(din.get(), dout.get(), n);
  std::vector<double> e;
  for (const float t : in) {
    const double x = t;
    e.insert(e.end(),
             {std::sin(x), std::exp(x), std::log(std::fabs(x) + 0.5), x / 3.7, std::pow(std::fabs(x) + 0.1, 1.5),
              1 / std::sqrt(std::fabs(x) + 1) + std::fmin(std::fmax(x, 0), 1)});
  }
  return foreign::near(dout.host(), e, 1e-5, 2e-6);
}

FOREIGN_CASE(min_max_f64) {
  std::vector<double> a = foreign::reals<double>(13, 120, -3, 3), b = foreign::reals<double>(14, 120, -3, 3);
  const double special[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, 1.0, 5e-324, 1.7e308};
  for (const double x : special) {
    for (const double y : special) a.push_back(x), b.push_back(y);
  }
  const int n = static_cast<int>(a.size());
  foreign::Device<double> da(a), db(b), dout(4 * n);
  min_max<<<foreign::divide_up(n, 64), 64>>>(da.get(), db.get(), dout.get(), n);
  const std::vector<double> got = dout.host();
  std::vector<double> e;
  for (int i = 0; i < n; ++i) {
    e.insert(e.end(), {std::fmin(a[i], b[i]), std::fmax(a[i], b[i]), std::fmax(std::fmin(a[i], 1.0), -1.0),
                       std::hypot(a[i], b[i]) + std::fdim(a[i], b[i])});
    // Of two zeros the minimum is the negative one, the maximum the positive one.
    if (a[i] == 0 && b[i] == 0) {
      const bool both = std::signbit(a[i]) && std::signbit(b[i]), any = std::signbit(a[i]) || std::signbit(b[i]);
      if (std::signbit(got[4 * i]) != any || std::signbit(got[4 * i + 1]) != both) return false;
    }
  }
  return foreign::near(got, e, 1e-15);
}

FOREIGN_CASE(big_angles) {
  const int n = 128;
  std::vector<float> in = foreign::reals(11, n, -1, 1);
  for (int i = 0; i < n; ++i) in[i] *= std::ldexp(1.f, i % 64);
  foreign::Device<float> din(in), dout(2 * n);
  big_angles<<<1, 128>>>(din.get(), dout.get(), n);
  std::vector<double> e;
  for (const float x : in) e.insert(e.end(), {std::sin(double(x)), std::cos(double(x))});
  return foreign::near(dout.host(), e, 2e-6, 2e-7);
}

FOREIGN_CASE(kahan) {
  const int n = 4096;
  const std::vector<float> in = foreign::reals(12, n, 0, 1000);
  foreign::Device<float> din(in), dout(32);
  kahan<<<1, 32>>>(din.get(), dout.get(), n);
  std::vector<double> e(32);
  for (int i = 0; i < n; ++i) e[i % 32] += in[i];
  return foreign::near(dout.host(), e, 1.2e-7);
}
