// SPDX-License-Identifier: Apache-2.0
// Checks the kernels of the family spmm on a GPU, as CSV: small-integer operands, exact comparison, median of 20 times.
//
//   nvcc -std=c++17 -O3 -arch=native -I. validation/kernels/spmm_check.cu sim/formats/sparse_matrix.cpp -o spmm_check
//   ./spmm_check traces/kernels/sm_90 check [PATTERN] < points > spmm_check.csv   kernels whose name contains PATTERN
//   ncu -k regex:spmm_ ... ./spmm_check traces/kernels/sm_90 2           every point launched twice, no check, for a
//   profiler
//
// Exit code 1 when any result is wrong. Points: m, n, k, sparsity of A (of both operands for csr_csr, of B for csc).
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sim/crossover/parts_of_k.h"
#include "sim/crossover/spmm_integers.h"
#include "sim/formats/sparse_matrix.h"

namespace {

using stc::sim::SparseMatrix;
using stc::sim::spmm_integers;

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "spmm_check: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

struct KernelRow {
  std::string name, format;
  bool half;
  int tile_m, tile_n, threads, shared_bytes, ctas_per_sm;
};
const KernelRow kKernels[] = {
#define STC_SPMM(FORMAT, ELEMENT, SUFFIX, M, N, THREADS, SHARED, CTAS, ARGUMENTS) \
  {"spmm_" #FORMAT "_" #ELEMENT "_" #SUFFIX, #FORMAT, #ELEMENT[1] == '1', M, N, THREADS, SHARED, CTAS},
#include "validation/kernels/spmm_table.h"
#undef STC_SPMM
};

struct Problem {
  int m, n, k;
  double sparsity;
};

class DeviceArray {
 public:
  template <class T>
  explicit DeviceArray(const std::vector<T>& from) {
    // Kernels read to the next multiple of four entries.
    check(cudaMalloc(&data_, from.size() * sizeof(T) + 64), "cudaMalloc");
    check(cudaMemcpy(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

std::vector<std::uint16_t> halves(const std::vector<float>& from) {
  std::vector<std::uint16_t> out;
  out.reserve(from.size());
  for (const float x : from) out.push_back(static_cast<__half_raw>(__float2half(x)).x);
  return out;
}

__global__ void reference(const float* a, const float* b, float* d, int m, int n, int k) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum = fmaf(a[std::size_t(row) * k + i], b[std::size_t(i) * n + column], sum);
  d[std::size_t(row) * n + column] = sum;
}

/// A launch: arrays in the order of the kernel's arguments, then its integers.
class Launch {
 public:
  Launch(const KernelRow& row, const std::string& folder) : row_(row) {
    const std::string file = folder + "/" + row.name + ".cubin";
    check(cudaLibraryLoadFromFile(&library_, file.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), file.c_str());
    check(cudaLibraryGetKernel(&kernel_, library_, row.name.c_str()), row.name.c_str());
  }
  ~Launch() {
    for (DeviceArray* array : arrays_) delete array;
    cudaLibraryUnload(library_);
  }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  template <class T>
  Launch& array(const std::vector<T>& data) {
    arrays_.push_back(new DeviceArray(data));
    return *this;
  }
  Launch& values(const std::vector<float>& data) { return row_.half ? array(halves(data)) : array(data); }
  Launch& indices(const std::vector<std::uint32_t>& data) {
    if (!row_.half) return array(data);
    return array(std::vector<std::uint16_t>(data.begin(), data.end()));
  }
  Launch& output(float* d, std::size_t bytes) {
    d_ = d;
    d_bytes_ = bytes;
    place_of_d_ = arrays_.size();
    return *this;
  }
  Launch& integer(int value) {
    integers_.push_back(value);
    return *this;
  }
  Launch& grid(dim3 grid, int shared_bytes) {
    grid_ = grid;
    shared_ = shared_bytes;
    check(cudaKernelSetAttributeForDevice(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes, 0),
          "shared memory");
    return *this;
  }

  void prepare(int byte) { check(cudaMemset(d_, byte, d_bytes_), "cudaMemset"); }
  void run() {
    std::vector<void*> pointers;
    for (std::size_t i = 0; i <= arrays_.size(); ++i) {
      if (i == place_of_d_) pointers.push_back(d_);
      if (i < arrays_.size()) pointers.push_back(arrays_[i]->data());
    }
    std::vector<void*> arguments;
    for (void*& pointer : pointers) arguments.push_back(&pointer);
    for (int& value : integers_) arguments.push_back(&value);
    check(cudaLaunchKernel(kernel_, grid_, dim3(row_.threads), arguments.data(), shared_, nullptr), row_.name.c_str());
  }

 private:
  const KernelRow& row_;
  cudaLibrary_t library_ = nullptr;
  cudaKernel_t kernel_ = nullptr;
  std::vector<DeviceArray*> arrays_;
  std::vector<int> integers_;
  float* d_ = nullptr;
  std::size_t d_bytes_ = 0, place_of_d_ = 0;
  dim3 grid_;
  int shared_ = 0;
};

unsigned tiles(int size, int tile) { return static_cast<unsigned>((size + tile - 1) / tile); }

struct Operands {
  Problem p;
  std::vector<float> a, b;
  SparseMatrix sparse_a;
  std::vector<float> d;
  float* device_d = nullptr;
};

/// sgemm and bitmap cut k into parts where there are few tiles.
int parts_of_k(const KernelRow& row, const Problem& p) {
  if (row.format != "sgemm" && row.format != "bitmap") return 1;
  int sms = 0;
  check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), "device");
  const std::int64_t all = std::int64_t{tiles(p.m, row.tile_m)} * tiles(p.n, row.tile_n);
  const bool sgemm = row.format == "sgemm";
  return stc::sim::parts_of_k(all, p.k, sgemm ? 64 : 256, std::int64_t{row.ctas_per_sm} * sms, sms, sgemm);
}

/// D must be zero before: coo adds at the borders of segments, the others parts of k.
bool needs_zero(const KernelRow& row, const Problem& p) { return row.format == "coo" || parts_of_k(row, p) > 1; }

void set_up(Launch& launch, const KernelRow& row, const Operands& o) {
  const auto [m, n, k, sparsity] = o.p;
  const SparseMatrix& a = o.sparse_a;
  const std::size_t bytes = std::size_t(m) * n * 4;
  if (row.format == "csr") {
    launch.array(stc::sim::rows_by_length(a)).array(a.offsets).indices(a.indices).values(a.values).values(o.b);
    launch.output(o.device_d, bytes).integer(m).integer(n).grid({tiles(m, row.tile_m), tiles(n, row.tile_n)}, 0);
  } else if (row.format == "ell") {
    const auto ell = stc::sim::ell_of(a);
    launch.indices(ell.indices).values(ell.values).values(o.b).output(o.device_d, bytes);
    launch.integer(m).integer(n).integer(ell.width).grid({tiles(m, row.tile_m), tiles(n, row.tile_n)}, 0);
  } else if (row.format == "coo") {
    const int entries = static_cast<int>(a.entries());
    launch.array(stc::sim::entry_rows(a)).indices(a.indices).values(a.values).values(o.b).output(o.device_d, bytes);
    launch.integer(entries).integer(n).grid({std::max(1u, tiles(entries, row.tile_m)), tiles(n, row.tile_n)}, 0);
  } else if (row.format == "csr_csr") {
    const SparseMatrix b = stc::sim::sparse_of(o.b, k, n);
    launch.array(stc::sim::rows_by_length(a)).array(a.offsets).array(a.indices).array(a.values);
    launch.array(b.offsets).array(b.indices).array(b.values).output(o.device_d, bytes).integer(n);
    launch.grid({static_cast<unsigned>(m)}, n * 4);
  } else if (row.format == "csc") {
    const SparseMatrix b = stc::sim::transposed(stc::sim::sparse_of(o.b, k, n));
    launch.values(o.a).array(b.offsets).array(b.indices).array(b.values).output(o.device_d, bytes);
    launch.integer(m).integer(n).integer(k).grid({tiles(m, row.tile_m), tiles(n, row.tile_n)}, row.shared_bytes);
  } else if (row.format == "sgemm") {
    launch.values(o.a).values(o.b).output(o.device_d, bytes).integer(n).integer(k);
    launch.grid({tiles(m, row.tile_m), tiles(n, row.tile_n), static_cast<unsigned>(parts_of_k(row, o.p))},
                row.shared_bytes);
  } else if (row.format == "bitmap") {
    const auto bitmap = stc::sim::bitmap_of(a);
    launch.array(bitmap.offsets).array(bitmap.bitmaps).values(bitmap.values).values(o.b).output(o.device_d, bytes);
    launch.integer(m).integer(n).integer(k);
    launch.grid({tiles(m, row.tile_m), tiles(n, row.tile_n), static_cast<unsigned>(parts_of_k(row, o.p))},
                row.shared_bytes);
  }
}

/// Of the problem at hand, which the kernels share.
const std::vector<float>& shared_integers(int rows, int columns, double sparsity, std::uint32_t seed) {
  static std::map<std::tuple<int, int, double, std::uint32_t>, std::vector<float>> known;
  if (known.size() > 4) known.clear();
  const auto [at, is_new] = known.try_emplace({rows, columns, sparsity, seed});
  if (is_new) at->second = spmm_integers(rows, columns, sparsity, seed);
  return at->second;
}

Operands operands_of(const KernelRow& row, const Problem& p) {
  Operands o;
  o.p = p;
  const bool sparse_a = row.format != "csc" && row.format != "sgemm";
  const bool sparse_b = row.format == "csc" || row.format == "csr_csr";
  o.a = shared_integers(p.m, p.k, sparse_a ? p.sparsity : 0, 1);
  o.b = shared_integers(p.k, p.n, sparse_b ? p.sparsity : 0, 2);
  if (sparse_a) o.sparse_a = stc::sim::sparse_of(o.a, p.m, p.k);
  o.d.resize(std::size_t(p.m) * p.n);
  return o;
}

bool fits(const KernelRow& row, const Problem& p) {
  if (p.n % 8 != 0 || p.n < row.tile_n) return false;
  if (row.format == "sgemm") return p.m % row.tile_m == 0 && p.n % row.tile_n == 0 && p.k % 16 == 0;
  return row.format != "csc" || p.k % 4 == 0;
}

float median_us(Launch& launch) {
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start), "event");
  check(cudaEventCreate(&stop), "event");
  std::vector<float> times;
  for (int i = 0; i < 20; ++i) {
    float ms = 0;
    check(cudaEventRecord(start), "event");
    launch.run();
    check(cudaEventRecord(stop), "event");
    check(cudaEventSynchronize(stop), "launch");
    check(cudaEventElapsedTime(&ms, start, stop), "event");
    times.push_back(ms * 1000);
  }
  std::nth_element(times.begin(), times.begin() + 10, times.end());
  return times[10];
}

int compare(const KernelRow& row, const std::string& folder, Operands& o) {
  Launch launch(row, folder);
  DeviceArray a(o.a), b(o.b), want(o.d), d(o.d);
  o.device_d = static_cast<float*>(d.data());
  set_up(launch, row, o);
  launch.prepare(needs_zero(row, o.p) ? 0 : 0xff);
  launch.run();
  check(cudaDeviceSynchronize(), row.name.c_str());
  check(cudaMemcpy(o.d.data(), d.data(), o.d.size() * 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
  reference<<<dim3(tiles(o.p.n, 32), tiles(o.p.m, 8)), dim3(32, 8)>>>(
      static_cast<float*>(a.data()), static_cast<float*>(b.data()), static_cast<float*>(want.data()), o.p.m, o.p.n,
      o.p.k);
  std::vector<float> wanted(o.d.size());
  check(cudaMemcpy(wanted.data(), want.data(), wanted.size() * 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) wrong += o.d[i] == wanted[i] ? 0 : 1;  // NaN differs
  const float us = median_us(launch);
  std::printf("%s,%d,%d,%d,%g,%zu,%.2f,%.3f\n", row.name.c_str(), o.p.m, o.p.n, o.p.k, o.p.sparsity, wrong, us,
              2e-6 * o.p.m * o.p.n * o.p.k / us);
  std::fflush(stdout);
  return wrong != 0;
}

void launch_only(const KernelRow& row, const std::string& folder, Operands& o, int times) {
  Launch launch(row, folder);
  DeviceArray d(o.d);
  o.device_d = static_cast<float*>(d.data());
  set_up(launch, row, o);
  for (int i = 0; i < times; ++i) {
    launch.prepare(0);
    launch.run();
    check(cudaDeviceSynchronize(), row.name.c_str());
    std::printf("%s,%d,%d,%d,%g,%d\n", row.name.c_str(), o.p.m, o.p.n, o.p.k, o.p.sparsity, i);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    std::fprintf(stderr, "usage: spmm_check FOLDER check|TIMES [PATTERN] < points\n  a point: m n k sparsity\n");
    return 2;
  }
  const std::string folder = argv[1], mode = argv[2], pattern = argc > 3 ? argv[3] : "";
  std::printf("kernel,m,n,k,sparsity,%s\n", mode == "check" ? "wrong,median_us,tflops_dense" : "launch");
  int failures = 0;
  Problem p;
  std::vector<Problem> problems;
  while (std::scanf("%d %d %d %lf", &p.m, &p.n, &p.k, &p.sparsity) == 4) problems.push_back(p);
  for (const Problem& problem : problems) {
    for (const KernelRow& row : kKernels) {
      if (row.name.find(pattern) == std::string::npos || !fits(row, problem)) continue;
      Operands o = operands_of(row, problem);
      if (mode == "check") {
        failures += compare(row, folder, o);
      } else {
        launch_only(row, folder, o, std::atoi(mode.c_str()));
      }
    }
  }
  return failures == 0 ? 0 : 1;
}
