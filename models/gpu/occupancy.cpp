// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "models/core/integers.h"
#include "models/gpu/gpu.h"

namespace stc::gpu {
namespace {

using Cause = LaunchError::Cause;

void refuse_impossible(const sm::OccupancyParams& limits, const isa::Kernel& kernel, isa::Dim3 block,
                       std::uint32_t dynamic_shared_bytes) {
  const std::uint64_t threads = block.count();
  if (threads == 0) throw LaunchError(Cause::kBlock, "block: every dimension must be at least 1");
  constexpr std::uint32_t kMostZ = 64;  // x and y: as many as threads
  if (block.z > kMostZ) {
    throw LaunchError(Cause::kBlock, fmt::format("block: z is {}, but may be at most {}", block.z, kMostZ));
  }
  const auto most = std::min<std::uint64_t>(static_cast<std::uint64_t>(limits.max_threads_per_cta), kernel.max_threads);
  if (threads > most) {
    throw LaunchError(Cause::kBlock, fmt::format("block: {} threads; kernel {} on this GPU allows at most {}", threads,
                                                 kernel.name, most));
  }
  const std::uint64_t shared = std::uint64_t{kernel.static_shared_bytes} + dynamic_shared_bytes;
  if (shared > static_cast<std::uint64_t>(limits.shared_bytes_per_cta)) {
    throw LaunchError(
        Cause::kSharedMemory,
        fmt::format("shared memory: {} bytes per CTA ({} static + {} dynamic); this GPU allows at most {}", shared,
                    kernel.static_shared_bytes, dynamic_shared_bytes, limits.shared_bytes_per_cta));
  }
}

}  // namespace

Occupancy occupancy(const GpuParams& gpu, const isa::Kernel& kernel, isa::Dim3 block,
                    std::uint32_t dynamic_shared_bytes) {
  const sm::OccupancyParams& limits = gpu.sm.occupancy;
  refuse_impossible(limits, kernel, block, dynamic_shared_bytes);
  const auto warps = static_cast<std::int64_t>((block.count() + isa::kWarpSize - 1) / isa::kWarpSize);
  const std::int64_t warp_registers = round_up<std::int64_t>(
      std::int64_t{std::max(1, kernel.registers)} * isa::kWarpSize, limits.register_allocation_unit);
  // A sub-core holds whole warps of its share of the register file.
  const std::int64_t warps_by_registers = limits.registers / gpu.sm.sub_cores / warp_registers * gpu.sm.sub_cores;
  const std::int64_t shared = round_up<std::int64_t>(
      std::int64_t{kernel.static_shared_bytes} + dynamic_shared_bytes + limits.reserved_shared_bytes,
      limits.shared_allocation_unit);

  struct Limit {
    std::int64_t ctas;
    const char* name;
  };
  const Limit candidates[] = {{limits.max_ctas, "CTA slots"},
                              {limits.max_warps / warps, "warps"},
                              {warps_by_registers / warps, "registers"},
                              {limits.shared_bytes / shared, "shared memory"}};
  const Limit least = *std::min_element(std::begin(candidates), std::end(candidates),
                                        [](const Limit& a, const Limit& b) { return a.ctas < b.ctas; });
  if (least.ctas == 0) {
    throw LaunchError(Cause::kCta,
                      fmt::format("a CTA of kernel {} does not fit on an SM: {} warps of {} registers, {} bytes of "
                                  "shared memory; limited by {}",
                                  kernel.name, warps, kernel.registers, shared, least.name));
  }
  return {static_cast<int>(least.ctas), least.name};
}

}  // namespace stc::gpu
