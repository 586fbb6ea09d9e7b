// SPDX-License-Identifier: Apache-2.0
#include "validation/foreign/runtime/device.h"

#include <cuda_occupancy.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <string>

#include "validation/foreign/runtime/stop.h"

namespace stc::foreign {
namespace {

std::map<std::string, std::size_t> read_facts() {
  const char* text = std::getenv("FOREIGN_DEVICE");
  if (text == nullptr) stop(kExitUsage, "$FOREIGN_DEVICE is not set; start programs with scripts/foreign");
  std::map<std::string, std::size_t> facts;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    facts[word.substr(0, equals)] = std::stoull(word.substr(equals + 1));
  }
  return facts;
}

cudaDeviceProp describe() {
  std::map<std::string, std::size_t> facts = read_facts();
  const auto number = [&](const char* key) { return static_cast<int>(facts.at(key)); };
  cudaDeviceProp device{};
  std::snprintf(device.name, sizeof device.name, "stcsim sm_%d", number("sm_version"));
  device.major = number("sm_version") / 10;
  device.minor = number("sm_version") % 10;
  device.multiProcessorCount = number("sms");
  device.sharedMemPerMultiprocessor = facts.at("shared_bytes");
  device.sharedMemPerBlockOptin = facts.at("shared_bytes_per_cta");
  device.l2CacheSize = number("l2_mib") << 20;
  device.totalGlobalMem = std::size_t{40} << 30;
  device.sharedMemPerBlock = 48 << 10;
  device.reservedSharedMemPerBlock = 1024;
  device.regsPerBlock = device.regsPerMultiprocessor = 65536;
  device.warpSize = 32;
  device.maxThreadsPerBlock = device.maxThreadsDim[0] = device.maxThreadsDim[1] = 1024;
  device.maxThreadsDim[2] = 64;
  device.maxGridSize[0] = 0x7fffffff;
  device.maxGridSize[1] = device.maxGridSize[2] = 65535;
  device.maxThreadsPerMultiProcessor = 2048;
  device.maxBlocksPerMultiProcessor = 32;
  device.totalConstMem = 65536;
  device.memPitch = 0x7fffffff;
  device.textureAlignment = 512;
  device.unifiedAddressing = device.concurrentKernels = device.cooperativeLaunch = 1;
  return device;
}

}  // namespace

const cudaDeviceProp& device() {
  static const cudaDeviceProp described = describe();
  return described;
}

int sm_version() { return device().major * 10 + device().minor; }

int attribute_of(cudaDeviceAttr attribute) {
  const cudaDeviceProp& d = device();
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: return d.maxThreadsPerBlock;
    case cudaDevAttrMaxGridDimX: return d.maxGridSize[0];
    case cudaDevAttrMaxSharedMemoryPerBlock: return static_cast<int>(d.sharedMemPerBlock);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return static_cast<int>(d.sharedMemPerBlockOptin);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return static_cast<int>(d.sharedMemPerMultiprocessor);
    case cudaDevAttrReservedSharedMemoryPerBlock: return static_cast<int>(d.reservedSharedMemPerBlock);
    case cudaDevAttrWarpSize: return d.warpSize;
    case cudaDevAttrMultiProcessorCount: return d.multiProcessorCount;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return d.maxThreadsPerMultiProcessor;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return d.maxBlocksPerMultiProcessor;
    case cudaDevAttrMaxRegistersPerBlock: return d.regsPerBlock;
    case cudaDevAttrL2CacheSize: return d.l2CacheSize;
    case cudaDevAttrComputeCapabilityMajor: return d.major;
    case cudaDevAttrComputeCapabilityMinor: return d.minor;
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrUnifiedAddressing: return 1;
    default: stop(kExitUsage, "device attribute " + std::to_string(attribute) + " is not known to the runtime");
  }
}

int ctas_per_sm(const KernelImage& kernel, int threads, std::size_t dynamic_shared_bytes) {
  const cudaOccDeviceProp properties(device());
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = kernel.max_threads;
  function.numRegs = kernel.registers;
  function.sharedSizeBytes = kernel.shared_bytes;
  function.partitionedGCConfig = PARTITIONED_GC_OFF;
  function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  function.maxDynamicSharedSizeBytes = device().sharedMemPerBlockOptin - kernel.shared_bytes;
  const cudaOccDeviceState state;
  cudaOccResult result;
  const auto error =
      cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &function, &state, threads, dynamic_shared_bytes);
  return error == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : 0;
}

}  // namespace stc::foreign
