// SPDX-License-Identifier: Apache-2.0
// Numerical programs: transpose, tiled products, FFT, n-body, fractals, random walks, linear systems.
#include <complex>

#include "validation/foreign/foreign.h"

namespace {

__global__ void transpose(const float* in, float* out, int w, int h) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

template <typename T, int Tile>
__global__ void product(const T* a, const T* b, T* c, int n) {
  __shared__ T sa[Tile][Tile], sb[Tile][Tile + 1];
  const int row = blockIdx.y * Tile + threadIdx.y, column = blockIdx.x * Tile + threadIdx.x;
  T sum = 0;
  for (int k = 0; k < n; k += Tile) {
    sa[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    sb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Tile; ++i) sum += sa[threadIdx.y][i] * sb[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void product_registers(const float* a, const float* b, float* c, int n) {
  __shared__ float sa[16][64], sb[16][64];
  float sum[4][4] = {};
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  for (int k = 0; k < n; k += 16) {
    for (int i = threadIdx.x; i < 1024; i += 256) {
      sa[i % 16][i / 16] = a[(blockIdx.y * 64 + i / 16) * n + k + i % 16];
      sb[i / 64][i % 64] = b[(k + i / 64) * n + blockIdx.x * 64 + i % 64];
    }
    __syncthreads();
    for (int kk = 0; kk < 16; ++kk) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) sum[i][j] += sa[kk][ty * 4 + i] * sb[kk][tx * 4 + j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = sum[i][j];
  }
}

__global__ void fft_256(const float2* in, float2* out) {
  __shared__ float2 s[256];
  const int t = threadIdx.x;
  for (int i = t; i < 256; i += 128) s[__brev(i) >> 24] = in[blockIdx.x * 256 + i];
  for (int half = 1; half < 256; half *= 2) {
    __syncthreads();
    const int k = t % half, a = t / half * 2 * half + k, b = a + half;
    float sine, cosine;
    sincospif(-static_cast<float>(k) / half, &sine, &cosine);
    const float2 x = s[a], y = s[b];
    const float2 w = make_float2(cosine * y.x - sine * y.y, cosine * y.y + sine * y.x);
    s[a] = make_float2(x.x + w.x, x.y + w.y);
    s[b] = make_float2(x.x - w.x, x.y - w.y);
  }
  __syncthreads();
  for (int i = t; i < 256; i += 128) out[blockIdx.x * 256 + i] = s[i];
}

__global__ void n_body(const float4* bodies, float3* force, int n) {
  __shared__ float4 tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  const float4 me = bodies[i];
  float3 f = make_float3(0, 0, 0);
  for (int j = 0; j < n; j += 64) {
    tile[threadIdx.x] = bodies[j + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 64; ++k) {
      const float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = tile[k].w * r * r * r;
      f.x += s * dx;
      f.y += s * dy;
      f.z += s * dz;
    }
    __syncthreads();
  }
  force[i] = f;
}

template <typename T>
__host__ __device__ int escape(T cx, T cy, int most) {
  T x = 0, y = 0;
  int i = 0;
  for (; i < most; ++i) {
#ifdef __CUDA_ARCH__
    const T xx = sizeof(T) == 4 ? T(__fmul_rn(x, x)) : T(__dmul_rn(x, x)),
            yy = sizeof(T) == 4 ? T(__fmul_rn(y, y)) : T(__dmul_rn(y, y));
    const T xy = sizeof(T) == 4 ? T(__fmul_rn(x, y)) : T(__dmul_rn(x, y));
    if ((sizeof(T) == 4 ? T(__fadd_rn(xx, yy)) : T(__dadd_rn(xx, yy))) > 4) break;
    y = sizeof(T) == 4 ? T(__fadd_rn(__fadd_rn(xy, xy), cy)) : T(__dadd_rn(__dadd_rn(xy, xy), cy));
    x = sizeof(T) == 4 ? T(__fadd_rn(__fadd_rn(xx, -yy), cx)) : T(__dadd_rn(__dadd_rn(xx, -yy), cx));
#else
    const T xx = x * x, yy = y * y, xy = x * y;
    if (xx + yy > 4) break;
    y = xy + xy + cy;
    x = xx - yy + cx;
#endif
  }
  return i;
}

template <typename T>
__global__ void mandelbrot(int* out, int w, int h, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = escape<T>(T(x - 96) / 64, T(y - 48) / 64, most);
}

__host__ __device__ inline unsigned next_random(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

__global__ void monte_carlo_pi(unsigned* hits, int rounds) {
  unsigned state = 1234567u + 7919u * (blockIdx.x * blockDim.x + threadIdx.x), inside = 0;
  for (int r = 0; r < rounds; ++r) {
    const unsigned long long x = next_random(state) >> 8, y = next_random(state) >> 8;
    inside += x * x + y * y < 1ull << 48;
  }
  for (int d = 16; d > 0; d /= 2) inside += __shfl_down_sync(0xffffffffu, inside, d);
  if ((threadIdx.x & 31) == 0) atomicAdd(hits, inside);
}

__global__ void cholesky_16(const double* in, double* out) {
  __shared__ double a[16][17];
  const int i = threadIdx.y, j = threadIdx.x;
  a[i][j] = in[blockIdx.x * 256 + i * 16 + j];
  __syncthreads();
  for (int k = 0; k < 16; ++k) {
    if (i == k && j == k) a[k][k] = sqrt(a[k][k]);
    __syncthreads();
    if (j == k && i > k) a[i][k] /= a[k][k];
    __syncthreads();
    if (i > k && j > k && j <= i) a[i][j] -= a[i][k] * a[j][k];
    __syncthreads();
  }
  out[blockIdx.x * 256 + i * 16 + j] = j <= i ? a[i][j] : 0;
}

__global__ void tridiagonal(const float* diagonal, const float* rhs, float* x, float* work, int n) {
  const int system = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  float beta = diagonal[system], value = rhs[system] / beta;
  x[system] = value;
  for (int i = 1; i < n; ++i) {
    const int at = i * stride + system;
    const float gamma = -1.f / beta;
    work[at] = gamma;
    beta = diagonal[at] + gamma;
    value = (rhs[at] + value) / beta;
    x[at] = value;
  }
  for (int i = n - 2; i >= 0; --i) {
    value = x[i * stride + system] - work[(i + 1) * stride + system] * value;
    x[i * stride + system] = value;
  }
}

__global__ void sparse_product(const int* starts, const int* columns, const float* values, const float* x, float* y,
                               int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= n) return;
  float sum = 0;
  for (int k = starts[row] + lane; k < starts[row + 1]; k += 32) sum += values[k] * x[columns[k]];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[row] = sum;
}

template <typename T>
std::vector<T> host_product(const std::vector<T>& a, const std::vector<T>& b, int n) {
  std::vector<T> c(n * n);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
  return c;
}

}  // namespace

FOREIGN_CASE(transpose) {
  const int w = 100, h = 75;
  const std::vector<float> in = foreign::reals(1, w * h);
  foreign::Device<float> din(in), dout(w * h);
  transpose<<<dim3(4, 3), dim3(32, 8)>>>(din.get(), dout.get(), w, h);
  std::vector<float> expected(w * h);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) expected[x * h + y] = in[y * w + x];
  }
  return foreign::equal(dout.host(), expected);
}

FOREIGN_CASE(product_tiled) {
  const int n = 64;
  const std::vector<float> a = foreign::integers<float>(2, n * n, -9, 9), b = foreign::integers<float>(3, n * n, -9, 9);
  foreign::Device<float> da(a), db(b), dc(n * n);
  product<float, 16><<<dim3(4, 4), dim3(16, 16)>>>(da.get(), db.get(), dc.get(), n);
  return foreign::equal(dc.host(), host_product(a, b, n));
}

FOREIGN_CASE(product_tiled_f64) {
  const int n = 64;
  const std::vector<double> a = foreign::integers<double>(4, n * n, -9, 9),
                            b = foreign::integers<double>(5, n * n, -9, 9);
  foreign::Device<double> da(a), db(b), dc(n * n);
  product<double, 16><<<dim3(4, 4), dim3(16, 16)>>>(da.get(), db.get(), dc.get(), n);
  return foreign::equal(dc.host(), host_product(a, b, n));
}

FOREIGN_CASE(product_tiled_i32) {
  const int n = 32;
  const std::vector<int> a = foreign::integers(6, n * n, -9999, 9999), b = foreign::integers(7, n * n, -9999, 9999);
  foreign::Device<int> da(a), db(b), dc(n * n);
  product<int, 8><<<dim3(4, 4), dim3(8, 8)>>>(da.get(), db.get(), dc.get(), n);
  return foreign::equal(dc.host(), host_product(a, b, n));
}

FOREIGN_CASE(product_registers) {
  const int n = 128;
  const std::vector<float> a = foreign::integers<float>(8, n * n, -9, 9), b = foreign::integers<float>(9, n * n, -9, 9);
  foreign::Device<float> da(a), db(b), dc(n * n);
  product_registers<<<dim3(2, 2), 256>>>(da.get(), db.get(), dc.get(), n);
  return foreign::equal(dc.host(), host_product(a, b, n));
}

FOREIGN_CASE(fft_256) {
  const int rows = 4;
  const std::vector<float> flat = foreign::reals(10, rows * 512);
  std::vector<float2> in(rows * 256);
  for (int i = 0; i < rows * 256; ++i) in[i] = make_float2(flat[2 * i], flat[2 * i + 1]);
  foreign::Device<float2> din(in), dout(in.size());
  fft_256<<<rows, 128>>>(din.get(), dout.get());
  const std::vector<float2> out = dout.host();
  for (int r = 0; r < rows; ++r) {
    for (int k = 0; k < 256; ++k) {
      std::complex<double> sum = 0;
      for (int i = 0; i < 256; ++i) {
        sum += std::complex<double>(in[r * 256 + i].x, in[r * 256 + i].y) *
               std::polar(1.0, -2 * M_PI * (i * k % 256) / 256);
      }
      if (std::abs(sum - std::complex<double>(out[r * 256 + k].x, out[r * 256 + k].y)) > 1e-4) return false;
    }
  }
  return true;
}

FOREIGN_CASE(n_body) {
  const int n = 256;
  const std::vector<float> flat = foreign::reals(11, 4 * n);
  std::vector<float4> bodies(n);
  for (int i = 0; i < n; ++i)
    bodies[i] = make_float4(flat[4 * i], flat[4 * i + 1], flat[4 * i + 2], 1 + flat[4 * i + 3]);
  foreign::Device<float4> din(bodies);
  foreign::Device<float3> dout(n);
  n_body<<<n / 64, 64>>>(din.get(), dout.get(), n);
  const std::vector<float3> force = dout.host();
  for (int i = 0; i < n; ++i) {
    double f[3] = {};
    for (const float4& b : bodies) {
      const double d[3] = {b.x - bodies[i].x, b.y - bodies[i].y, b.z - bodies[i].z};
      const double r = 1 / std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01f);
      for (int k = 0; k < 3; ++k) f[k] += b.w * r * r * r * d[k];
    }
    const double size = std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    if (std::hypot(std::hypot(f[0] - force[i].x, f[1] - force[i].y), f[2] - force[i].z) > 1e-4 * size + 1e-4)
      return false;
  }
  return true;
}

namespace {

template <typename T>
bool run_mandelbrot(int most) {
  const int w = 128, h = 96;
  foreign::Device<int> out(w * h);
  mandelbrot<T><<<dim3(w / 16, h / 16), dim3(16, 16)>>>(out.get(), w, h, most);
  std::vector<int> expected(w * h);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) expected[y * w + x] = escape<T>(T(x - 96) / 64, T(y - 48) / 64, most);
  }
  return foreign::equal(out.host(), expected);
}

}  // namespace

FOREIGN_CASE(mandelbrot) { return run_mandelbrot<float>(100); }
FOREIGN_CASE(mandelbrot_f64) { return run_mandelbrot<double>(40); }

FOREIGN_CASE(monte_carlo_pi) {
  const int threads = 512, rounds = 50;
  foreign::Device<unsigned> hits(1);
  monte_carlo_pi<<<4, 128>>>(hits.get(), rounds);
  unsigned expected = 0;
  for (int t = 0; t < threads; ++t) {
    unsigned state = 1234567u + 7919u * t;
    for (int r = 0; r < rounds; ++r) {
      const unsigned long long x = next_random(state) >> 8, y = next_random(state) >> 8;
      expected += x * x + y * y < 1ull << 48;
    }
  }
  return foreign::equal(hits.host(), {expected});
}

FOREIGN_CASE(cholesky_f64) {
  const int systems = 3;
  std::vector<double> in(systems * 256), lower(systems * 256);
  for (int s = 0; s < systems; ++s) {
    const std::vector<double> m = foreign::integers<double>(12 + s, 256, -3, 3);
    for (int i = 0; i < 16; ++i) {
      for (int j = 0; j < 16; ++j) {
        double sum = i == j ? 50 : 0;
        for (int k = 0; k < 16; ++k) sum += m[i * 16 + k] * m[j * 16 + k];
        in[s * 256 + i * 16 + j] = sum;
      }
    }
    for (int i = 0; i < 16; ++i) {
      for (int j = 0; j <= i; ++j) {
        double sum = in[s * 256 + i * 16 + j];
        for (int k = 0; k < j; ++k) sum -= lower[s * 256 + i * 16 + k] * lower[s * 256 + j * 16 + k];
        lower[s * 256 + i * 16 + j] = i == j ? std::sqrt(sum) : sum / lower[s * 256 + j * 16 + j];
      }
    }
  }
  foreign::Device<double> din(in), dout(in.size());
  cholesky_16<<<systems, dim3(16, 16)>>>(din.get(), dout.get());
  return foreign::near(dout.host(), lower, 1e-12, 1e-12);
}

FOREIGN_CASE(tridiagonal) {
  const int systems = 256, n = 24;
  const std::vector<float> diagonal = foreign::reals(15, systems * n, 3, 5), rhs = foreign::reals(16, systems * n);
  foreign::Device<float> dd(diagonal), dr(rhs), dx(systems * n), dw(systems * n);
  tridiagonal<<<2, 128>>>(dd.get(), dr.get(), dx.get(), dw.get(), n);
  const std::vector<float> x = dx.host();
  std::vector<double> left(systems * n);  // the matrix times x: -1, diagonal, -1
  for (int s = 0; s < systems; ++s) {
    for (int i = 0; i < n; ++i) {
      const int at = i * systems + s;
      left[at] = double(diagonal[at]) * x[at] - (i > 0 ? x[at - systems] : 0.f) - (i + 1 < n ? x[at + systems] : 0.f);
    }
  }
  return foreign::near(rhs, left, 0, 2e-6);
}

FOREIGN_CASE(sparse_product) {
  const int n = 200;
  std::vector<int> starts(n + 1), columns;
  for (int r = 0; r < n; ++r) {
    for (int k = 0; k < (r * 37) % 71; ++k) columns.push_back((r * 13 + k * k * 7) % n);
    starts[r + 1] = static_cast<int>(columns.size());
  }
  const std::vector<float> values = foreign::integers<float>(17, columns.size(), -9, 9),
                           x = foreign::integers<float>(18, n, -9, 9);
  foreign::Device<int> ds(starts), dc(columns);
  foreign::Device<float> dv(values), dx(x), dy(n);
  sparse_product<<<foreign::divide_up(n * 32, 128), 128>>>(ds.get(), dc.get(), dv.get(), dx.get(), dy.get(), n);
  std::vector<float> expected(n);
  for (int r = 0; r < n; ++r) {
    for (int k = starts[r]; k < starts[r + 1]; ++k) expected[r] += values[k] * x[columns[k]];
  }
  return foreign::equal(dy.host(), expected);
}
