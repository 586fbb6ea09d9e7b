// SPDX-License-Identifier: Apache-2.0
// The calls of CUDA's runtime that the test program makes, declared here so that it needs no toolkit; and what its
// scenarios share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

extern "C" {
struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
};
int cudaMalloc(void**, std::size_t);
int cudaMallocManaged(void**, std::size_t, unsigned);
int cudaMallocHost(void**, std::size_t);
int cudaFree(void*);
int cudaFreeHost(void*);
int cudaHostGetFlags(unsigned*, void*);
int cudaHostRegister(void*, std::size_t, unsigned);
int cudaHostUnregister(void*);
int cudaHostGetDevicePointer(void**, void*, unsigned);
int cudaDeviceGetLimit(std::size_t*, int);
int cudaDeviceGetStreamPriorityRange(int*, int*);
int cudaMallocPitch(void**, std::size_t*, std::size_t, std::size_t);
int cudaMemcpy(void*, const void*, std::size_t, int);
int cudaMemcpy2D(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t, int);
int cudaMemset(void*, int, std::size_t);
int cudaMemGetInfo(std::size_t*, std::size_t*);
int cudaMemcpyToSymbol(const void*, const void*, std::size_t, std::size_t, int);
int cudaMemcpyFromSymbol(void*, const void*, std::size_t, std::size_t, int);
int cudaGetDeviceCount(int*);
int cudaGetDevice(int*);
int cudaDeviceReset();
int cudaPointerGetAttributes(void*, const void*);
int cudaSetDevice(int);
int cudaDeviceSynchronize();
int cudaDeviceGetAttribute(int*, int, int);
int cudaGetLastError();
int cudaPeekAtLastError();
const char* cudaGetErrorName(int);
int cudaFuncSetAttribute(const void*, int, int);
int cudaFuncGetAttributes(void*, const void*);
int cudaLaunchKernel(const void*, Dim3, Dim3, void**, std::size_t, void*);
int cudaLaunchCooperativeKernel(const void*, Dim3, Dim3, void**, std::size_t, void*);
int cudaLibraryLoadData(void**, const void*, void*, void*, unsigned, void*, void*, unsigned);
int cudaLibraryGetKernel(void**, void*, const char*);
int cudaLibraryGetGlobal(void**, std::size_t*, void*, const char*);
int cudaLibraryUnload(void*);
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int*, const void*, int, std::size_t, unsigned);
int cudaStreamCreate(void**);
int cudaStreamDestroy(void*);
int cudaStreamSynchronize(void*);
int cudaEventCreate(void**);
int cudaEventRecord(void*, void*);
int cudaEventSynchronize(void*);
int cudaEventElapsedTime(float*, void*, void*);
int cudaCreateTextureObject(void*, const void*, const void*, const void*);
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*);
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int);
}

namespace stc::exec_test {

constexpr int kHostToHost = 0, kToDevice = 1, kToHost = 2, kDeviceToDevice = 3, kByAddress = 4;
constexpr int kBadConfiguration = STC_CUDART_MAJOR >= 13 ? 1 : 9;
constexpr int kNoFunction = 400;

/// Counts what was not as it ought to be; a scenario's exit code says whether something was.
inline int wrong = 0;
#define EXPECT(condition)                                                 \
  do {                                                                    \
    if (!(condition)) {                                                   \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++stc::exec_test::wrong;                                            \
    }                                                                     \
  } while (false)

/// The bytes of a committed cubin: "functional/cubins/sm_80/sample_grid.cubin".
std::vector<std::uint8_t> cubin(const std::string& name);
/// Kernel of a cubin, loaded as a library.
const void* kernel(const std::string& file, const char* name);
constexpr char kMisbehave[] = "unit/sim/data/misbehave.cubin";

template <class T>
T* device(std::size_t count) {
  void* pointer = nullptr;
  EXPECT(cudaMalloc(&pointer, count * sizeof(T)) == 0);
  return static_cast<T*>(pointer);
}

using Scenario = int (*)();
struct NamedScenario {
  const char* name;
  Scenario run;  ///< its exit code
};
extern const std::vector<NamedScenario> memory_scenarios, launch_scenarios, process_scenarios, driver_scenarios,
    graph_scenarios, node_scenarios, reset_scenarios, tensor_scenarios;

}  // namespace stc::exec_test
