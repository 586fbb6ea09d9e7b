// SPDX-License-Identifier: Apache-2.0
#include "models/sm/lsu.h"

#include <algorithm>
#include <utility>

namespace stc::sm {
Lsu::Lsu(const SmParams& params, EventQueue& events, SmStatistics& statistics, Send send, SendRemote send_remote)
    : params_(params.lsu),
      warps_(params.occupancy.max_warps),
      events_(events),
      send_remote_(std::move(send_remote)),
      queues_(params.lsu, params.sub_cores),
      data_(params.lsu, params.warpgroup, params.occupancy.max_warps + params.sub_cores),
      mbarriers_(params.mbarrier),
      global_(params, events, statistics, std::move(send)),
      returns_(params.lsu, params.occupancy.max_warps),
      cluster_(params.cluster) {}

void Lsu::reset(std::uint64_t l1_bytes, Cycle origin) {
  queues_.reset();
  data_.reset(origin);
  mbarriers_.reset();
  global_.reset(l1_bytes);
  replies_.reset();
  returns_.reset();
  cluster_.reset();
  entrance_free_ = 0;
  behind_idle_ = false;
  next_known_ = false;
}

Cycle Lsu::next() {
  if (!next_known_) next_ = next_move();
  next_known_ = true;
  return next_;
}

Cycle Lsu::next_move() const {
  const Cycle moves = queues_.next();
  return queues_.empty() ? moves : std::min(moves, served_from(queues_.front()));
}

bool Lsu::tick(Cycle now) {
  if (now < next()) return false;
  next_known_ = false;
  bool got_room = false;
  for (bool again = true; again;) {
    const MemoryInstruction* const sent = queues_.takes_at(now) ? queues_.move(now) : nullptr;
    if (sent != nullptr) release(*sent, sent->read_scoreboard, sources_read(*sent, now));
    got_room |= sent != nullptr;
    const bool served = serve(now);
    // One more moves if the SM's queue takes it in this cycle, and one more is served if it comes to the front.
    again = ((sent != nullptr || served) && queues_.takes_at(now)) || (served && entrance_free_ <= now);
  }
  return got_room;
}

bool Lsu::serve(Cycle now) {
  if (entrance_free_ > now || queues_.empty() || served_from(queues_.front()) > now) return false;
  const MemoryInstruction& instruction = queues_.pop();
  entrance_free_ = now + entrance_cycles(instruction);
  process(instruction, now);
  return true;
}

Cycle Lsu::served_from(const MemoryInstruction& instruction) const {
  Cycle from = std::max({entrance_free_, global_.room_from(instruction), queues_.front_read()});
  // Loads from global memory take the data stage only when their lines are here.
  if (instruction.kind != MemoryKind::kGlobalLoad && instruction.kind != MemoryKind::kGlobalAtomic) {
    from = std::max(from, data_.backlog_below(static_cast<Cycle>(params_.data_queue_wavefronts)));
  }
  if (instruction.kind == MemoryKind::kSharedStore || instruction.kind == MemoryKind::kGlobalStore) {
    from = std::max(from, data_.own_backlog_below(way_of(instruction), static_cast<Cycle>(params_.own_store_cycles)));
  }
  if (instruction.kind == MemoryKind::kRemote) {
    from = std::max(from, cluster_.backlog_below(static_cast<Cycle>(params_.store_queue_cycles)));
  }
  return from;
}

/// Of the data stage: loads have one for each warp, what brings data from registers one for each sub-core.
int Lsu::way_of(const MemoryInstruction& instruction) const {
  const bool loads = instruction.kind == MemoryKind::kSharedLoad || instruction.kind == MemoryKind::kGlobalLoad;
  return loads ? instruction.warp : warps_ + instruction.sub_core;
}

Cycle Lsu::entrance_cycles(const MemoryInstruction& instruction) const {
  // h200/stores_joined.csv: lines stored again, of 4, 8 and 16 bytes a lane, 2.0, 3.0 and 4.9 cycles a store.
  if (instruction.kind == MemoryKind::kGlobalStore)
    return static_cast<Cycle>(params_.sm_interval + instruction.data_registers);
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
    case MemoryKind::kStatus:
      release(instruction, instruction.write_scoreboard,
              now + static_cast<Cycle>(std::max(0, behind_queue(instruction, params_.status_latency) + 1)));
      break;
    case MemoryKind::kNone: break;
  }
  behind_idle_ = instruction.idle;
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

/// What is left of `latency`, from issue on, when the instruction is served at once.
int Lsu::behind_queue(const MemoryInstruction& instruction, int latency) const {
  return latency - params_.queue_latency - 1 - params_.reading_cycles(instruction.source_registers);
}

void Lsu::shared_access(const MemoryInstruction& instruction, Cycle now) {
  using Access = OperandSchedule::Access;
  const Access access = instruction.kind == MemoryKind::kSharedStore  ? Access::kStore
                        : instruction.kind == MemoryKind::kSharedLoad ? Access::kLoad
                                                                      : Access::kOther;
  const Cycle served = data_.reserve(now, way_of(instruction), instruction.wavefronts, instruction.idle_parts, access);
  if (instruction.kind == MemoryKind::kSharedStore) {
    release(instruction, instruction.write_scoreboard, served);
  } else {
    const int latency = instruction.kind == MemoryKind::kShuffle ? params_.shuffle_latency + instruction.further_latency
                                                                 : params_.shared_latency;
    const Cycle after_service = static_cast<Cycle>(std::max(0, behind_queue(instruction, latency)));
    const Cycle last =
        served + after_service + static_cast<Cycle>(std::max(0, instruction.parts - 1) * params_.wide_access_cycles);
    release(instruction, instruction.write_scoreboard,
            std::max(last, returns_.take(instruction, now + 1 + after_service)));
  }
}

void Lsu::mbarrier_access(const MemoryInstruction& instruction, Cycle now) {
  const Cycle from = data_.mbarrier_from(now);
  const Cycle served = mbarriers_.reserve(from, instruction.warp, instruction.wavefronts, instruction.checks_phase);
  const int after_service = behind_queue(instruction, mbarriers_.latency(instruction.resumed));
  release(instruction, instruction.write_scoreboard, served + static_cast<Cycle>(std::max(0, after_service)));
}

void Lsu::global_load(const MemoryInstruction& instruction, Cycle now) {
  if (instruction.kind == MemoryKind::kAsyncCopy) {
    data_.pass(now, (behind_idle_ ? params_.idle_copy_wavefronts : 0) + held_by_matrix(instruction));
    // Zeros beside data do not wait for them.
    if (instruction.lines.count != 0 && instruction.zero_wavefronts != 0) {
      data_.reserve(now, way_of(instruction), instruction.zero_wavefronts);
    }
  }
  global_.read(instruction, now);
}

void Lsu::global_store(const MemoryInstruction& instruction, Cycle now) {
  data_.reserve(now, way_of(instruction), instruction.wavefronts, 0, OperandSchedule::Access::kOther,
                instruction.local ? 0 : instruction.lines.count);
  const Cycle left = global_.write(instruction, now);
  release(instruction, instruction.write_scoreboard, sources_read(instruction, now));
  events_.push(left, Event::Kind::kStoreLeft, instruction.warp, instruction.generation, 0);
}

void Lsu::data_arrived(std::uint32_t token, Cycle now) {
  const MemoryInstruction& instruction = global_.close(token);
  if (instruction.kind == MemoryKind::kAsyncCopy) {
    const Cycle landed = copy_written(instruction, now) + static_cast<Cycle>(params_.async_copy_latency);
    events_.push(landed, Event::Kind::kAsyncCopyDone, instruction.warp, instruction.generation, instruction.copy_group);
    release(instruction, instruction.write_scoreboard, landed);  // which only code of -O0 and -G gives it
    return;
  }
  Cycle read = data_.reserve(now, way_of(instruction), instruction.wavefronts, 0, OperandSchedule::Access::kLoad);
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
    return data_.reserve(now, way_of(copy), copy.zero_wavefronts);
  }
  // Rows written past the L1 leave the data stage to others.
  return copy.bypass_l1 ? data_.fill(now, copy.wavefronts) : data_.reserve(now, way_of(copy), copy.wavefronts);
}

void Lsu::copy_fence(const MemoryInstruction& instruction, Cycle now) {
  data_.pass(now, params_.copy_fence_wavefronts);
  // The fence itself has taken its place behind the copies; its group completes with the last of them.
  events_.push(now, Event::Kind::kAsyncCopyDone, instruction.warp, instruction.generation, instruction.copy_group);
}

void Lsu::remote_access(const MemoryInstruction& instruction, Cycle now) {
  const auto replies = std::count_if(instruction.remote.begin(), instruction.remote.end(),
                                     [](const RemotePart& part) { return part.reply_packets != 0; });
  const std::uint32_t token = replies != 0 ? replies_.open(instruction, static_cast<int>(replies)) : 0;
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
  if (!replies_.part_arrives(token, cluster_.receive(now, packets))) return;
  const auto reading = static_cast<Cycle>(params_.reading_cycles(replies_[token].instruction.source_registers));
  const Cycle ready = std::max(now, replies_[token].latest - reading);
  const MemoryInstruction& instruction = replies_.close(token);
  release(instruction, instruction.write_scoreboard,
          instruction.data_registers != 0 ? returns_.take(instruction, ready) : ready);
}

}  // namespace stc::sm
