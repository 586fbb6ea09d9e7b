// SPDX-License-Identifier: Apache-2.0
// Checks or runs the compiled convolution kernels on a GPU: small-integer operands, exact comparison.
//
//   nvcc -std=c++17 -O3 -arch=native -I. validation/kernels/convolution_check.cu -o convolution_check
//   ./convolution_check traces/kernels LAYERS check [PATTERN]     CSV of largest errors; exit code 1 if any is not 0
//   ./convolution_check traces/kernels LAYERS launch [PATTERN]    launches each point three times, for ncu to count
//
// LAYERS has a layer per line, as numbers: n h w c k r s stride pad. A kernel is left out where k is no multiple of its
// tile. PATTERN selects kernels whose name contains it.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "validation/kernels/convolution_reference.cuh"

namespace {

using namespace stc::kernels;

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "convolution_check: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

struct KernelRow {
  const char* name;
  Element type;
  Kept kept;
  int tile_m, tile_n, tile_k, warp_m, threads, shared_bytes;
};

template <class Tile>
constexpr KernelRow row_of(const char* name, Kept kept) {
  return {name,         Tile::kType,  kept,           Tile::kTileM,      Tile::kTileN,
          Tile::kTileK, Tile::kWarpM, Tile::kThreads, Tile::kSharedBytes};
}

const KernelRow kKernels[] = {
#define STC_CONVOLUTION(ELEMENT, KEPT, M, N, K, WARP_M, WARP_N, STAGES, CTAS)      \
  row_of<GemmTile<Element::ELEMENT, Kept::KEPT, M, N, K, WARP_M, WARP_N, STAGES>>( \
      "conv_" #ELEMENT "_" #KEPT "_" #M "x" #N "x" #K "_w" #WARP_M "x" #WARP_N "_s" #STAGES, Kept::KEPT),
#include "validation/kernels/convolution_table.h"
#undef STC_CONVOLUTION
};

struct Layer {
  int n, h, w, c, k, r, s, stride, pad;
};

class DeviceBuffer {
 public:
  ~DeviceBuffer() { cudaFree(data_); }
  template <class T = void>
  T* of(std::int64_t bytes) {
    if (bytes > bytes_) {
      cudaFree(data_);
      check(cudaMalloc(&data_, bytes), "cudaMalloc");
      bytes_ = bytes;
    }
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

unsigned blocks(std::int64_t threads) { return static_cast<unsigned>((threads + 255) / 256); }

/// Operands of one layer. The weights have the 2:4 pattern for dense kernels too, so that one reference serves all.
class Operands {
 public:
  explicit Operands(const Layer& layer) : layer_(layer) {
    count_x_ = std::int64_t{layer.n} * layer.h * layer.w * layer.c;
    pitch_ = (layer.r * layer.s * layer.c + 127) / 128 * 128;
    make_image<<<blocks(count_x_), 256>>>(image_x_.of<std::int8_t>(count_x_), count_x_, 0, 2);
    const std::int64_t count_w = std::int64_t{layer.k} * pitch_;
    make_image<<<blocks(count_w / 4), 256>>>(image_w_.of<std::int8_t>(count_w), count_w, 4, 1);
  }

  void make_sums() {
    const ConvolutionShape shape = shape_for(64);
    const std::int64_t outputs = std::int64_t{shape.pixels} * layer_.k;
    convolution_reference<<<blocks(outputs), 256>>>(image_w_.of<std::int8_t>(0), pitch_, image_x_.of<std::int8_t>(0),
                                                    shape, sums_.of<int>(outputs * 4));
  }

  ConvolutionShape shape_for(int tile_k) const {
    return convolution_shape(layer_.n, layer_.h, layer_.w, layer_.c, layer_.k, layer_.r, layer_.s, layer_.stride,
                             layer_.pad, tile_k);
  }

  /// The buffers in the form of one kernel.
  void make(const KernelRow& kernel) {
    const ConvolutionShape shape = shape_for(kernel.tile_k);
    const int length = shape.tiles_k * kernel.tile_k, element = element_bytes(kernel.type);
    const std::int64_t count = std::int64_t{layer_.k} * length;
    std::int8_t* rows = rows_.of<std::int8_t>(count);
    order_rows<<<blocks(count), 256>>>(image_w_.of<std::int8_t>(0), pitch_, length, kernel.warp_m, rows, count);
    if (kernel.kept == Kept::dense) {
      convert<<<blocks(count), 256>>>(kernel.type, rows, a.of(count * element), count);
    } else {
      compress<<<blocks(count / 4), 256>>>(kernel.type, rows, a.of(count * element), count / 4);
      pack_metadata<<<blocks(count), 256>>>(kernel.type, rows, e.of<std::uint32_t>(count), layer_.k, length);
    }
    convert<<<blocks(count_x_), 256>>>(kernel.type, image_x_.of<std::int8_t>(0), x.of(count_x_ * element), count_x_);
    const std::int64_t outputs = std::int64_t{shape.pixels} * layer_.k * element;
    // One pixel more, which no kernel may touch; 0x7f7f is a large f16 that no sum reaches.
    check(cudaMemset(d.of(outputs + layer_.k * element), 0x7f, outputs + layer_.k * element), "cudaMemset");
  }

  unsigned wrong(const KernelRow& kernel, float scale) {
    const std::int64_t outputs = std::int64_t{shape_for(kernel.tile_k).pixels} * layer_.k;
    unsigned* count = count_.of<unsigned>(4);
    check(cudaMemset(count, 0, 4), "cudaMemset");
    count_wrong<<<blocks(outputs + layer_.k), 256>>>(kernel.type, d.of(0), sums_.of<int>(0), outputs,
                                                     outputs + layer_.k, scale, count);
    unsigned result = 0;
    check(cudaMemcpy(&result, count, 4, cudaMemcpyDeviceToHost), kernel.name);
    return result;
  }

  DeviceBuffer a, e, x, d;

 private:
  Layer layer_;
  std::int64_t count_x_ = 0;
  int pitch_ = 0;  ///< of a row of the weights' image
  DeviceBuffer image_x_, image_w_, rows_, sums_, count_;
};

class CompiledKernel {
 public:
  CompiledKernel(const KernelRow& row, const std::string& cubin) : row_(row) {
    check(cudaLibraryLoadFromFile(&library_, cubin.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), cubin.c_str());
    check(cudaLibraryGetKernel(&kernel_, library_, row.name), row.name);
    check(cudaKernelSetAttributeForDevice(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, row.shared_bytes, 0),
          "shared memory");
  }
  CompiledKernel(const CompiledKernel&) = delete;
  CompiledKernel& operator=(const CompiledKernel&) = delete;
  ~CompiledKernel() { cudaLibraryUnload(library_); }

  void launch(Operands& o, float scale) const {
    ConvolutionShape shape = o.shape_for(row_.tile_k);
    void *a = o.a.of(0), *e = o.e.of(0), *x = o.x.of(0), *d = o.d.of(0);
    std::vector<void*> arguments{&a, &e, &x, &d};
    if (row_.kept == Kept::dense) arguments.erase(arguments.begin() + 1);
    static_assert(sizeof shape == 19 * 4, "the scalars of the kernel, in order");
    for (int i = 0; i < 19; ++i) arguments.push_back(reinterpret_cast<int*>(&shape) + i);
    arguments.push_back(&scale);
    const int tiles_n = (shape.pixels + row_.tile_n - 1) / row_.tile_n;
    const dim3 grid(static_cast<unsigned>(shape.k / row_.tile_m * tiles_n));
    check(cudaLaunchKernel(kernel_, grid, dim3(row_.threads), arguments.data(), row_.shared_bytes, nullptr), row_.name);
  }

 private:
  const KernelRow& row_;
  cudaLibrary_t library_ = nullptr;
  cudaKernel_t kernel_ = nullptr;
};

std::vector<Layer> read_layers(const char* file) {
  std::ifstream in(file);
  std::vector<Layer> layers;
  Layer l;
  while (in >> l.n >> l.h >> l.w >> l.c >> l.k >> l.r >> l.s >> l.stride >> l.pad) layers.push_back(l);
  return layers;
}

std::string folder_of_this_gpu(const std::string& library) {
  int major = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "device");
  return library + (major == 8 ? "/sm_80/" : "/sm_90/");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 3 ? argv[3] : "", pattern = argc > 4 ? argv[4] : "";
  if (mode != "check" && mode != "launch") {
    std::fprintf(stderr, "usage: convolution_check traces/kernels LAYERS check|launch [PATTERN]\n");
    return 2;
  }
  const std::string folder = folder_of_this_gpu(argv[1]);
  int checked = 0, wrong = 0;
  std::printf("kernel,n,h,w,c,k,r,s,stride,pad,wrong\n");
  for (const Layer& l : read_layers(argv[2])) {
    Operands operands(l);
    if (mode == "check") operands.make_sums();
    for (const KernelRow& row : kKernels) {
      if (std::string(row.name).find(pattern) == std::string::npos || l.k % row.tile_m != 0) continue;
      if (l.c * element_bytes(row.type) % kChunk != 0) continue;
      const CompiledKernel kernel(row, folder + row.name + ".cubin");
      const float scale = row.type == Element::s8 ? 0.25f : 1.0f;
      operands.make(row);
      for (int i = 0; i < (mode == "check" ? 1 : 3); ++i) kernel.launch(operands, scale);
      check(cudaDeviceSynchronize(), row.name);
      const unsigned count = mode == "check" ? operands.wrong(row, scale) : 0;
      wrong += count != 0;
      ++checked;
      std::printf("%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%u\n", row.name, l.n, l.h, l.w, l.c, l.k, l.r, l.s, l.stride, l.pad,
                  count);
      std::fflush(stdout);
    }
  }
  std::fprintf(stderr, "convolution_check: %d results, %d wrong\n", checked, wrong);
  return checked == 0 || wrong != 0 ? 1 : 0;
}
