// SPDX-License-Identifier: Apache-2.0
#include "sim/result/run_result.h"

#include <algorithm>
#include <numeric>

namespace stc::sim {

double LaunchResult::time_us() const { return measured ? measured->median_us : run.time_us(); }

double LaunchResult::tflops() const {
  if (!gemm || time_us() <= 0) return 0.0;
  return 2.0 * gemm->m * gemm->n * gemm->k / time_us() * 1e-6;
}

std::uint64_t LaunchResult::buffer_bytes(DataRole role) const {
  std::uint64_t bytes = 0;
  for (const BufferResult& buffer : buffers) bytes += buffer.role == role ? buffer.bytes : 0;
  return bytes;
}

SimulationSpeed RunResult::speed() const {
  SimulationSpeed speed;
  double cycles = 0;
  double instructions = 0;
  const auto add = [&](const LaunchResult& result) {
    speed.wall_s += result.wall_s;
    speed.threads = std::max(speed.threads, result.run.threads);
    cycles += static_cast<double>(result.run.cycles_elapsed);
    instructions += static_cast<double>(result.run.total.warp_instructions);
  };
  for (const LaunchResult& one : before) add(one);
  add(launch);
  if (dense) add(*dense);
  if (same_tile) add(*same_tile);
  const double seconds = std::max(speed.wall_s, 1e-9);
  speed.cycles_per_s = cycles / seconds;
  speed.sm_cycles_per_s = cycles * gpu.sms / seconds;
  speed.warp_instructions_per_s = instructions / seconds;
  return speed;
}

bool RunResult::checks_passed() const {
  const auto passed = [](const LaunchResult& result) { return !result.check || result.check->passed; };
  const bool as_expected = std::all_of(expectations.begin(), expectations.end(),
                                       [](const ExpectationResult& expected) { return expected.passed; });
  return as_expected && passed(launch) && (!dense || passed(*dense));
}

double tensor_busy_fraction(const gpu::RunStatistics& run, const gpu::GpuParams& gpu) {
  const double offered = static_cast<double>(run.cycles) * gpu.sms * gpu.sm.sub_cores;
  return offered > 0 ? static_cast<double>(run.total.tensor_busy_cycles) / offered : 0.0;
}

std::uint64_t total_bytes(const std::array<std::uint64_t, kDataRoles>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

std::array<Level, 4> levels_of(const gpu::RunStatistics& run) {
  return {{{"register_file", "register file", &run.total.register_file},
           {"shared", "shared memory", &run.total.shared},
           {"l2", "L2", &run.total.l2},
           {"dram", "DRAM", &run.memory.dram}}};
}

}  // namespace stc::sim
