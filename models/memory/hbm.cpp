// SPDX-License-Identifier: Apache-2.0
#include "models/memory/hbm.h"

#include <algorithm>

#include "models/memory/address_hash.h"
#include "models/memory/device_access.h"

namespace stc::memory {

Hbm::Hbm(const HbmParams& params) : params_(params), channel_count_(static_cast<std::uint64_t>(params.channels)) {
  set_rates();
}

void Hbm::set_rates() {
  channels_.assign(static_cast<std::size_t>(params_.channels), Server(params_.bytes_per_cycle / params_.channels));
}

void Hbm::reset(std::uint64_t origin, isa::GlobalMemory* values, const HbmParams& params) {
  params_ = params;
  origin_ = origin * kTicksPerCycle;
  places_.lay_out(values);
  set_rates();
  statistics_ = {};
}

Tick Hbm::refresh(const DeviceAccess& access) const {
  const Tick interval = cycles_to_ticks(params_.refresh_interval), busy = cycles_to_ticks(params_.refresh_cycles);
  if (busy == 0) return 0;
  const std::uint64_t line = places_.of(access.line), turns = static_cast<std::uint64_t>(params_.banks);
  const std::uint64_t turn = 256 * refresh_turn_of(line, params_) + within_turn_of(line, params_);
  const Tick into = (access.now - origin_ + turn * interval / (256 * turns)) % interval;
  return into < busy ? busy - into : 0;
}

std::uint64_t Hbm::transfer(const DeviceAccess& access, Tick& waited) {
  Server& channel = channels_[channel_of(access.line, channel_count_)];
  const int bytes = device_accesses(access.sectors, params_.access_bytes) * params_.access_bytes;
  waited = std::max(waited, channel.reserve(access.now, bytes));
  return static_cast<std::uint64_t>(bytes);
}

Tick Hbm::read(const DeviceAccess& access, Tick, Tick& waited) {
  count(access.role, transfer(access, waited) / kSectorBytes, false, access.now);
  const double further = on_far_side(access.line) ? params_.far_extra_latency : 0.0;
  return cycles_to_ticks(params_.extra_latency + further) + refresh(access);
}

void Hbm::write(const DeviceAccess& access, Tick& waited) {
  count(access.role, transfer(access, waited) / kSectorBytes, true, access.now);
}

}  // namespace stc::memory
