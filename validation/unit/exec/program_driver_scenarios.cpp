// SPDX-License-Identifier: Apache-2.0
// The driver's interface, which shares memory, kernels and streams with the runtime's.
#include <dlfcn.h>

#include <cstring>
#include <thread>

#include "validation/unit/exec/runtime.h"

extern "C" {
int cuInit(unsigned);
int cuDeviceGet(int*, int);
int cuDeviceGetName(char*, int, int);
int cuDeviceGetAttribute(int*, int, int);
int cuCtxCreate_v2(void**, unsigned, int);
int cuCtxSynchronize();
int cuCtxGetDevice(int*);
int cuCtxGetCurrent(void**);
int cuCtxSetCurrent(void*);
int cuCtxPushCurrent_v2(void*);
int cuCtxPopCurrent_v2(void**);
int cuCtxDestroy_v2(void*);
int cuDevicePrimaryCtxRetain(void**, int);
int cuDevicePrimaryCtxRelease_v2(int);
int cuDevicePrimaryCtxGetState(int, unsigned*, int*);
int cuGetExportTable(const void**, const void*);
int cuModuleLoadData(void**, const void*);
int cuModuleLoad(void**, const char*);
int cuModuleGetFunction(void**, void*, const char*);
int cuModuleGetGlobal_v2(std::uint64_t*, std::size_t*, void*, const char*);
int cuModuleUnload(void*);
int cuFuncGetAttribute(int*, int, void*);
int cuFuncGetParamInfo(void*, std::size_t, std::size_t*, std::size_t*);
int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
int cuLaunchKernelEx(const void*, void*, void**, void**);
int cuCtxGetLimit(std::size_t*, int);
int cuCtxSetLimit(int, std::size_t);
int cuMemAllocPitch_v2(std::uint64_t*, std::size_t*, std::size_t, std::size_t, unsigned);
int cuMemcpy2D_v2(const void*);
int cuMemsetD2D32_v2(std::uint64_t, std::size_t, unsigned, std::size_t, std::size_t);
int cuPointerGetAttributes(unsigned, const int*, void**, std::uint64_t);
int cuMemAlloc_v2(std::uint64_t*, std::size_t);
int cuMemcpyDtoH_v2(void*, std::uint64_t, std::size_t);
int cuMemsetD32_v2(std::uint64_t, unsigned, std::size_t);
int cuMemGetAddressRange_v2(std::uint64_t*, std::size_t*, std::uint64_t);
int cuPointerGetAttribute(void*, int, std::uint64_t);
int cuStreamGetCtx(const void*, void**);
int cuCtxResetPersistingL2Cache();
int cuMemGetAllocationGranularity(std::size_t*, const int*, unsigned);
int cuGetErrorName(int, const char**);
int cuGetProcAddress_v2(const char*, void**, int, std::uint64_t, int*);
int cuTexRefCreate(void**);
}

namespace stc::exec_test {
namespace {

void* driver_function(const char* name) {
  void *context = nullptr, *module = nullptr, *function = nullptr;
  EXPECT(cuInit(0) == 0 && cuCtxCreate_v2(&context, 0, 0) == 0);
  EXPECT(cuModuleLoadData(&module, cubin(kMisbehave).data()) == 0);
  EXPECT(cuModuleGetFunction(&function, module, "nobody") == 500);
  EXPECT(cuModuleGetFunction(&function, module, name) == 0);
  return function;
}

/// Arguments by pointers, packed in a block, and in a launch with attributes.
int driver_launches() {
  void* const function = driver_function("write_at");
  std::uint64_t out = 0;
  EXPECT(cuMemAlloc_v2(&out, 256) == 0 && cuMemsetD32_v2(out, 7, 64) == 0);
  int first = 0;
  void* parameters[] = {&out, &first};
  EXPECT(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr) == 0);
  struct {
    std::uint64_t out;
    int first;
  } block{out, 8};
  std::size_t bytes = 12;
  void* extra[] = {reinterpret_cast<void*>(1), &block, reinterpret_cast<void*>(2), &bytes, nullptr};
  EXPECT(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, nullptr, extra) == 0);
  struct {
    unsigned grid[3] = {1, 1, 1}, block[3] = {4, 1, 1}, shared = 0;
    void* stream = nullptr;
    const void* attributes = nullptr;
    unsigned count = 0;
  } configuration;
  first = 16;
  EXPECT(cuLaunchKernelEx(&configuration, function, parameters, nullptr) == 0 && cuCtxSynchronize() == 0);
  int back[64];
  EXPECT(cuMemcpyDtoH_v2(back, out, 256) == 0);
  for (int i = 0; i < 64; ++i) EXPECT(back[i] == (i % 8 < 4 && i < 20 ? 1 : 7));
  EXPECT(cuLaunchKernel(function, 0, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr) == 1);
  EXPECT(cuLaunchKernel(&out, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr) == 400);
  return wrong;
}

int driver_questions() {
  void* const function = driver_function("read_at");
  int value = 0, device = -1;
  std::size_t offset = 0, bytes = 0;
  EXPECT(cuDeviceGet(&device, 0) == 0 && device == 0 && cuDeviceGet(&device, 1) == 101);
  EXPECT(cuDeviceGetAttribute(&value, 16, 0) == 0 && value == 2);
  char name[12];
  EXPECT(cuDeviceGetName(name, 12, 0) == 0 && std::strcmp(name, "NVIDIA A100") == 0);
  EXPECT(cuFuncGetAttribute(&value, 4, function) == 0 && value == 8);
  EXPECT(cuFuncGetParamInfo(function, 1, &offset, &bytes) == 0 && offset == 8 && bytes == 4);
  EXPECT(cuFuncGetParamInfo(function, 2, &offset, &bytes) == 0 && offset == 16 && bytes == 8);
  EXPECT(cuFuncGetParamInfo(function, 3, &offset, &bytes) == 1);
  std::uint64_t address = 0, first = 0;
  EXPECT(cuMemAlloc_v2(&address, 1000) == 0 && cuMemGetAddressRange_v2(&first, &bytes, address + 999) == 0);
  EXPECT(first == address && bytes == 1000 && cuMemGetAddressRange_v2(&first, &bytes, address + 1000) == 500);
  unsigned kind = 0;
  EXPECT(cuPointerGetAttribute(&kind, 2, address) == 0 && kind == 2 && cuPointerGetAttribute(&kind, 2, 4096) == 1);
  void *context = nullptr, *of_memory = nullptr, *of_stream = nullptr, *stream = nullptr;
  EXPECT(cuCtxGetCurrent(&context) == 0 && cuPointerGetAttribute(&of_memory, 1, address) == 0 && of_memory == context);
  EXPECT(cudaStreamCreate(&stream) == 0 && cuStreamGetCtx(stream, &of_stream) == 0 && of_stream == context);
  EXPECT(cuStreamGetCtx(&stream, &of_stream) == 400 && cuCtxResetPersistingL2Cache() == 0);
  const int pinned[] = {1, 0, 1, 0, 0, 0, 0, 0}, elsewhere[] = {1, 0, 1, 1, 0, 0, 0, 0};
  EXPECT(cuMemGetAllocationGranularity(&bytes, pinned, 0) == 0 && bytes == 2 << 20);
  EXPECT(cuMemGetAllocationGranularity(&bytes, elsewhere, 0) == 1);
  const char* text = nullptr;
  EXPECT(cuGetErrorName(700, &text) == 0 && std::strcmp(text, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
  return wrong;
}

/// What one interface makes the other can use.
int driver_and_runtime() {
  void *module = nullptr, *found = nullptr;
  EXPECT(cuInit(0) == 0);
  EXPECT(cuModuleLoad(&module, STC_SOURCE_FOLDER "/validation/functional/cubins/sm_80/sample_variables.cubin") == 0);
  EXPECT(cuModuleLoad(&found, "/no/such.cubin") == 301);
  std::uint64_t place = 0;
  std::size_t bytes = 0;
  EXPECT(cuModuleGetGlobal_v2(&place, &bytes, module, "table") == 0 && bytes == 256);
  std::vector<float> table(64, 3);
  EXPECT(cudaMemcpy(reinterpret_cast<void*>(place), table.data(), 256, kToDevice) == 0);
  float one = 0;
  EXPECT(cuMemcpyDtoH_v2(&one, place + 252, 4) == 0 && one == 3);
  EXPECT(cuModuleUnload(module) == 0 && cuModuleUnload(module) == 400);
  return wrong;
}

/// Rows of a pitched allocation, and what is asked of pointers, streams and contexts at once.
int driver_pitched() {
  driver_function("read_at");
  std::uint64_t address = 0;
  std::size_t pitch = 0;
  EXPECT(cuMemAllocPitch_v2(&address, &pitch, 100, 4, 4) == 0 && pitch == 512);
  EXPECT(cuMemsetD2D32_v2(address, 512, 9, 2, 4) == 0 && cuMemsetD2D32_v2(address, 510, 9, 2, 4) == 1);
  int rows[4][3] = {};
  struct Place {
    std::size_t x = 0, y = 0;
    unsigned kind = 1;
    void* host = nullptr;
    std::uint64_t device = 0;
    void* array = nullptr;
    std::size_t pitch = 0;
  };
  struct {
    Place from, to;
    std::size_t width = 8, height = 4;
  } copy;
  copy.from.kind = 2, copy.from.device = address, copy.from.pitch = 512;
  copy.to.host = rows, copy.to.pitch = 12, copy.to.x = 4;
  EXPECT(cuMemcpy2D_v2(&copy) == 0);
  for (const auto& row : rows) EXPECT(row[0] == 0 && row[1] == 9 && row[2] == 9);
  copy.to.pitch = 8;
  EXPECT(cuMemcpy2D_v2(&copy) == 1);
  const int attributes[] = {2, 3, 8};
  unsigned kind = 7, managed = 7;
  std::uint64_t same = 7;
  void* values[] = {&kind, &same, &managed};
  EXPECT(cuPointerGetAttributes(3, attributes, values, address) == 0 && kind == 2 && same == address && managed == 0);
  EXPECT(cuPointerGetAttributes(3, attributes, values, 4096) == 0 && kind == 0 && same == 0);
  EXPECT(cuCtxGetLimit(&pitch, 0) == 0 && pitch == 1024 && cuCtxGetLimit(&pitch, 77) == 1);
  EXPECT(cuCtxSetLimit(0, 4000) == 0 && cuCtxGetLimit(&pitch, 0) == 0 && pitch == 4000);
  return wrong;
}

int driver_lookups() {
  void* function = nullptr;
  int status = -1;
  EXPECT(cuGetProcAddress_v2("cuMemAlloc", &function, 12000, 0, &status) == 0 && status == 0);
  EXPECT(function == reinterpret_cast<void*>(&cuMemAlloc_v2));
  EXPECT(cuGetProcAddress_v2("cuNobody", &function, 12000, 0, &status) == 500 && status == 1 && function == nullptr);
  EXPECT(cuTexRefCreate(&function) == 801);
  return wrong;
}

/// As the runtime does that is linked into a program.
int asks_for_tables() {
  cuGetExportTable(nullptr, nullptr);
  return 0;  // never
}

/// As NVRTC does when it compiles.
int driver_tables() {
  constexpr unsigned char kId[] = {0xda, 0x91, 0x51, 0xd3, 0x3a, 0xe6, 0xcc, 0x41,
                                   0xa5, 0xc0, 0x4f, 0x26, 0xd5, 0x33, 0xe3, 0x28};
  const void* table = kId;
  EXPECT(cuInit(0) == 0 && cuGetExportTable(&table, kId) == 500 && table == nullptr);
  return wrong;
}

bool context_is(const void* expected) {
  void* found = &found;
  int device = -1;
  const bool works = cuCtxSynchronize() == 0 && cuCtxGetDevice(&device) == 0 && device == 0;
  return cuCtxGetCurrent(&found) == 0 && found == expected && works == (expected != nullptr);
}

/// The runtime makes the primary context current in each thread that uses it and has none.
int driver_contexts() {
  int count = 0, active = -1;
  unsigned flags = 0;
  EXPECT(cuInit(0) == 0 && cudaGetDeviceCount(&count) == 0 && context_is(nullptr));
  EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &active) == 0 && active == 0);
  EXPECT(cudaFree(nullptr) == 0);
  void *primary = nullptr, *own = nullptr;
  EXPECT(cuDevicePrimaryCtxRetain(&primary, 0) == 0 && primary != nullptr && context_is(primary));
  EXPECT(cuDevicePrimaryCtxRelease_v2(0) == 0 && context_is(primary));
  EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &active) == 0 && active == 1);
  std::thread([=] { EXPECT(context_is(nullptr) && cudaSetDevice(0) == 0 && context_is(primary)); }).join();
  std::thread([=] { EXPECT(device<int>(1) != nullptr && context_is(primary)); }).join();
  EXPECT(cuCtxCreate_v2(&own, 0, 0) == 0 && own != primary && context_is(own));
  EXPECT(cudaFree(nullptr) == 0 && context_is(own));
  EXPECT(cuCtxPushCurrent_v2(primary) == 0 && context_is(primary));
  EXPECT(cuCtxPopCurrent_v2(&primary) == 0 && context_is(own) && cuCtxDestroy_v2(own) == 0 && context_is(primary));
  EXPECT(cudaDeviceReset() == 0 && context_is(nullptr) && cuCtxPopCurrent_v2(&own) == 201);
  EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &active) == 0 && active == 0 && cuDevicePrimaryCtxRelease_v2(0) == 201);
  EXPECT(cuDevicePrimaryCtxRetain(&primary, 0) == 0 && cuCtxSetCurrent(primary) == 0 && context_is(primary));
  EXPECT(cuCtxSetCurrent(nullptr) == 0 && context_is(nullptr));
  return wrong;
}

}  // namespace

const std::vector<NamedScenario> driver_scenarios = {
    {"driver_launches", driver_launches},       {"driver_questions", driver_questions},
    {"driver_and_runtime", driver_and_runtime}, {"driver_pitched", driver_pitched},
    {"driver_lookups", driver_lookups},         {"asks_for_tables", asks_for_tables},
    {"driver_tables", driver_tables},           {"driver_contexts", driver_contexts}};

}  // namespace stc::exec_test
