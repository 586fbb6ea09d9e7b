// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/device_facts.h"

#include <cmath>
#include <cstdio>

#include "models/core/architecture.h"
#include "models/isa/values/execute.h"
#include "sim/launch/prepared_launch.h"

namespace stc::sim {

remote::DeviceFacts device_facts(const gpu::GpuParams& gpu) {
  const sm::OccupancyParams& limits = gpu.sm.occupancy;
  const auto number = [](auto value) { return static_cast<std::uint32_t>(value); };
  remote::DeviceFacts facts{};
  std::snprintf(facts.name, sizeof facts.name, "%s", gpu.name.c_str());
  facts.memory_bytes = static_cast<std::uint64_t>(std::fmin(host_memory(), static_cast<double>(remote::kWindowBytes)));
  facts.sm_version = number(gpu.sm_version);
  facts.sms = number(gpu.sms);
  facts.clock_khz = number(std::lround(gpu.clock_mhz * 1000));
  facts.l2_bytes = number(std::lround(gpu.memory.l2.capacity_mib * 1048576));
  facts.max_threads_per_cta = number(limits.max_threads_per_cta);
  facts.max_threads_per_sm = number(limits.max_warps * isa::kWarpSize);
  facts.max_ctas_per_sm = number(limits.max_ctas);
  facts.registers = number(limits.registers);
  facts.shared_bytes = number(limits.shared_bytes);
  facts.shared_bytes_per_cta = number(limits.shared_bytes_per_cta);
  facts.reserved_shared_bytes = number(limits.reserved_shared_bytes);
  facts.has_clusters = architecture_of(gpu.sm_version).has_clusters ? 1 : 0;
  return facts;
}

}  // namespace stc::sim
