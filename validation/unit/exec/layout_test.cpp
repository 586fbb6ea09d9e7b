// SPDX-License-Identifier: Apache-2.0
// Structures as the headers of the installed toolkit have them. Built where there is one.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>

#include "sim/cudart/abi.h"
#include "sim/cudart/device_attributes.h"
#include "sim/cudart/device_properties.h"

namespace stc::cuda {
namespace {

remote::DeviceFacts facts() {
  remote::DeviceFacts f{};
  std::strcpy(f.name, "a GPU");
  f.memory_bytes = 1ULL << 36;
  f.sm_version = 97;
  f.sms = 11;
  f.clock_khz = 12;
  f.l2_bytes = 13;
  f.max_threads_per_cta = 14;
  f.max_threads_per_sm = 15;
  f.max_ctas_per_sm = 16;
  f.registers = 17;
  f.shared_bytes = 18;
  f.shared_bytes_per_cta = 19;
  f.reserved_shared_bytes = 20;
  f.has_clusters = 1;
  return f;
}

TEST(Layout, DevicePropertiesAreWhereTheHeaderHasThem) {
  ASSERT_EQ(sizeof(cudaDeviceProp), kDevicePropertiesBytes);
  cudaDeviceProp p{};
  fill_properties(facts(), reinterpret_cast<std::uint8_t*>(&p));
  EXPECT_STREQ(p.name, "a GPU");
  EXPECT_EQ(p.totalGlobalMem, 1ULL << 36);
  EXPECT_EQ(p.major * 10 + p.minor, 97);
  EXPECT_EQ(p.multiProcessorCount, 11);
  EXPECT_EQ(p.l2CacheSize, 13);
  EXPECT_EQ(p.maxThreadsPerBlock, 14);
  EXPECT_EQ(p.maxThreadsDim[1], 14);
  EXPECT_EQ(p.maxThreadsDim[2], 64);
  EXPECT_EQ(p.maxGridSize[0], 0x7fffffff);
  EXPECT_EQ(p.maxGridSize[2], 65535);
  EXPECT_EQ(p.maxThreadsPerMultiProcessor, 15);
  EXPECT_EQ(p.maxBlocksPerMultiProcessor, 16);
  EXPECT_EQ(p.regsPerBlock, 17);
  EXPECT_EQ(p.regsPerMultiprocessor, 17);
  EXPECT_EQ(p.sharedMemPerMultiprocessor, 18U);
  EXPECT_EQ(p.sharedMemPerBlockOptin, 19U);
  EXPECT_EQ(p.sharedMemPerBlock, 49152U);
  EXPECT_EQ(p.reservedSharedMemPerBlock, 20U);
  EXPECT_EQ(p.warpSize, 32);
  EXPECT_EQ(p.totalConstMem, 65536U);
  EXPECT_EQ(p.textureAlignment, 512U);
  EXPECT_EQ(p.clusterLaunch, 1);
  for (const int yes :
       {p.canMapHostMemory, p.concurrentKernels, p.asyncEngineCount, p.unifiedAddressing, p.streamPrioritiesSupported,
        p.globalL1CacheSupported, p.localL1CacheSupported, p.managedMemory, p.cooperativeLaunch}) {
    EXPECT_EQ(yes, 1);
  }
  EXPECT_EQ(p.integrated + p.ECCEnabled + p.concurrentManagedAccess, 0);
}

TEST(Layout, AttributesHaveTheNumbersOfTheHeader) {
  const std::pair<cudaDeviceAttr, int> known[] = {{cudaDevAttrMultiProcessorCount, 11},
                                                  {cudaDevAttrClockRate, 12},
                                                  {cudaDevAttrL2CacheSize, 13},
                                                  {cudaDevAttrMaxThreadsPerBlock, 14},
                                                  {cudaDevAttrMaxThreadsPerMultiProcessor, 15},
                                                  {cudaDevAttrMaxBlocksPerMultiprocessor, 16},
                                                  {cudaDevAttrMaxRegistersPerBlock, 17},
                                                  {cudaDevAttrMaxRegistersPerMultiprocessor, 17},
                                                  {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 18},
                                                  {cudaDevAttrMaxSharedMemoryPerBlockOptin, 19},
                                                  {cudaDevAttrReservedSharedMemoryPerBlock, 20},
                                                  {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
                                                  {cudaDevAttrComputeCapabilityMajor, 9},
                                                  {cudaDevAttrComputeCapabilityMinor, 7},
                                                  {cudaDevAttrMaxGridDimX, 0x7fffffff},
                                                  {cudaDevAttrMaxGridDimY, 65535},
                                                  {cudaDevAttrMaxBlockDimZ, 64},
                                                  {cudaDevAttrWarpSize, 32},
                                                  {cudaDevAttrClusterLaunch, 1},
                                                  {cudaDevAttrCooperativeLaunch, 1},
                                                  {cudaDevAttrManagedMemory, 1},
                                                  {cudaDevAttrConcurrentManagedAccess, 0},
                                                  {cudaDevAttrPageableMemoryAccess, 0},
                                                  {cudaDevAttrMemoryPoolsSupported, 1}};
  for (const auto& [attribute, value] : known) EXPECT_EQ(attribute_of(facts(), attribute), value) << attribute;
}

TEST(Layout, OtherStructures) {
  static_assert(sizeof(cudaFuncAttributes) == sizeof(FunctionAttributes));
  static_assert(offsetof(cudaFuncAttributes, numRegs) == offsetof(FunctionAttributes, registers));
  static_assert(offsetof(cudaFuncAttributes, ptxVersion) == offsetof(FunctionAttributes, ptx_version));
  static_assert(offsetof(cudaFuncAttributes, maxDynamicSharedSizeBytes) ==
                offsetof(FunctionAttributes, max_dynamic_shared_bytes));
  static_assert(offsetof(cudaFuncAttributes, preferredShmemCarveout) == offsetof(FunctionAttributes, carveout));
  static_assert(offsetof(cudaFuncAttributes, nonPortableClusterSizeAllowed) ==
                offsetof(FunctionAttributes, non_portable_cluster));
  static_assert(sizeof(cudaLaunchConfig_t) == sizeof(LaunchConfiguration));
  static_assert(offsetof(cudaLaunchConfig_t, attrs) == offsetof(LaunchConfiguration, attributes));
  static_assert(sizeof(cudaLaunchAttribute) == sizeof(LaunchAttribute));
  static_assert(offsetof(cudaLaunchAttribute, val) == offsetof(LaunchAttribute, value));
  static_assert(sizeof(cudaMemcpy3DParms) == sizeof(Copy3d));
  static_assert(offsetof(cudaMemcpy3DParms, dstPos) == offsetof(Copy3d, to_position));
  static_assert(offsetof(cudaMemcpy3DParms, dstPtr) == offsetof(Copy3d, to));
  static_assert(offsetof(cudaMemcpy3DParms, extent) == offsetof(Copy3d, extent));
  static_assert(sizeof(cudaPitchedPtr) == sizeof(PitchedPointer));
  static_assert(sizeof(cudaChannelFormatDesc) == sizeof(ChannelDescription));
  static_assert(offsetof(cudaChannelFormatDesc, f) == offsetof(ChannelDescription, kind));
  static_assert(sizeof(cudaKernelNodeParams) == sizeof(KernelNode));
  static_assert(sizeof(cudaPointerAttributes) == sizeof(PointerAttributes));
}

}  // namespace
}  // namespace stc::cuda
