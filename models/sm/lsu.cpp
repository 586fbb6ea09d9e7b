// SPDX-License-Identifier: Apache-2.0
#include "models/sm/lsu.h"

#include <algorithm>

namespace stc::sm {
namespace {

bool reads_global(MemoryKind kind) {
  return kind == MemoryKind::kGlobalLoad || kind == MemoryKind::kGlobalAtomic || kind == MemoryKind::kAsyncCopy;
}

}  // namespace

Lsu::Lsu(const SmParams& params, EventQueue& events, SmStatistics& statistics, Send send, SendRemote send_remote)
    : params_(params.lsu),
      l1_ways_(params.l1.ways),
      events_(events),
      statistics_(statistics),
      send_(std::move(send)),
      send_remote_(std::move(send_remote)),
      port_(params.cluster),
      cluster_(params.cluster),
      queue_(static_cast<std::size_t>(params.sub_cores)),
      operands_free_(queue_.size(), 0),
      collecting_until_(queue_.size(), 0),
      return_free_(queue_.size(), 0),
      data_(params.lsu, params.sub_cores),
      mbarriers_(params.mbarrier),
      lines_(params.lsu) {}

void Lsu::reset(std::uint64_t l1_bytes) {
  for (auto& queue : queue_) queue.clear();
  std::fill(operands_free_.begin(), operands_free_.end(), 0);
  std::fill(collecting_until_.begin(), collecting_until_.end(), 0);
  std::fill(return_free_.begin(), return_free_.end(), 0);
  sm_queue_.clear();
  arrival_free_ = entrance_free_ = tag_free_ = store_free_ = 0;
  turn_ = 0;
  data_.reset();
  mbarriers_.reset();
  port_.reset();
  remote_atomic_free_ = 0;
  lines_.reset();
  local_stores_.reset();
  l1_ = memory::SectorCache(l1_bytes, l1_ways_);
  pending_.clear();
  followers_.clear();
  free_tokens_.clear();
  outstanding_ = 0;
}

bool Lsu::has_room(int sub_core) const {
  return static_cast<int>(queue_[static_cast<std::size_t>(sub_core)].size()) < params_.queue_entries;
}

bool Lsu::idle() const {
  return outstanding_ == 0 && sm_queue_.empty() &&
         std::all_of(queue_.begin(), queue_.end(), [](const auto& q) { return q.empty(); });
}

void Lsu::enqueue(const MemoryInstruction& instruction) { queue_[instruction.sub_core].push_back(instruction); }

Cycle Lsu::ready(int sub_core) const {
  const auto s = static_cast<std::size_t>(sub_core);
  return std::max(queue_[s].front().issued + static_cast<Cycle>(params_.queue_latency), operands_free_[s]);
}

Cycle Lsu::next() const {
  Cycle earliest = kNever;
  for (std::size_t s = 0; sm_has_room() && s < queue_.size(); ++s) {
    if (!queue_[s].empty()) earliest = std::min(earliest, std::max(ready(static_cast<int>(s)), arrival_free_));
  }
  if (!sm_queue_.empty()) earliest = std::min(earliest, served_from(sm_queue_.front()));
  return earliest;
}

bool Lsu::tick(Cycle now) {
  bool got_room = false;
  for (bool moved = true; moved;) {
    moved = send_to_sm(now);
    got_room |= moved;
    moved |= serve(now);
  }
  return got_room;
}

bool Lsu::send_to_sm(Cycle now) {
  if (now < arrival_free_ || !sm_has_room()) return false;
  const int sub_cores = static_cast<int>(queue_.size());
  for (int i = 0; i < sub_cores; ++i) {
    const int s = (turn_ + i) % sub_cores;
    auto& queue = queue_[static_cast<std::size_t>(s)];
    if (queue.empty() || ready(s) > now) continue;
    MemoryInstruction& instruction = sm_queue_.emplace_back(queue.front());
    queue.pop_front();
    instruction.beside_matrix = collecting_until_[instruction.sub_core] > now;
    release(instruction, instruction.read_scoreboard, sources_read(instruction, now));
    operands_free_[static_cast<std::size_t>(s)] = now + sending_cycles(instruction);
    arrival_free_ = now + static_cast<Cycle>(params_.sm_interval);
    turn_ = (s + 1) % sub_cores;
    return true;
  }
  return false;
}

Cycle Lsu::sending_cycles(const MemoryInstruction& instruction) const {
  if (instruction.source_registers == 0) return 1;  // nothing to read: the idle LDS before a copy
  const int each = instruction.beside_matrix ? params_.operand_cycles_beside_matrix : params_.operand_cycles;
  return static_cast<Cycle>(std::max(params_.address_interval, each * instruction.source_registers));
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
    from = std::max(from, port_.backlog_below(static_cast<Cycle>(params_.store_queue_cycles)));
  }
  const auto stores_ahead = static_cast<Cycle>(params_.store_queue_cycles);
  const bool stores = instruction.kind == MemoryKind::kGlobalStore || instruction.kind == MemoryKind::kGlobalAtomic;
  if (stores && store_free_ > stores_ahead) {
    from = std::max(from, store_free_ - stores_ahead);
  }
  return from;
}

Cycle Lsu::entrance_cycles(const MemoryInstruction& instruction) const {
  if (instruction.kind != MemoryKind::kAsyncCopy) return static_cast<Cycle>(params_.sm_interval);
  return static_cast<Cycle>(params_.copy_interval + held_by_matrix(instruction));
}

/// Time that a line of an atomic takes at the port of stores.
int Lsu::port_cycles(const MemoryInstruction& atomic, const LineAccess& access) const {
  const int headers = access.flits > access.packets ? access.packets : 0;  // a lone sector goes with its header
  const bool returns = atomic.data_registers != 0;
  return std::max(access.flits + headers, returns ? access.packets * params_.atomic_packet_cycles : 0);
}

bool Lsu::serve(Cycle now) {
  if (sm_queue_.empty() || served_from(sm_queue_.front()) > now) return false;
  const MemoryInstruction instruction = sm_queue_.front();
  sm_queue_.pop_front();
  entrance_free_ = now + entrance_cycles(instruction);
  process(instruction, now);
  return true;
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

void Lsu::release(const MemoryInstruction& instruction, std::uint8_t scoreboard, Cycle cycle) {
  if (scoreboard == isa::kNoScoreboard) return;
  events_.push(cycle, Event::Kind::kReleaseScoreboard, instruction.warp, instruction.generation, scoreboard);
}

Cycle Lsu::return_path(const MemoryInstruction& instruction, Cycle first_register) {
  const int bytes = 128 * std::max<int>(1, instruction.data_registers);
  const Cycle each = static_cast<Cycle>(128 / params_.return_bytes_per_cycle);
  const Cycle whole = static_cast<Cycle>(bytes / params_.return_bytes_per_cycle);
  Cycle& free = return_free_[instruction.sub_core];
  const Cycle start = std::max(first_register >= each ? first_register - each : 0, free);
  free = start + whole;
  return free;
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
            std::max(last, return_path(instruction, now + 1 + after_service)));
  }
}

void Lsu::mbarrier_access(const MemoryInstruction& instruction, Cycle now) {
  const Cycle served = mbarriers_.reserve(now, instruction.warp, instruction.wavefronts, instruction.checks_phase);
  const int after_service = mbarriers_.latency(instruction.resumed) - params_.queue_latency - 1;
  release(instruction, instruction.write_scoreboard, served + static_cast<Cycle>(std::max(0, after_service)));
}

std::uint32_t Lsu::new_token(const MemoryInstruction& instruction) {
  std::uint32_t token;
  if (free_tokens_.empty()) {
    token = static_cast<std::uint32_t>(pending_.size());
    pending_.emplace_back();
  } else {
    token = free_tokens_.back();
    free_tokens_.pop_back();
  }
  Pending& entry = pending_[token];
  entry.instruction = instruction;
  entry.lines_left = 0;
  entry.latest = 0;
  entry.asked = 0;
  ++outstanding_;
  return token;
}

std::uint8_t Lsu::look_up_l1(std::uint32_t token, const LineAccess& access, Cycle now, Cycle& data_ready) {
  memory::CacheLine* line = l1_.find(access.line);
  if (line == nullptr) return 0;
  auto hit = static_cast<std::uint8_t>(line->valid & access.sectors);
  const auto awaited = static_cast<std::uint8_t>(hit & line->awaited);
  if (awaited != 0) {
    ++pending_[token].lines_left;
    followers_.push_back({access.line, awaited, token});
  } else if (hit != 0) {
    data_ready = std::max(data_ready, std::max(now, line->ready));
  }
  const std::uint32_t wanted = access.words & ~line->stored;
  for (unsigned sector = 0; sector < memory::kLineBytes / memory::kSectorBytes; ++sector) {
    const std::uint32_t words = 0xffu << (8 * sector);  // all that is wanted of it was stored: it need not be fetched
    if ((access.words & words) != 0 && (wanted & words) == 0) hit = static_cast<std::uint8_t>(hit | 1u << sector);
  }
  return hit;
}

void Lsu::global_load(const MemoryInstruction& instruction, Cycle now) {
  const bool atomic = instruction.kind == MemoryKind::kGlobalAtomic;
  const bool cached = !instruction.bypass_l1 && !atomic;
  const auto tag_cycles =
      static_cast<Cycle>((instruction.lines.count + params_.tag_lines_per_cycle - 1) / params_.tag_lines_per_cycle);
  const Cycle tag_start = std::max(now, tag_free_);
  tag_free_ = tag_start + tag_cycles;
  const bool copy = instruction.kind == MemoryKind::kAsyncCopy;
  if (copy) data_.pass(now, params_.copy_wavefronts + held_by_matrix(instruction));
  // Zeros beside data do not wait for them.
  if (copy && instruction.lines.count != 0 && instruction.zero_wavefronts != 0) {
    data_.reserve(now, instruction.sub_core, instruction.zero_wavefronts);
  }

  const std::uint32_t token = new_token(instruction);
  // One cycle of the latency is the data stage's.
  Cycle hits_ready = tag_start + static_cast<Cycle>(params_.l1_latency - params_.queue_latency - 1);
  ++pending_[token].lines_left;  // held until every line has been asked for
  int asked = 0;
  for (int i = 0; i < instruction.lines.count; ++i) {
    LineAccess access = instruction.lines.lines[static_cast<std::size_t>(i)];
    if (atomic) l1_.invalidate(access.line);
    if (cached) {
      Cycle ready = 0;
      const std::uint8_t hit = look_up_l1(token, access, now, ready);
      statistics_.l1_sector_hits += static_cast<std::uint64_t>(__builtin_popcount(hit));
      hits_ready = std::max(hits_ready, ready);
      if (instruction.local) hits_ready = std::max(hits_ready, local_stores_.readable_from(access.line));
      access.sectors = static_cast<std::uint8_t>(access.sectors & ~hit);
      if (access.sectors == 0) continue;
      memory::CacheLine* line = l1_.find(access.line);
      memory::CacheLine victim;
      if (line == nullptr) line = &l1_.allocate(access.line, victim);
      line->valid |= access.sectors;
      line->awaited |= access.sectors;  // until the crossbar tells
      pending_[token].asked |= 1u << static_cast<unsigned>(i);
      pending_[token].instruction.lines.lines[static_cast<std::size_t>(i)].sectors = access.sectors;
    }
    ++pending_[token].lines_left;
    ++asked;
    LineQuery query{access, false, atomic, instruction.whole_line, instruction.role, token};
    if (atomic) {
      store_free_ = std::max(store_free_, now) + static_cast<Cycle>(port_cycles(instruction, access));
      query.waits_for_sum = instruction.waits_for_sum;
      query.leaves_in = static_cast<int>(store_free_ - now);
    }
    send_(query);
  }
  lines_.push(now, asked, copy);
  response(token, hits_ready + static_cast<Cycle>(params_.queue_latency));
}

void Lsu::hold_stores(Cycle cycle) { store_free_ = std::max(store_free_, cycle); }

void Lsu::response(std::uint32_t token, Cycle arrival) {
  Pending& entry = pending_[token];
  entry.latest = std::max(entry.latest, arrival);
  if (--entry.lines_left > 0) return;
  const MemoryInstruction& instruction = entry.instruction;
  // The data stage and the return path are taken when the data is there, not now.
  events_.push(entry.latest - static_cast<Cycle>(params_.queue_latency), Event::Kind::kDataArrived, instruction.warp,
               instruction.generation, token);
  lines_arrived(token);
}

void Lsu::lines_arrived(std::uint32_t token) {
  const Pending& entry = pending_[token];
  for (int i = 0; i < entry.instruction.lines.count; ++i) {
    const LineAccess& access = entry.instruction.lines.lines[static_cast<std::size_t>(i)];
    memory::CacheLine* line = l1_.find(access.line);  // used again, whether it was asked for or here
    if ((entry.asked >> static_cast<unsigned>(i) & 1) == 0) continue;
    if (line != nullptr) {
      line->awaited = static_cast<std::uint8_t>(line->awaited & ~access.sectors);
      line->ready = entry.latest;
    }
    if (!followers_.empty()) serve_followers(access, entry.latest);
  }
}

void Lsu::serve_followers(const LineAccess& arrived, Cycle latest) {
  for (Follower& follower : followers_) {
    if (follower.line == arrived.line)
      follower.sectors = static_cast<std::uint8_t>(follower.sectors & ~arrived.sectors);
  }
  const auto here = std::stable_partition(followers_.begin(), followers_.end(),
                                          [](const Follower& follower) { return follower.sectors != 0; });
  const std::vector<Follower> served(here, followers_.end());
  followers_.erase(here, followers_.end());
  for (const Follower& follower : served) response(follower.token, latest + static_cast<Cycle>(params_.queue_latency));
}

void Lsu::data_arrived(std::uint32_t token, Cycle now) {
  const MemoryInstruction instruction = pending_[token].instruction;
  free_tokens_.push_back(token);
  --outstanding_;
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
          instruction.data_registers != 0 ? return_path(instruction, read) : read);
}

/// When the rows of a copy whose lines are here at `now` are in shared memory.
Cycle Lsu::copy_written(const MemoryInstruction& copy, Cycle now) {
  if (copy.lines.count == 0 && copy.zero_wavefronts != 0) {
    return data_.reserve(now, copy.sub_core, copy.zero_wavefronts);
  }
  // Rows written past the L1 leave the data stage to others.
  return copy.bypass_l1 ? data_.fill(now, copy.wavefronts) : data_.reserve(now, copy.sub_core, copy.wavefronts);
}

void Lsu::keep_stored(const MemoryInstruction& instruction, const LineAccess& access) {
  if (instruction.bypass_l1) return l1_.invalidate(access.line);
  memory::CacheLine* line = l1_.find(access.line);
  memory::CacheLine victim;
  if (line == nullptr) line = &l1_.allocate(access.line, victim);
  line->stored |= access.words;
}

void Lsu::global_store(const MemoryInstruction& instruction, Cycle now) {
  data_.reserve(now, instruction.sub_core, instruction.wavefronts);
  int bytes = 0;
  for (int i = 0; i < instruction.lines.count; ++i) {
    const LineAccess& access = instruction.lines.lines[static_cast<std::size_t>(i)];
    keep_stored(instruction, access);
    if (instruction.local) {
      local_stores_.add(access.line, access.words, now, now + static_cast<Cycle>(params_.local_store_latency));
    }
    send_({access, true, false, false, instruction.role, 0});
    bytes += memory::sector_count(access.sectors) * static_cast<int>(memory::kSectorBytes);
  }
  const int lines = instruction.local ? instruction.lines.count * params_.local_store_line_cycles : 0;
  store_free_ = std::max(store_free_, now) + static_cast<Cycle>(std::max(bytes / params_.store_bytes_per_cycle, lines));
  release(instruction, instruction.write_scoreboard, sources_read(instruction, now));
  events_.push(store_free_, Event::Kind::kStoreLeft, instruction.warp, instruction.generation, 0);
}

void Lsu::remote_access(const MemoryInstruction& instruction, Cycle now) {
  const auto replies = std::count_if(instruction.remote.begin(), instruction.remote.end(),
                                     [](const RemotePart& part) { return part.reply_packets != 0; });
  const std::uint32_t token = replies != 0 ? new_token(instruction) : 0;
  if (replies != 0) pending_[token].lines_left = static_cast<int>(replies);
  for (const RemotePart& part : instruction.remote) {
    send_remote_(instruction, part, token, port_.send(now, part.packets));
  }
  if (replies == 0) release(instruction, instruction.write_scoreboard, now);
}

Cycle Lsu::serve_remote(const RemotePart& part, Cycle now) {
  Cycle served = data_.fill(port_.receive(now, part.packets), part.wavefronts);
  if (part.atomic) {
    served = std::max(served, remote_atomic_free_) + static_cast<Cycle>(part.passes * cluster_.atomic_lane_cycles);
    remote_atomic_free_ = served;
    served += static_cast<Cycle>(cluster_.atomic_latency);
  }
  return part.reply_packets != 0 ? port_.send(served, part.reply_packets) : served;
}

void Lsu::remote_reply(std::uint32_t token, int packets, Cycle now) {
  Pending& entry = pending_[token];
  entry.latest = std::max(entry.latest, port_.receive(now, packets));
  if (--entry.lines_left > 0) return;
  const MemoryInstruction& instruction = entry.instruction;
  const Cycle ready = entry.latest;
  release(instruction, instruction.write_scoreboard,
          instruction.data_registers != 0 ? return_path(instruction, ready) : ready);
  free_tokens_.push_back(token);
  --outstanding_;
}

void Lsu::copy_fence(const MemoryInstruction& instruction, Cycle now) {
  data_.pass(now, params_.copy_fence_wavefronts);
  // The fence itself has taken its place behind the copies; its group completes with the last of them.
  events_.push(now, Event::Kind::kAsyncCopyDone, instruction.warp, instruction.generation, instruction.copy_group);
}

}  // namespace stc::sm
