// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sm_layout.h"

#include <algorithm>
#include <tuple>

namespace stc::gpu {

std::vector<int> gpc_of_sms(const GpuParams& params) {
  const int first = std::min(params.launch.first_sms, params.sms), tpc_sms = params.tpc_sms;
  std::vector<int> tpcs_left(static_cast<std::size_t>(params.gpcs), params.gpc_sms / tpc_sms);
  tpcs_left[0] -= first / tpc_sms;
  int room = 0;
  for (int& tpcs : tpcs_left) room += tpcs = std::max(0, tpcs);
  const int tpcs = (params.sms - first + tpc_sms - 1) / tpc_sms;
  // What fits nowhere goes to the last GPCs.
  for (int over = std::max(0, tpcs - room), gpc = params.gpcs; over > 0; --over) {
    gpc = gpc == 0 ? params.gpcs - 1 : gpc - 1;
    ++tpcs_left[static_cast<std::size_t>(gpc)];
  }
  std::vector<int> gpcs;
  gpcs.reserve(static_cast<std::size_t>(params.sms));
  int gpc = -1;
  for (int tpc = 0; tpc < tpcs; ++tpc) {
    do gpc = (gpc + 1) % params.gpcs;
    while (tpcs_left[static_cast<std::size_t>(gpc)] == 0);
    --tpcs_left[static_cast<std::size_t>(gpc)];
    gpcs.insert(gpcs.end(), static_cast<std::size_t>(tpc_sms), gpc);
  }
  gpcs.resize(static_cast<std::size_t>(params.sms - first));
  gpcs.insert(gpcs.end(), static_cast<std::size_t>(first), 0);
  return gpcs;
}

std::vector<int> partition_of_sms(const GpuParams& params) {
  std::vector<int> partitions;
  for (const int gpc : gpc_of_sms(params)) partitions.push_back(params.memory.l2.second_partition_gpcs >> gpc & 1);
  return partitions;
}

SmWalk::SmWalk(const GpuParams& params) {
  const std::vector<int> gpcs = gpc_of_sms(params);
  const int first = std::min(params.launch.first_sms, params.sms), others = params.sms - first;
  const int tpc_sms = params.tpc_sms;
  struct Stop {
    int group, place_in_tpc, turn, gpc, sm;
    bool operator<(const Stop& o) const {
      return std::tie(group, place_in_tpc, turn, gpc, sm) < std::tie(o.group, o.place_in_tpc, o.turn, o.gpc, o.sm);
    }
  };
  std::vector<Stop> stops;
  std::vector<int> seen(static_cast<std::size_t>(params.gpcs), 0);  // SMs of a GPC so far
  for (int sm = 0; sm < others; ++sm) {
    const int gpc = gpcs[static_cast<std::size_t>(sm)];
    stops.push_back({1, sm % tpc_sms, seen[static_cast<std::size_t>(gpc)]++ / tpc_sms, gpc, sm});
  }
  for (int sm = others; sm < params.sms; ++sm) stops.push_back({0, (sm - others) % tpc_sms, 0, 0, sm});
  std::sort(stops.begin(), stops.end());
  for (const Stop& stop : stops) walk_.push_back(stop.sm);
  for (int sm = 0; sm < params.sms; ++sm) {
    const int group = sm < others ? gpcs[static_cast<std::size_t>(sm)] + 1 : 0;
    place_.push_back(group * params.sms + sm);
  }
}

}  // namespace stc::gpu
