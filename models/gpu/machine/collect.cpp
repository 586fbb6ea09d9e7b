// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/machine/collect.h"

#include <algorithm>
#include <cmath>

#include "models/gpu/sm_layout.h"

namespace stc::gpu {
namespace {

/// Whether no SM of some GPC had a CTA: its clock is then the highest, which counts.
bool some_gpc_idles(const GpuParams& params, const std::vector<CtaRecord>& ctas) {
  const std::vector<int> gpc_of_sm = gpc_of_sms(params);
  std::vector<bool> idle(static_cast<std::size_t>(*std::max_element(gpc_of_sm.begin(), gpc_of_sm.end())) + 1, true);
  for (const CtaRecord& cta : ctas) {
    idle[static_cast<std::size_t>(gpc_of_sm[static_cast<std::size_t>(cta.sm)])] = false;
  }
  return std::find(idle.begin(), idle.end(), true) != idle.end();
}

}  // namespace

void count_elapsed(RunStatistics& result, const GpuParams& params) {
  const double running = params.clock_mhz * (result.total.tensor_instructions != 0 ? params.matrix_clock_ratio : 1.0);
  const bool idles = some_gpc_idles(params, result.ctas);
  const double spread = result.total.warpgroup_tensor_instructions != 0 ? params.warpgroup_clock_spread : 1.0;
  result.clock_mhz = idles ? params.clock_mhz : running;
  // A launch whose warps accessed memory ends with a fence (measured/h200/ends.csv).
  const int fence = result.total.l2_requests != 0 ? params.sm.issue.fence_latency : 0;
  const double outside = params.launch.overhead_cycles + fence + static_cast<double>(result.drain_cycles);
  result.cycles_elapsed = static_cast<std::uint64_t>(
      std::lround(static_cast<double>(result.cycles) * std::max(result.clock_mhz / running, spread) + outside));
}

RunStatistics collect(const GpuParams& params, const Occupancy& fit, const std::vector<CtaRecord>& ctas,
                      const std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>& sms,
                      const memory::MemorySystem& memory) {
  RunStatistics result;
  result.ctas_per_sm = most_resident(ctas);
  result.occupancy = fit.ctas_per_sm;
  result.occupancy_limit = fit.limit;
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  for (const CtaRecord& cta : ctas) {
    first = std::min(first, cta.start);
    last = std::max(last, cta.end);
  }
  result.cycles = last - first;
  const Tick stored_by = memory.stored_by(), end = last * kTicksPerCycle;
  result.drain_cycles = stored_by > end ? (stored_by - end) / kTicksPerCycle : 0;
  for (const auto& sm : sms) {
    result.per_sm.push_back(sm->statistics());
    result.total.add(sm->statistics());
  }
  result.memory = memory.statistics();
  result.ctas = ctas;
  std::sort(result.ctas.begin(), result.ctas.end(),
            [](const CtaRecord& a, const CtaRecord& b) { return a.linear_index < b.linear_index; });
  count_elapsed(result, params);
  result.energy = energy_of(result, params);
  return result;
}

}  // namespace stc::gpu
