// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/prepared_launch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <numeric>

#include "sim/base/error.h"
#include "sim/base/text.h"

namespace stc::sim {

double host_memory() {
  const double all = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  double limit = 0;
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    if (std::ifstream(file) >> limit) break;  // "max" is no number
  }
  return limit > 0 ? std::fmin(limit, all) : all;
}

void require_host_memory(double bytes, const std::string& what) {
  static const double host = host_memory();  // a sweep asks for every point
  if (bytes > host) {
    throw UserError(fmt::format("{}: the buffers need {}, but this computer has {} of memory", what, human_bytes(bytes),
                                human_bytes(host)));
  }
}

void require_host_memory_at_once(std::vector<double> sizes, int jobs) {
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  sizes.resize(std::min(sizes.size(), static_cast<std::size_t>(jobs)));
  require_host_memory(std::accumulate(sizes.begin(), sizes.end(), 0.0),
                      fmt::format("{} runs at once, the largest ones together (--jobs)", sizes.size()));
}

isa::Dim3 grid_on(const PreparedLaunch& launch, int sms) {
  if (launch.persistent == 0) return launch.grid;
  const std::uint32_t most = static_cast<std::uint32_t>(sms) / launch.persistent * launch.persistent;
  return {std::min(launch.grid.x, std::max(most, launch.persistent)), launch.grid.y, launch.grid.z};
}

PreparedLaunch prepare_launch(const LaunchPlan& plan) {
  PreparedLaunch launch;
  launch.module = plan.module;
  launch.kernel = plan.kernel;
  launch.grid = plan.grid;
  launch.block = plan.block;
  launch.dynamic_shared_bytes = plan.dynamic_shared_bytes;
  launch.symbols = plan.symbols;
  launch.cooperative = plan.cooperative;
  launch.cluster = plan.cluster;
  launch.non_portable_cluster = plan.non_portable_cluster;
  launch.arguments = plan.arguments;
  launch.places = plan.places;
  double total = 0;
  for (const BufferPlan& buffer : plan.buffers) total += static_cast<double>(buffer.bytes);
  require_host_memory(total, plan.module);
  for (const BufferPlan& buffer : plan.buffers) {
    PreparedBuffer prepared{buffer.name, buffer.role, {}, buffer.address, buffer.address_place, buffer.pointers};
    const auto bytes = static_cast<std::size_t>(buffer.bytes);
    if (buffer.fill.kind == Fill::Kind::kZero) {
      prepared.data = isa::BufferBytes::zeros(bytes);
    } else {
      std::vector<std::uint8_t> filled(bytes);
      apply_fill(buffer.fill, filled);
      prepared.data = std::move(filled);
    }
    launch.buffers.push_back(std::move(prepared));
  }
  return launch;
}

}  // namespace stc::sim
