// SPDX-License-Identifier: Apache-2.0
#include "models/memory/hbm.h"

#include <algorithm>

#include "models/memory/sector_cache.h"

namespace stc::memory {

Hbm::Hbm(sc_core::sc_module_name name, const HbmParams& params)
    : sc_module(name), target("target", 2), params_(params) {
  channels_.assign(static_cast<std::size_t>(params.channels), Server(params.bytes_per_cycle / params.channels));
  for (std::size_t port = 0; port < target.size(); ++port) {
    target[port].register_b_transport(this, &Hbm::b_transport, static_cast<int>(port));
  }
}

void Hbm::reset(std::uint64_t origin) {
  origin_ = origin * kTicksPerCycle;
  for (Server& channel : channels_) channel.reset();
  statistics_ = {};
}

int Hbm::atoms_of(std::uint8_t sectors) const {
  const int sectors_per_atom = std::max(1, params_.access_bytes / static_cast<int>(kSectorBytes));
  int atoms = 0;
  for (int first = 0; first < 4; first += sectors_per_atom) {
    const int mask = ((1 << sectors_per_atom) - 1) << first;
    atoms += (sectors & mask) != 0 ? 1 : 0;
  }
  return atoms;
}

Tick Hbm::refresh(std::uint64_t line) const {
  const Tick interval = cycles_to_ticks(params_.refresh_interval), busy = cycles_to_ticks(params_.refresh_cycles);
  if (busy == 0) return 0;
  const std::uint64_t page = line * kLineBytes / static_cast<std::uint64_t>(params_.page_bytes);
  const std::uint64_t bank = mix(page ^ 0x6a09e667) % static_cast<std::uint64_t>(params_.banks);
  const Tick into =
      (to_ticks(sc_core::sc_time_stamp()) - origin_ + bank * interval / static_cast<std::uint64_t>(params_.banks)) %
      interval;
  return into < busy ? busy - into : 0;
}

void Hbm::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  LineRequest& request = *payload.get_extension<LineRequest>();
  const std::uint64_t line = payload.get_address() / kLineBytes;
  Server& channel = channels_[mix(line * 31 + 7) % channels_.size()];
  const int bytes = atoms_of(request.sectors) * params_.access_bytes;
  const auto sectors = static_cast<std::uint64_t>(bytes) / kSectorBytes;
  const auto role = static_cast<std::size_t>(request.role);
  queue_at(request, channel, bytes);
  if (payload.is_write()) {
    statistics_.dram_write_sectors += sectors;
    statistics_.dram.write[role] += static_cast<std::uint64_t>(bytes);
  } else {
    statistics_.dram_read_sectors += sectors;
    statistics_.dram.read[role] += static_cast<std::uint64_t>(bytes);
    const bool far = (mix(line ^ 0x2545f491) & 1) != 0;
    delay += to_time(cycles_to_ticks(params_.extra_latency + (far ? params_.far_extra_latency : 0.0)) + refresh(line));
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace stc::memory
