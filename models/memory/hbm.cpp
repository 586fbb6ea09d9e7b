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
  channels_.assign(static_cast<std::size_t>(params.channels), Channel{channel});
  write_queue_ = cycles_to_ticks(params.write_queue_kib * 1024 / params.bytes_per_cycle);
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

int Hbm::bytes_of(const DeviceAccess& access) const {
  return device_accesses(access.sectors, access_bytes_) * access_bytes_;
}

void Hbm::collect(Channel& channel, Tick now, Tick time) {
  if (channel.writes_until <= now && channel.writes_until != 0) channel.writes_until = channel.brought = 0;
  if (channel.brought == 0) channel.since = now;
  channel.brought += time;
  if (channel.writes_until != 0) {
    channel.writes_until += time;
  } else if (channel.brought >= write_queue_ / 2) {
    channel.writes_until = now + channel.brought;
  }
}

Tick Hbm::writing(const Channel& channel, Tick now) const {
  if (channel.writes_until <= now) return 0;
  const Tick left = channel.writes_until - now, passed = now - channel.since;
  if (passed <= channel.brought) return write_queue_;
  return std::min(write_queue_, left * passed / (passed - channel.brought));
}

Tick Hbm::read(const DeviceAccess& access, Tick, Tick& waited) {
  Channel& channel = channel_of_line(access.line);
  const int bytes = bytes_of(access);
  // What it waited for so far does not shorten how long the channel writes when it comes; writes are among what is
  // transferred before it.
  waited = std::max(waited + writing(channel, access.now), channel.transfers.reserve(access.now, bytes));
  count(access.role, static_cast<std::uint64_t>(bytes) / kSectorBytes, false, access.now);
  return latency_[on_far_side(access.line) ? 1 : 0] + refresh(access);
}

void Hbm::write(const DeviceAccess& access, Tick& waited) {
  Channel& channel = channel_of_line(access.line);
  const int bytes = bytes_of(access);
  const Tick takes = channel.transfers.time_of(bytes), queued = channel.transfers.occupy(access.now, takes);
  if (queued > write_queue_) waited = std::max(waited, queued - write_queue_);
  collect(channel, access.now, takes);
  count(access.role, static_cast<std::uint64_t>(bytes) / kSectorBytes, true, access.now);
}

}  // namespace stc::memory
