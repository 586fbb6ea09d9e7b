// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sm_team.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "models/core/time_base.h"
#include "models/memory/address_hash.h"

namespace stc::gpu {
namespace {

constexpr int kWorthSharing = 8;  // SMs that act in a cycle, below which threads cost more than they bring

/// Numbers of the SMs in the order in which they publish.
std::vector<int> turns_of(std::size_t sms, std::uint32_t shuffle_seed) {
  std::vector<int> order(sms);
  std::iota(order.begin(), order.end(), 0);
  if (shuffle_seed != 0) {
    const auto key = [shuffle_seed](int sm) { return memory::mix(shuffle_seed + static_cast<std::uint64_t>(sm)); };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  }
  return order;
}

}  // namespace

SmTeam::SmTeam(sc_core::sc_module_name name, const std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>& sms)
    : sc_module(name), sms_(sms) {
  SC_METHOD(run);
  sensitive << wake_;
  dont_initialize();
}

void SmTeam::begin_launch(int threads, bool always, std::uint32_t shuffle_seed) {
  always_ = always;
  const int size = std::clamp(threads, 1, static_cast<int>(sms_.size()));
  if (size == 1) {
    threads_.reset();
  } else if (!threads_ || threads_->size() != size) {
    threads_ = std::make_unique<WorkerTeam>(size);
  }
  parts_.assign(static_cast<std::size_t>(size), {});
  places_.resize(sms_.size());
  const std::vector<int> order = turns_of(sms_.size(), shuffle_seed);
  for (std::size_t turn = 0; turn < order.size(); ++turn) {
    const auto sm = static_cast<std::size_t>(order[turn]);
    Place& place = places_[sm];
    place.part = turn % parts_.size();
    place.member = parts_[place.part].members.size();
    parts_[place.part].members.push_back({sms_[sm].get(), sm::kNever, static_cast<int>(turn)});
  }
  notified_ = sm::kNever;
}

void SmTeam::wake(int sm, sm::Cycle cycle) {
  const Place place = places_[static_cast<std::size_t>(sm)];
  Part& part = parts_[place.part];
  Member& member = part.members[place.member];
  member.wake = std::min(member.wake, cycle);
  part.next = std::min(part.next, cycle);
  if (!running_) notify_at(cycle);
}

void SmTeam::notify_at(sm::Cycle cycle) {
  if (cycle >= notified_) return;
  notified_ = cycle;
  const Tick now = to_ticks(sc_core::sc_time_stamp()), then = cycle * kTicksPerCycle;
  wake_.notify(to_time(then > now ? then - now : 0));
}

void SmTeam::run() {
  const sm::Cycle now = to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle;
  running_ = true;
  notified_ = sm::kNever;
  run_parts(now);
  publish();
  running_ = false;
  sm::Cycle next = sm::kNever;
  for (const Part& part : parts_) next = std::min(next, part.next);
  notify_at(next);
}

void SmTeam::run_parts(sm::Cycle now) {
  const auto all_ran = [this] {
    return std::accumulate(parts_.begin(), parts_.end(), 0, [](int sum, const Part& part) { return sum + part.ran; });
  };
  const auto one_by_one = [this, now] {
    for (Part& part : parts_) run_part(part, now);
  };
  if (!threads_ || (!always_ && all_ran() < kWorthSharing)) {  // about as many as the last time
    one_by_one();
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  if (always_ || choice_.shared()) {
    threads_->run([this, now](int part) { run_part(parts_[static_cast<std::size_t>(part)], now); });
  } else {
    one_by_one();
  }
  choice_.took(all_ran(), std::chrono::steady_clock::now() - start);
}

void SmTeam::run_part(Part& part, sm::Cycle now) {
  part.ran = 0;
  part.next = sm::kNever;
  for (Member& member : part.members) {
    if (member.wake <= now) {
      member.wake = sm::kNever;
      const sm::Cycle next = member.sm->run(now);
      member.wake = std::min(member.wake, next);  // it may have woken itself
      if (member.sm->has_news()) part.news.push_back(&member);
      ++part.ran;
    }
    part.next = std::min(part.next, member.wake);
  }
}

void SmTeam::publish() {
  for (Part& part : parts_) {
    turns_.insert(turns_.end(), part.news.begin(), part.news.end());
    part.news.clear();
  }
  if (parts_.size() > 1) {
    std::sort(turns_.begin(), turns_.end(), [](const Member* a, const Member* b) { return a->turn < b->turn; });
  }
  for (const Member* member : turns_) member->sm->publish();
  turns_.clear();
}

}  // namespace stc::gpu
