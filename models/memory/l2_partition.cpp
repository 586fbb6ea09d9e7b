// SPDX-License-Identifier: Apache-2.0
#include "models/memory/l2_partition.h"

#include <algorithm>

namespace stc::memory {
namespace {

/// Lends a payload's sector mask, role and command to a second access made on its behalf, and gives them back.
class Borrow {
 public:
  Borrow(tlm::tlm_generic_payload& payload, LineRequest& request)
      : payload_(payload),
        request_(request),
        command_(payload.get_command()),
        address_(payload.get_address()),
        sectors_(request.sectors),
        role_(request.role) {}
  ~Borrow() {
    payload_.set_command(command_);
    payload_.set_address(address_);
    request_.sectors = sectors_;
    request_.role = role_;
  }
  Borrow(const Borrow&) = delete;
  Borrow& operator=(const Borrow&) = delete;

 private:
  tlm::tlm_generic_payload& payload_;
  LineRequest& request_;
  tlm::tlm_command command_;
  std::uint64_t address_;
  std::uint8_t sectors_;
  DataRole role_;
};

/// Lines of a partition that make up `mib` MiB of all.
std::uint64_t lines_of(double mib, const L2Params& params) {
  return static_cast<std::uint64_t>(mib * 1024 * 1024 / kLineBytes / params.partitions);
}

/// `sectors` and those that memory delivers with them.
std::uint8_t with_neighbours(std::uint8_t sectors, int access_bytes) {
  const int together = std::max(1, access_bytes / static_cast<int>(kSectorBytes));
  int all = 0;
  for (int first = 0; first < 4; first += together) {
    const int mask = ((1 << together) - 1) << first;
    if ((sectors & mask) != 0) all |= mask;
  }
  return static_cast<std::uint8_t>(all & kAllSectors);
}

constexpr std::uint64_t kLinesOfOthers = std::uint64_t{1} << 50;  // no buffer lies there

}  // namespace

int home_partition(std::uint64_t line, const L2Params& params) {
  const std::uint64_t chunk = line * kLineBytes / static_cast<std::uint64_t>(params.interleave_bytes);
  return static_cast<int>(mix(chunk) % static_cast<std::uint64_t>(params.partitions));
}

L2Partition::L2Partition(sc_core::sc_module_name name, int index, const MemoryParams& params)
    : sc_module(name),
      from_crossbar("from_crossbar"),
      from_peer("from_peer"),
      to_peer("to_peer"),
      to_hbm("to_hbm"),
      index_(index),
      params_(params),
      cache_(static_cast<std::uint64_t>(params.l2.capacity_mib * 1024 * 1024 / params.l2.partitions), params.l2.ways,
             Placement::kEven),
      dirty_limit_(lines_of(params.l2.dirty_mib, params.l2)),
      slices_(static_cast<std::size_t>(params.l2.slices_per_partition), Server(params.l2.slice_bytes_per_cycle)),
      link_(params.crossbar.partition_link_bytes_per_cycle) {
  from_crossbar.register_b_transport(this, &L2Partition::access_from_crossbar);
  from_peer.register_b_transport(this, &L2Partition::access_from_peer);
}

void L2Partition::reset(bool keep_lines) {
  if (!keep_lines) {
    cache_.clear();
    dirty_.clear();
    dirty_lines_ = lines_of(params_.l2.dirty_at_launch_mib, params_.l2);
    for (std::uint64_t line = kLinesOfOthers; line < kLinesOfOthers + dirty_lines_; ++line) {
      touch(line, DataRole::kOther);
      cache_.peek(line)->dirty = kAllSectors;
      dirty_.push_back(line);
    }
  }
  for (Server& slice : slices_) slice.reset();
  link_.reset();
  statistics_ = {};
}

Server& L2Partition::slice_of(std::uint64_t line) { return slices_[mix(line ^ 0x5bd1e995) % slices_.size()]; }

void L2Partition::touch(std::uint64_t line, DataRole role) {
  CacheLine* entry = cache_.find(line);
  CacheLine victim;
  if (entry == nullptr) entry = &cache_.allocate(line, victim);
  entry->valid = kAllSectors;
  entry->role = static_cast<std::uint8_t>(role);
}

void L2Partition::access_from_crossbar(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  LineRequest& request = *payload.get_extension<LineRequest>();
  const std::uint64_t line = payload.get_address() / kLineBytes;
  const bool stores = payload.is_write() || request.atomic;
  const bool is_home = home_partition(line, params_.l2) == index_;
  if (!is_home && (stores || !params_.l2.replicate_far_lines)) {
    ask_peer(request, payload, delay);
    // A store passes through here and leaves a copy; an atomic is done at home and takes the copy away.
    if (params_.l2.replicate_far_lines && request.atomic) cache_.invalidate(line);
    if (params_.l2.replicate_far_lines && !request.atomic) pass_through(line, request, payload);
  } else if (stores) {
    write(line, request, payload, delay);
  } else {
    read(line, request, payload, delay);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void L2Partition::access_from_peer(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  LineRequest& request = *payload.get_extension<LineRequest>();
  const std::uint64_t line = payload.get_address() / kLineBytes;
  if (payload.is_write() || request.atomic) {
    write(line, request, payload, delay);
  } else {
    read(line, request, payload, delay);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void L2Partition::ask_peer(LineRequest& request, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const int sectors = sector_count(request.sectors);
  statistics_.l2_far_sectors += static_cast<std::uint64_t>(sectors);
  queue_at(request, link_, sectors * static_cast<int>(kSectorBytes));
  const sc_core::sc_time way = to_time(cycles_to_ticks(params_.l2.far_extra_latency / 2));
  delay += way;
  to_peer->b_transport(payload, delay);
  delay += way;
}

void L2Partition::read(std::uint64_t line, LineRequest& request, tlm::tlm_generic_payload& payload,
                       sc_core::sc_time& delay) {
  queue_at(request, slice_of(line), sector_count(request.sectors) * static_cast<int>(kSectorBytes));
  CacheLine* entry = cache_.find(line);
  const std::uint8_t present = entry != nullptr ? entry->valid & request.sectors : std::uint8_t{0};
  const auto missing = static_cast<std::uint8_t>(request.sectors & ~present);
  const bool is_home = home_partition(line, params_.l2) == index_;
  statistics_.l2_sector_hits += static_cast<std::uint64_t>(sector_count(present));
  if (is_home) statistics_.l2_sector_misses += static_cast<std::uint64_t>(sector_count(missing));
  const Tick stamp = to_ticks(sc_core::sc_time_stamp());
  if (missing == 0) {
    // A request that came to its home over the other partition was sent no sooner than this one, but arrives later.
    const Tick here = stamp + to_ticks(delay);
    if (entry->ready > stamp && entry->asked > here) {
      entry->ready -= entry->asked - here;
      entry->asked = here;
    }
    delay = std::max(delay, to_time(entry->ready > stamp ? entry->ready - stamp : 0));
    return;
  }
  const std::uint8_t wanted = request.whole_line ? kAllSectors : with_neighbours(missing, params_.hbm.access_bytes);
  const Tick asked = stamp + to_ticks(delay);
  fetch(wanted, is_home, request, payload, delay);
  CacheLine& filled = entry_for(line, payload, request);
  filled.valid |= wanted;
  filled.asked = asked;
  filled.ready = std::max(filled.ready, stamp + to_ticks(delay) + request.waited);
}

void L2Partition::write(std::uint64_t line, LineRequest& request, tlm::tlm_generic_payload& payload,
                        sc_core::sc_time& delay) {
  queue_at(request, slice_of(line), sector_count(request.sectors) * static_cast<int>(kSectorBytes));
  CacheLine& entry = entry_for(line, payload, request);
  const auto missing = static_cast<std::uint8_t>(request.sectors & ~entry.valid);
  if (request.atomic && missing != 0) fetch(missing, true, request, payload, delay);
  entry.valid |= request.sectors;
  const bool was_clean = entry.dirty == 0;
  entry.dirty |= request.sectors;
  if (was_clean) keep_dirty(line, payload, request);
}

void L2Partition::pass_through(std::uint64_t line, LineRequest& request, tlm::tlm_generic_payload& payload) {
  queue_at(request, slice_of(line), sector_count(request.sectors) * static_cast<int>(kSectorBytes));
  entry_for(line, payload, request).valid |= request.sectors;
}

void L2Partition::keep_dirty(std::uint64_t line, tlm::tlm_generic_payload& payload, LineRequest& request) {
  ++dirty_lines_;
  dirty_.push_back(line);
  while (dirty_lines_ > dirty_limit_ && !dirty_.empty()) {
    CacheLine* oldest = cache_.peek(dirty_.front());
    dirty_.pop_front();
    if (oldest != nullptr && oldest->dirty != 0) write_back(*oldest, payload, request);
  }
}

void L2Partition::write_back(CacheLine& entry, tlm::tlm_generic_payload& payload, LineRequest& request) {
  Borrow borrow(payload, request);
  request.sectors = entry.dirty;
  request.role = static_cast<DataRole>(entry.role);
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address((entry.line - 1) * kLineBytes);
  sc_core::sc_time unawaited = sc_core::SC_ZERO_TIME;
  to_hbm->b_transport(payload, unawaited);
  entry.dirty = 0;
  --dirty_lines_;
}

CacheLine& L2Partition::entry_for(std::uint64_t line, tlm::tlm_generic_payload& payload, LineRequest& request) {
  CacheLine* entry = cache_.find(line);
  if (entry != nullptr) return *entry;
  CacheLine victim;
  CacheLine& fresh = cache_.allocate(line, victim);
  fresh.role = static_cast<std::uint8_t>(request.role);
  if (victim.dirty != 0) write_back(victim, payload, request);
  return fresh;
}

void L2Partition::fetch(std::uint8_t sectors, bool from_hbm, LineRequest& request, tlm::tlm_generic_payload& payload,
                        sc_core::sc_time& delay) {
  Borrow borrow(payload, request);
  request.sectors = sectors;
  payload.set_command(tlm::TLM_READ_COMMAND);
  if (from_hbm) {
    to_hbm->b_transport(payload, delay);
  } else {
    ask_peer(request, payload, delay);
  }
}

}  // namespace stc::memory
