// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sm_team.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "models/core/time_base.h"
#include "models/memory/address_hash.h"

namespace stc::gpu {
namespace {

constexpr std::size_t kWorthSharing = 8;  // SMs that run, below which threads cost more than they bring

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

void SmTeam::begin_launch(int threads, bool always, sm::Cycle ahead, std::uint32_t shuffle_seed) {
  always_ = always;
  ahead_ = std::clamp(ahead, sm::Cycle{1}, kFurthestAhead);
  stop_ = 0;
  in_step_ = false;
  for (auto& members : news_) members.clear();
  const int size = std::clamp(threads, 1, static_cast<int>(sms_.size()));
  if (size == 1) {
    threads_.reset();
  } else if (!threads_ || threads_->size() != size) {
    threads_ = std::make_unique<WorkerTeam>(size);
  }
  members_.clear();
  for (const auto& sm : sms_) members_.push_back({sm.get(), sm::kNever, 0, 0});
  const std::vector<int> order = turns_of(sms_.size(), shuffle_seed);
  for (std::size_t turn = 0; turn < order.size(); ++turn) {
    members_[static_cast<std::size_t>(order[turn])].turn = static_cast<int>(turn);
  }
  next_wake_ = notified_ = sm::kNever;
}

void SmTeam::wake(int sm, sm::Cycle cycle) {
  Member& member = members_[static_cast<std::size_t>(sm)];
  member.wake = std::min(member.wake, cycle);
  if (running_) return;
  next_wake_ = std::min(next_wake_, cycle);
  notify_at(cycle);
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
  if (next_wake_ <= now) run_ahead(now);
  publish(now);
  running_ = false;
  notify_at(std::min(next_wake_, next_news(now)));
}

sm::Cycle SmTeam::next_news(sm::Cycle now) const {
  for (sm::Cycle cycle = now + 1; cycle < now + ahead_; ++cycle) {
    if (!news_[cycle % kFurthestAhead].empty()) return cycle;
  }
  return sm::kNever;
}

void SmTeam::run_ahead(sm::Cycle now) {
  const sm::Cycle ahead = in_step_ ? 1 : std::clamp(stop_ > now ? stop_ - now : 1, sm::Cycle{1}, ahead_);
  // Who is half of the way ahead already waits, so that it has a longer stretch before it the next time.
  const sm::Cycle until = now + ahead / 2;
  for (Member& member : members_) {
    const bool due = member.wake <= now || (member.wake <= until && member.waits <= now);
    if (due) due_.push_back(&member);
  }
  run_due(now, now + ahead);
  for (const Member* const member : due_) {
    for (const sm::Cycle cycle : member->sm->news()) news_of(cycle).push_back(member);
  }
  due_.clear();
  next_wake_ = sm::kNever;
  for (const Member& member : members_) next_wake_ = std::min(next_wake_, member.wake);
}

void SmTeam::run_due(sm::Cycle now, sm::Cycle end) {
  if (!threads_ || (!always_ && due_.size() < kWorthSharing)) {
    run_part(0, 1, now, end);
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  if (always_ || choice_.shared()) {
    const auto parts = static_cast<std::size_t>(threads_->size());
    threads_->run([=](int part) { run_part(static_cast<std::size_t>(part), parts, now, end); });
  } else {
    run_part(0, 1, now, end);
  }
  const int acted = std::accumulate(due_.begin(), due_.end(), 0,
                                    [](int sum, const Member* member) { return sum + member->sm->acted(); });
  choice_.took(acted, std::chrono::steady_clock::now() - start);
}

/// SMs that lie side by side: mostly the same ones from one round to the next, whose state is in this thread's caches.
void SmTeam::run_part(std::size_t part, std::size_t parts, sm::Cycle now, sm::Cycle end) {
  for (std::size_t i = part * due_.size() / parts; i < (part + 1) * due_.size() / parts; ++i) {
    run_member(*due_[i], now, end);
  }
}

void SmTeam::run_member(Member& member, sm::Cycle now, sm::Cycle end) {
  const sm::Cycle from = std::max(member.wake, now);
  member.wake = sm::kNever;
  const sm::Cycle next = member.sm->run(from, end);
  member.wake = std::min(member.wake, next);  // it may have woken itself
  member.waits = member.sm->stopped() ? member.sm->last() + 1 : 0;
}

void SmTeam::publish(sm::Cycle now) {
  std::vector<const Member*>& members = news_of(now);
  std::sort(members.begin(), members.end(), [](const Member* a, const Member* b) { return a->turn < b->turn; });
  for (const Member* const member : members) member->sm->repeat_loads(now);
  for (const Member* const member : members) member->sm->publish(now);
  members.clear();
}

}  // namespace stc::gpu
