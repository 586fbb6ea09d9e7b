// SPDX-License-Identifier: Apache-2.0
#include "models/memory/hbm.h"

#include <algorithm>

#include "models/memory/device_access.h"

namespace stc::memory {

Hbm::Hbm(const HbmParams& params)
    : access_bytes_(params.access_bytes),
      channel_count_(static_cast<std::uint64_t>(params.channels)),
      refresh_times_(params),
      refresh_parts_(refresh_times_.parts()) {
  set_rates(params);
}

void Hbm::set_rates(const HbmParams& params) {
  const Server channel(params.bytes_per_cycle / params.channels);
  channels_.assign(static_cast<std::size_t>(params.channels), channel);
  at_once_ = 3 * channel.time_of(kLineBytes);
  latency_ = {cycles_to_ticks(params.extra_latency), cycles_to_ticks(params.extra_latency + params.far_extra_latency)};
  refresh_interval_ = Divider(cycles_to_ticks(params.refresh_interval));
  refresh_takes_ = cycles_to_ticks(params.refresh_cycles);
}

void Hbm::reset(std::uint64_t origin, isa::GlobalMemory* values, const HbmParams& params) {
  origin_ = origin * kTicksPerCycle;
  places_.lay_out(values);
  set_rates(params);
  statistics_ = {};
}

Tick Hbm::refresh(const DeviceAccess& access) const {
  if (refresh_takes_ == 0) return 0;
  const std::uint64_t line = places_.of(access.line);
  const std::uint64_t parts =
      RefreshTimes::kPartsOfTurn * refresh_times_.turn_of(line) + refresh_times_.within_turn_of(line);
  const Tick behind = refresh_parts_.quotient(parts * refresh_interval_.by());
  const Tick into = refresh_interval_.remainder(access.now - origin_ + behind);
  return into < refresh_takes_ ? refresh_takes_ - into : 0;
}

std::uint64_t Hbm::transfer(const DeviceAccess& access, Tick& waited) {
  Server& channel = channels_[channel_of(access.line, channel_count_)];
  const int bytes = device_accesses(access.sectors, access_bytes_) * access_bytes_;
  waited = std::max(waited, channel.reserve(access.now, bytes));
  return static_cast<std::uint64_t>(bytes);
}

Tick Hbm::read(const DeviceAccess& access, Tick, Tick& waited) {
  count(access.role, transfer(access, waited) / kSectorBytes, false, access.now);
  return latency_[on_far_side(access.line) ? 1 : 0] + refresh(access);
}

void Hbm::write(const DeviceAccess& access, Tick& waited) {
  count(access.role, transfer(access, waited) / kSectorBytes, true, access.now);
}

}  // namespace stc::memory
