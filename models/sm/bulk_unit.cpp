// SPDX-License-Identifier: Apache-2.0
#include "models/sm/bulk_unit.h"

#include <algorithm>
#include <cmath>

#include "models/memory/line_request.h"

namespace stc::sm {

using isa::BulkTransfer;

void BulkUnit::begin(const BulkTransfer& transfer, const BulkOrigin& origin, Cycle now) {
  const Cycle ready = map_ready(transfer.map, now);
  if (transfer.kind == BulkTransfer::Kind::kMap) return;
  if (transfer.kind == BulkTransfer::Kind::kNoMap) {
    maps_.erase(transfer.map);
    return;
  }
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(transfers_.size()));
    transfers_.emplace_back();
  }
  const std::uint32_t number = unused_.back();
  unused_.pop_back();
  ++under_way_;
  Transfer& one = transfers_[number];
  one.what = transfer;
  one.origin = origin;
  one.sent = 0;
  one.parts_left = 1;  // held until all is sent
  one.latest = 0;
  one.begins = ready + static_cast<Cycle>(params_.latency);
  if (transfer.kind == BulkTransfer::Kind::kToCluster) return send_to_cluster(one, number, one.begins);
  if (transfer.kind != BulkTransfer::Kind::kStore) take_place(one);
  (transfer.kind == BulkTransfer::Kind::kStore ? stores_ : loads_).waiting.push_back(number);
}

/// When the tensor map at this address is at hand for what is issued at `now`.
Cycle BulkUnit::map_ready(std::uint64_t map, Cycle now) {
  if (map == 0) return now;
  return std::max(now, maps_.try_emplace(map, now + static_cast<Cycle>(params_.map_latency)).first->second);
}

/// Lines of loads come out of the unit one after the other, whenever they can be sent.
void BulkUnit::take_place(const Transfer& transfer) {
  const auto latency = static_cast<Cycle>(params_.place_latency);
  const std::size_t lines = std::max<std::size_t>(transfer.what.lines.size(), 1);
  const Cycle start = std::max(transfer.begins, asked_.empty() ? 0 : asked_.back() - latency);
  asked_.push_back(start + lines * static_cast<Cycle>(params_.line_interval) + latency);
  if (asked_.size() > static_cast<std::size_t>(params_.places)) asked_.pop_front();
}

void BulkUnit::send_to_cluster(Transfer& transfer, std::uint32_t number, Cycle now) {
  constexpr double kPacketBytes = 32;
  const double packets = std::ceil(transfer.what.bytes / kPacketBytes);
  cluster_free_ = std::max(cluster_free_, static_cast<double>(now)) + packets * packet_cycles_;
  transfer.order = events_.take_order();
  part_arrives(number, static_cast<Cycle>(std::ceil(cluster_free_)) + return_latency_);
}

Cycle BulkUnit::next_of(const Queue& queue) const {
  if (queue.waiting.empty()) return kNever;
  return std::max(transfers_[queue.waiting.front()].begins, queue.free);
}

void BulkUnit::tick(Cycle now) {
  if (next_of(loads_) <= now) {
    const std::uint32_t number = loads_.waiting.front();
    Transfer& one = transfers_[number];
    if (one.sent < one.what.lines.size()) load_line(one, number, now);
    if (one.sent == one.what.lines.size()) {
      loads_.waiting.pop_front();
      sent_all(one, number, now);
    }
  }
  if (next_of(stores_) <= now) {
    const std::uint32_t number = stores_.waiting.front();
    Transfer& one = transfers_[number];
    if (one.sent < one.what.lines.size()) store_line(one, now);
    if (one.sent == one.what.lines.size()) {
      stores_.waiting.pop_front();
      sent_all(one, number, now);
    }
  }
}

void BulkUnit::load_line(Transfer& transfer, std::uint32_t number, Cycle now) {
  const BulkTransfer::Line& line = transfer.what.lines[transfer.sent++];
  loads_.free = now + static_cast<Cycle>(params_.line_interval);
  if (line.rows == 0) return;
  transfer.parts_left += line.rows;
  LineQuery query;
  query.access.line = line.line;
  query.access.sectors = line.sectors;
  query.whole_line = transfer.what.whole_lines;
  query.role = transfer.what.role;
  query.instruction = transfer.origin.address;
  query.token = number | static_cast<std::uint32_t>(line.rows) << kBulkRowsShift | kBulkToken;
  if (line.of_zeros()) query.intake = intake_of(line);
  send_(query);
}

/// Sixteenths of a cycle until what a line of zeros fills is written.
std::uint16_t BulkUnit::intake_of(const BulkTransfer::Line& line) const {
  const int bytes = line.rows * memory::sector_count(line.sectors) * static_cast<int>(memory::kSectorBytes);
  return static_cast<std::uint16_t>(std::ceil(bytes * 16 / params_.bytes_per_cycle));
}

void BulkUnit::response(std::uint32_t token, Cycle arrival, std::uint16_t slice, std::uint8_t sectors) {
  const std::uint32_t number = token & ((1u << kBulkRowsShift) - 1);
  const Transfer& transfer = transfers_[number];
  const LandingLine line{arrival - return_latency_, number, slice, sectors, 0};
  for (std::uint32_t rows = (token & ~kBulkToken) >> kBulkRowsShift; rows != 0; --rows) {
    port_.add(line);
    share_(transfer.origin, transfer.what.arrivals, line);
  }
}

void BulkUnit::store_line(Transfer& transfer, Cycle now) {
  const BulkTransfer::Line& line = transfer.what.lines[transfer.sent++];
  transfer.latest = store_(line, transfer.origin, transfer.what.role, now);
  stores_.free = std::max(transfer.latest, now + 1);
}

/// The place of its end among the events of a cycle is decided here and not when L2's answer comes: an SM may run ahead
/// of that.
void BulkUnit::sent_all(Transfer& transfer, std::uint32_t number, Cycle now) {
  if (transfer.what.kind == BulkTransfer::Kind::kStore) {
    const BulkOrigin& origin = transfer.origin;
    const Cycle end = std::max(transfer.latest, now + 1);
    events_.push(end, Event::Kind::kBulkStored, origin.warp, origin.generation, origin.group);
    events_.push(end, Event::Kind::kStoreLeft, origin.warp, origin.generation, 0);
    forget(number);
    return;
  }
  transfer.order = events_.take_order();
  part_arrives(number, now + 1 + return_latency_);
}

void BulkUnit::part_arrives(std::uint32_t number, Cycle arrival) {
  Transfer& transfer = transfers_[number];
  transfer.latest = std::max(transfer.latest, arrival);
  if (--transfer.parts_left != 0) return;
  events_.push(transfer.latest - return_latency_, Event::Kind::kBulkLanded, transfer.origin.cta_slot, 0, number,
               transfer.order);
}

const BulkUnit::Landed& BulkUnit::close(std::uint32_t number) {
  landed_.origin = transfers_[number].origin;
  landed_.multicast = transfers_[number].what.kind == BulkTransfer::Kind::kLoad;
  landed_.arrivals.swap(transfers_[number].what.arrivals);
  forget(number);
  return landed_;
}

void BulkUnit::forget(std::uint32_t number) {
  unused_.push_back(number);
  --under_way_;
}

void BulkUnit::reset(Cycle origin) {
  transfers_.clear();
  unused_.clear();
  loads_ = stores_ = {};
  asked_.clear();
  maps_.clear();
  port_.reset(origin);
  cluster_free_ = 0;
  under_way_ = 0;
}

}  // namespace stc::sm
