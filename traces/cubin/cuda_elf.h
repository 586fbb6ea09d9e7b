// SPDX-License-Identifier: Apache-2.0
// Numbers of NVIDIA's ELF files that both reader and writer of cubins know.
#pragma once

#include <cstdint>

namespace stc::cubin {

constexpr std::uint16_t kMachineCuda = 190;
constexpr char kText[] = ".text.";          ///< begins the names of sections of code
constexpr std::uint8_t kEntryPoint = 0x10;  ///< flag in a symbol's `other`: a kernel

constexpr std::uint32_t kCuda13 = 130;  ///< as .nv.info and notes name it

/// Attribute numbers of .nv.info records.
namespace attribute {
constexpr unsigned kMaxThreads = 0x05;
constexpr unsigned kParameterBank = 0x0a;
constexpr unsigned kRequiredThreads = 0x10;
constexpr unsigned kFrameSize = 0x11;
constexpr unsigned kMinimumStack = 0x12;
constexpr unsigned kParameterInfo = 0x17;
constexpr unsigned kParameterBytes = 0x19;
constexpr unsigned kMostRegisters = 0x1b;
constexpr unsigned kExits = 0x1c;
constexpr unsigned kRegisterCount = 0x2f;
constexpr unsigned kApiVersion = 0x37;
constexpr unsigned kCtaPerCluster = 0x3d;
constexpr unsigned kMaxClusterRank = 0x3f;
constexpr unsigned kWideParameterInfo = 0x45;  ///< where parameters take more than 4 KiB
constexpr unsigned kBarriers = 0x4c;
}  // namespace attribute

}  // namespace stc::cubin
