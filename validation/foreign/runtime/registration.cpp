// SPDX-License-Identifier: Apache-2.0
// The calls that nvcc puts into programs: registration of images, kernels and variables before main, and launches.
#include <cuda_runtime_api.h>

#include <vector>

#include "validation/foreign/runtime/last_error.h"
#include "validation/foreign/runtime/launch.h"

namespace stc::foreign {
namespace {

struct Wrapper {
  int magic, version;
  const void* container;
  const void* list;
};

struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared_bytes;
  void* stream;
};

std::vector<CallConfiguration>& configurations() {
  static auto* stack = new std::vector<CallConfiguration>;
  return *stack;
}

}  // namespace
}  // namespace stc::foreign

using namespace stc::foreign;  // the names below are the ABI's

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(Program::get().add_module(static_cast<Wrapper*>(wrapper)->container));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
/// Called before the host first uses a managed variable.
char __cudaInitModule(void** module) {
  Program::get().place_managed(reinterpret_cast<Module*>(module));
  return 1;
}

void __cudaRegisterFunction(void** module, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  Program::get().add_kernel(host, reinterpret_cast<Module*>(module), name);
}

void __cudaRegisterVar(void** module, char* host, char*, const char* name, int, std::size_t bytes, int constant, int) {
  Variable variable{reinterpret_cast<Module*>(module), name, bytes, constant != 0, {}, nullptr};
  Program::get().add_variable(host, variable);
}

void __cudaRegisterManagedVar(void** module, void** host, char*, const char* name, int, std::size_t bytes, int, int) {
  Program::get().add_variable(host, {reinterpret_cast<Module*>(module), name, bytes, false, {}, host});
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, void* stream) {
  configurations().push_back({grid, block, shared_bytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes, void* stream) {
  const CallConfiguration top = configurations().back();
  configurations().pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<void**>(stream) = top.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(host));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                               cudaStream_t) {
  return remember(launch({kernel, grid, block, arguments, shared_bytes}));
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                             cudaStream_t) {
  return remember(launch({function, grid, block, arguments, shared_bytes}));
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t) {
  return remember(launch({function, grid, block, arguments, shared_bytes, true}));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  LaunchRequest request{function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes};
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) request.cooperative = attribute.val.cooperative != 0;
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      request.cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z};
    }
  }
  return remember(launch(request));
}

}  // extern "C"
