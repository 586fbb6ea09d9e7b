// SPDX-License-Identifier: Apache-2.0
#include "models/sm/instruction_cache.h"

#include <algorithm>

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
  start_latency_ = emptied ? params_.start_latency : 0;
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

void InstructionCache::ask(std::uint32_t line, Cycle now) {
  const bool near = second_.use(line);
  const bool far = !in_l2_[line];
  const int late = far ? params_.start_latency : start_latency_;
  const int latency = (near ? params_.second_level_latency : params_.memory_latency) + late;
  const int interval = far ? params_.emptied_interval : near ? params_.second_level_interval : params_.memory_interval;
  start_latency_ = 0;
  if (!near) second_.add(line);
  in_l2_[line] = true;
  first_.add(line);
  port_free_ = std::max(port_free_ + static_cast<Cycle>(interval), now + static_cast<Cycle>(latency));
  ready_[line] = port_free_;
}

}  // namespace stc::sm
