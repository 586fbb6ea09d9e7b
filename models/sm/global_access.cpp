// SPDX-License-Identifier: Apache-2.0
#include "models/sm/global_access.h"

#include <algorithm>
#include <utility>

#include "models/memory/line_request.h"

namespace stc::sm {
namespace {

bool returns_data(const MemoryInstruction& atomic) { return atomic.data_registers != 0; }

}  // namespace

GlobalAccess::GlobalAccess(const SmParams& params, EventQueue& events, SmStatistics& statistics, Send send)
    : params_(params.lsu),
      events_(events),
      statistics_(statistics),
      send_(std::move(send)),
      l1_(params.l1.ways),
      lines_(params.lsu),
      stores_(params.lsu) {}

void GlobalAccess::reset(std::uint64_t l1_bytes) {
  l1_.reset(l1_bytes);
  local_stores_.reset();
  pending_.reset();
  asking_.clear();
  lines_.reset();
  stores_.reset();
  tag_free_ = 0;
}

Cycle GlobalAccess::room_from(const MemoryInstruction& instruction) const {
  switch (instruction.kind) {
    case MemoryKind::kGlobalLoad: return lines_.room_from(instruction.lines.count, false);
    case MemoryKind::kAsyncCopy: return lines_.room_from(instruction.lines.count, true);
    case MemoryKind::kGlobalAtomic:
      return std::max(
          lines_.room_from(instruction.lines.count, false),
          returns_data(instruction) ? stores_.room_from() : stores_.queue_room_from(instruction.sent_registers));
    case MemoryKind::kGlobalStore:
      return instruction.local ? stores_.room_from() : stores_.queue_room_from(instruction.sent_registers);
    default: return 0;
  }
}

/// The cycle in which the tag stage begins with the instruction's lines.
Cycle GlobalAccess::look_up_tags(const MemoryInstruction& instruction, Cycle now) {
  const int cycles = (instruction.lines.count + params_.tag_lines_per_cycle - 1) / params_.tag_lines_per_cycle;
  const Cycle start = std::max(now, tag_free_);
  tag_free_ = start + static_cast<Cycle>(cycles);
  return start;
}

void GlobalAccess::read(const MemoryInstruction& instruction, Cycle now) {
  const bool past_l1 = instruction.kind == MemoryKind::kGlobalAtomic || instruction.bypass_l1;
  const Cycle tag_start = look_up_tags(instruction, now);
  const std::uint32_t token = pending_.open(instruction, 1);  // held until L2 has all that is asked of it
  // One cycle of the latency is the data stage's.
  Cycle hits_ready = tag_start + static_cast<Cycle>(params_.l1_latency - params_.queue_latency - 1);
  int asked = 0;
  for (int i = 0; i < instruction.lines.count; ++i) {
    LineAccess access = instruction.lines.lines[static_cast<std::size_t>(i)];
    if (past_l1) {
      l1_.invalidate(access.line);
    } else {
      if (read_from_l1(token, access, now, hits_ready)) continue;
      l1_.ask(access, number_of(token));
      pending_[token].asked |= 1u << static_cast<unsigned>(i);
      pending_[token].instruction.lines.lines[static_cast<std::size_t>(i)].sectors = access.sectors;
    }
    ++asked;
    ask_l2(token, instruction, access, now);
  }
  lines_.push(now, asked, instruction.kind == MemoryKind::kAsyncCopy);
  if (instruction.kind == MemoryKind::kGlobalAtomic && !returns_data(instruction)) {
    stores_.queue_reduction(now, instruction.sent_registers);
  }
  pending_[token].latest = hits_ready + static_cast<Cycle>(params_.queue_latency);
  if (asked != 0) {
    asking_.push_back(token);
  } else {
    all_asked(token);
  }
}

void GlobalAccess::end_cycle() {
  for (const std::uint32_t token : asking_) all_asked(token);
  asking_.clear();
}

/// What L1 sees of a read, and the place of its arrival among events, are decided here and not when L2's answer comes:
/// an SM may run ahead of that (models/gpu/machine/sm_team.h).
void GlobalAccess::all_asked(std::uint32_t token) {
  PendingRead& read = pending_[token];
  read.order = events_.take_order();
  for (int i = 0; i < read.instruction.lines.count; ++i) {
    const std::uint64_t line = read.instruction.lines.lines[static_cast<std::size_t>(i)].line;
    if ((read.asked >> static_cast<unsigned>(i) & 1) == 0) {
      l1_.touch(line);
    } else {
      l1_.asked(line, number_of(token));
    }
  }
  response(token, 0);
}

/// Takes from `access` the sectors that L1 has. Returns whether these were all.
bool GlobalAccess::read_from_l1(std::uint32_t token, LineAccess& access, Cycle now, Cycle& hits_ready) {
  const L1Cache::Found found = l1_.look_up(access, now);
  if (found.awaited != 0) {
    ++pending_[token].parts_left;
    l1_.follow(found.awaited, token);
  }
  const int hits = memory::sector_count(found.sectors);
  statistics_.l1_sector_hits += static_cast<std::uint64_t>(hits);
  if (on_l1_hit_ && hits != 0) on_l1_hit_(pending_[token].instruction, hits);
  hits_ready = std::max(hits_ready, found.ready);
  access.sectors = static_cast<std::uint8_t>(access.sectors & ~found.sectors);
  return access.sectors == 0;
}

void GlobalAccess::ask_l2(std::uint32_t token, const MemoryInstruction& instruction, const LineAccess& access,
                          Cycle now) {
  ++pending_[token].parts_left;
  LineQuery query;
  query.access = access;
  query.whole_line = instruction.whole_line;
  query.role = instruction.role;
  query.instruction = instruction.address;
  query.token = token;
  if (instruction.kind == MemoryKind::kGlobalAtomic) {
    query.atomic = true;
    query.waits_for_sum = instruction.waits_for_sum;
    query.leaves_in = static_cast<int>(stores_.send(now, port_cycles(instruction, access)) - now);
  }
  send_(query);
}

/// Time that a line of an atomic takes at the port of stores.
int GlobalAccess::port_cycles(const MemoryInstruction& atomic, const LineAccess& access) const {
  return std::max(access.flits + access.headers,
                  returns_data(atomic) ? access.packets * params_.atomic_packet_cycles : 0);
}

void GlobalAccess::response(std::uint32_t token, Cycle arrival) {
  if (pending_.part_arrives(token, arrival)) arrived(token);
}

void GlobalAccess::arrived(std::uint32_t token) {
  const PendingRead& read = pending_[token];
  const auto queue = static_cast<Cycle>(params_.queue_latency);
  // The data stage and the return path are taken when the data is there, not now.
  const auto reading = static_cast<Cycle>(params_.reading_cycles(read.instruction.source_registers));
  events_.push(read.latest - queue - reading, Event::Kind::kDataArrived, read.instruction.warp,
               read.instruction.generation, token, read.order);
  if (read.asked == 0) return;
  const ReadNumber number = number_of(token);
  for (int i = 0; i < read.instruction.lines.count; ++i) {
    const LineAccess& access = read.instruction.lines.lines[static_cast<std::size_t>(i)];
    if ((read.asked >> static_cast<unsigned>(i) & 1) != 0) l1_.arrive(access.line, number, read.latest);
  }
  for (const std::uint32_t follower : l1_.take_followers(number)) response(follower, read.latest + queue);
}

Cycle GlobalAccess::write(const MemoryInstruction& instruction, Cycle now) {
  int bytes = 0;     // of a store to local memory
  Cycle left = now;  // of one to global memory
  for (int i = 0; i < instruction.lines.count; ++i) {
    LineQuery query;
    query.access = instruction.lines.lines[static_cast<std::size_t>(i)];
    const Cycle through = stores_.begin(now) + static_cast<Cycle>(i * params_.local_store_line_cycles);
    keep_stored(instruction, i, now, through);
    if (instruction.local) {
      bytes += memory::sector_count(query.access.sectors) * static_cast<int>(memory::kSectorBytes);
    } else {
      const StorePort::Sent sent = stores_.send_line(now, query.access);
      left = std::max(left, sent.left);
      if (sent.sectors == 0) continue;
      query.access.sectors = sent.sectors;
      query.more_packets = sent.more_packets;
      query.joins = sent.joins;
    }
    query.write = true;
    query.role = instruction.role;
    query.instruction = instruction.address;
    send_(query);
  }
  if (!instruction.local) {
    stores_.queue_store(now, instruction.sent_registers);
    return left;
  }
  const int lines = instruction.lines.count * params_.local_store_line_cycles;
  return stores_.send(now, std::max(bytes / params_.store_bytes_per_cycle, lines));
}

/// What a store that comes at `now` and takes one of its lines through the port at `through` leaves in L1:
/// words that a later load finds there.
void GlobalAccess::keep_stored(const MemoryInstruction& instruction, int line, Cycle now, Cycle through) {
  const LineAccess& access = instruction.lines.lines[static_cast<std::size_t>(line)];
  if (instruction.bypass_l1) {
    l1_.invalidate(access.line);
  } else if (!instruction.stored_bytes.empty()) {
    l1_.store(access, instruction.stored_bytes[static_cast<std::size_t>(line)]);
  } else {
    l1_.store(access);
  }
  if (instruction.local && local_stores_.add(access.line, access.words, now, through)) l1_.invalidate(access.line);
}

}  // namespace stc::sm
