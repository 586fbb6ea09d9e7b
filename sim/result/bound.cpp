// SPDX-License-Identifier: Apache-2.0
#include "sim/result/bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace stc::sim {
namespace {

constexpr double kExhausted = 0.60;
constexpr double kMostlyIdle = 0.50;

double ratio(double used, double offered) { return offered > 0 ? used / offered : 0.0; }

double total(const std::array<std::uint64_t, kDataRoles>& bytes) {
  return static_cast<double>(std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0}));
}

std::string latency_text(const gpu::RunStatistics& run) {
  Stall largest = Stall::kFixedLatency;
  std::uint64_t sum = 0;
  for (int i = 0; i < kStalls; ++i) {
    const auto stall = static_cast<Stall>(i);
    const auto count = [&](Stall s) { return run.total.stalls[static_cast<std::size_t>(s)]; };
    sum += count(stall);
    const bool waits = stall != Stall::kIssued && stall != Stall::kNotSelected;
    if (waits && count(stall) > count(largest)) largest = stall;
  }
  const double share =
      ratio(static_cast<double>(run.total.stalls[static_cast<std::size_t>(largest)]), static_cast<double>(sum));
  return fmt::format("no resource is busy for {:.0f} % of the time; of the warps' cycles {:.1f} % are lost to {}",
                     100 * kExhausted, 100 * share, name_of(largest));
}

struct ResourceText {
  const char* name;
  const char* meaning;
};
constexpr std::array<ResourceText, Bound::kResources> kResourceTexts = {{
    {"tensor", "Tensor cores, while their SM held a CTA."},
    {"issue", "Issue slots, while their SM held a CTA."},
    {"shared_memory", "Shared memory, while its SM held a CTA."},
    {"l2", "L2 read bandwidth."},
    {"dram", "Device-memory bandwidth."},
}};

}  // namespace

const char* name_of(Bound::Resource resource) { return kResourceTexts[resource].name; }
const char* meaning_of(Bound::Resource resource) { return kResourceTexts[resource].meaning; }

Bound find_bound(const gpu::GpuParams& gpu, const gpu::RunStatistics& run) {
  const auto cycles = static_cast<double>(run.cycles);
  const auto active = static_cast<double>(run.total.cycles_active);  // summed over SMs
  const double sub_core_cycles = active * gpu.sm.sub_cores;
  const auto& crossbar = gpu.memory.crossbar;
  const double l2_rate = std::min(crossbar.read_bytes_per_cycle, crossbar.sm_read_bytes_per_cycle * gpu.sms);
  Bound bound;
  auto& used = bound.utilisation;
  used[Bound::kTensor] = ratio(static_cast<double>(run.total.tensor_busy_cycles), sub_core_cycles);
  used[Bound::kIssue] = ratio(static_cast<double>(run.total.warp_instructions), sub_core_cycles);
  used[Bound::kSharedMemory] = ratio(static_cast<double>(run.total.shared_wavefronts + run.total.copy_wavefronts) *
                                         gpu.sm.lsu.wavefront_interval * 128.0 / gpu.sm.lsu.data_width_bytes,
                                     active);
  used[Bound::kL2] = ratio(total(run.total.l2.read), cycles * l2_rate);
  used[Bound::kDram] =
      ratio(total(run.memory.dram.read) + total(run.memory.dram.write), cycles * gpu.memory.hbm.bytes_per_cycle);
  bound.launch = 1.0 - ratio(active, static_cast<double>(run.cycles_elapsed) * gpu.sms);

  const auto highest = std::max_element(used.begin(), used.end());
  const auto resource = static_cast<Bound::Resource>(highest - used.begin());
  if (bound.launch >= kMostlyIdle) {
    bound.by = "launch";
    const double overhead = static_cast<double>(run.cycles_elapsed - run.cycles);
    bound.explanation = fmt::format(
        "SMs hold no CTA for {:.1f} % of the elapsed SM-time: what lies outside of CTAs takes {:.1f} % of the time, "
        "and {} CTAs (up to {} at once on each of {} SMs) keep the SMs occupied for {:.1f} % of the rest",
        100 * bound.launch, 100 * ratio(overhead, static_cast<double>(run.cycles_elapsed)), run.total.ctas,
        run.ctas_per_sm, gpu.sms, 100 * ratio(active, cycles * gpu.sms));
  } else if (*highest >= kExhausted) {
    bound.by = name_of(resource);
    const bool of_an_sm = resource != Bound::kL2 && resource != Bound::kDram;
    bound.explanation = fmt::format("{} is busy for {:.1f} % of the time{}, more than any other resource", bound.by,
                                    100 * *highest, of_an_sm ? " in which SMs hold CTAs" : "");
  } else {
    bound.by = "latency";
    bound.explanation = latency_text(run);
  }
  return bound;
}

}  // namespace stc::sim
