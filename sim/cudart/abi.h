// SPDX-License-Identifier: Apache-2.0
// Types of CUDA's interfaces as compiled programs pass them: sizes and places only. STC_CUDART_MAJOR says for which
// SONAME this is compiled.
// Evidence: offsetof and sizeof in the headers of CUDA 12.8 and 13.0; validation/unit/exec/layout_test.cpp compares them
// with those of the toolkit that is installed.
#pragma once

#include <cstddef>
#include <cstdint>

#ifndef STC_CUDART_MAJOR
#define STC_CUDART_MAJOR 13
#endif

namespace stc::cuda {

/// dim3, passed by value.
struct Dim {
  unsigned x, y, z;
};

struct FunctionAttributes {
  std::size_t shared_bytes, constant_bytes, local_bytes;
  int max_threads, registers, ptx_version, binary_version, cache_mode_ca, max_dynamic_shared_bytes, carveout;
  int needs_cluster, cluster_width, cluster_height, cluster_depth, cluster_policy, non_portable_cluster;
  int reserved[16];
};
static_assert(sizeof(FunctionAttributes) == 144);

struct LaunchAttribute {
  std::uint32_t id, padding;
  std::uint32_t value[16];
};
static_assert(sizeof(LaunchAttribute) == 72);

struct LaunchConfiguration {
  Dim grid, block;
  std::size_t dynamic_shared_bytes;
  void* stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};
static_assert(sizeof(LaunchConfiguration) == 56);

struct PitchedPointer {
  void* pointer;
  std::size_t pitch, width, height;
};
struct Extent {
  std::size_t width, height, depth;
};
struct Copy3d {
  void* from_array;
  Extent from_position;
  PitchedPointer from;
  void* to_array;
  Extent to_position;
  PitchedPointer to;
  Extent extent;
  int kind;
};
static_assert(sizeof(Copy3d) == 160);

struct KernelNode {
  const void* key;
  Dim grid, block;
  unsigned dynamic_shared_bytes;
  void** arguments;
  void** extra;
};
static_assert(sizeof(KernelNode) == 56);

struct FillNode {
  void* pointer;
  std::size_t pitch;
  unsigned value, element_bytes;
  std::size_t width, height;  ///< elements, rows
};
static_assert(sizeof(FillNode) == 40);

/// Bits of each component of a texture's element, and of which kind they are.
struct ChannelDescription {
  int x, y, z, w, kind;
};
static_assert(sizeof(ChannelDescription) == 20);

struct PointerAttributes {
  int type, device;
  void *device_pointer, *host_pointer;
#if STC_CUDART_MAJOR >= 13
  long reserved[8];
#endif
};
static_assert(sizeof(PointerAttributes) == (STC_CUDART_MAJOR >= 13 ? 88 : 24));

constexpr std::size_t kDevicePropertiesBytes = STC_CUDART_MAJOR >= 13 ? 1008 : 1032;

/// The wrapper that __cudaRegisterFatBinary is given.
struct FatBinaryWrapper {
  std::uint32_t magic, version;
  const void* container;
  const void* others;
};

enum CopyKind : int { kHostToHost, kHostToDevice, kDeviceToHost, kDeviceToDevice, kByAddress };

}  // namespace stc::cuda
