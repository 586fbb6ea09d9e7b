// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/driver_functions.h"

#include "models/isa/text/kernel_name.h"

namespace stc::cubin {

isa::DriverFunction driver_function(const std::string& symbol) {
  using isa::DriverFunction;
  if (symbol == "vprintf") return DriverFunction::kPrintf;
  if (symbol == "__assertfail") return DriverFunction::kAssertFail;
  if (symbol == "malloc") return DriverFunction::kMalloc;
  if (symbol == "free") return DriverFunction::kFree;
  return DriverFunction::kUnknown;
}

std::string feature_of_function(const std::string& symbol) {
  // The device runtime: cudaGetParameterBufferV2, cudaLaunchDeviceV2, __cudaCDP2...
  if (symbol.rfind("cuda", 0) == 0 || symbol.rfind("__cuda", 0) == 0) return "dynamic parallelism (" + symbol + ")";
  return "the function " + isa::readable_name(symbol) + ", which the module does not hold";
}

}  // namespace stc::cubin
