// SPDX-License-Identifier: Apache-2.0
// Kernels that Triton compiled: a cubin each, found by name and by the device's architecture in $FOREIGN_TRITON.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <fstream>
#include <string>
#include <type_traits>

#include "validation/foreign/foreign.h"

namespace foreign {

class TritonKernel {
 public:
  explicit TritonKernel(const std::string& name) {
    cudaDeviceProp device;
    FOREIGN_CUDA(cudaGetDeviceProperties(&device, 0));
    const char* folder = std::getenv("FOREIGN_TRITON");
    const std::string path = std::string(folder ? folder : ".") + (device.major >= 9 ? "/sm_90/" : "/sm_80/") + name;
    std::string symbol;
    if (!(std::ifstream(path + ".txt") >> symbol >> warps_ >> shared_bytes_)) {
      std::printf("%s.txt cannot be read\n", path.c_str());
      std::exit(3);
    }
    FOREIGN_CUDA(
        cudaLibraryLoadFromFile(&library_, (path + ".cubin").c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    FOREIGN_CUDA(cudaLibraryGetKernel(&kernel_, library_, symbol.c_str()));
    FOREIGN_CUDA(cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes_));
  }

  /// The kernel's own arguments; the two pointers to scratch memory that Triton adds are null.
  template <typename... Arguments>
  void operator()(dim3 grid, Arguments... arguments) {
    void* scratch = nullptr;
    void* list[] = {&arguments..., &scratch, &scratch};
    FOREIGN_CUDA(cudaLaunchKernel(reinterpret_cast<const void*>(kernel_), grid, dim3(32 * warps_), list, shared_bytes_,
                                  nullptr));
  }

 private:
  cudaLibrary_t library_;
  cudaKernel_t kernel_;
  int warps_ = 0, shared_bytes_ = 0;
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
