// SPDX-License-Identifier: Apache-2.0
// Where shared and local memory appear in the generic address space, and the layout of constant bank 0.
// Offsets in bank 0: read off the code that nvcc 13 emits for sm_80 and sm_90 when PTX asks for each quantity; those
// that differ are in models/core/architecture.h.
#pragma once

#include <cstdint>

namespace stc::isa {

/// A generic pointer is {window, 32-bit offset}. sm_90 code builds shared pointers from the upper word alone
/// (SR_SWINHI), so the lower word of a window is zero.
constexpr std::uint64_t kSharedWindow = 0x7e0000000000ULL;
constexpr std::uint64_t kLocalWindow = 0x7e0100000000ULL;

/// What function pointers and return addresses hold lies between these; code_place.h says what it means. No data live
/// there, and the null pointer is no code.
constexpr std::uint64_t kCodeWindow = 0x7e0200000000ULL;
constexpr std::uint64_t kCodeEnd = 0x7f0000000000ULL;

/// Program counters of functions that the driver supplies, beyond any kernel's code.
constexpr std::uint32_t kExternalCode = 0xf0000000;
constexpr std::uint32_t external_code(std::size_t index) {
  return kExternalCode + static_cast<std::uint32_t>(index) * 16u;
}

/// In a cluster shared addresses are {rank of the CTA, 24-bit offset}; the CTA's own begin at its own rank.
constexpr int kRankShift = 24;
constexpr std::uint32_t shared_base(std::uint32_t rank) { return rank << kRankShift; }
constexpr std::uint32_t rank_of(std::uint32_t address) { return address >> kRankShift; }
constexpr std::uint32_t offset_in_cta(std::uint32_t address) { return address & (shared_base(1) - 1); }

/// Stack that the driver gives a thread when the host asks for none (cudaLimitStackSize).
constexpr std::uint32_t kDefaultStackBytes = 1024;
constexpr std::uint32_t kMostLocalBytes = 512 * 1024;  ///< per thread, CUDA's limit

/// Local memory of a thread: the frame that the compiler states, at least the stack that the host asks for, which
/// recursive functions rely on ("the driver increases the stack size for each launch as needed", CUDA driver API).
constexpr std::uint32_t local_memory_bytes(std::uint32_t stated, std::uint32_t stack) {
  return ((stated < stack ? stack : stated) + 15u) / 16u * 16u;
}

/// Shared memory of a CTA as SR_SMEMSZ counts it: units of 128 bytes (PTX ISA, %total_smem_size).
constexpr std::uint32_t rounded_shared_bytes(std::uint32_t bytes) { return (bytes + 127u) / 128u * 128u; }

namespace constant0 {
constexpr std::uint32_t kBlockDim = 0x00;            ///< x, y, z
constexpr std::uint32_t kGridDim = 0x0c;             ///< x, y, z
constexpr std::uint32_t kSharedWindowBase = 0x18;    ///< 64 bit (sm_80)
constexpr std::uint32_t kLocalWindowBase = 0x20;     ///< 64 bit
constexpr std::uint32_t kStackPointer = 0x28;        ///< one past the thread's local memory
constexpr std::uint32_t kDynamicShared = 0x2c;       ///< bytes
constexpr std::uint32_t kGridId = 0x30;              ///< 64 bit (sm_90)
constexpr std::uint32_t kSmCount = 0x10c;            ///< %nsmid
constexpr std::uint32_t kReservedShared = 0x114;     ///< bytes of SR_SMEMSZ that are not the kernel's
constexpr std::uint32_t kAllShared = 0x13c;          ///< %aggr_smem_size, where SR_SMEMSZ is not less (sm_90)
constexpr std::uint32_t kClusterLaunch = 0x140;      ///< 1: launched as clusters (sm_90)
constexpr std::uint32_t kClusterSize = 0x144;        ///< CTAs per cluster in x, y, z (sm_90)
constexpr std::uint32_t kClusterReciprocal = 0x150;  ///< 1 / the same, f32 (sm_90)
constexpr std::uint32_t kClusterGrid = 0x15c;        ///< clusters in x, y, z (sm_90)
constexpr std::uint32_t kClusterCtas = 0x188;        ///< CTAs per cluster (sm_90)
}  // namespace constant0

}  // namespace stc::isa
