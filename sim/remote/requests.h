// SPDX-License-Identifier: Apache-2.0
// What a program asks of its simulated GPU. A request is {Request, number of bytes, bytes}, the answer {error, number
// of bytes, bytes}; errors have the numbers of CUDA's runtime. Each comment gives: what is sent -> what is answered.
#pragma once

#include <cstdint>

namespace stc::remote {

/// Names the socket of `stcsim exec` in the program's environment.
constexpr char kSocketVariable[] = "STCSIM_EXEC_SOCKET";

enum class Request : std::uint32_t {
  kHello,         ///< process id, first device address -> DeviceFacts
  kUnsupported,   ///< name of a function that does nothing here ->
  kLoadModule,    ///< bytes of a container or a cubin -> module
  kUnloadModule,  ///< module ->
  kFindFunction,  ///< module, symbol -> function, FunctionFacts, list of ParameterPlace
  kSetFunction,   ///< function, FunctionSetting, value ->
  kFindVariable,  ///< module, symbol -> address, bytes
  kAllocate,      ///< bytes -> address
  kFree,          ///< address ->
  kShare,         ///< address; with a file descriptor of its size: the host maps this allocation too ->
  kWrite,         ///< address, list of bytes ->
  kRead,          ///< address, bytes -> the bytes
  kCopy,          ///< to, from, bytes ->
  kFill,          ///< address, bytes, value, bytes of it (1, 2, 4) ->
  kFindAddress,   ///< address -> first address and bytes of its allocation
  kMemoryLeft,    ///< -> bytes free, bytes in all
  kOccupancy,     ///< function, threads, dynamic shared bytes -> CTAs per SM
  kClusters,      ///< function, LaunchShape -> clusters that the GPU holds at once
  kSetLimit,      ///< Limit, bytes ->
  kReset,         ///< -> memory and what was set are gone, variables start anew
  kLaunch,        ///< function, LaunchShape, parameter block as a list -> nanoseconds since the first call
};

enum class FunctionSetting : std::uint32_t { kDynamicSharedBytes, kNonPortableCluster };
enum class Limit : std::uint32_t { kStack, kMallocHeap };

/// Device addresses: the program keeps so many free for them, from here on if it can.
constexpr std::uint64_t kFirstAddress = 0x7f0000000000ULL;  // of isa::GlobalMemory
constexpr std::uint64_t kEndAddress = 0x800000000000ULL;
constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 37;

struct Size3 {
  std::uint32_t x, y, z;
};

struct LaunchShape {
  Size3 grid, block, cluster;  ///< cluster: all zero where the launch asks for none
  std::uint64_t dynamic_shared_bytes;
  std::uint32_t cooperative;
};

/// Where a parameter lies in the parameter block.
struct ParameterPlace {
  std::uint32_t offset, bytes;
};

struct FunctionFacts {
  std::uint32_t registers, static_shared_bytes, local_bytes, constant_bytes, max_threads;
  std::uint32_t parameter_bytes, image_version;  ///< SM version that the image was compiled for, x 10
  Size3 cluster;                                 ///< that the source fixes; all zero: none
};

/// The GPU of the GPU file. Sizes in bytes.
struct DeviceFacts {
  char name[256];
  std::uint64_t memory_bytes;
  std::uint32_t sm_version, sms, clock_khz, l2_bytes;
  std::uint32_t max_threads_per_cta, max_threads_per_sm, max_ctas_per_sm;
  std::uint32_t registers, shared_bytes, shared_bytes_per_cta, reserved_shared_bytes;
  std::uint32_t has_clusters;
};

// Error numbers that both sides use.
constexpr int kSuccess = 0;
constexpr int kInvalidValue = 1;
constexpr int kOutOfMemory = 2;
constexpr int kInvalidConfiguration = 9;
constexpr int kInvalidSymbol = 13;
constexpr int kDevicesUnavailable = 46;
constexpr int kInvalidImage = 200;
constexpr int kNoImageForDevice = 209;
constexpr int kInvalidHandle = 400;
constexpr int kNotFound = 500;
constexpr int kIllegalAddress = 700;
constexpr int kOutOfResources = 701;
constexpr int kTimeout = 702;
constexpr int kAssert = 710;
constexpr int kIllegalInstruction = 715;
constexpr int kMisalignedAddress = 716;
constexpr int kLaunchFailure = 719;
constexpr int kCooperativeTooLarge = 720;
constexpr int kNotSupported = 801;
constexpr int kInvalidClusterSize = 912;

/// After one of these the process can do nothing more with its GPU.
constexpr bool is_sticky(int error) {
  return error == kIllegalAddress || error == kTimeout || error == kAssert || error == kIllegalInstruction ||
         error == kMisalignedAddress || error == kLaunchFailure;
}

}  // namespace stc::remote
