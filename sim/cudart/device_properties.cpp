// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/device_properties.h"

#include <cstring>

#include "sim/cudart/abi.h"
#include "sim/cudart/device_attributes.h"

namespace stc::cuda {
namespace {

/// A member of cudaDeviceProp: its place in the headers of CUDA 12 and 13.
struct Member {
  int at12, at13;
  std::uint64_t value;
  int bytes = 4;
};

}  // namespace

void fill_properties(const remote::DeviceFacts& f, std::uint8_t* properties) {
  std::memset(properties, 0, kDevicePropertiesBytes);
  std::memcpy(properties, f.name, sizeof f.name);
  const Member members[] = {
      {288, 288, f.memory_bytes, 8},       // totalGlobalMem
      {296, 296, kDefaultSharedBytes, 8},  // sharedMemPerBlock
      {304, 304, f.registers},             // regsPerBlock
      {308, 308, kWarp},                   // warpSize
      {312, 312, kMostPitch, 8},           // memPitch
      {320, 320, f.max_threads_per_cta},   // maxThreadsPerBlock
      {324, 324, f.max_threads_per_cta},   // maxThreadsDim
      {328, 328, f.max_threads_per_cta},
      {332, 332, kMostThreadsZ},
      {336, 336, kMostGridX},  // maxGridSize
      {340, 340, kMostGridYz},
      {344, 344, kMostGridYz},
      {348, -1, f.clock_khz},                  // clockRate
      {352, 352, kConstantBytes, 8},           // totalConstMem
      {360, 360, f.sm_version / 10},           // major
      {364, 364, f.sm_version % 10},           // minor
      {368, 368, kAlignment, 8},               // textureAlignment
      {388, 384, f.sms},                       // multiProcessorCount
      {400, 392, 1},                           // canMapHostMemory
      {576, 560, 1},                           // concurrentKernels
      {600, 584, 1},                           // asyncEngineCount
      {604, 588, 1},                           // unifiedAddressing
      {616, 596, f.l2_bytes},                  // l2CacheSize
      {624, 604, f.max_threads_per_sm},        // maxThreadsPerMultiProcessor
      {628, 608, 1},                           // streamPrioritiesSupported
      {632, 612, 1},                           // globalL1CacheSupported
      {636, 616, 1},                           // localL1CacheSupported
      {640, 624, f.shared_bytes, 8},           // sharedMemPerMultiprocessor
      {648, 632, f.registers},                 // regsPerMultiprocessor
      {652, 636, 1},                           // managedMemory
      {688, 668, 1},                           // cooperativeLaunch
      {696, 672, f.shared_bytes_per_cta, 8},   // sharedMemPerBlockOptin
      {712, 688, f.max_ctas_per_sm},           // maxBlocksPerMultiProcessor
      {720, 696, f.reserved_shared_bytes, 8},  // reservedSharedMemPerBlock
      {772, 748, f.has_clusters},              // clusterLaunch
  };
  for (const Member& member : members) {
    const int at = STC_CUDART_MAJOR >= 13 ? member.at13 : member.at12;
    if (at >= 0) std::memcpy(properties + at, &member.value, static_cast<std::size_t>(member.bytes));
  }
}

}  // namespace stc::cuda
