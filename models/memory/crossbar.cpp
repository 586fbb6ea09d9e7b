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

/// The links between L2's two partitions, one each way, take less than the half of all traffic that crosses.
bool links_are_narrow(const MemoryParams& params) {
  const CrossbarParams& crossbar = params.crossbar;
  return 2 * crossbar.partition_link_bytes_per_cycle <
         (crossbar.read_bytes_per_cycle + crossbar.write_bytes_per_cycle) / 2;
}

}  // namespace

std::vector<Crossbar::Sm> Crossbar::sms_of(const std::vector<int>& gpc_of_sm, const CrossbarParams& params) {
  std::vector<int> place(count_of(gpc_of_sm), 0);
  std::vector<Sm> sms;
  sms.reserve(gpc_of_sm.size());
  for (const int number : gpc_of_sm) {
    const Tick way = cycles_to_ticks(params.sm_step / 2 * steps_of(place[static_cast<std::size_t>(number)]++));
    sms.push_back({nullptr, way, static_cast<std::uint8_t>(number), 0});
  }
  return sms;
}

Crossbar::Crossbar(sc_core::sc_module_name name, const std::vector<int>& gpc_of_sm, const LinePlaces& places,
                   const MemoryParams& params)
    : sc_module(name),
      places_(places),
      sms_(sms_of(gpc_of_sm, params.crossbar)),
      ports_(sms_.size()),
      atomics_(sms_.size(), AtomicWindow(params.crossbar.atomic_packets)),
      gpcs_(count_of(gpc_of_sm), Gpc{{}, RequestCoalescer(params.crossbar)}),
      stores_wait_in_l2_(links_are_narrow(params)) {
  set_rates(params.crossbar);
  SC_METHOD(serve_waiting);
  sensitive << work_;
  dont_initialize();
}

void Crossbar::connect(int sm, int partition, LineSource& source) {
  Sm& one = sms_[static_cast<std::size_t>(sm)];
  one.source = &source;
  one.partition = static_cast<std::uint8_t>(partition);
}

void Crossbar::connect(const std::vector<L2Partition*>& partitions) {
  partitions_ = partitions;
  for (L2Partition* const partition : partitions_) partition->answer(*this);
}

void Crossbar::set_rates(const CrossbarParams& rates) {
  store_queue_ = cycles_to_ticks(rates.store_queue_kib * 1024 / rates.write_bytes_per_cycle);
  request_interval_ = Server(1.0 / std::max(1e-6, rates.request_interval)).time_of(1.0);
  ports_.assign(ports_.size(),
                {Server(), SectorServer(rates.sm_read_bytes_per_cycle), SectorServer(rates.sm_write_bytes_per_cycle)});
  stores_.assign(sms_.size(), {SectorServer(rates.write_bytes_per_cycle / static_cast<double>(sms_.size())), 0,
                               SectorServer(rates.sm_read_bytes_per_cycle)});
  for (Gpc& gpc : gpcs_) gpc.reads = SectorServer(rates.gpc_read_bytes_per_cycle);
  read_all_ = SectorServer(rates.read_bytes_per_cycle);
  write_all_ = SectorServer(rates.write_bytes_per_cycle);
}

void Crossbar::reset(std::uint64_t origin, const MemoryParams& params) {
  origin_ = origin;
  waiting_.clear();
  later_.clear();
  joined_.clear();
  pool_.reset();
  set_rates(params.crossbar);
  for (AtomicWindow& window : atomics_) window.reset();
  for (Gpc& gpc : gpcs_) gpc.coalescer.reset();
  coalesced_sectors_ = 0;
}

Tick Crossbar::stored_by() const {
  Tick last = 0;
  for (const Stores& of_sm : stores_) last = std::max(last, of_sm.in_l2);
  return last - std::min(last, Tick{origin_} * kTicksPerCycle);
}

void Crossbar::prepare(SentQuery& query) {
  const Sm& sm = sm_of(query);
  query.place = places_.of(query.line);
  query.gpc = sm.gpc;
  query.partition = sm.partition;
  SmPorts& ports = ports_[static_cast<std::size_t>(query.sm)];
  const Tick now = query.sent * kTicksPerCycle + kArbitration;
  query.waited = ports.requests.occupy(now, request_interval_);
  SectorServer &data = query.write ? ports.writes : ports.reads, &other = query.write ? ports.reads : ports.writes;
  query.waited = std::max(query.waited, data.reserve(now, query));
  other.hold(data.free_from());  // an SM reads or stores
}

void Crossbar::send(const SentQuery& query) {
  if (waiting_.empty()) work_.notify(until_arbitration());
  expect_tags(query);
  waiting_.push_back(&pool_.keep(query));
}

std::uint64_t Crossbar::take_turn(const SentQuery& query) {
  if (query.write || query.atomic || query.came_behind) return query.sent;
  Stores& stores = stores_[static_cast<std::size_t>(query.sm)];
  const Tick now = query.sent * kTicksPerCycle + kArbitration, first = std::max(now, stores.in_l2);
  if (first == now && stores.loads.free_from() <= now) return query.sent;
  return (first + stores.loads.reserve(first, query)) / kTicksPerCycle;
}

void Crossbar::come_behind(SentQuery& load, std::uint64_t cycle) {
  load.came_behind = true;
  load.sent = cycle;
  load.waited = 0;
}

/// Beginning with one SM, then by their numbers, round; of an SM first what comes behind stores.
void Crossbar::serve_waiting() {
  const std::uint64_t cycle = to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle;
  const int first = first_of(cycle);
  const auto turn = [first](const LineRequest* one) { return std::pair(one->sm < first, one->sm); };
  const auto not_yet = later_.upper_bound(cycle);
  for (auto one = later_.begin(); one != not_yet; ++one) {
    come_behind(*one->second, cycle);
    coming_.push_back(one->second);
  }
  later_.erase(later_.begin(), not_yet);
  coming_.insert(coming_.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
  std::stable_sort(coming_.begin(), coming_.end(),
                   [turn](const LineRequest* a, const LineRequest* b) { return turn(a) < turn(b); });
  for (LineRequest* const one : coming_) expect_line(*one);
  for (LineRequest* const one : coming_) {
    const std::uint64_t then = take_turn(*one);
    if (then > cycle) {
      later_.emplace(then, one);
    } else if (serve_one(*one)) {
      pool_.release(*one);
    }
  }
  coming_.clear();
  if (!later_.empty()) work_.notify(to_time((later_.begin()->first - cycle) * kTicksPerCycle));
}

// Most of what is done for a request is in small steps, of which calls would take an eighth.
[[gnu::flatten]] void Crossbar::serve(const SentQuery& query) {
  LineRequest request(query);
  serve_one(request);
}

void Crossbar::enter(SentQuery& store) {
  const Tick now = store.sent * kTicksPerCycle + kArbitration;
  store.entered = true;
  store.waited = std::max(store.waited, write_all_.reserve(now, store));
  if (!stores_wait_in_l2_) hold_stores(store, now);
}

void Crossbar::hold_stores(const SentQuery& store, Tick now) {
  if (store.waited > store_queue_) sm_of(store).source->held(now + store.waited - store_queue_);
}

bool Crossbar::serve_one(LineRequest& request) {
  const Sm& sm = sm_of(request);
  request.now = request.sent * kTicksPerCycle + kArbitration;
  if (!request.write) return read(request, sm);
  write(request, sm);
  return true;
}

void Crossbar::write(LineRequest& request, const Sm& sm) {
  if (!request.entered) enter(request);
  Tick delay = 0;
  partitions_[sm.partition]->access(request, delay);
  sm.source->acknowledged(request.now + request.waited + delay);
  Stores& stores = stores_[static_cast<std::size_t>(request.sm)];
  const Tick share = stores.share.reserve(request.now, request);
  stores.in_l2 = std::max(stores.in_l2, request.now + std::min(request.waited_for_l2, share));
  if (stores_wait_in_l2_) hold_stores(request, request.now);
}

bool Crossbar::read(LineRequest& request, const Sm& sm) {
  Gpc& gpc = gpcs_[sm.gpc];
  if (request.atomic) {
    const Tick stored = stores_[static_cast<std::size_t>(request.sm)].in_l2;
    if (stored > request.now) request.waited = std::max(request.waited, stored - request.now);
  }
  const Tick now = request.now + sm.way;  // at the coalescer
  const bool alone = request.atomic || request.intake != 0;
  const Tick joined = alone ? 0 : gpc.coalescer.join(request.line, request.sectors, now);
  if (joined != 0) return join(request, sm, joined);
  const int sectors = sector_count(request.sectors);
  queue_at(request, gpc.reads, sectors);
  queue_at(request, read_all_, sectors);
  Tick delay = 0;
  const bool waits = !partitions_[sm.partition]->access(request, delay);
  const Tick arrival = now + delay - kArbitration + request.waited;
  if (!alone) {
    const Tick known = waits ? RequestCoalescer::kUnknown : arrival;
    gpc.coalescer.add(request.line, request.sectors, known, waits ? &request : nullptr);
  }
  if (waits) return false;
  if (request.atomic) hold_atomics(request, sm);
  answer(request, sm, arrival + sm.way);
  return true;
}

bool Crossbar::join(LineRequest& request, const Sm& sm, Tick arrival) {
  coalesced_sectors_ += static_cast<std::uint64_t>(sector_count(request.sectors));
  RequestCoalescer& coalescer = gpcs_[sm.gpc].coalescer;
  const Tick soonest = request.now + sm.way + coalescer.reach() + request.waited;
  if (arrival == RequestCoalescer::kUnknown) {
    joined_[coalescer.leader(request.line)].push_back({&request, soonest});
    return false;
  }
  answer(request, sm, std::max(arrival, soonest) + sm.way);
  return true;
}

void Crossbar::answer(const LineRequest& request, const Sm& sm, Tick arrival) {
  sm.source->answered(request, arrival);
  if (request.atomic) sm.source->acknowledged(arrival);
}

void Crossbar::answer_late(LineRequest& request, Tick arrival) {
  answer(request, sm_of(request), arrival);
  pool_.release(request);
}

/// Tells an SM with too many atomics on their way when it may send more. A packet of several sectors counts as so many.
void Crossbar::hold_atomics(const LineRequest& request, const Sm& sm) {
  AtomicWindow& window = atomics_[static_cast<std::size_t>(request.sm)];
  const Tick until = window.add(request.passes, request.now, request.now + request.waited);
  if (until > request.now) sm.source->held(until);
}

void Crossbar::filled(LineRequest& request, Tick delay) {
  const Sm& sm = sm_of(request);
  const Tick now = to_ticks(sc_core::sc_time_stamp());
  const Tick arrival = now + sm.way + delay - kArbitration;  // at the coalescer
  gpcs_[sm.gpc].coalescer.arrives(request.line, &request, arrival);
  const auto found = joined_.find(&request);
  if (found != joined_.end()) {
    const std::vector<Joined> reads = std::move(found->second);
    joined_.erase(found);
    for (const Joined& read : reads) {
      const Tick arrives = std::max(arrival, read.soonest);
      answer_late(*read.request, arrives + sm_of(*read.request).way);
    }
  }
  answer_late(request, arrival + sm.way);
}

}  // namespace stc::memory
