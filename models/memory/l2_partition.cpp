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

L2Partition::L2Partition(sc_core::sc_module_name name, int index, const MemoryParams& params, const HomePartition& home,
                         DeviceMemory& memory, AtomicUnits& atomic_units)
    : sc_module(name),
      index_(index),
      params_(params),
      home_(home),
      slice_count_(static_cast<std::uint64_t>(params.l2.slices_per_partition)),
      memory_(memory),
      cache_(static_cast<std::uint64_t>(params.l2.capacity_mib * 1024 * 1024 / params.l2.partitions), params.l2.ways,
             Placement::kEven),
      stored_lines_(params, cache_, memory, passed_over_),
      atomic_units_(atomic_units) {
  set_rates();
}

void L2Partition::set_rates() {
  slices_.assign(static_cast<std::size_t>(params_.l2.slices_per_partition), Server(params_.l2.slice_bytes_per_cycle));
  link_ = Server(params_.crossbar.partition_link_bytes_per_cycle);
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
  const CacheLine* const present = cache_.find(line);
  const auto missing = static_cast<std::uint8_t>(present != nullptr ? sectors & ~present->valid : sectors);
  if (missing == 0) return 0;
  const std::uint8_t wanted = whole_line ? kAllSectors : with_neighbours(missing, params_.hbm.access_bytes);
  entry_for(line, role, nullptr).valid |= wanted;
  if (home_.of(line) != index_) return wanted;
  passed_over_.l2_sector_misses += times * static_cast<std::uint64_t>(sector_count(missing));
  const std::uint64_t bytes =
      times * static_cast<std::uint64_t>(device_accesses(wanted, params_.hbm.access_bytes) * params_.hbm.access_bytes);
  passed_over_.dram_read_sectors += bytes / kSectorBytes;
  passed_over_.dram.read[static_cast<std::size_t>(role)] += bytes;
  return wanted;
}

void L2Partition::pass_write(std::uint64_t line, std::uint8_t sectors, DataRole role, bool at_home) {
  CacheLine& entry = entry_for(line, role, nullptr);
  entry.valid |= sectors;
  if (at_home) stored_lines_.store(entry, line, sectors, nullptr);
}

void L2Partition::touch(std::uint64_t line, DataRole role) {
  CacheLine* entry = cache_.find(line);
  CacheLine victim;
  if (entry == nullptr) entry = &cache_.allocate(line, victim);
  entry->valid = kAllSectors;
  entry->role = static_cast<std::uint8_t>(role);
}

Tick L2Partition::path(std::uint64_t line, int gpc) const {
  const bool other_half = half_of(line) != (params_.l2.second_half_gpcs >> static_cast<unsigned>(gpc) & 1);
  return cycles_to_ticks(params_.l2.near_latency + (other_half ? params_.l2.half_extra_latency : 0.0));
}

bool L2Partition::access(LineRequest& request, Tick& delay) {
  request.to_home = 0;
  request.fetched = false;
  access_from_crossbar(request, delay);
  delay += path(request.line, request.gpc);
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
  const bool over_peer = home_.of(request.line) != index_ && request.to_home == 0;
  if (over_peer) request.after_fill += cycles_to_ticks(params_.l2.far_extra_latency / 2);
  memory_.misses().wait(request.line, sectors, *this, request);
}

void L2Partition::filled(LineRequest& request) {
  CacheLine* copy = home_.of(request.line) != index_ ? cache_.peek(request.line) : nullptr;
  const Tick now = to_ticks(sc_core::sc_time_stamp());
  if (copy != nullptr) copy->ready = std::max(copy->ready, now + cycles_to_ticks(params_.l2.far_extra_latency / 2));
  crossbar_->filled(request, request.after_fill);
}

void L2Partition::access_from_crossbar(LineRequest& request, Tick& delay) {
  const std::uint64_t line = request.line;
  const bool stores = request.write || request.atomic;
  const bool is_home = home_.of(line) == index_;
  if (!is_home && (stores || !params_.l2.replicate_far_lines)) {
    ask_peer(request, delay);
    // A store passes through here and leaves a copy; an atomic is done at home and takes the copy away.
    if (params_.l2.replicate_far_lines && request.atomic) cache_.invalidate(line);
    if (params_.l2.replicate_far_lines && !request.atomic) pass_through(line, request);
  } else if (stores) {
    write(line, request, delay);
  } else {
    read(line, is_home, request, delay);
  }
}

void L2Partition::access_from_peer(LineRequest& request, Tick& delay) {
  request.to_home = delay;
  if (request.write || request.atomic) {
    write(request.line, request, delay);
  } else {
    read(request.line, true, request, delay);
  }
}

void L2Partition::ask_peer(LineRequest& request, Tick& delay) {
  const int sectors = sector_count(request.sectors);
  statistics_.l2_far_sectors += static_cast<std::uint64_t>(sectors);
  queue_at(request, link_, sectors * static_cast<int>(kSectorBytes));
  const Tick way = cycles_to_ticks(params_.l2.far_extra_latency / 2);
  delay += way;
  peer_->access_from_peer(request, delay);
  delay += way;
}

void L2Partition::read(std::uint64_t line, bool is_home, LineRequest& request, Tick& delay) {
  queue_at(request, slice_with(line), sector_count(request.sectors) * static_cast<int>(kSectorBytes));
  CacheLine* entry = cache_.find(line);
  const std::uint8_t present = entry != nullptr ? entry->valid & request.sectors : std::uint8_t{0};
  const auto missing = static_cast<std::uint8_t>(request.sectors & ~present);
  const int hits = sector_count(present), misses = is_home ? sector_count(missing) : 0;
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
  const std::uint8_t wanted = request.whole_line ? kAllSectors : with_neighbours(missing, params_.hbm.access_bytes);
  const Tick asked = stamp + delay;
  if (is_home) {
    fetch(line, wanted, request, delay);
  } else {
    const Borrow borrow(request);
    request.sectors = wanted;
    ask_peer(request, delay);
  }
  CacheLine& filled = entry != nullptr ? *entry : new_entry(line, request.role, &request);
  filled.valid |= wanted;
  if ((memory_.misses().on_their_way(line) & wanted) != 0) return;
  filled.asked = asked;
  filled.ready = std::max(filled.ready, stamp + delay + request.waited);
}

void L2Partition::write(std::uint64_t line, LineRequest& request, Tick& delay) {
  queue_at(request, slice_with(line), sector_count(request.sectors) * static_cast<int>(kSectorBytes));
  CacheLine& entry = entry_for(line, request.role, &request);
  const auto missing = static_cast<std::uint8_t>(request.sectors & ~entry.valid);
  if (request.atomic && missing != 0) fetch(line, missing, request, delay);
  if (request.atomic) atomic_units_.work_on(line, request);
  entry.valid |= request.sectors;
  stored_lines_.store(entry, line, request.sectors, &request);
}

void L2Partition::pass_through(std::uint64_t line, LineRequest& request) {
  queue_at(request, slice_with(line), sector_count(request.sectors) * static_cast<int>(kSectorBytes));
  entry_for(line, request.role, &request).valid |= request.sectors;
}

CacheLine& L2Partition::entry_for(std::uint64_t line, DataRole role, LineRequest* request) {
  CacheLine* entry = cache_.find(line);
  return entry != nullptr ? *entry : new_entry(line, role, request);
}

CacheLine& L2Partition::new_entry(std::uint64_t line, DataRole role, LineRequest* request) {
  CacheLine victim;
  CacheLine& fresh = cache_.allocate(line, victim);
  fresh.role = static_cast<std::uint8_t>(role);
  if (victim.dirty != 0) stored_lines_.write_back(victim, request);
  return fresh;
}

void L2Partition::fetch(std::uint64_t line, std::uint8_t sectors, LineRequest& request, Tick& delay) {
  request.fetched = true;
  delay += memory_.read({line, sectors, request.role, request.now}, delay, request.waited);
}

}  // namespace stc::memory
