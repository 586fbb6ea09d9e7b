// SPDX-License-Identifier: Apache-2.0
// Kernels that Triton compiled: a cubin each, found by name and by the device's architecture in $FOREIGN_TRITON.
#pragma once

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <fstream>
#include <string>
#include <type_traits>

#include "validation/foreign/foreign.h"

namespace foreign {

/// What Triton's kernels are given for a tensor map: the map, and sizes and strides (elements) of the tensor.
struct TensorMapArgument {
  CUtensorMap map;
  int sizes[2];
  std::int64_t strides[2] = {0, 1};
};

class TritonKernel {
 public:
  explicit TritonKernel(const std::string& name) {
    cudaDeviceProp device;
    FOREIGN_CUDA(cudaGetDeviceProperties(&device, 0));
    const char* folder = std::getenv("FOREIGN_TRITON");
    const std::string path = std::string(folder ? folder : ".") + (device.major >= 9 ? "/sm_90/" : "/sm_80/") + name;
    std::string symbol;
    std::ifstream file(path + ".txt");
    if (!(file >> symbol >> warps_ >> shared_bytes_ >> scratch_bytes_)) {
      std::printf("%s.txt cannot be read\n", path.c_str());
      std::exit(3);
    }
    for (Box box; file >> box.rows >> box.columns >> box.swizzle;) boxes_.push_back(box);
    FOREIGN_CUDA(
        cudaLibraryLoadFromFile(&library_, (path + ".cubin").c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    FOREIGN_CUDA(cudaLibraryGetKernel(&kernel_, library_, symbol.c_str()));
    FOREIGN_CUDA(cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes_));
  }

  /// The kernel's own arguments, to which Triton adds two pointers to scratch memory: what its CTAs need, and none.
  template <typename... Arguments>
  void operator()(dim3 grid, Arguments... arguments) {
    void* none = nullptr;
    std::vector<void*> list;
    (add(list, arguments), ...);
    const Device<char> scratch(std::size_t{grid.x} * grid.y * grid.z * scratch_bytes_ + 128);
    void* own = scratch_bytes_ != 0 ? scratch.get() : nullptr;
    list.push_back(&own);
    list.push_back(&none);
    FOREIGN_CUDA(cudaLaunchKernel(reinterpret_cast<const void*>(kernel_), grid, dim3(32 * warps_), list.data(),
                                  shared_bytes_, nullptr));
    FOREIGN_CUDA(cudaDeviceSynchronize());  // before the scratch memory goes
  }

  /// The kernel's `box`-th tensor map, over row-major f16[rows][columns].
  TensorMapArgument map(int box, const void* data, int rows, int columns) const {
    const Box& of = boxes_.at(box);
    TensorMapArgument made;
    made.sizes[0] = rows, made.sizes[1] = columns, made.strides[0] = columns;
    const std::uint64_t sizes[] = {std::uint64_t(columns), std::uint64_t(rows)}, pitch[] = {2 * std::uint64_t(columns)};
    const std::uint32_t sides[] = {of.columns, of.rows}, steps[] = {1, 1};
    const auto swizzle = static_cast<CUtensorMapSwizzle>(of.swizzle);
    if (encoder()(&made.map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, const_cast<void*>(data), sizes, pitch, sides, steps,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
      std::printf("tensor map %d cannot be made\n", box);
      std::exit(3);
    }
    return made;
  }

 private:
  struct Box {
    std::uint32_t rows = 0, columns = 0;
    int swizzle = 0;
  };

  static decltype(&cuTensorMapEncodeTiled) encoder() {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result;
    FOREIGN_CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result));
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found);
  }

  template <typename Argument>
  static void add(std::vector<void*>& list, Argument& argument) {
    if constexpr (std::is_same_v<Argument, TensorMapArgument>) {
      for (void* part : {static_cast<void*>(&argument.map), static_cast<void*>(&argument.sizes[0]),
                         static_cast<void*>(&argument.sizes[1]), static_cast<void*>(&argument.strides[0]),
                         static_cast<void*>(&argument.strides[1])}) {
        list.push_back(part);
      }
    } else {
      list.push_back(&argument);
    }
  }

  cudaLibrary_t library_;
  cudaKernel_t kernel_;
  int warps_ = 0, shared_bytes_ = 0, scratch_bytes_ = 0;
  std::vector<Box> boxes_;
};

/// Values of a type and what they are as doubles.
template <typename T>
struct Tensor {
  std::vector<double> values;
  Device<T> device;

  explicit Tensor(const std::vector<float>& in) : values(in.begin(), in.end()), device(convert(in)) {
    for (std::size_t i = 0; i < in.size(); ++i) values[i] = static_cast<double>(static_cast<float>(T(in[i])));
  }
  T* get() const { return device.get(); }
  double operator[](std::size_t i) const { return values[i]; }

 private:
  static std::vector<T> convert(const std::vector<float>& in) {
    std::vector<T> out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = T(in[i]);
    return out;
  }
};

template <typename T>
std::vector<double> numbers(const std::vector<T>& values) {
  std::vector<double> out;
  for (const T v : values) out.push_back(static_cast<double>(static_cast<float>(v)));
  return out;
}

}  // namespace foreign
