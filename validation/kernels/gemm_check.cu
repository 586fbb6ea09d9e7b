// SPDX-License-Identifier: Apache-2.0
// Checks and times the compiled GEMM kernels on a GPU, as CSV: small-integer operands, exact comparison, median of 20.
//
//   nvcc -std=c++17 -O3 -arch=native -I. validation/kernels/gemm_check.cu -o gemm_check
//   ./gemm_check traces/kernels [PATTERN] > gemm_check.csv        kernels whose name contains PATTERN
//
// Exit code 1 when any result is wrong. fraction_of_peak is of the tensor cores' rate at the highest clock of the GPU
// (2:4 and 1:2 count dense operations against twice the dense rate); fraction_of_mma_sync is of what mma.sync can
// reach.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "validation/kernels/gemm_reference.cuh"
#include "validation/kernels/wgmma_tile.h"

namespace {

using namespace stc::kernels;

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "gemm_check: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

struct KernelRow {
  const char* name;
  Element type;
  Kept kept;
  int tile_m, tile_n, tile_k, threads, shared_bytes;
  int cluster = 0;  ///< of a warpgroup kernel: CTAs along m
};

template <class Tile>
constexpr KernelRow row_of(const char* name, Kept kept) {
  return {name, Tile::kType, kept, Tile::kTileM, Tile::kTileN, Tile::kTileK, Tile::kThreads, Tile::kSharedBytes};
}

template <class Tile>
constexpr KernelRow warpgroup_row_of(const char* name, Kept kept) {
  return {name,           Tile::kType,        kept,          Tile::kTileM, Tile::kTileN, Tile::kTileK,
          Tile::kThreads, Tile::kSharedBytes, Tile::kCluster};
}

const KernelRow kKernels[] = {
#define STC_GEMM(ELEMENT, KEPT, M, N, K, WARP_M, WARP_N, STAGES, CTAS)             \
  row_of<GemmTile<Element::ELEMENT, Kept::KEPT, M, N, K, WARP_M, WARP_N, STAGES>>( \
      #ELEMENT "_" #KEPT "_" #M "x" #N "x" #K "_w" #WARP_M "x" #WARP_N "_s" #STAGES, Kept::KEPT),
#include "validation/kernels/gemm_table.h"
#undef STC_GEMM
#define STC_WGMMA_GEMM(ELEMENT, KEPT, M, N, K, CONSUMER_M, STAGES, CLUSTER)                \
  warpgroup_row_of<WarpgroupTile<Element::ELEMENT, Kept::KEPT, M, N, K, STAGES, CLUSTER>>( \
      #ELEMENT "_" #KEPT "_" #M "x" #N "x" #K "_wg" #CONSUMER_M "x" #N "_s" #STAGES "_c" #CLUSTER "x1", Kept::KEPT),
#include "validation/kernels/wgmma_table.h"
#undef STC_WGMMA_GEMM
};

struct Problem {
  int m, n, k, runs;
};
// One k-tile or two; a narrow last raster group and an odd number of tiles; the sizes that are timed.
const Problem kProblems[] = {{256, 256, 128, 0}, {768, 2816, 640, 0}, {4096, 4096, 4096, 20}, {8192, 8192, 8192, 20}};
constexpr int kCheckedRows = 1024;  ///< of large problems, the last rows only

class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t bytes) : bytes_(bytes) { check(cudaMalloc(&data_, bytes), "cudaMalloc"); }
  ~DeviceBuffer() { cudaFree(data_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  template <class T = void>
  T* as() const {
    return static_cast<T*>(data_);
  }
  void fill(int byte) { check(cudaMemset(data_, byte, bytes_), "cudaMemset"); }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

unsigned blocks(std::int64_t threads) { return static_cast<unsigned>((threads + 255) / 256); }

/// Shared by all kernels; sized for the largest problem and element.
struct Operands {
  static constexpr std::size_t kElements = std::size_t{8192} * 8192;
  DeviceBuffer image_a{kElements}, image_b{kElements}, a{kElements * 4}, b{kElements * 4}, e{kElements / 4};
  DeviceBuffer d{kElements * 4}, want{std::size_t{kCheckedRows} * 8192 * 4}, error{4};

  void make(const KernelRow& kernel, const Problem& p) {
    const std::int64_t count_a = std::int64_t{p.m} * p.k, count_b = std::int64_t{p.n} * p.k;
    const int group = kernel.kept == Kept::dense ? 0 : group_elements(kernel.type);
    make_image<<<blocks(count_a), 256>>>(image_a.as<std::int8_t>(), count_a, group, 1);
    make_image<<<blocks(count_b), 256>>>(image_b.as<std::int8_t>(), count_b, 0, 2);
    convert<<<blocks(count_b), 256>>>(kernel.type, image_b.as<std::int8_t>(), b.as(), count_b);
    if (group == 0) {
      convert<<<blocks(count_a), 256>>>(kernel.type, image_a.as<std::int8_t>(), a.as(), count_a);
    } else {
      compress<<<blocks(count_a), 256>>>(kernel.type, image_a.as<std::int8_t>(), a.as(), count_a / group);
      pack_metadata<<<blocks(count_a), 256>>>(kernel.type, image_a.as<std::int8_t>(), e.as<std::uint32_t>(), p.m, p.k);
    }
    d.fill(0xff);  // NaN or -1: an element that the kernel leaves out shows
    check(cudaDeviceSynchronize(), "making operands");
  }

  float largest_error_of(const KernelRow& kernel, const Problem& p) {
    const int rows = std::min(p.m, kCheckedRows), row0 = p.m - rows;
    reference<<<dim3(p.n / 64, rows / 64), 256>>>(image_a.as<int>(), image_b.as<int>(), want.as<int>(), row0, p.n, p.k);
    error.fill(0);
    const std::int64_t count = std::int64_t{rows} * p.n;
    largest_error<<<blocks(count), 256>>>(kernel.type, d.as<int>() + std::int64_t{row0} * p.n, want.as<int>(), count,
                                          error.as<unsigned>());
    float result = 0;
    check(cudaMemcpy(&result, error.as(), sizeof result, cudaMemcpyDeviceToHost), "comparing");
    return result;
  }
};

class CompiledKernel {
 public:
  CompiledKernel(const KernelRow& row, const std::string& cubin) : row_(row) {
    check(cudaLibraryLoadFromFile(&library_, cubin.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), cubin.c_str());
    check(cudaLibraryGetKernel(&kernel_, library_, row.name), row.name);
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(
        cudaKernelSetAttributeForDevice(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, row.shared_bytes, device),
        "shared memory");
  }
  ~CompiledKernel() { cudaLibraryUnload(library_); }
  CompiledKernel(const CompiledKernel&) = delete;
  CompiledKernel& operator=(const CompiledKernel&) = delete;

  /// Rows of `columns` elements, boxes of `box` of `rows` of them.
  CUtensorMap map_of(void* data, int rows, int columns, int box_rows, int box_columns) const {
    static const auto encode = [] {
      void* function = nullptr;
      cudaDriverEntryPointQueryResult found;
      check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found),
            "cuTensorMapEncodeTiled");
      return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
    }();
    const int bytes = element_bytes(row_.type);
    const CUtensorMapDataType type = row_.type == Element::f16    ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                                     : row_.type == Element::bf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                                                  : CU_TENSOR_MAP_DATA_TYPE_UINT8;
    const cuuint64_t sizes[] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)};
    const cuuint64_t strides[] = {sizes[0] * static_cast<cuuint64_t>(bytes)};
    const cuuint32_t box[] = {static_cast<cuuint32_t>(box_columns), static_cast<cuuint32_t>(box_rows)},
                     steps[] = {1, 1};
    CUtensorMap map;
    if (encode(&map, type, 2, data, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
               box_columns * bytes == 128 ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_64B,
               CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
      std::fprintf(stderr, "gemm_check: no tensor map for %s\n", row_.name);
      std::exit(2);
    }
    return map;
  }

  void launch_warpgroups(const Operands& o, Problem p) const {
    const int half = row_.kept == Kept::dense ? 1 : 2;
    CUtensorMap a = map_of(o.a.as(), p.m, p.k / half, row_.tile_m, row_.tile_k / half);
    CUtensorMap b = map_of(o.b.as(), p.n, p.k, row_.tile_n / row_.cluster, row_.tile_k);
    void *e = o.e.as(), *d = o.d.as();
    std::vector<void*> arguments{&a, &e, &b, &d, &p.m, &p.n, &p.k};
    if (row_.kept == Kept::dense) arguments.erase(arguments.begin() + 1);
    int sms = 0;
    check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), "device");
    const int rows = (p.m / row_.tile_m + row_.cluster - 1) / row_.cluster * row_.cluster;
    const int ctas = std::min(rows * (p.n / row_.tile_n), sms / row_.cluster * row_.cluster);
    check(cudaLaunchKernel(kernel_, dim3(static_cast<unsigned>(ctas)), dim3(row_.threads), arguments.data(),
                           row_.shared_bytes, nullptr),
          row_.name);
  }

  void launch(const Operands& o, Problem p) const {
    if (row_.cluster != 0) return launch_warpgroups(o, p);
    void *a = o.a.as(), *e = o.e.as(), *b = o.b.as(), *d = o.d.as();
    std::vector<void*> arguments{&a, &e, &b, &d, &p.m, &p.n, &p.k};
    if (row_.kept == Kept::dense) arguments.erase(arguments.begin() + 1);
    const dim3 grid(static_cast<unsigned>(p.m / row_.tile_m * (p.n / row_.tile_n)));
    check(cudaLaunchKernel(kernel_, grid, dim3(row_.threads), arguments.data(), row_.shared_bytes, nullptr), row_.name);
  }

  /// Median of `runs` launches in microseconds, 0 when there are none.
  float median_us(const Operands& o, const Problem& p) const {
    if (p.runs == 0) return 0;
    cudaEvent_t start, stop;
    check(cudaEventCreate(&start), "event");
    check(cudaEventCreate(&stop), "event");
    std::vector<float> times;
    for (int i = 0; i < p.runs; ++i) {
      float ms = 0;
      check(cudaEventRecord(start), "event");
      launch(o, p);
      check(cudaEventRecord(stop), "event");
      check(cudaEventSynchronize(stop), row_.name);
      check(cudaEventElapsedTime(&ms, start, stop), "event");
      times.push_back(ms * 1000);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    std::nth_element(times.begin(), times.begin() + p.runs / 2, times.end());
    return times[static_cast<std::size_t>(p.runs / 2)];
  }

 private:
  const KernelRow& row_;
  cudaLibrary_t library_ = nullptr;
  cudaKernel_t kernel_ = nullptr;
};

struct Gpu {
  int major = 0, sms = 0, clock_khz = 0;
  /// Dense-equivalent operations per second. A100: 1024 f16 multiply-adds per cycle and SM; H100 and H200: 2048
  /// (datasheets). mma.sync on sm_90 issues a dense m16n8k16 every 6 cycles per sub-core and a sparse m16n8k32 every 8.
  double peak(const KernelRow& k) const {
    const double f16 = major == 8 ? 1024 : 2048, scale = 2.0 / element_bytes(k.type) * (k.kept == Kept::dense ? 1 : 2);
    return 2 * f16 * scale * sms * clock_khz * 1e3;
  }
  double mma_sync(const KernelRow& k) const {
    return peak(k) * (major == 8 ? 1.0 : k.kept == Kept::dense ? 4.0 / 6 : 4.0 / 8);
  }
};

Gpu this_gpu() {
  Gpu gpu;
  check(cudaDeviceGetAttribute(&gpu.major, cudaDevAttrComputeCapabilityMajor, 0), "device");
  check(cudaDeviceGetAttribute(&gpu.sms, cudaDevAttrMultiProcessorCount, 0), "device");
  check(cudaDeviceGetAttribute(&gpu.clock_khz, cudaDevAttrClockRate, 0), "device");
  if (gpu.major != 8 && gpu.major != 9) {
    std::fprintf(stderr, "gemm_check: compute capability %d.x: there are cubins for 8.0 and 9.0 only\n", gpu.major);
    std::exit(2);
  }
  return gpu;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: gemm_check traces/kernels [PATTERN]\n");
    return 2;
  }
  const std::string folder = std::string(argv[1]), pattern = argc > 2 ? argv[2] : "";
  const Gpu gpu = this_gpu();
  Operands operands;
  int wrong = 0, checked = 0;
  std::printf("kernel,m,n,k,max_error,median_us,tflops,fraction_of_peak,fraction_of_mma_sync\n");
  for (const KernelRow& row : kKernels) {
    if (std::string(row.name).find(pattern) == std::string::npos) continue;
    if (row.cluster != 0 && gpu.major != 9) continue;
    const CompiledKernel kernel(row, folder + (gpu.major == 8 ? "/sm_80/" : "/sm_90/") + row.name + ".cubin");
    for (const Problem& p : kProblems) {
      operands.make(row, p);
      kernel.launch(operands, p);
      check(cudaDeviceSynchronize(), row.name);
      const float error = operands.largest_error_of(row, p);
      wrong += error != 0;
      ++checked;
      const double us = kernel.median_us(operands, p), rate = us == 0 ? 0 : 2.0 * p.m * p.n * p.k / us * 1e6;
      std::printf("%s,%d,%d,%d,%g,%.2f,%.1f,%.3f,%.3f\n", row.name, p.m, p.n, p.k, static_cast<double>(error), us,
                  rate * 1e-12, rate / gpu.peak(row), rate / gpu.mma_sync(row));
      std::fflush(stdout);
    }
  }
  std::fprintf(stderr, "gemm_check: %d results, %d wrong\n", checked, wrong);
  return checked == 0 || wrong != 0 ? 1 : 0;
}
