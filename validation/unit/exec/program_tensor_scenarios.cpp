// SPDX-License-Identifier: Apache-2.0
// Tensor maps as the driver encodes them: what an H200's driver wrote for the same arguments, and what it refused.
#include <cstring>

#include "validation/unit/exec/runtime.h"
#include "validation/unit/isa/tensor_cases.h"

extern "C" {
int cuGetProcAddress_v2(const char*, void**, int, std::uint64_t, int*);
int cudaGetDriverEntryPointByVersion(const char*, void**, unsigned, unsigned long long, int*);
}

namespace stc::exec_test {
namespace {

using Encode = int (*)(void*, int, unsigned, void*, const std::uint64_t*, const std::uint64_t*, const unsigned*,
                       const unsigned*, int, int, int, int);

Encode encoder() {
  void *by_driver = nullptr, *by_runtime = nullptr;
  int status = -1;
  EXPECT(cuGetProcAddress_v2("cuTensorMapEncodeTiled", &by_driver, 12000, 0, &status) == 0 && status == 0);
  EXPECT(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &by_runtime, 12000, 0, &status) == 0);
  EXPECT(by_driver != nullptr && by_driver == by_runtime);
  return reinterpret_cast<Encode>(by_driver);
}

int tensor_maps() {
  const Encode encode = encoder();
  int same = 0, refused = 0;
  for (const isa::MapCase& one : isa::measured_maps()) {
    alignas(64) isa::TensorMapBytes map{};
    const isa::TensorMap& of = one.map;
    int type = 0;
    for (isa::TensorType known; isa::driver_type(type, known) && known != of.type;) ++type;
    const int result = encode(map.data(), type, static_cast<unsigned>(of.rank), reinterpret_cast<void*>(of.address),
                              of.size.data(), of.stride.data() + 1, of.box.data(), of.step.data(), of.interleave,
                              of.swizzle, of.promotion, of.fills_with_nan ? 1 : 0);
    EXPECT(result == one.result);
    EXPECT(result != 0 || map == one.bytes);
    ++(result == 0 ? same : refused);
  }
  EXPECT(same == 44 && refused == 5);
  int* out = device<int>(64);  // a launch, as a program with tensor maps has one
  int first = 0;
  void* arguments[] = {&out, &first};
  EXPECT(cudaLaunchKernel(kernel(kMisbehave, "write_at"), {}, {4, 1, 1}, arguments, 0, nullptr) == 0);
  EXPECT(cudaDeviceSynchronize() == 0);
  return wrong;
}

}  // namespace

const std::vector<NamedScenario> tensor_scenarios = {{"tensor_maps", tensor_maps}};

}  // namespace stc::exec_test
