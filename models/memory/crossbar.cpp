// SPDX-License-Identifier: Apache-2.0
#include "models/memory/crossbar.h"

#include <algorithm>
#include <utility>

#include "models/memory/l2_partition.h"

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
      params_(params),
      sources_(gpc_of_sm.size()),
      gpc_of_sm_(std::move(gpc_of_sm)),
      way_(ways_of(gpc_of_sm_, params.crossbar.sm_step)),
      atomics_(gpc_of_sm_.size(), AtomicWindow(params.crossbar.atomic_packets)),
      coalescer_(count_of(gpc_of_sm_), RequestCoalescer(params.crossbar)),
      stores_wait_in_l2_(links_are_narrow(params)) {
  set_rates();
  SC_METHOD(serve);
  sensitive << work_;
  dont_initialize();
}

void Crossbar::connect(const std::vector<L2Partition*>& partitions) {
  partitions_ = partitions;
  for (L2Partition* const partition : partitions_) partition->answer(*this);
}

void Crossbar::set_rates() {
  const CrossbarParams& rates = params_.crossbar;
  const std::size_t sms = gpc_of_sm_.size();
  request_port_.assign(sms, Server(1.0 / std::max(1e-6, rates.request_interval)));
  read_port_.assign(sms, Server(rates.sm_read_bytes_per_cycle));
  write_port_.assign(sms, Server(rates.sm_write_bytes_per_cycle));
  gpc_port_.assign(coalescer_.size(), Server(rates.gpc_read_bytes_per_cycle));
  read_all_ = Server(rates.read_bytes_per_cycle);
  write_all_ = Server(rates.write_bytes_per_cycle);
}

void Crossbar::reset(std::uint64_t origin, const MemoryParams& params) {
  params_ = params;
  origin_ = origin;
  for (Requests& requests : waiting_) requests.clear();
  served_ = origin;
  joined_.clear();
  pool_.reset();
  set_rates();
  for (AtomicWindow& window : atomics_) window.reset();
  for (RequestCoalescer& coalescer : coalescer_) coalescer.reset();
  coalesced_sectors_ = 0;
}

void Crossbar::send(int sm, LineRequest& request) {
  if (!on_call_) request.sent = to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle;
  Requests& requests = of_cycle(request.sent);
  if (!on_call_ && requests.empty()) work_.notify(until_arbitration());
  if (!on_call_) on_expect(request.partition, request.line, false);
  requests.push_back({sm, &request});
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
  const auto first = std::lower_bound(requests.begin(), requests.end(), Waiting{first_of(cycle), nullptr}, by_sm);
  const Tick now = cycle * kTicksPerCycle + kArbitration;
  const auto in_turn = [&](const auto& each) {
    std::for_each(first, requests.end(), each);
    std::for_each(requests.begin(), first, each);
  };
  if (!on_call_) in_turn([this](const Waiting& one) { on_expect(one.request->partition, one.request->line, true); });
  in_turn([this, now](const Waiting& one) { serve_one(one.sm, *one.request, now); });
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

void Crossbar::serve_one(int sm, LineRequest& request, Tick now) {
  request.now = now;
  if (!request.entered) {
    request.waited = enter(sm, request.write, request.sectors, request.sent);
    if (request.write && request.waited != 0) hold(sm, now + request.waited);
  }
  if (request.write) {
    Tick delay = 0;
    request.gpc = gpc_of_sm_[static_cast<std::size_t>(sm)];
    partitions_[static_cast<std::size_t>(request.partition)]->access(request, delay);
    sources_[static_cast<std::size_t>(sm)]->acknowledged(now + request.waited + delay);
    if (stores_wait_in_l2_ && request.waited != 0) hold(sm, now + request.waited);
    pool_.release(request);
  } else if (const std::optional<Tick> taken = read(sm, request)) {
    if (request.atomic) hold_atomics(sm, request);
    answer(request, now + *taken);
  }
}

void Crossbar::answer(LineRequest& request, Tick arrival) {
  sources_[static_cast<std::size_t>(request.sm)]->answered(request, arrival);
  if (request.atomic) sources_[static_cast<std::size_t>(request.sm)]->acknowledged(arrival);
  pool_.release(request);
}

/// Tells an SM with too many atomics on their way when it may send more. A packet of several sectors counts as so many.
void Crossbar::hold_atomics(int sm, const LineRequest& request) {
  const auto port = static_cast<std::size_t>(sm);
  const Tick now = request.now;
  const Tick until = atomics_[port].add(request.passes, now, now + request.waited);
  if (until > now) hold(sm, until);
}

/// What an SM knows after a time that is past, it needs no more.
void Crossbar::hold(int sm, Tick until) {
  sources_[static_cast<std::size_t>(sm)]->held(std::max(until, to_ticks(sc_core::sc_time_stamp())));
}

std::optional<Tick> Crossbar::read(int sm, LineRequest& request) {
  const auto gpc = static_cast<std::size_t>(gpc_of_sm_[static_cast<std::size_t>(sm)]);
  const int bytes = sector_count(request.sectors) * static_cast<int>(kSectorBytes);
  const Tick way = way_[static_cast<std::size_t>(sm)];
  const Tick now = request.now + way;  // at the coalescer
  const std::uint64_t line = request.line;
  request.sm = sm;
  queue_at(request, read_port_[static_cast<std::size_t>(sm)], bytes);
  const Tick arrival = request.atomic ? 0 : coalescer_[gpc].join(line, request.sectors, now);
  if (arrival != 0) {
    coalesced_sectors_ += static_cast<std::uint64_t>(sector_count(request.sectors));
    const Tick soonest = cycles_to_ticks(params_.crossbar.coalescer_reach) + request.waited;
    if (arrival != RequestCoalescer::kUnknown) return std::max(arrival - now, soonest) + 2 * way;
    joined_[coalescer_[gpc].leader(line)].push_back({&request, now + soonest});
    return std::nullopt;
  }
  queue_at(request, gpc_port_[gpc], bytes);
  queue_at(request, read_all_, bytes);
  request.gpc = static_cast<int>(gpc);
  Tick delay = 0;
  const bool waits = !partitions_[static_cast<std::size_t>(request.partition)]->access(request, delay);
  const Tick taken = delay - kArbitration + request.waited;
  const Tick arrives = waits ? RequestCoalescer::kUnknown : now + taken;
  if (!request.atomic) coalescer_[gpc].add(line, request.sectors, arrives, waits ? &request : nullptr);
  if (waits) return std::nullopt;
  return taken + 2 * way;
}

void Crossbar::filled(LineRequest& request, Tick delay) {
  const Tick now = to_ticks(sc_core::sc_time_stamp()), taken = delay - kArbitration;
  const Tick way = way_[static_cast<std::size_t>(request.sm)], arrival = now + way + taken;  // at the coalescer
  coalescer_[static_cast<std::size_t>(request.gpc)].arrives(request.line, &request, arrival);
  const auto found = joined_.find(&request);
  if (found != joined_.end()) {
    const std::vector<Joined> reads = std::move(found->second);
    joined_.erase(found);
    for (const Joined& read : reads) {
      const Tick arrives = std::max(arrival, read.soonest);
      answer(*read.request, arrives + way_[static_cast<std::size_t>(read.request->sm)]);
    }
  }
  answer(request, now + taken + 2 * way);
}

}  // namespace stc::memory
