// SPDX-License-Identifier: Apache-2.0
// Registration, launches, what is asked of kernels, faults.
#include <cstring>

#include "validation/unit/exec/containers.h"
#include "validation/unit/exec/runtime.h"

extern "C" {
int cudaStreamGetId(void*, unsigned long long*);
int cudaCtxResetPersistingL2Cache();
}

namespace stc::exec_test {
namespace {

struct Wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* container = nullptr;
  const void* others = nullptr;
};

/// As nvcc's constructors do it, with an image packed in each way.
int registered() {
  int marks[3] = {};
  const Packing packings[] = {Packing::kNone, Packing::kLz4, Packing::kZstd};
  int* const out = device<int>(64);
  for (int i = 0; i < 3; ++i) {
    static std::vector<std::vector<std::uint8_t>> kept;
    kept.push_back(container({{2, 80, packings[i], cubin(kMisbehave)}, {1, 90, Packing::kNone, {'p', 't', 'x', 0}}}));
    Wrapper wrapper;
    wrapper.container = kept.back().data();
    void** const module = __cudaRegisterFatBinary(&wrapper);
    char name[] = "write_at";
    const char* const key = reinterpret_cast<const char*>(&marks[i]);
    __cudaRegisterFunction(module, key, name, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    __cudaRegisterFatBinaryEnd(module);
    int first = 10 * i;
    void* arguments[] = {const_cast<int**>(&out), &first};
    EXPECT(cudaLaunchKernel(key, {}, {3, 1, 1}, arguments, 0, nullptr) == 0);
  }
  std::vector<int> back(64);
  EXPECT(cudaMemcpy(back.data(), out, 256, kToHost) == 0);
  for (int i = 0; i < 64; ++i) EXPECT(back[static_cast<std::size_t>(i)] == (i < 30 && i % 10 < 3 ? 1 : 0));
  return wrong;
}

int launch_registered(const std::vector<std::uint8_t>& image) {
  static int mark = 0;
  Wrapper wrapper;
  wrapper.container = image.data();
  char name[] = "write_at";
  void** const module = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(module, reinterpret_cast<const char*>(&mark), name, name, -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
  return cudaLaunchKernel(&mark, {}, {}, nullptr, 0, nullptr);
}

int ptx_alone() {
  EXPECT(launch_registered(container({{1, 75, Packing::kNone, {'p', 't', 'x', 0}}, {2, 90, Packing::kNone, {1}}})) ==
         209);
  return wrong;
}

int damaged() {
  std::vector<std::uint8_t> image = container({{2, 80, Packing::kZstd, cubin(kMisbehave)}});
  image[80] ^= 0x55;  // the first byte behind the headers
  EXPECT(launch_registered(image) == 200);
  return wrong;
}

int questions() {
  const void* const use_shared = kernel(kMisbehave, "use_shared");
  struct {
    std::size_t shared, constant, local;
    int max_threads, registers, ptx, binary, cache, dynamic, rest[29];
  } facts;
  static_assert(sizeof facts >= 144);
  EXPECT(cudaFuncGetAttributes(&facts, use_shared) == 0);
  EXPECT(facts.shared == 4096 && facts.registers == 9 && facts.max_threads == 1024);
  EXPECT(facts.ptx == 80 && facts.binary == 80 && facts.dynamic == 49152 - 4096);
  int ctas = 0;
  EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&ctas, use_shared, 1024, 0, 0) == 0 && ctas == 2);
  EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&ctas, use_shared, 32, 49152, 0) == 0 && ctas == 0);
  EXPECT(cudaFuncSetAttribute(use_shared, 8, 100000) == 0);
  EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&ctas, use_shared, 32, 49152, 0) == 0 && ctas == 3);
  EXPECT(cudaFuncSetAttribute(use_shared, 8, 166912 - 4095) == 1);
  void *stream = nullptr, *other = nullptr;
  unsigned long long number = 0, others = 0, defaults = 0;
  EXPECT(cudaStreamCreate(&stream) == 0 && cudaStreamCreate(&other) == 0 && cudaStreamGetId(stream, &number) == 0);
  EXPECT(cudaStreamGetId(other, &others) == 0 && cudaStreamGetId(nullptr, &defaults) == 0 && number != others);
  EXPECT(defaults != number && defaults != others && cudaStreamGetId(&stream, &number) == kNoFunction);
  EXPECT(cudaCtxResetPersistingL2Cache() == 0);
  int sms = 0;
  EXPECT(cudaDeviceGetAttribute(&sms, 16, 0) == 0 && sms == 2);
  EXPECT(cudaFuncGetAttributes(&facts, &wrong) == kNoFunction && cudaFuncSetAttribute(&wrong, 8, 1) == kNoFunction);
  EXPECT(cudaFuncSetAttribute(use_shared, 99, 1) == 1 && cudaFuncSetAttribute(use_shared, 8, -1) == 1);
  EXPECT(cudaDeviceGetAttribute(&sms, 16, 1) == 101 && cudaDeviceGetAttribute(&sms, 9999, 0) == 1);
  return wrong;
}

/// A launch that is refused is told of once more by the next call that waits, unless somebody has asked.
int not_modelled() {
  int* out = device<int>(1024);
  void* arguments[] = {&out};
  const auto launch = [&] {
    return cudaLaunchKernel(kernel(kMisbehave, "asks_for_grid_id"), {1, 1, 1}, {32, 1, 1}, arguments, 0, nullptr);
  };
  EXPECT(launch() == 801 && cudaGetLastError() == 801 && cudaDeviceSynchronize() == 0);
  EXPECT(launch() == 801 && cudaDeviceSynchronize() == 801 && cudaDeviceSynchronize() == 0);
  EXPECT(launch() == 801 && cudaStreamSynchronize(nullptr) == 801 && cudaStreamSynchronize(nullptr) == 0);
  void* event = nullptr;
  EXPECT(cudaEventCreate(&event) == 0 && cudaEventRecord(event, nullptr) == 0);
  EXPECT(launch() == 801 && cudaEventSynchronize(event) == 801 && cudaEventSynchronize(event) == 0);
  int value = 0;
  EXPECT(launch() == 801 && cudaMemcpy(&value, out, sizeof value, 2) == 801);
  EXPECT(cudaMemcpy(&value, out, sizeof value, 2) == 0 && cudaGetLastError() == 801 && cudaGetLastError() == 0);
  return wrong;
}

int refused_launches() {
  int* out = device<int>(1024);
  void* arguments[] = {&out};
  const void* const use_shared = kernel(kMisbehave, "use_shared");
  const auto launch = [&](Dim3 grid, Dim3 block, std::size_t shared) {
    return cudaLaunchKernel(use_shared, grid, block, arguments, shared, nullptr);
  };
  for (const Dim3 grid : {Dim3{0, 1, 1}, {1, 65536, 1}, {1, 1, 65536}, {0x80000000U, 1, 1}}) {
    EXPECT(launch(grid, {32, 1, 1}, 0) == kBadConfiguration);
  }
  for (const Dim3 block : {Dim3{0, 1, 1}, {1025, 1, 1}, {1, 1, 65}}) {
    EXPECT(launch({1, 1, 1}, block, 0) == kBadConfiguration);
  }
  EXPECT(launch({1, 1, 1}, {32, 1, 1}, 49152) == 1);
  EXPECT(cudaFuncSetAttribute(use_shared, 8, 49152) == 0 && launch({1, 1, 1}, {32, 1, 1}, 49152) == 0);
  EXPECT(cudaLaunchCooperativeKernel(use_shared, {5, 1, 1}, {1024, 1, 1}, arguments, 0, nullptr) == 720);
  EXPECT(cudaLaunchKernel(&wrong, {}, {}, arguments, 0, nullptr) == kNoFunction);
  EXPECT(cudaGetLastError() == kNoFunction && cudaGetLastError() == 0 && cudaDeviceSynchronize() == 0);
  return wrong;
}

/// After a fault every call returns it that needs the GPU; asked for, it is forgotten until the next one.
int fault(const char* name, int offset, int expected) {
  const char* in = device<char>(64);
  int* out = device<int>(64);
  void* arguments[] = {&in, &offset, &out};
  EXPECT(cudaLaunchKernel(kernel(kMisbehave, name), {}, {64, 1, 1}, arguments, 0, nullptr) == expected);
  EXPECT(cudaDeviceSynchronize() == expected && cudaGetLastError() == expected && cudaGetLastError() == 0);
  void* pointer = nullptr;
  EXPECT(cudaMalloc(&pointer, 4) == expected && cudaFree(out) == expected && cudaPeekAtLastError() == expected);
  EXPECT(cudaGetLastError() == expected);
  int value = 0;
  EXPECT(cudaMemcpy(out, out, 0, kDeviceToDevice) == 0 && cudaGetDeviceCount(&value) == 0 && value == 1);
  EXPECT(cudaGetDevice(&value) == 0 && value == 0 && cudaSetDevice(0) == 0 &&
         cudaDeviceGetAttribute(&value, 10, 0) == 0);
  std::uint64_t attributes[11] = {};
  EXPECT(cudaMemset(out, 0, 0) == 0 && cudaMalloc(&pointer, 0) == 0 && cudaMalloc(nullptr, 4) == 1);
  EXPECT(cudaPointerGetAttributes(attributes, out) == 0 && cudaGetLastError() == 1);
  EXPECT(cudaFree(nullptr) == expected && cudaDeviceSynchronize() == expected && cudaGetLastError() == expected);
  EXPECT(cudaDeviceReset() == 0 && cudaMalloc(&pointer, 4) == 46 && cudaDeviceSynchronize() == 46);
  return wrong;
}
int out_of_bounds() { return fault("read_at", 64, 700); }
int misaligned() { return fault("read_at", 3, 716); }

int waits_for_ever() {
  int* out = device<int>(64);
  void* arguments[] = {&out};
  EXPECT(cudaLaunchKernel(kernel(kMisbehave, "deadlock"), {}, {64, 1, 1}, arguments, 0, nullptr) == 702);
  return wrong;
}

/// What threads print comes in the order of the program's own output.
int prints() {
  std::vector<double> values(4, 1.5);
  double* in = device<double>(4);
  int* out = device<int>(4);
  EXPECT(cudaMemcpy(in, values.data(), 32, kToDevice) == 0);
  void* arguments[] = {&in, &out};
  std::printf("before\n");
  const void* const print = kernel("functional/cubins/sm_80/sample_driver.cubin", "driver_printf");
  EXPECT(cudaLaunchKernel(print, {}, {1, 1, 1}, arguments, 0, nullptr) == 0);
  std::printf("after\n");
  return wrong;
}

int times() {
  void *begin = nullptr, *end = nullptr, *stream = nullptr;
  int least = -1, greatest = -1;
  EXPECT(cudaDeviceGetStreamPriorityRange(&least, &greatest) == 0 && least == 0 && greatest == -5);
  EXPECT(cudaEventCreate(&begin) == 0 && cudaEventCreate(&end) == 0 && cudaStreamCreate(&stream) == 0);
  float nothing = 0, one = 0;
  EXPECT(cudaEventElapsedTime(&nothing, begin, end) == 400);
  EXPECT(cudaEventRecord(begin, stream) == 0 && cudaEventRecord(end, nullptr) == 0);
  EXPECT(cudaEventElapsedTime(&nothing, begin, end) == 0 && nothing > 0 && nothing < 0.001F);
  int* out = device<int>(64);
  int first = 0;
  void* arguments[] = {&out, &first};
  EXPECT(cudaLaunchKernel(kernel(kMisbehave, "write_at"), {}, {32, 1, 1}, arguments, 0, stream) == 0);
  EXPECT(cudaEventRecord(end, stream) == 0 && cudaEventElapsedTime(&one, begin, end) == 0 && one > 0.001F);
  std::printf("%.6f\n", static_cast<double>(one) * 1e3);
  EXPECT(cudaStreamDestroy(stream) == 0 && cudaStreamSynchronize(stream) == 400);
  return wrong;
}

}  // namespace

const std::vector<NamedScenario> launch_scenarios = {{"registered", registered},
                                                     {"ptx_alone", ptx_alone},
                                                     {"damaged", damaged},
                                                     {"questions", questions},
                                                     {"refused_launches", refused_launches},
                                                     {"not_modelled", not_modelled},
                                                     {"out_of_bounds", out_of_bounds},
                                                     {"misaligned", misaligned},
                                                     {"waits_for_ever", waits_for_ever},
                                                     {"prints", prints},
                                                     {"times", times}};

}  // namespace stc::exec_test
