// SPDX-License-Identifier: Apache-2.0
#include "models/sm/lsu.h"

#include <algorithm>
#include <utility>

#include "models/memory/line_request.h"

namespace stc::sm {
namespace {

bool reads_global(MemoryKind kind) {
  return kind == MemoryKind::kGlobalLoad || kind == MemoryKind::kGlobalAtomic || kind == MemoryKind::kAsyncCopy;
}

}  // namespace

Lsu::Lsu(const SmParams& params, EventQueue& events, SmStatistics& statistics, Send send, SendRemote send_remote)
    : params_(params.lsu),
      events_(events),
      statistics_(statistics),
      send_(std::move(send)),
      send_remote_(std::move(send_remote)),
      queues_(params.lsu, params.sub_cores),
      data_(params.lsu, params.sub_cores),
      mbarriers_(params.mbarrier),
      lines_(params.lsu),
      l1_(params.l1.ways),
      stores_(params.lsu),
      returns_(params.lsu, params.sub_cores),
      cluster_(params.cluster) {}

void Lsu::reset(std::uint64_t l1_bytes) {
  queues_.reset();
  data_.reset();
  mbarriers_.reset();
  lines_.reset();
  local_stores_.reset();
  l1_.reset(l1_bytes);
  pending_.reset();
  stores_.reset();
  returns_.reset();
  cluster_.reset();
  entrance_free_ = tag_free_ = 0;
}

Cycle Lsu::next() const {
  const Cycle moves = queues_.next();
  return queues_.empty() ? moves : std::min(moves, served_from(queues_.front()));
}

bool Lsu::tick(Cycle now) {
  bool got_room = false;
  for (bool moved = true; moved;) {
    const MemoryInstruction* const sent = queues_.move(now);
    moved = sent != nullptr;
    if (moved) release(*sent, sent->read_scoreboard, sources_read(*sent, now));
    got_room |= moved;
    moved |= serve(now);
  }
  return got_room;
}

bool Lsu::serve(Cycle now) {
  if (queues_.empty() || served_from(queues_.front()) > now) return false;
  const MemoryInstruction instruction = queues_.pop();
  entrance_free_ = now + entrance_cycles(instruction);
  process(instruction, now);
  return true;
}

Cycle Lsu::served_from(const MemoryInstruction& instruction) const {
  Cycle from = entrance_free_;
  if (reads_global(instruction.kind)) {
    from = std::max(from, lines_.room_from(instruction.lines.count, instruction.kind == MemoryKind::kAsyncCopy));
  }
  // Loads from global memory take the data stage only when their lines are here.
  if (instruction.kind != MemoryKind::kGlobalLoad && instruction.kind != MemoryKind::kGlobalAtomic) {
    from = std::max(from, data_.backlog_below(static_cast<Cycle>(params_.data_queue_wavefronts)));
  }
  if (instruction.kind == MemoryKind::kSharedStore) {
    from = std::max(from, data_.own_backlog_below(instruction.sub_core, static_cast<Cycle>(params_.own_store_cycles)));
  }
  if (instruction.kind == MemoryKind::kRemote) {
    from = std::max(from, cluster_.backlog_below(static_cast<Cycle>(params_.store_queue_cycles)));
  }
  if (instruction.kind == MemoryKind::kGlobalStore || instruction.kind == MemoryKind::kGlobalAtomic) {
    from = std::max(from, stores_.room_from());
  }
  return from;
}

Cycle Lsu::entrance_cycles(const MemoryInstruction& instruction) const {
  if (instruction.kind != MemoryKind::kAsyncCopy) return static_cast<Cycle>(params_.sm_interval);
  return static_cast<Cycle>(params_.copy_interval + held_by_matrix(instruction));
}

void Lsu::process(const MemoryInstruction& instruction, Cycle now) {
  switch (instruction.kind) {
    case MemoryKind::kSharedLoad:
    case MemoryKind::kSharedStore:
    case MemoryKind::kShuffle: shared_access(instruction, now); break;
    case MemoryKind::kMbarrier: mbarrier_access(instruction, now); break;
    case MemoryKind::kGlobalLoad:
    case MemoryKind::kGlobalAtomic:
    case MemoryKind::kAsyncCopy: global_load(instruction, now); break;
    case MemoryKind::kGlobalStore: global_store(instruction, now); break;
    case MemoryKind::kCopyFence: copy_fence(instruction, now); break;
    case MemoryKind::kRemote: remote_access(instruction, now); break;
    case MemoryKind::kNone: break;
  }
}

/// When the source registers of an instruction that leaves its sub-core at `now` may be overwritten.
Cycle Lsu::sources_read(const MemoryInstruction& instruction, Cycle now) const {
  int cycles = params_.read_release - params_.queue_latency;
  const int data = params_.store_release_per_register * instruction.data_registers;
  switch (instruction.kind) {
    case MemoryKind::kSharedStore: cycles += 1 + data; break;
    case MemoryKind::kGlobalStore: cycles += params_.global_address_cycles + 1 + data; break;
    case MemoryKind::kGlobalLoad:
    case MemoryKind::kGlobalAtomic: cycles += params_.global_address_cycles; break;
    case MemoryKind::kRemote: cycles += params_.global_address_cycles + 1 + data; break;
    case MemoryKind::kAsyncCopy: cycles += params_.global_address_cycles + params_.store_release_per_register; break;
    default: break;
  }
  return cycles < 0 ? now - static_cast<Cycle>(-cycles) : now + static_cast<Cycle>(cycles);
}

void Lsu::release(const MemoryInstruction& instruction, std::uint8_t scoreboard, Cycle cycle) {
  if (scoreboard == isa::kNoScoreboard) return;
  events_.push(cycle, Event::Kind::kReleaseScoreboard, instruction.warp, instruction.generation, scoreboard);
}

void Lsu::shared_access(const MemoryInstruction& instruction, Cycle now) {
  const auto entered = static_cast<Cycle>(params_.queue_latency);
  const Cycle served = data_.reserve(now, instruction.sub_core, instruction.wavefronts);
  if (instruction.kind == MemoryKind::kSharedStore) {
    release(instruction, instruction.write_scoreboard, served);
  } else {
    const int latency = instruction.kind == MemoryKind::kShuffle ? params_.shuffle_latency : params_.shared_latency;
    const Cycle after_service = static_cast<Cycle>(latency) - entered - 1;
    Cycle last = served + after_service;
    if (instruction.wide && instruction.wavefronts > 1) {
      last += static_cast<Cycle>((instruction.data_registers - 1) * params_.wide_access_cycles);
    }
    release(instruction, instruction.write_scoreboard,
            std::max(last, returns_.take(instruction, now + 1 + after_service)));
  }
}

void Lsu::mbarrier_access(const MemoryInstruction& instruction, Cycle now) {
  const Cycle served = mbarriers_.reserve(now, instruction.warp, instruction.wavefronts, instruction.checks_phase);
  const int after_service = mbarriers_.latency(instruction.resumed) - params_.queue_latency - 1;
  release(instruction, instruction.write_scoreboard, served + static_cast<Cycle>(std::max(0, after_service)));
}

/// The cycle in which the tag stage begins with the instruction's lines.
Cycle Lsu::look_up_tags(const MemoryInstruction& instruction, Cycle now) {
  const int cycles = (instruction.lines.count + params_.tag_lines_per_cycle - 1) / params_.tag_lines_per_cycle;
  const Cycle start = std::max(now, tag_free_);
  tag_free_ = start + static_cast<Cycle>(cycles);
  return start;
}

void Lsu::global_load(const MemoryInstruction& instruction, Cycle now) {
  const bool atomic = instruction.kind == MemoryKind::kGlobalAtomic;
  const bool copy = instruction.kind == MemoryKind::kAsyncCopy;
  const Cycle tag_start = look_up_tags(instruction, now);
  if (copy) data_.pass(now, params_.copy_wavefronts + held_by_matrix(instruction));
  // Zeros beside data do not wait for them.
  if (copy && instruction.lines.count != 0 && instruction.zero_wavefronts != 0) {
    data_.reserve(now, instruction.sub_core, instruction.zero_wavefronts);
  }

  const std::uint32_t token = pending_.open(instruction, 1);  // held until every line has been asked for
  // One cycle of the latency is the data stage's.
  Cycle hits_ready = tag_start + static_cast<Cycle>(params_.l1_latency - params_.queue_latency - 1);
  int asked = 0;
  for (int i = 0; i < instruction.lines.count; ++i) {
    LineAccess access = instruction.lines.lines[static_cast<std::size_t>(i)];
    if (atomic) l1_.invalidate(access.line);
    if (!instruction.bypass_l1 && !atomic) {
      if (read_from_l1(token, instruction, access, now, hits_ready)) continue;
      l1_.ask(access);
      pending_[token].asked |= 1u << static_cast<unsigned>(i);
      pending_[token].instruction.lines.lines[static_cast<std::size_t>(i)].sectors = access.sectors;
    }
    ++asked;
    ask_l2(token, instruction, access, now);
  }
  lines_.push(now, asked, copy);
  response(token, hits_ready + static_cast<Cycle>(params_.queue_latency));
}

/// Takes from `access` the sectors that L1 has. Returns whether these were all.
bool Lsu::read_from_l1(std::uint32_t token, const MemoryInstruction& instruction, LineAccess& access, Cycle now,
                       Cycle& hits_ready) {
  const L1Cache::Found found = l1_.look_up(access, now);
  if (found.awaited != 0) {
    ++pending_[token].parts_left;
    l1_.follow(access.line, found.awaited, token);
  }
  statistics_.l1_sector_hits += static_cast<std::uint64_t>(memory::sector_count(found.sectors));
  hits_ready = std::max(hits_ready, found.ready);
  if (instruction.local) hits_ready = std::max(hits_ready, local_stores_.readable_from(access.line));
  access.sectors = static_cast<std::uint8_t>(access.sectors & ~found.sectors);
  return access.sectors == 0;
}

void Lsu::ask_l2(std::uint32_t token, const MemoryInstruction& instruction, const LineAccess& access, Cycle now) {
  ++pending_[token].parts_left;
  LineQuery query;
  query.access = access;
  query.whole_line = instruction.whole_line;
  query.role = instruction.role;
  query.token = token;
  if (instruction.kind == MemoryKind::kGlobalAtomic) {
    query.atomic = true;
    query.waits_for_sum = instruction.waits_for_sum;
    query.leaves_in = static_cast<int>(stores_.send(now, port_cycles(instruction, access)) - now);
  }
  send_(query);
}

/// Time that a line of an atomic takes at the port of stores.
int Lsu::port_cycles(const MemoryInstruction& atomic, const LineAccess& access) const {
  const int headers = access.flits > access.packets ? access.packets : 0;  // a lone sector goes with its header
  const bool returns = atomic.data_registers != 0;
  return std::max(access.flits + headers, returns ? access.packets * params_.atomic_packet_cycles : 0);
}

void Lsu::response(std::uint32_t token, Cycle arrival) {
  if (!pending_.part_arrives(token, arrival)) return;
  const PendingRead& read = pending_[token];
  // The data stage and the return path are taken when the data is there, not now.
  events_.push(read.latest - static_cast<Cycle>(params_.queue_latency), Event::Kind::kDataArrived,
               read.instruction.warp, read.instruction.generation, token);
  lines_arrived(token);
}

/// Tells L1 of the lines that `token` has asked for, and those who wait for them too.
void Lsu::lines_arrived(std::uint32_t token) {
  const PendingRead& read = pending_[token];
  for (int i = 0; i < read.instruction.lines.count; ++i) {
    const LineAccess& access = read.instruction.lines.lines[static_cast<std::size_t>(i)];
    if ((read.asked >> static_cast<unsigned>(i) & 1) == 0) {
      l1_.touch(access.line);
      continue;
    }
    for (const std::uint32_t follower : l1_.arrive(access, read.latest)) {
      response(follower, read.latest + static_cast<Cycle>(params_.queue_latency));
    }
  }
}

void Lsu::data_arrived(std::uint32_t token, Cycle now) {
  const MemoryInstruction instruction = pending_.close(token);
  if (instruction.kind == MemoryKind::kAsyncCopy) {
    const Cycle written = copy_written(instruction, now);
    events_.push(written + static_cast<Cycle>(params_.async_copy_latency), Event::Kind::kAsyncCopyDone,
                 instruction.warp, instruction.generation, instruction.copy_group);
    return;
  }
  Cycle read = data_.reserve(now, instruction.sub_core, instruction.wavefronts);
  if (instruction.kind == MemoryKind::kGlobalAtomic) {
    read += static_cast<Cycle>(params_.atomic_latency);
    events_.push(now, Event::Kind::kStoreLeft, instruction.warp, instruction.generation, 0);  // it is done
  }
  release(instruction, instruction.write_scoreboard,
          instruction.data_registers != 0 ? returns_.take(instruction, read) : read);
}

/// When the rows of a copy whose lines are here at `now` are in shared memory.
Cycle Lsu::copy_written(const MemoryInstruction& copy, Cycle now) {
  if (copy.lines.count == 0 && copy.zero_wavefronts != 0) {
    return data_.reserve(now, copy.sub_core, copy.zero_wavefronts);
  }
  // Rows written past the L1 leave the data stage to others.
  return copy.bypass_l1 ? data_.fill(now, copy.wavefronts) : data_.reserve(now, copy.sub_core, copy.wavefronts);
}

/// What a store leaves in L1: words that a later load finds there.
void Lsu::keep_stored(const MemoryInstruction& instruction, const LineAccess& access, Cycle now) {
  if (instruction.bypass_l1) {
    l1_.invalidate(access.line);
  } else {
    l1_.store(access);
  }
  if (!instruction.local) return;
  local_stores_.add(access.line, access.words, now, now + static_cast<Cycle>(params_.local_store_latency));
}

void Lsu::global_store(const MemoryInstruction& instruction, Cycle now) {
  data_.reserve(now, instruction.sub_core, instruction.wavefronts);
  int bytes = 0;
  for (int i = 0; i < instruction.lines.count; ++i) {
    const LineAccess& access = instruction.lines.lines[static_cast<std::size_t>(i)];
    keep_stored(instruction, access, now);
    send_({access, true, false, false, instruction.role, 0});
    bytes += memory::sector_count(access.sectors) * static_cast<int>(memory::kSectorBytes);
  }
  const int lines = instruction.local ? instruction.lines.count * params_.local_store_line_cycles : 0;
  const Cycle left = stores_.send(now, std::max(bytes / params_.store_bytes_per_cycle, lines));
  release(instruction, instruction.write_scoreboard, sources_read(instruction, now));
  events_.push(left, Event::Kind::kStoreLeft, instruction.warp, instruction.generation, 0);
}

void Lsu::copy_fence(const MemoryInstruction& instruction, Cycle now) {
  data_.pass(now, params_.copy_fence_wavefronts);
  // The fence itself has taken its place behind the copies; its group completes with the last of them.
  events_.push(now, Event::Kind::kAsyncCopyDone, instruction.warp, instruction.generation, instruction.copy_group);
}

void Lsu::remote_access(const MemoryInstruction& instruction, Cycle now) {
  const auto replies = std::count_if(instruction.remote.begin(), instruction.remote.end(),
                                     [](const RemotePart& part) { return part.reply_packets != 0; });
  const std::uint32_t token = replies != 0 ? pending_.open(instruction, static_cast<int>(replies)) : 0;
  for (const RemotePart& part : instruction.remote) {
    send_remote_(instruction, part, token, cluster_.send(now, part.packets));
  }
  if (replies == 0) release(instruction, instruction.write_scoreboard, now);
}

Cycle Lsu::serve_remote(const RemotePart& part, Cycle now) {
  const Cycle read = data_.fill(cluster_.receive(now, part.packets), part.wavefronts);
  const Cycle served = cluster_.work_on(part, read);
  return part.reply_packets != 0 ? cluster_.send(served, part.reply_packets) : served;
}

void Lsu::remote_reply(std::uint32_t token, int packets, Cycle now) {
  if (!pending_.part_arrives(token, cluster_.receive(now, packets))) return;
  const Cycle ready = pending_[token].latest;
  const MemoryInstruction instruction = pending_.close(token);
  release(instruction, instruction.write_scoreboard,
          instruction.data_registers != 0 ? returns_.take(instruction, ready) : ready);
}

}  // namespace stc::sm
