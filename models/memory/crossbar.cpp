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
    const auto gpc = static_cast<std::size_t>(number);
    const Tick way = cycles_to_ticks(params.sm_step / 2 * steps_of(place[gpc]++));
    sms.push_back({nullptr, 0, gpc, way, {}, {}, {}, AtomicWindow(params.atomic_packets)});
  }
  return sms;
}

Crossbar::Crossbar(sc_core::sc_module_name name, std::vector<int> gpc_of_sm, const LinePlaces& places,
                   const MemoryParams& params)
    : sc_module(name),
      params_(params),
      places_(places),
      sms_(sms_of(gpc_of_sm, params.crossbar)),
      gpcs_(count_of(gpc_of_sm), Gpc{{}, RequestCoalescer(params.crossbar)}),
      stores_wait_in_l2_(links_are_narrow(params)) {
  set_rates();
  SC_METHOD(serve_waiting);
  sensitive << work_;
  dont_initialize();
}

void Crossbar::connect(int sm, int partition, LineSource& source) {
  Sm& one = sms_[static_cast<std::size_t>(sm)];
  one.source = &source;
  one.partition = static_cast<std::size_t>(partition);
}

void Crossbar::connect(const std::vector<L2Partition*>& partitions) {
  partitions_ = partitions;
  for (L2Partition* const partition : partitions_) partition->answer(*this);
}

void Crossbar::set_rates() {
  const CrossbarParams& rates = params_.crossbar;
  request_interval_ = Server(1.0 / std::max(1e-6, rates.request_interval)).time_of(1.0);
  for (Sm& sm : sms_) {
    sm.requests.reset();
    sm.reads = SectorServer(rates.sm_read_bytes_per_cycle);
    sm.writes = SectorServer(rates.sm_write_bytes_per_cycle);
  }
  for (Gpc& gpc : gpcs_) gpc.reads = SectorServer(rates.gpc_read_bytes_per_cycle);
  read_all_ = SectorServer(rates.read_bytes_per_cycle);
  write_all_ = SectorServer(rates.write_bytes_per_cycle);
}

void Crossbar::reset(std::uint64_t origin, const MemoryParams& params) {
  params_ = params;
  origin_ = origin;
  waiting_.clear();
  joined_.clear();
  pool_.reset();
  set_rates();
  for (Sm& sm : sms_) sm.atomics.reset();
  for (Gpc& gpc : gpcs_) gpc.coalescer.reset();
  coalesced_sectors_ = 0;
}

void Crossbar::expect_tags(const SentQuery& query) const {
  partition_of(sms_[static_cast<std::size_t>(query.sm)]).expect(query.place.set);
}

void Crossbar::expect_line(SentQuery& query) {
  const Sm& sm = sm_of(query);
  if (partition_of(sm).expect_line(query)) return;
  if (query.place.home != sm.partition) partitions_[query.place.home]->expect(query.place.set);
}

void Crossbar::send(const SentQuery& query) {
  if (waiting_.empty()) work_.notify(until_arbitration());
  LineRequest& request = pool_.keep(query);
  request.sent = to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle;
  expect_tags(request);
  waiting_.push_back(&request);
}

/// Beginning with one SM, then by their numbers, round.
void Crossbar::serve_waiting() {
  const std::uint64_t cycle = to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle;
  const int first = first_of(cycle);
  const auto turn = [first](const LineRequest* one) { return std::pair(one->sm < first, one->sm); };
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [turn](const LineRequest* a, const LineRequest* b) { return turn(a) < turn(b); });
  for (LineRequest* const one : waiting_) expect_line(*one);
  for (LineRequest* const one : waiting_) {
    if (serve_one(*one)) pool_.release(*one);
  }
  waiting_.clear();
}

void Crossbar::serve(const SentQuery& query) {
  LineRequest request(query);
  serve_one(request);
}

void Crossbar::enter(SentQuery& query) {
  Sm& sm = sm_of(query);
  const Tick now = query.sent * kTicksPerCycle + kArbitration;
  query.entered = true;
  query.waited = sm.requests.occupy(now, request_interval_);
  if (!query.write) return;
  const int sectors = sector_count(query.sectors);
  query.waited = std::max({query.waited, sm.writes.reserve(now, sectors), write_all_.reserve(now, sectors)});
  if (query.waited != 0) sm.source->held(now + query.waited);
}

bool Crossbar::serve_one(LineRequest& request) {
  if (!request.entered) enter(request);
  request.now = request.sent * kTicksPerCycle + kArbitration;
  request.gpc = static_cast<int>(sm_of(request).gpc);
  if (request.write) {
    write(request);
    return true;
  }
  const std::optional<Tick> taken = read(request);
  if (!taken) return false;
  if (request.atomic) hold_atomics(request);
  answer(request, request.now + *taken);
  return true;
}

void Crossbar::write(LineRequest& request) {
  const Sm& sm = sm_of(request);
  Tick delay = 0;
  partition_of(sm).access(request, delay);
  sm.source->acknowledged(request.now + request.waited + delay);
  if (stores_wait_in_l2_ && request.waited != 0) sm.source->held(request.now + request.waited);
}

void Crossbar::answer(const LineRequest& request, Tick arrival) {
  LineSource& source = *sm_of(request).source;
  source.answered(request, arrival);
  if (request.atomic) source.acknowledged(arrival);
}

void Crossbar::answer_late(LineRequest& request, Tick arrival) {
  answer(request, arrival);
  pool_.release(request);
}

/// Tells an SM with too many atomics on their way when it may send more. A packet of several sectors counts as so many.
void Crossbar::hold_atomics(const LineRequest& request) {
  Sm& sm = sm_of(request);
  const Tick now = request.now;
  const Tick until = sm.atomics.add(request.passes, now, now + request.waited);
  if (until > now) sm.source->held(until);
}

std::optional<Tick> Crossbar::read(LineRequest& request) {
  Sm& sm = sm_of(request);
  Gpc& gpc = gpcs_[sm.gpc];
  const int sectors = sector_count(request.sectors);
  const Tick now = request.now + sm.way;  // at the coalescer
  queue_at(request, sm.reads, sectors);
  const Tick joined = request.atomic ? 0 : gpc.coalescer.join(request.line, request.sectors, now);
  if (joined != 0) return join(request, joined);
  queue_at(request, gpc.reads, sectors);
  queue_at(request, read_all_, sectors);
  Tick delay = 0;
  const bool waits = !partition_of(sm).access(request, delay);
  const Tick taken = delay - kArbitration + request.waited;
  const Tick arrives = waits ? RequestCoalescer::kUnknown : now + taken;
  if (!request.atomic) gpc.coalescer.add(request.line, request.sectors, arrives, waits ? &request : nullptr);
  if (waits) return std::nullopt;
  return taken + 2 * sm.way;
}

std::optional<Tick> Crossbar::join(LineRequest& request, Tick arrival) {
  const Sm& sm = sm_of(request);
  const Tick now = request.now + sm.way;  // at the coalescer
  coalesced_sectors_ += static_cast<std::uint64_t>(sector_count(request.sectors));
  const Tick soonest = cycles_to_ticks(params_.crossbar.coalescer_reach) + request.waited;
  if (arrival != RequestCoalescer::kUnknown) return std::max(arrival - now, soonest) + 2 * sm.way;
  joined_[gpcs_[sm.gpc].coalescer.leader(request.line)].push_back({&request, now + soonest});
  return std::nullopt;
}

void Crossbar::filled(LineRequest& request, Tick delay) {
  const Sm& sm = sm_of(request);
  const Tick now = to_ticks(sc_core::sc_time_stamp()), taken = delay - kArbitration;
  const Tick arrival = now + sm.way + taken;  // at the coalescer
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
  answer_late(request, now + taken + 2 * sm.way);
}

}  // namespace stc::memory
