// SPDX-License-Identifier: Apache-2.0
// cudaDeviceReset: the device is as new, what was there before is gone. Error codes are those that an H200 gave.
#include "validation/unit/exec/runtime.h"

extern "C" {
int cuDevicePrimaryCtxReset_v2(int);
int cudaDeviceSetLimit(int, std::size_t);
int cudaStreamBeginCapture(void*, int);
int cudaStreamEndCapture(void*, void**);
char __cudaInitModule(void**);
void __cudaRegisterManagedVar(void**, void**, char*, const char*, int, std::size_t, int, int);
}

namespace stc::exec_test {
namespace {

constexpr char kVariables[] = "functional/cubins/sm_80/sample_variables.cubin";

/// Variables that the program registered, as nvcc's code does; the second is a managed one.
char coefficients;
float* table;
void** module;

void register_variables() {
  struct {
    std::uint32_t magic = 0x466243b1, version = 1;
    const void *container, *others = nullptr;
  } static wrapper;
  static const std::vector<std::uint8_t> image = cubin(kVariables);
  wrapper.container = image.data();
  module = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterVar(module, &coefficients, nullptr, "coefficients", 0, 64, 1, 0);
  __cudaRegisterManagedVar(module, reinterpret_cast<void**>(&table), nullptr, "table", 0, 256, 0, 0);
  __cudaRegisterFatBinaryEnd(module);
}

int memory_is_gone() {
  int* const a = device<int>(1 << 20);
  void *pinned = nullptr, *managed = nullptr;
  int value = 0;
  EXPECT(cudaMallocHost(&pinned, 4096) == 0 && cudaMallocManaged(&managed, 4096, 1) == 0);
  EXPECT(cudaHostRegister(&value, 4, 0) == 0);
  EXPECT(cudaDeviceReset() == 0 && cudaDeviceReset() == 0);
  EXPECT(cudaMemcpy(&value, a, 4, kToHost) == 1 && cudaMemset(a, 0, 4) == 1 && cudaFree(a) == 1);
  EXPECT(cudaFree(managed) == 1 && cudaFreeHost(pinned) == 1 && cudaHostUnregister(&value) == 713);
  std::size_t left = 0, all = 0;
  EXPECT(cudaMemGetInfo(&left, &all) == 0 && left == all);
  // A kernel that follows an old pointer faults, which is the end.
  void *out = a, *other = nullptr;
  int first = 0;
  void* arguments[] = {&out, &first};
  EXPECT(cudaLaunchKernel(kernel(kMisbehave, "write_at"), {}, {4, 1, 1}, arguments, 0, nullptr) == 700);
  EXPECT(cudaMalloc(&other, 16) == 700 && cudaDeviceReset() == 0 && cudaMalloc(&other, 16) == 46);
  return wrong;
}

/// Variables, streams, limits; attributes of functions and managed variables stay.
int reset_starts_anew() {
  register_variables();
  std::vector<float> values(16, 4), back(16);
  EXPECT(cudaMemcpyToSymbol(&coefficients, values.data(), 64, 0, kToDevice) == 0);
  EXPECT(cudaMemcpyFromSymbol(back.data(), &coefficients, 64, 0, kToHost) == 0 && back == values);
  __cudaInitModule(module);
  EXPECT(table != nullptr);
  table[3] = 5;
  const void* const write_at = kernel(kMisbehave, "write_at");
  std::size_t bytes = 0;
  void *stream = nullptr, *event = nullptr, *captured = nullptr, *graph = nullptr;
  EXPECT(cudaFuncSetAttribute(write_at, 8, 100000) == 0 && cudaDeviceSetLimit(0, 8192) == 0);
  EXPECT(cudaStreamCreate(&stream) == 0 && cudaEventCreate(&event) == 0 && cudaEventRecord(event, nullptr) == 0);
  EXPECT(cudaStreamCreate(&captured) == 0 && cudaStreamBeginCapture(captured, 0) == 0);
  EXPECT(cudaMalloc(nullptr, 1) == 1 && cudaDeviceReset() == 0 && cudaGetLastError() == 1);
  EXPECT(cudaMemcpyFromSymbol(back.data(), &coefficients, 64, 0, kToHost) == 0 && back == std::vector<float>(16));
  EXPECT(table[3] == 5 && cudaMemcpyFromSymbol(back.data(), &table, 16, 0, kToHost) == 0 && back[3] == 5);
  EXPECT(cudaDeviceGetLimit(&bytes, 0) == 0 && bytes == 1024);
  EXPECT(cudaEventSynchronize(event) == 709 && cudaStreamSynchronize(stream) == 709);
  EXPECT(cudaStreamEndCapture(captured, &graph) == 709 && cudaStreamDestroy(stream) == 709);
  int* out = device<int>(64);
  int first = 0, seen[4] = {};
  void* arguments[] = {&out, &first};
  EXPECT(cudaLaunchKernel(write_at, {}, {4, 1, 1}, arguments, 100000, nullptr) == 0);
  EXPECT(cudaMemcpy(seen, out, 16, kToHost) == 0 && seen[3] == 1);
  EXPECT(cuDevicePrimaryCtxReset_v2(0) == 0 && cudaFree(out) == 1);
  return wrong;
}

}  // namespace

const std::vector<NamedScenario> reset_scenarios = {{"memory_is_gone", memory_is_gone},
                                                    {"reset_starts_anew", reset_starts_anew}};

}  // namespace stc::exec_test
