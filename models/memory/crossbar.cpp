// SPDX-License-Identifier: Apache-2.0
#include "models/memory/crossbar.h"

#include <algorithm>
#include <utility>

namespace stc::memory {
namespace {

std::size_t count_of(const std::vector<int>& gpc_of_sm) {
  return gpc_of_sm.empty() ? 0 : static_cast<std::size_t>(*std::max_element(gpc_of_sm.begin(), gpc_of_sm.end())) + 1;
}

// The SMs of a GPC come in threes of pairs and lie in four steps of distance: an H200's GPCs of 16 SMs
// (measured/h200/latency.csv). How long a step is says sm_step; a GPU in which it is 0 has none of this.
constexpr int kSmsOfThreePairs = 6;
constexpr int kFurthestStep = 3;

/// Steps that an SM lies away from its GPC's coalescer, `place` being its number in the GPC: the n-th SM of the first
/// three pairs lies (n + 1) / 2 + 1 steps away, of the next one step less.
int steps_of(int place) {
  return std::clamp((place % kSmsOfThreePairs + 1) / 2 + 1 - place / kSmsOfThreePairs, 0, kFurthestStep);
}

std::vector<Tick> ways_of(const std::vector<int>& gpc_of_sm, double step) {
  std::vector<int> place(count_of(gpc_of_sm), 0);
  std::vector<Tick> ways;
  ways.reserve(gpc_of_sm.size());
  for (const int gpc : gpc_of_sm) {
    ways.push_back(cycles_to_ticks(step / 2 * steps_of(place[static_cast<std::size_t>(gpc)]++)));
  }
  return ways;
}

/// The links between L2's two partitions, one each way, take less than the half of all traffic that crosses.
bool links_are_narrow(const MemoryParams& params) {
  const CrossbarParams& crossbar = params.crossbar;
  return 2 * crossbar.partition_link_bytes_per_cycle <
         (crossbar.read_bytes_per_cycle + crossbar.write_bytes_per_cycle) / 2;
}

}  // namespace

Crossbar::Crossbar(sc_core::sc_module_name name, std::vector<int> gpc_of_sm, const MemoryParams& params)
    : sc_module(name),
      from_sm("from_sm", gpc_of_sm.size()),
      to_partition("to_partition", static_cast<std::size_t>(params.l2.partitions)),
      params_(params),
      gpc_of_sm_(std::move(gpc_of_sm)),
      way_(ways_of(gpc_of_sm_, params.crossbar.sm_step)),
      request_port_(gpc_of_sm_.size(), Server(1.0 / std::max(1e-6, params.crossbar.request_interval))),
      read_port_(request_port_.size(), Server(params.crossbar.sm_read_bytes_per_cycle)),
      write_port_(request_port_.size(), Server(params.crossbar.sm_write_bytes_per_cycle)),
      atomics_(request_port_.size(), AtomicWindow(params.crossbar.atomic_packets)),
      gpc_port_(count_of(gpc_of_sm_), Server(params.crossbar.gpc_read_bytes_per_cycle)),
      coalescer_(gpc_port_.size(), RequestCoalescer(params.crossbar)),
      read_all_(params.crossbar.read_bytes_per_cycle),
      write_all_(params.crossbar.write_bytes_per_cycle),
      stores_wait_in_l2_(links_are_narrow(params)) {
  for (std::size_t sm = 0; sm < from_sm.size(); ++sm) {
    from_sm[sm].register_nb_transport_fw(this, &Crossbar::nb_transport_fw, static_cast<int>(sm));
  }
  for (auto& socket : to_partition) socket.register_nb_transport_bw(this, &Crossbar::nb_transport_bw);
  SC_METHOD(serve);
  sensitive << work_;
  dont_initialize();
}

void Crossbar::reset(std::uint64_t origin) {
  origin_ = origin;
  for (Requests& requests : waiting_) requests.clear();
  served_ = origin;
  for (auto& [leader, reads] : joined_) {
    for (const Joined& read : reads) read.payload->release();
  }
  joined_.clear();
  for (std::size_t sm = 0; sm < request_port_.size(); ++sm) {
    request_port_[sm].reset();
    read_port_[sm].reset();
    write_port_[sm].reset();
    atomics_[sm].reset();
  }
  for (Server& port : gpc_port_) port.reset();
  for (RequestCoalescer& coalescer : coalescer_) coalescer.reset();
  read_all_.reset();
  write_all_.reset();
  coalesced_sectors_ = 0;
}

tlm::tlm_sync_enum Crossbar::nb_transport_fw(int sm, tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                             sc_core::sc_time&) {
  LineRequest* const request = &request_of(payload);
  if (!on_call_) request->sent = to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle;
  Requests& requests = of_cycle(request->sent);
  if (!on_call_ && requests.empty()) work_.notify(until_arbitration());
  if (!on_call_) on_expect(request->partition, payload.get_address() / kLineBytes, false);
  requests.push_back({sm, &payload, request});
  return tlm::TLM_ACCEPTED;
}

void Crossbar::serve() {
  const std::uint64_t cycle = to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle;
  serve(of_cycle(cycle), cycle);
}

void Crossbar::serve_until(std::uint64_t end) {
  for (std::uint64_t cycle = std::max(served_, end - std::min(end, kSpan)); cycle < end; ++cycle) {
    if (!of_cycle(cycle).empty()) serve(of_cycle(cycle), cycle);
  }
  served_ = std::max(served_, end);
}

/// Beginning with one SM, then by their numbers, round.
void Crossbar::serve(Requests& requests, std::uint64_t cycle) {
  const auto by_sm = [](const Waiting& a, const Waiting& b) { return a.sm < b.sm; };
  if (!std::is_sorted(requests.begin(), requests.end(), by_sm)) {
    std::stable_sort(requests.begin(), requests.end(), by_sm);
  }
  const Waiting turn{first_of(cycle), nullptr, nullptr};
  const auto first = std::lower_bound(requests.begin(), requests.end(), turn, by_sm);
  std::rotate(requests.begin(), first, requests.end());
  const Tick now = cycle * kTicksPerCycle + kArbitration;
  for (const Waiting& one : requests) {
    if (!on_call_) on_expect(one.request->partition, one.payload->get_address() / kLineBytes, true);
  }
  for (const Waiting& one : requests) serve_one(one.sm, *one.request, *one.payload, now);
  requests.clear();
}

Tick Crossbar::enter(int sm, bool write, std::uint8_t sectors, std::uint64_t cycle) {
  const auto port = static_cast<std::size_t>(sm);
  const Tick now = cycle * kTicksPerCycle + kArbitration;
  const Tick waited = request_port_[port].reserve(now, 1.0);
  if (!write) return waited;
  const int bytes = sector_count(sectors) * static_cast<int>(kSectorBytes);
  return std::max({waited, write_port_[port].reserve(now, bytes), write_all_.reserve(now, bytes)});
}

void Crossbar::serve_one(int sm, LineRequest& request, tlm::tlm_generic_payload& payload, Tick now) {
  request.now = now;
  if (!request.entered) {
    request.waited = enter(sm, payload.is_write(), request.sectors, request.sent);
    if (payload.is_write() && request.waited != 0) hold(sm, payload, now + request.waited);
  }
  if (payload.is_write()) {
    sc_core::sc_time delay = to_time(request.waited);
    access_l2(request, payload, delay);
    if (stores_wait_in_l2_ && request.waited != 0) hold(sm, payload, now + request.waited);
    payload.release();
  } else if (const std::optional<Tick> taken = read(sm, request, payload)) {
    if (request.atomic) hold_atomics(sm, request, payload);
    answer(request, payload, now + *taken);
  }
}

void Crossbar::answer(const LineRequest& request, tlm::tlm_generic_payload& payload, Tick arrival) {
  sc_core::sc_time delay = to_time(arrival - to_ticks(sc_core::sc_time_stamp()));
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  from_sm[static_cast<std::size_t>(request.sm)]->nb_transport_bw(payload, phase, delay);
  payload.release();
}

/// Tells an SM with too many atomics on their way when it may send more. A packet of several sectors counts as so many.
void Crossbar::hold_atomics(int sm, const LineRequest& request, tlm::tlm_generic_payload& payload) {
  const auto port = static_cast<std::size_t>(sm);
  const Tick now = request.now;
  const Tick until = atomics_[port].add(request.passes, now, now + request.waited);
  if (until > now) hold(sm, payload, until);
}

/// What an SM knows after a time that is past, it needs no more.
void Crossbar::hold(int sm, tlm::tlm_generic_payload& payload, Tick until) {
  const Tick now = to_ticks(sc_core::sc_time_stamp());
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = to_time(std::max(until, now) - now);
  from_sm[static_cast<std::size_t>(sm)]->nb_transport_bw(payload, phase, delay);
}

std::optional<Tick> Crossbar::read(int sm, LineRequest& request, tlm::tlm_generic_payload& payload) {
  const auto gpc = static_cast<std::size_t>(gpc_of_sm_[static_cast<std::size_t>(sm)]);
  const int bytes = sector_count(request.sectors) * static_cast<int>(kSectorBytes);
  const Tick way = way_[static_cast<std::size_t>(sm)];
  const Tick now = request.now + way;  // at the coalescer
  const std::uint64_t line = payload.get_address() / kLineBytes;
  request.sm = sm;
  queue_at(request, read_port_[static_cast<std::size_t>(sm)], bytes);
  const Tick arrival = request.atomic ? 0 : coalescer_[gpc].join(line, request.sectors, now);
  if (arrival != 0) {
    coalesced_sectors_ += static_cast<std::uint64_t>(sector_count(request.sectors));
    const Tick soonest = cycles_to_ticks(params_.crossbar.coalescer_reach) + request.waited;
    if (arrival != RequestCoalescer::kUnknown) return std::max(arrival - now, soonest) + 2 * way;
    joined_[coalescer_[gpc].leader(line)].push_back({&payload, now + soonest});
    return std::nullopt;
  }
  queue_at(request, gpc_port_[gpc], bytes);
  queue_at(request, read_all_, bytes);
  request.gpc = static_cast<int>(gpc);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const bool waits = access_l2(request, payload, delay) == tlm::TLM_ACCEPTED;
  const Tick taken = to_ticks(delay) - kArbitration + request.waited;
  const Tick arrives = waits ? RequestCoalescer::kUnknown : now + taken;
  if (!request.atomic) coalescer_[gpc].add(line, request.sectors, arrives, waits ? &payload : nullptr);
  if (waits) return std::nullopt;
  return taken + 2 * way;
}

tlm::tlm_sync_enum Crossbar::access_l2(LineRequest& request, tlm::tlm_generic_payload& payload,
                                       sc_core::sc_time& delay) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  return to_partition[static_cast<std::size_t>(request.partition)]->nb_transport_fw(payload, phase, delay);
}

tlm::tlm_sync_enum Crossbar::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                             sc_core::sc_time& delay) {
  const LineRequest& request = request_of(payload);
  const Tick now = to_ticks(sc_core::sc_time_stamp()), taken = to_ticks(delay) - kArbitration;
  const Tick way = way_[static_cast<std::size_t>(request.sm)], arrival = now + way + taken;  // at the coalescer
  coalescer_[static_cast<std::size_t>(request.gpc)].arrives(payload.get_address() / kLineBytes, &payload, arrival);
  const auto found = joined_.find(&payload);
  if (found != joined_.end()) {
    const std::vector<Joined> reads = std::move(found->second);
    joined_.erase(found);
    for (const Joined& read : reads) {
      const LineRequest& joined = request_of(*read.payload);
      const Tick arrives = std::max(arrival, read.soonest);
      answer(joined, *read.payload, arrives + way_[static_cast<std::size_t>(joined.sm)]);
    }
  }
  answer(request, payload, now + taken + 2 * way);
  return tlm::TLM_COMPLETED;
}

}  // namespace stc::memory
