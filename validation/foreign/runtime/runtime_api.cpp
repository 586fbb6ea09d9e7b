// SPDX-License-Identifier: Apache-2.0
// The functions of CUDA's runtime that the foreign programs call: devices, functions, streams, events, errors.
// Everything is done in order before a call returns, so streams and events have nothing to do.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "sim/cudart/connection.h"
#include "validation/foreign/runtime/device.h"
#include "validation/foreign/runtime/last_error.h"
#include "validation/foreign/runtime/program.h"
#include "validation/foreign/runtime/stop.h"

namespace {

/// In the place of other functions of the driver.
void refuse_driver_function() {
  stc::foreign::stop(stc::foreign::kExitRefused, "uses a function of the driver that is not there");
}

}  // namespace

/// For sim/cudart/driver_tensor_map.cpp.
void stc::cuda::say_once(const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }

using namespace stc::foreign;  // the names below are the ABI's

extern "C" {

cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) { return *properties = device(), cudaSuccess; }
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  return *value = attribute_of(attribute), cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  if (limit == cudaLimitStackSize) Program::get().limits["stack_bytes"] = value;
  if (limit == cudaLimitMallocHeapSize) Program::get().limits["malloc_heap_bytes"] = value;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }

cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}
cudaError_t cudaPeekAtLastError() { return last_error; }
const char* cudaGetErrorName(cudaError_t error) { return error == cudaSuccess ? "cudaSuccess" : "cudaError"; }
const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorInvalidSymbol: return "invalid device symbol";
    default: return "another error";
  }
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  switch (attribute) {
    // A launch says how much shared memory it takes; which part of L1 that leaves is the simulator's affair.
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
    case cudaFuncAttributePreferredSharedMemoryCarveout: return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      Program::get().kernel(function).non_portable_cluster = value != 0;
      return cudaSuccess;
    default: stop(kExitUsage, "cudaFuncSetAttribute: attribute " + std::to_string(attribute) + " is not known here");
  }
}
cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  const KernelImage& kernel = Program::get().kernel(function).image();
  *attributes = {};
  attributes->numRegs = kernel.registers;
  attributes->sharedSizeBytes = kernel.shared_bytes;
  attributes->localSizeBytes = kernel.local_bytes;
  attributes->maxThreadsPerBlock = kernel.max_threads;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(device().sharedMemPerBlock - kernel.shared_bytes);
  attributes->binaryVersion = attributes->ptxVersion = sm_version();
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                   std::size_t shared_bytes, unsigned) {
  return *blocks = ctas_per_sm(Program::get().kernel(function).image(), threads, shared_bytes), cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          std::size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared_bytes, 0);
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file, cudaJitOption*, void**, unsigned,
                                    cudaLibraryOption*, void**, unsigned) {
  return *library = reinterpret_cast<cudaLibrary_t>(Program::get().add_library(file)), cudaSuccess;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  const void* key = Program::get().add_library_kernel(reinterpret_cast<Module*>(library), name);
  return *kernel = static_cast<cudaKernel_t>(const_cast<void*>(key)), cudaSuccess;
}

void cuTensorMapEncodeTiled();  // of sim/cudart/driver_tensor_map.cpp

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  const bool tiled = std::string(name) == "cuTensorMapEncodeTiled";
  *function = reinterpret_cast<void*>(tiled ? cuTensorMapEncodeTiled : refuse_driver_function);
  if (found != nullptr) *found = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return *stream = nullptr, cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return *stream = nullptr, cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus* status, unsigned long long*, cudaGraph_t*,
                                     const cudaGraphNode_t**, const cudaGraphEdgeData**, std::size_t*) {
  return *status = cudaStreamCaptureStatusNone, cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return *event = nullptr, cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return *event = nullptr, cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }

}  // extern "C"
