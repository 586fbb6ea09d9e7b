// SPDX-License-Identifier: Apache-2.0
// Models:   device memory: channels of fixed bandwidth, two latencies by the side a line's channel lies on, refresh.
// Evidence: configs/gpus/*.yaml, memory.hbm.
// Abstracts: rows and conflicts inside a bank (inside the sustained bandwidth); address translation.
// Timing:   reads wait for channel, transfer, latency, for writes of the channel if it writes and, if it is being
//           refreshed, the bank; writes take bandwidth and wait in a queue, then who makes them does.
#pragma once

#include <array>
#include <vector>

#include "models/core/divider.h"
#include "models/memory/address_hash.h"
#include "models/memory/device_memory.h"
#include "models/memory/memory_params.h"
#include "models/memory/packed_places.h"

namespace stc::memory {

/// The built-in device memory; external_memory.h has the place of one of the user's own.
class Hbm : public DeviceMemory {
 public:
  explicit Hbm(const HbmParams& params);

  Tick read(const DeviceAccess& access, Tick leaves, Tick& waited) override;
  void write(const DeviceAccess& access, Tick& waited) override;
  bool takes_at_once(std::uint64_t line, Tick now) const override {
    return channels_[channel_of(line, channel_count_)].transfers.free_from() <= now + at_once_;
  }
  void reset(std::uint64_t origin, isa::GlobalMemory* values, const HbmParams& params) override;

 private:
  /// Times and rates of `params`; channels are idle.
  void set_rates(const HbmParams& params);
  /// Reads and writes take turns: writes are collected, and then the channel writes until none is left.
  struct Channel {
    Server transfers;
    Tick since = 0;         ///< the first of the writes came that are collected or being written
    Tick brought = 0;       ///< time that those take
    Tick writes_until = 0;  ///< 0: it collects
  };
  Channel& channel_of_line(std::uint64_t line) { return channels_[channel_of(line, channel_count_)]; }
  /// Of a write that takes `time`.
  void collect(Channel& channel, Tick now, Tick time);
  /// Time until the channel no longer writes, if writes go on to come as they did.
  Tick writing(const Channel& channel, Tick now) const;
  int bytes_of(const DeviceAccess& access) const;
  /// Time until the bank of the access's line is no longer refreshed.
  Tick refresh(const DeviceAccess& access) const;

  const int access_bytes_;
  const Divider channel_count_;
  const RefreshTimes refresh_times_;
  const Divider refresh_parts_;
  PackedPlaces places_;
  std::vector<Channel> channels_;
  std::array<Tick, 2> latency_ = {};  // of lines on the near side, on the far one
  Divider refresh_interval_;          // ticks
  Tick refresh_takes_ = 0;
  Tick at_once_ = 0;      ///< that three lines take
  Tick write_queue_ = 0;  ///< of a channel: time that its writes take when it is full
  Tick origin_ = 0;
};

}  // namespace stc::memory
