// SPDX-License-Identifier: Apache-2.0
#include "models/sm/instruction_cache.h"

#include <algorithm>
#include <utility>

namespace stc::sm {

void InstructionCache::Level::reset(std::size_t lines, std::size_t capacity) {
  used_.assign(lines, 0);
  capacity_ = capacity;
  here_ = 0;
  clock_ = 0;
}

bool InstructionCache::Level::use(std::uint32_t line) {
  if (used_[line] == 0) return false;
  used_[line] = ++clock_;
  return true;
}

void InstructionCache::Level::add(std::uint32_t line) {
  if (here_ == capacity_) {
    auto oldest = used_.end();
    for (auto it = used_.begin(); it != used_.end(); ++it) {
      if (*it != 0 && (oldest == used_.end() || *it < *oldest)) oldest = it;
    }
    *oldest = 0;
    --here_;
  }
  used_[line] = ++clock_;
  ++here_;
}

InstructionCache::InstructionCache(const FetchParams& params) : params_(params) {}

void InstructionCache::reset(std::uint32_t code_bytes, bool emptied) {
  const std::size_t lines = (code_bytes + kCodeLineBytes - 1) / kCodeLineBytes;
  first_.reset(lines, static_cast<std::size_t>(params_.first_level_bytes) / kCodeLineBytes);
  second_.reset(lines, static_cast<std::size_t>(params_.second_level_bytes) / kCodeLineBytes);
  ready_.assign(lines, 0);
  port_free_ = 0;
  begun_ = false;
  emptied_ = emptied;
  const std::size_t present =
      std::min<std::size_t>(lines, static_cast<std::size_t>(params_.launch_bytes) / kCodeLineBytes);
  in_l2_.assign(lines, !emptied);
  for (std::uint32_t line = 0; line < present; ++line) {
    second_.add(line);
    in_l2_[line] = true;
  }
}

Cycle InstructionCache::fetch(std::uint32_t line, Cycle now) {
  if (!first_.use(line)) ask(line, now);
  const auto last = std::min<std::size_t>(ready_.size() - 1, line + static_cast<std::size_t>(params_.lines_ahead));
  for (std::uint32_t ahead = line + 1; ahead <= last; ++ahead) {
    if (!first_.use(ahead)) ask(ahead, now);
  }
  return ready_[line];
}

/// How long a line of the second level is still on its way there with the launch.
Cycle InstructionCache::launch_delay(std::uint32_t line, Cycle now) const {
  const auto ahead = static_cast<std::uint32_t>(params_.launch_ahead_bytes) / kCodeLineBytes;
  const auto brought = static_cast<std::uint32_t>(params_.launch_bytes) / kCodeLineBytes;
  if (line < ahead || line >= brought) return 0;
  const Cycle here = begin_ + static_cast<Cycle>(line - ahead + 1) * static_cast<Cycle>(params_.launch_interval);
  const int alone = params_.memory_latency - params_.second_level_latency + (emptied_ ? params_.start_latency : 0);
  return here <= now ? 0 : std::min(here - now, static_cast<Cycle>(std::max(alone, 0)));
}

void InstructionCache::ask(std::uint32_t line, Cycle now) {
  const bool near = second_.use(line);
  const bool far = !in_l2_[line];
  const bool first = !std::exchange(begun_, true);
  if (first) begin_ = now;
  const int late = far || (first && emptied_) ? params_.start_latency : 0;
  const int latency = (near ? params_.second_level_latency : params_.memory_latency) + late;
  const int interval = far ? params_.emptied_interval : near ? params_.second_level_interval : params_.memory_interval;
  if (!near) second_.add(line);
  in_l2_[line] = true;
  first_.add(line);
  port_free_ = std::max(port_free_ + static_cast<Cycle>(interval), now + static_cast<Cycle>(latency));
  ready_[line] = port_free_ + (near ? launch_delay(line, now) : 0);
}

}  // namespace stc::sm
