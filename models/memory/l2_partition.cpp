// SPDX-License-Identifier: Apache-2.0
#include "models/memory/l2_partition.h"

#include <algorithm>

#include "models/memory/device_access.h"

namespace stc::memory {
namespace {

/// Lends a request's sectors to the read that the other partition makes on its behalf, and gives them back.
class Borrow {
 public:
  explicit Borrow(LineRequest& request) : request_(request), sectors_(request.sectors) {}
  ~Borrow() { request_.sectors = sectors_; }
  Borrow(const Borrow&) = delete;
  Borrow& operator=(const Borrow&) = delete;

 private:
  LineRequest& request_;
  std::uint8_t sectors_;
};

}  // namespace

L2Partition::L2Partition(sc_core::sc_module_name name, int index, const MemoryParams& params, const LinePlaces& places,
                         DeviceMemory& memory, AtomicUnits& atomic_units)
    : sc_module(name),
      index_(index),
      params_(params),
      places_(places),
      memory_(memory),
      cache_(LinePlaces::cache_of_partition(params.l2)),
      stored_lines_(params, cache_, memory, passed_over_,
                    [this](std::uint64_t line, Tick now) { slices_[places_.slice(line)].reserve(now, 0, lookup_); }),
      atomic_units_(atomic_units) {
  cache_.spare_dirty(params.l2.spared_share);
  set_rates();
}

void L2Partition::set_rates() {
  slices_.assign(static_cast<std::size_t>(params_.l2.slices_per_partition),
                 SectorServer(params_.l2.slice_bytes_per_cycle));
  lookup_ = cycles_to_ticks(params_.l2.lookup_interval);
  intakes_.clear();
  link_ = SectorServer(params_.crossbar.partition_link_bytes_per_cycle);
  link_reads_ = SectorServer(params_.crossbar.partition_link_bytes_per_cycle / 2);
  to_peer_ = cycles_to_ticks(params_.l2.far_extra_latency / 2);
  path_ = {cycles_to_ticks(params_.l2.near_latency),
           cycles_to_ticks(params_.l2.near_latency + params_.l2.half_extra_latency)};
}

void L2Partition::reset(bool keep_lines, const MemoryParams& params) {
  params_ = params;
  if (!keep_lines) {
    cache_.clear();
    stored_lines_.reset();
  }
  set_rates();
  statistics_ = passed_over_ = {};
}

std::uint8_t L2Partition::pass_read(std::uint64_t line, std::uint8_t sectors, DataRole role, bool whole_line,
                                    std::uint64_t times) {
  const std::uint64_t set = cache_.set(line);
  stored_lines_.use(set, nullptr);
  CacheLine* const present = cache_.find(line, set);
  const auto missing = static_cast<std::uint8_t>(present != nullptr ? sectors & ~present->valid : sectors);
  if (missing == 0) return 0;
  const std::uint8_t wanted = whole_line ? kAllSectors : with_neighbours(missing, params_.hbm.access_bytes);
  (present != nullptr ? *present : new_entry(line, set, role, nullptr)).valid |= wanted;
  if (places_.home(line) != index_) return wanted;
  passed_over_.l2_sector_misses += times * static_cast<std::uint64_t>(sector_count(missing));
  const std::uint64_t bytes =
      times * static_cast<std::uint64_t>(device_accesses(wanted, params_.hbm.access_bytes) * params_.hbm.access_bytes);
  passed_over_.dram_read_sectors += bytes / kSectorBytes;
  passed_over_.dram.read[static_cast<std::size_t>(role)] += bytes;
  return wanted;
}

void L2Partition::pass_write(std::uint64_t line, std::uint8_t sectors, DataRole role, bool at_home) {
  const std::uint64_t set = cache_.set(line);
  CacheLine* const present = cache_.find(line, set);
  CacheLine& entry = present != nullptr ? *present : new_entry(line, set, role, nullptr);
  entry.valid |= sectors;
  if (at_home) stored_lines_.store(entry, set, sectors, nullptr);
}

void L2Partition::touch(std::uint64_t line, DataRole role, bool stored) {
  const std::uint64_t set = cache_.set(line);
  CacheLine* entry = cache_.find(line, set);
  CacheLine victim;
  if (entry == nullptr) {
    entry = &cache_.allocate(line, set, victim);
    stored_lines_.forget(victim);
  }
  entry->valid = kAllSectors;
  entry->role = static_cast<std::uint8_t>(role);
  if (!stored) return;
  stored_lines_.store(*entry, set, kAllSectors, nullptr);
  passed_over_ = {};
}

bool L2Partition::expect_line(SentQuery& query) {
  const std::size_t way = cache_.expect_line(query.line, query.place.set);
  if (way == SectorCache::kNowhere) return false;
  query.likely_way = static_cast<std::uint8_t>(way);
  return true;
}

bool L2Partition::access(LineRequest& request, Tick& delay) {
  access_from_crossbar(request, delay);
  delay += path(request);
  if (request.write) return true;
  const auto missing = static_cast<std::uint8_t>(memory_.misses().on_their_way(request.line) & request.sectors);
  if (missing == 0) return true;
  wait(missing, request, delay);
  return false;
}

void L2Partition::wait(std::uint8_t sectors, LineRequest& request, Tick delay) {
  // One that asked has waited in its queues before memory did; one that is merged has them still to pass, as with a
  // line that L2 knows the time of.
  request.after_fill = delay - request.to_home + (request.fetched ? 0 : request.waited);
  // Its copy here is on its way: the data come over the other partition, which this request has not asked.
  const bool over_peer = !is_home(request) && request.to_home == 0;
  if (over_peer) request.after_fill += to_peer_;
  memory_.misses().wait(request.line, sectors, *this, request);
}

void L2Partition::filled(LineRequest& request) {
  CacheLine* copy = !is_home(request) ? cache_.peek(request.line) : nullptr;
  const Tick now = to_ticks(sc_core::sc_time_stamp());
  if (copy != nullptr) copy->ready = std::max(copy->ready, now + to_peer_);
  crossbar_->filled(request, request.after_fill);
}

void L2Partition::access_from_crossbar(LineRequest& request, Tick& delay) {
  const bool stores = request.write || request.atomic;
  if (!is_home(request) && (stores || !params_.l2.replicate_far_lines)) {
    ask_peer(request, delay);
    // A store passes through here and leaves a copy; an atomic is done at home and takes the copy away.
    if (params_.l2.replicate_far_lines && request.atomic) cache_.invalidate(request.line);
    if (params_.l2.replicate_far_lines && !request.atomic) pass_through(request);
  } else if (stores) {
    write(request, delay);
  } else {
    read(request, delay);
  }
}

void L2Partition::access_from_peer(LineRequest& request, Tick& delay) {
  request.to_home = delay;
  if (request.write || request.atomic) {
    write(request, delay);
  } else {
    read(request, delay);
  }
}

void L2Partition::ask_peer(LineRequest& request, Tick& delay) {
  const int sectors = sector_count(request.sectors);
  statistics_.l2_far_sectors += static_cast<std::uint64_t>(sectors);
  const Tick behind_all = link_.reserve(request.now, request);
  const Tick wait = request.write ? behind_all : std::min(behind_all, link_reads_.reserve(request.now, sectors));
  request.waited = std::max(request.waited, wait);
  delay += to_peer_;
  peer_->access_from_peer(request, delay);
  delay += to_peer_;
}

void L2Partition::read(LineRequest& request, Tick& delay) {
  queue_at_slice(request);
  stored_lines_.use(request.place.set, &request);
  CacheLine* entry = cache_.find(request.line, request.place.set, request.likely_way);
  const std::uint8_t present = entry != nullptr ? entry->valid & request.sectors : std::uint8_t{0};
  const auto missing = static_cast<std::uint8_t>(request.sectors & ~present);
  const int hits = sector_count(present), misses = is_home(request) ? sector_count(missing) : 0;
  statistics_.l2_sector_hits += static_cast<std::uint64_t>(hits);
  statistics_.l2_sector_misses += static_cast<std::uint64_t>(misses);
  const Tick stamp = request.now;
  if (probe() != nullptr) probe()->l2_access({observed_cycle(stamp), hits, misses});
  if (missing == 0) {
    // A request that came to its home over the other partition was sent no sooner than this one, but arrives later.
    const Tick here = stamp + delay;
    if (entry->ready > stamp && entry->asked > here) {
      entry->ready -= entry->asked - here;
      entry->asked = here;
    }
    delay = std::max(delay, entry->ready > stamp ? entry->ready - stamp : 0);
    return;
  }
  bring(missing, entry, request, delay);
}

void L2Partition::bring(std::uint8_t missing, CacheLine* entry, LineRequest& request, Tick& delay) {
  const std::uint8_t wanted = request.whole_line ? kAllSectors : with_neighbours(missing, params_.hbm.access_bytes);
  const Tick asked = request.now + delay;
  if (is_home(request)) {
    fetch(wanted, request, delay);
  } else {
    const Borrow borrow(request);
    request.sectors = wanted;
    ask_peer(request, delay);
  }
  CacheLine& filled = entry != nullptr ? *entry : new_entry(request.line, request.place.set, request.role, &request);
  filled.valid |= wanted;
  if ((memory_.misses().on_their_way(request.line) & wanted) != 0) return;
  filled.asked = asked;
  filled.ready = std::max(filled.ready, request.now + delay + request.waited);
}

void L2Partition::write(LineRequest& request, Tick& delay) {
  queue_at_slice(request);
  request.waited_for_l2 = request.waited;
  CacheLine& entry = entry_for(request);
  const auto missing = static_cast<std::uint8_t>(request.sectors & ~entry.valid);
  if (request.atomic && missing != 0) fetch(missing, request, delay);
  if (request.atomic) atomic_units_.work_on(request.line, request);
  entry.valid |= request.sectors;
  stored_lines_.store(entry, request.place.set, request.sectors, &request);
}

void L2Partition::pass_through(LineRequest& request) {
  queue_at_slice(request);
  entry_for(request).valid |= request.sectors;
}

/// The answer stays in the slice, and others behind it, until the SM has made of those before what they bring.
void L2Partition::queue_with_intake(LineRequest& request, SectorServer& slice) {
  const auto sm = static_cast<std::size_t>(request.sm);
  if (intakes_.size() <= sm) intakes_.resize(sm + 1, 0);
  const Tick waits = slice.reserve(request.now, sector_count(request.sectors), lookup_), served = slice.free_from();
  const Tick leaves = std::max(served, intakes_[sm]);
  slice.hold(leaves);
  intakes_[sm] = leaves + request.intake * kTicksPerCycle / 16;
  request.waited = std::max(request.waited, waits + leaves - served);
}

CacheLine& L2Partition::entry_for(LineRequest& request) {
  CacheLine* const entry = cache_.find(request.line, request.place.set, request.likely_way);
  return entry != nullptr ? *entry : new_entry(request.line, request.place.set, request.role, &request);
}

CacheLine& L2Partition::new_entry(std::uint64_t line, std::uint64_t set, DataRole role, LineRequest* request) {
  CacheLine victim;
  CacheLine& fresh = cache_.allocate(line, set, victim);
  fresh.role = static_cast<std::uint8_t>(role);
  if (victim.dirty != 0) stored_lines_.write_back(victim, request);
  stored_lines_.write_ahead(cache_.next_out(set), request);
  return fresh;
}

void L2Partition::fetch(std::uint8_t sectors, LineRequest& request, Tick& delay) {
  request.fetched = true;
  delay += memory_.read({request.line, sectors, request.role, request.now}, delay, request.waited);
}

}  // namespace stc::memory
