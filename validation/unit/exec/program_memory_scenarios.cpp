// SPDX-License-Identifier: Apache-2.0
// Allocations, copies, variables.
#include <cstring>
#include <numeric>

#include "validation/unit/exec/runtime.h"

namespace stc::exec_test {
namespace {

constexpr char kVariables[] = "functional/cubins/sm_80/sample_variables.cubin";

int copies() {
  std::vector<int> values(1000), back(1000);
  std::iota(values.begin(), values.end(), 7);
  const std::size_t bytes = values.size() * sizeof(int);
  int *const a = device<int>(1000), *const b = device<int>(1000);
  EXPECT(reinterpret_cast<std::uintptr_t>(a) % 512 == 0);
  EXPECT(cudaMemcpy(a, values.data(), bytes, kToDevice) == 0);
  EXPECT(cudaMemcpy(b, a, bytes, kDeviceToDevice) == 0);
  EXPECT(cudaMemcpy(back.data(), b, bytes, kByAddress) == 0);
  EXPECT(back == values);
  EXPECT(cudaMemset(b + 10, 0xff, 4) == 0);
  EXPECT(cudaMemcpy(back.data(), b + 9, 12, kToHost) == 0);
  EXPECT(back[0] == values[9] && back[1] == -1 && back[2] == values[11]);
  // Beyond the end, of a foreign pointer, in the wrong direction: nothing is done.
  EXPECT(cudaMemcpy(a + 1, values.data(), bytes, kToDevice) == 1);
  EXPECT(cudaMemcpy(back.data(), values.data(), bytes, kToDevice) == 1);
  EXPECT(cudaGetLastError() == 1 && cudaGetLastError() == 0);
  EXPECT(cudaMemcpy(a, values.data(), 4, 7) == 21 && cudaMemcpy(nullptr, values.data(), 4, kToDevice) == 1);
  EXPECT(cudaMemcpy(nullptr, values.data(), 0, kToDevice) == 0 && cudaMemset(nullptr, 0, 4) == 1);
  // From host to host neither pointer is looked at.
  EXPECT(cudaMemcpy(a, values.data() + 5, 4, kHostToHost) == 0);
  EXPECT(cudaMemcpy(back.data(), a, 4, kToHost) == 0 && back[0] == values[5]);
  EXPECT(cudaFree(a) == 0 && cudaFree(a) == 1 && cudaFree(nullptr) == 0);
  return wrong;
}

int pitched() {
  void* pointer = nullptr;
  std::size_t pitch = 0;
  EXPECT(cudaMallocPitch(&pointer, &pitch, 100, 3) == 0 && pitch == 512);
  std::vector<char> rows(300), back(300);
  std::iota(rows.begin(), rows.end(), char{1});
  EXPECT(cudaMemcpy2D(pointer, pitch, rows.data(), 100, 100, 3, kToDevice) == 0);
  EXPECT(cudaMemcpy2D(back.data(), 100, pointer, pitch, 100, 3, kToHost) == 0);
  EXPECT(back == rows);
  EXPECT(cudaMemcpy(back.data(), static_cast<char*>(pointer) + 512, 100, kToHost) == 0);
  EXPECT(std::memcmp(back.data(), rows.data() + 100, 100) == 0);
  EXPECT(cudaMemcpy2D(back.data(), 99, pointer, pitch, 100, 3, kToHost) == (STC_CUDART_MAJOR >= 13 ? 1 : 12));
  EXPECT(cudaMemcpy2D(back.data(), 99, pointer, pitch, 100, 0, kToHost) == 0);
  return wrong;
}

/// Host and device see the same bytes.
template <class Allocate>
void share(const Allocate& allocate) {
  void* pointer = nullptr;
  EXPECT(allocate(&pointer) == 0);
  auto* const words = static_cast<int*>(pointer);
  words[3] = 40;
  int first = 4;
  void* arguments[] = {&pointer, &first};
  EXPECT(cudaLaunchKernel(kernel(kMisbehave, "write_at"), {}, {8, 1, 1}, arguments, 0, nullptr) == 0);
  EXPECT(words[3] == 40 && words[4] == 1 && words[11] == 1 && words[12] == 0);
  int seen = 0;
  EXPECT(cudaMemcpy(&seen, words + 3, 4, kToHost) == 0 && seen == 40);
}

int shared_with_host() {
  share([](void** pointer) { return cudaMallocManaged(pointer, 256, 1); });
  share([](void** pointer) { return cudaMallocHost(pointer, 256); });
  void* pinned = nullptr;
  unsigned flags = 0;
  EXPECT(cudaMallocHost(&pinned, 64) == 0 && cudaHostGetFlags(&flags, pinned) == 0 && flags == 2);
  EXPECT(cudaFreeHost(pinned) == 0 && cudaHostGetFlags(&flags, pinned) == 1);
  EXPECT(cudaMallocHost(&pinned, 0) == 0 && cudaMallocManaged(&pinned, 0, 1) == 0);
  EXPECT(cudaMallocManaged(&pinned, 16, 77) == 1);
  return wrong;
}

/// What was written by hosts and kernels stays from launch to launch.
int variables() {
  void *library = nullptr, *found = nullptr, *place = nullptr;
  std::size_t bytes = 0;
  EXPECT(cudaLibraryLoadData(&library, cubin(kVariables).data(), nullptr, nullptr, 0, nullptr, nullptr, 0) == 0);
  EXPECT(cudaLibraryGetGlobal(&place, &bytes, library, "coefficients") == 0 && bytes == 64);
  const std::vector<float> coefficients(16, 2);
  EXPECT(cudaMemcpy(place, coefficients.data(), 64, kToDevice) == 0);
  EXPECT(cudaLibraryGetGlobal(&place, &bytes, library, "started") == 0 && bytes == 4);
  int started = 0;
  EXPECT(cudaMemcpy(&started, place, 4, kToHost) == 0 && started == 5);
  EXPECT(cudaLibraryGetGlobal(&place, &bytes, library, "nobody") == 13);
  float* const written = device<float>(64);
  void* of_first[] = {const_cast<float**>(&written)};
  EXPECT(cudaLibraryGetKernel(&found, library, "write_before_reading") == 0);
  EXPECT(cudaLaunchKernel(found, {}, {64, 1, 1}, of_first, 0, nullptr) == 0);
  double* const out = device<double>(64);
  void* of_second[] = {const_cast<double**>(&out)};
  EXPECT(cudaLibraryGetKernel(&found, library, "use_variables") == 0);
  EXPECT(cudaLaunchKernel(found, {}, {64, 1, 1}, of_second, 0, nullptr) == 0);
  std::vector<double> values(64);
  EXPECT(cudaMemcpy(values.data(), out, 512, kToHost) == 0);
  for (int t = 0; t < 64; ++t) EXPECT(values[static_cast<std::size_t>(t)] == 2 * (t % 4 + 1) + 2 * t + 5);
  EXPECT(cudaLibraryUnload(library) == 0);
  EXPECT(cudaLaunchKernel(found, {}, {64, 1, 1}, of_second, 0, nullptr) == 400);
  return wrong;
}

/// Variables that the host never asks for.
int unasked_variables() {
  float* const written = device<float>(64);
  void* arguments[] = {const_cast<float**>(&written)};
  EXPECT(cudaLaunchKernel(kernel(kVariables, "write_before_reading"), {}, {64, 1, 1}, arguments, 0, nullptr) == 0);
  return wrong;
}

/// Memory of the host's own: copies take it as before.
int registered_memory() {
  std::vector<int> values(64, 3);
  EXPECT(cudaHostRegister(values.data(), 256, 0) == 0 && cudaHostRegister(values.data(), 256, 0) == 712);
  std::uint64_t attributes[11] = {};
  EXPECT(cudaPointerGetAttributes(attributes, &values[63]) == 0 && static_cast<int>(attributes[0]) == 1);
  int* const a = device<int>(64);
  EXPECT(cudaMemcpy(a, values.data(), 256, kByAddress) == 0 && cudaMemset(a, 0, 4) == 0);
  EXPECT(cudaMemcpy(values.data(), a, 256, kToHost) == 0 && values[0] == 0 && values[1] == 3);
  void* pointer = nullptr;
  EXPECT(cudaHostGetDevicePointer(&pointer, values.data(), 0) == 801);
  EXPECT(cudaHostUnregister(values.data()) == 0 && cudaHostUnregister(values.data()) == 713);
  EXPECT(cudaPointerGetAttributes(attributes, values.data()) == 0 && static_cast<int>(attributes[0]) == 0);
  return wrong;
}

int too_much() {
  std::size_t left = 0, all = 0;
  EXPECT(cudaMemGetInfo(&left, &all) == 0 && left == all);
  void* pointer = nullptr;
  EXPECT(cudaMalloc(&pointer, all + 1) == 2);
  EXPECT(std::string(cudaGetErrorName(cudaGetLastError())) == "cudaErrorMemoryAllocation");
  std::size_t bytes = 0;
  EXPECT(cudaDeviceGetLimit(&bytes, 1) == 0 && bytes == 2 * 65536);  // printf's buffer, of two SMs
  EXPECT(cudaDeviceGetLimit(&bytes, 77) == 1);
  EXPECT(cudaMalloc(&pointer, 0) == 0 && cudaMalloc(&pointer, 4096) == 0);
  EXPECT(cudaMemGetInfo(&left, &all) == 0 && left == all - 4096);
  return wrong;
}

/// Of 2 GiB a few words are written, by the host and by the device.
int mostly_untouched() {
  constexpr std::size_t kWords = std::size_t{1} << 29;
  int* const words = device<int>(kWords);
  int first = static_cast<int>(kWords - 16), seen = 40;
  EXPECT(cudaMemcpy(words + first, &seen, 4, kToDevice) == 0);
  void* pointer = words;
  void* arguments[] = {&pointer, &first};
  EXPECT(cudaLaunchKernel(kernel(kMisbehave, "write_at"), {}, {8, 1, 1}, arguments, 0, nullptr) == 0);
  EXPECT(cudaMemcpy(&seen, words + first + 7, 4, kToHost) == 0 && seen == 1);
  EXPECT(cudaMemcpy(&seen, words + first + 8, 4, kToHost) == 0 && seen == 0);
  return wrong;
}

}  // namespace

const std::vector<NamedScenario> memory_scenarios = {{"copies", copies},
                                                     {"pitched", pitched},
                                                     {"shared_with_host", shared_with_host},
                                                     {"variables", variables},
                                                     {"unasked_variables", unasked_variables},
                                                     {"registered_memory", registered_memory},
                                                     {"mostly_untouched", mostly_untouched},
                                                     {"too_much", too_much}};

}  // namespace stc::exec_test
