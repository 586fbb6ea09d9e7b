// SPDX-License-Identifier: Apache-2.0
#include "models/memory/crossbar.h"

#include <algorithm>
#include <utility>

#include "models/memory/sector_cache.h"

namespace stc::memory {
namespace {

std::size_t count_of(const std::vector<int>& gpc_of_sm) {
  return gpc_of_sm.empty() ? 0 : static_cast<std::size_t>(*std::max_element(gpc_of_sm.begin(), gpc_of_sm.end())) + 1;
}

/// Steps that an SM lies away from its GPC's coalescer. The SMs of a GPC come in threes of pairs; the n-th SM of the
/// first lies (n + 1) / 2 + 1 steps away, of the next one step less, but none further than three (an H200's GPCs of 16
/// SMs).
int steps_of(int place) { return std::clamp((place % 6 + 1) / 2 + 1 - place / 6, 0, 3); }

std::vector<Tick> ways_of(const std::vector<int>& gpc_of_sm, double step) {
  std::vector<int> place(count_of(gpc_of_sm), 0);
  std::vector<Tick> ways;
  ways.reserve(gpc_of_sm.size());
  for (const int gpc : gpc_of_sm) {
    ways.push_back(cycles_to_ticks(step / 2 * steps_of(place[static_cast<std::size_t>(gpc)]++)));
  }
  return ways;
}

/// The half of its partition in which a line's slice lies.
std::uint64_t half_of(std::uint64_t line) { return mix(line ^ 0x51ed270b) & 1; }

}  // namespace

Crossbar::Crossbar(sc_core::sc_module_name name, std::vector<int> gpc_of_sm, const MemoryParams& params)
    : sc_module(name),
      from_sm("from_sm", gpc_of_sm.size()),
      to_partition("to_partition", static_cast<std::size_t>(params.l2.partitions)),
      params_(params),
      gpc_of_sm_(std::move(gpc_of_sm)),
      way_(ways_of(gpc_of_sm_, params.crossbar.sm_step)),
      inbox_(gpc_of_sm_.size()),
      request_port_(inbox_.size(), Server(1.0 / std::max(1e-6, params.crossbar.request_interval))),
      read_port_(inbox_.size(), Server(params.crossbar.sm_read_bytes_per_cycle)),
      write_port_(inbox_.size(), Server(params.crossbar.sm_write_bytes_per_cycle)),
      gpc_port_(count_of(gpc_of_sm_), Server(params.crossbar.gpc_read_bytes_per_cycle)),
      coalescer_(gpc_port_.size(), RequestCoalescer(params.crossbar)),
      read_all_(params.crossbar.read_bytes_per_cycle),
      write_all_(params.crossbar.write_bytes_per_cycle) {
  for (std::size_t sm = 0; sm < from_sm.size(); ++sm) {
    from_sm[sm].register_nb_transport_fw(this, &Crossbar::nb_transport_fw, static_cast<int>(sm));
  }
  SC_METHOD(serve);
  sensitive << work_;
  dont_initialize();
}

void Crossbar::reset(std::uint64_t origin) {
  origin_ = origin;
  for (auto& box : inbox_) box.clear();
  waiting_.clear();
  for (std::size_t sm = 0; sm < inbox_.size(); ++sm) {
    request_port_[sm].reset();
    read_port_[sm].reset();
    write_port_[sm].reset();
  }
  for (Server& port : gpc_port_) port.reset();
  for (RequestCoalescer& coalescer : coalescer_) coalescer.reset();
  read_all_.reset();
  write_all_.reset();
  coalesced_sectors_ = 0;
}

tlm::tlm_sync_enum Crossbar::nb_transport_fw(int sm, tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                             sc_core::sc_time&) {
  auto& box = inbox_[static_cast<std::size_t>(sm)];
  if (box.empty()) {
    if (waiting_.empty()) work_.notify(until_arbitration());
    waiting_.push_back(sm);
  }
  box.push_back(&payload);
  return tlm::TLM_ACCEPTED;
}

void Crossbar::serve() {
  const auto cycle = to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle - origin_;
  const int sms = static_cast<int>(inbox_.size());
  const int first = static_cast<int>(cycle % static_cast<std::uint64_t>(sms));
  std::sort(waiting_.begin(), waiting_.end(),
            [first, sms](int a, int b) { return (a - first + sms) % sms < (b - first + sms) % sms; });
  for (const int sm : waiting_) {
    auto& box = inbox_[static_cast<std::size_t>(sm)];
    for (tlm::tlm_generic_payload* payload : box) serve_one(sm, *payload);
    box.clear();
  }
  waiting_.clear();
}

void Crossbar::serve_one(int sm, tlm::tlm_generic_payload& payload) {
  const auto port = static_cast<std::size_t>(sm);
  LineRequest& request = *payload.get_extension<LineRequest>();
  request.waited = 0;
  queue_at(request, request_port_[port], 1.0);
  if (payload.is_write()) {
    const int bytes = sector_count(request.sectors) * static_cast<int>(kSectorBytes);
    queue_at(request, write_port_[port], bytes);
    queue_at(request, write_all_, bytes);
    sc_core::sc_time delay = to_time(request.waited);
    tlm::tlm_phase phase = tlm::END_REQ;
    if (request.waited != 0) from_sm[port]->nb_transport_bw(payload, phase, delay);
    access_l2(request, payload, delay);
  } else {
    sc_core::sc_time delay = to_time(read(sm, request, payload));
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    from_sm[port]->nb_transport_bw(payload, phase, delay);
  }
  payload.release();
}

Tick Crossbar::read(int sm, LineRequest& request, tlm::tlm_generic_payload& payload) {
  const auto gpc = static_cast<std::size_t>(gpc_of_sm_[static_cast<std::size_t>(sm)]);
  const int bytes = sector_count(request.sectors) * static_cast<int>(kSectorBytes);
  const Tick way = way_[static_cast<std::size_t>(sm)];
  const Tick now = to_ticks(sc_core::sc_time_stamp()) + way;  // at the coalescer
  const std::uint64_t line = payload.get_address() / kLineBytes;
  queue_at(request, read_port_[static_cast<std::size_t>(sm)], bytes);
  const Tick arrival = request.atomic ? 0 : coalescer_[gpc].join(line, request.sectors, now);
  if (arrival != 0) {
    coalesced_sectors_ += static_cast<std::uint64_t>(sector_count(request.sectors));
    return std::max(arrival - now, cycles_to_ticks(params_.crossbar.coalescer_reach) + request.waited) + 2 * way;
  }
  queue_at(request, gpc_port_[gpc], bytes);
  queue_at(request, read_all_, bytes);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  access_l2(request, payload, delay);
  const bool other_half = half_of(line) != (params_.l2.second_half_gpcs >> gpc & 1);
  const double path = params_.l2.near_latency + (other_half ? params_.l2.half_extra_latency : 0.0);
  const Tick taken = to_ticks(delay) + cycles_to_ticks(path) - kArbitration + request.waited;
  if (!request.atomic) coalescer_[gpc].add(line, request.sectors, now + taken);
  return taken + 2 * way;
}

void Crossbar::access_l2(LineRequest& request, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  to_partition[static_cast<std::size_t>(request.partition)]->b_transport(payload, delay);
}

}  // namespace stc::memory
