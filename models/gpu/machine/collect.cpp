// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/machine/collect.h"

#include <algorithm>
#include <cmath>

#include "models/gpu/energy.h"
#include "models/gpu/sm_layout.h"

namespace stc::gpu {
namespace {

struct Occupied {
  bool some_gpc_idles;  ///< no SM of it had a CTA: its clock is then the highest, which counts
  double share_of_sms;  ///< that had CTAs
};

Occupied occupied_by(const GpuParams& params, const std::vector<CtaRecord>& ctas) {
  const std::vector<int> gpc_of_sm = gpc_of_sms(params);
  std::vector<bool> gpc_runs(static_cast<std::size_t>(*std::max_element(gpc_of_sm.begin(), gpc_of_sm.end())) + 1);
  std::vector<bool> sm_runs(gpc_of_sm.size());
  for (const CtaRecord& cta : ctas) {
    const auto sm = static_cast<std::size_t>(cta.sm);
    sm_runs[sm] = gpc_runs[static_cast<std::size_t>(gpc_of_sm[sm])] = true;
  }
  return {std::find(gpc_runs.begin(), gpc_runs.end(), false) != gpc_runs.end(),
          static_cast<double>(std::count(sm_runs.begin(), sm_runs.end(), true)) / static_cast<double>(sm_runs.size())};
}

std::uint64_t whole(double cycles) { return static_cast<std::uint64_t>(std::lround(cycles)); }

}  // namespace

double clock_spread(const ClockSpreadParams& params, double cycles, double load_watts, double share_of_sms) {
  return params.settled * share_of_sms * (1 - std::exp(-cycles / params.settling)) +
         params.per_watt * std::max(0.0, load_watts - params.load_watts) * cycles;
}

void count_elapsed(RunStatistics& result, const GpuParams& params) {
  const double running = params.clock_mhz * (result.total.tensor_instructions != 0 ? params.matrix_clock_ratio : 1.0);
  const bool warpgroups = result.total.warpgroup_tensor_instructions != 0;
  const Occupied occupied = occupied_by(params, result.ctas);
  result.clock_mhz = occupied.some_gpc_idles ? params.clock_mhz : running;
  // A launch whose warps accessed memory ends with a fence (measured/h200/ends.csv).
  const int fence = result.total.l2_requests != 0 ? params.sm.issue.fence_latency : 0;
  const double outside = params.launch.overhead_cycles + fence + static_cast<double>(result.drain_cycles);
  const double ratio = std::max(result.clock_mhz / running, warpgroups ? params.clock_spread.warpgroups : 1.0);
  const double within = static_cast<double>(result.cycles) * ratio;
  result.cycles_elapsed = whole(within + outside);
  // A GPC without CTAs has a clock above all others: theirs do not show. What warpgroups take is not known.
  if (occupied.some_gpc_idles || warpgroups) return;
  const Energy energy = energy_of(result, params);
  const double load = energy.known ? energy.watts() - params.energy.constant_watts : 0;  // too little to drift
  const double spread = clock_spread(params.clock_spread, within, load, occupied.share_of_sms);
  result.cycles_elapsed = whole(within + outside + spread);
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
