// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/machine/sm_team.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <numeric>
#include <thread>

#include "models/core/time_base.h"
#include "models/memory/address_hash.h"

namespace stc::gpu {
namespace {

constexpr unsigned kHalf = 32;  // bits
constexpr std::uint64_t kLowHalf = (std::uint64_t{1} << kHalf) - 1;
constexpr int kPolls = 4000;              // before a thread lets others have its processor
constexpr std::size_t kWorthSharing = 3;  // SMs that run, below which threads cost more than they bring

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

constexpr auto by_turn = [](const auto* a, const auto* b) { return a->turn < b->turn; };

}  // namespace

SmTeam::SmTeam(sc_core::sc_module_name name, const RequestService::Sms& sms, memory::MemorySystem& memory)
    : sc_module(name), sms_(sms), requests_(sms, memory) {
  SC_METHOD(run);
  sensitive << wake_;
  dont_initialize();
}

void SmTeam::begin_launch(int threads, bool always, sm::Cycle ahead, std::uint32_t shuffle_seed) {
  always_ = always;
  stop_ = window_end_ = published_ = last_ = 0;
  in_step_ = failed_ = false;
  for (auto& members : news_) members.clear();
  answered_.clear();
  requests_.reset();
  const int size = std::clamp(threads, 1, static_cast<int>(sms_.size()));
  l2_follows_ = size > 1 && ahead > 1;
  ahead_ = std::clamp(l2_follows_ ? ahead / 2 : ahead, sm::Cycle{1}, kLongestWindow);
  if (size == 1) {
    threads_.reset();
  } else if (!threads_ || threads_->size() != size) {
    threads_.reset();  // nobody looks at shares any more
    parts_ = static_cast<std::size_t>(size);
    shares_ = std::make_unique<Share[]>(parts_);
    threads_ = std::make_unique<WorkerTeam>(size);
  }
  members_.clear();
  for (const auto& sm : sms_) {
    members_.emplace_back();
    members_.back().sm = sm.get();
  }
  const std::vector<int> order = turns_of(sms_.size(), shuffle_seed);
  for (std::size_t turn = 0; turn < order.size(); ++turn) {
    members_[static_cast<std::size_t>(order[turn])].turn = static_cast<int>(turn);
  }
  notified_ = sm::kNever;
}

void SmTeam::wake(int sm, sm::Cycle cycle) {
  Member& member = members_[static_cast<std::size_t>(sm)];
  member.wake = std::min(member.wake, cycle);
  if (!running_) notify_at(cycle);
}

void SmTeam::answered(int sm) {
  answered_.push_back(sm);
  if (ahead_ == 1) take_answers();  // by SystemC, between cycles
}

void SmTeam::take_answers() {
  for (const int sm : answered_) {
    const Member& member = members_[static_cast<std::size_t>(sm)];
    const sm::Cycle soonest = member.sm->take_answers();
    assert((ahead_ == 1 || soonest >= member.clock) && "nothing comes back to an SM before it is there");
    wake(sm, std::max(soonest, member.sm->last() + 1));
  }
  answered_.clear();
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
  if (ahead_ == 1) {
    step(now);
  } else {
    stretch(now);
  }
  running_ = false;
  const sm::Cycle next = next_run(now);
  if (next != sm::kNever) notify_at(next);
}

/// One cycle, in which the crossbar serves requests by SystemC.
void SmTeam::step(sm::Cycle now) {
  begin_window(now);
  requests_.begin(now);
  for (Member& member : members_) {
    if (member.wake <= now) due_.push_back(&member);
  }
  run_due({window_end_, requests_.entered(), requests_.served()});
  std::sort(due_.begin(), due_.end(), by_turn);
  for (Member* const member : due_) {
    member->sm->publish(now);
    requests_.send(*member->sm, window_end_);
    if (member->waits == Waits::kTold) member->sm->tell();
    member->waits = Waits::kNothing;
  }
  due_.clear();
  published_ = window_end_;
}

/// What SMs can do before SystemC's time goes on.
void SmTeam::stretch(sm::Cycle now) {
  for (Member& member : members_) {
    // Whoever starts CTAs has acted since.
    if (member.waits == Waits::kTold && member.awaited < now) member.waits = Waits::kNothing;
  }
  if (now >= window_end_) {
    if (!l2_follows_) serve();
    begin_window(now);
  }
  while (round()) {
  }
  const bool tells = std::any_of(members_.begin(), members_.end(), [now](const Member& member) {
    return member.waits == Waits::kTold && member.awaited == now;
  });
  // What was asked in the window before is answered now at the latest.
  if (tells || window_end_ >= stop_ || first_wake() > window_end_ || requests_.served() < now) serve();
  if (tells) tell(now);
}

void SmTeam::begin_window(sm::Cycle now) {
  const sm::Cycle longest = stop_ > now ? stop_ - now : 1;
  window_end_ = now + (in_step_ ? 1 : std::min(longest, ahead_));
  published_ = now;
  requests_.begin(now);
  for (Member& member : members_) member.clock = now;
}

/// Returns false when no SM can go further within the window.
bool SmTeam::round() {
  let_go();
  for (Member& member : members_) {
    if (member.waits == Waits::kNothing && member.wake < window_end_) due_.push_back(&member);
  }
  if (due_.empty()) {
    if (publish()) return true;
    return ask_l2();
  }
  run_due({window_end_, requests_.entered(), requests_.served()});
  take_answers();
  for (Member* const member : due_) {
    for (const sm::Cycle cycle : member->sm->news()) news_of(cycle).push_back(member);
    last_ = std::max(last_, member->sm->last());
  }
  due_.clear();
  publish();
  if (anyone_waits(Waits::kEntered)) enter();
  return true;
}

/// Those who wait for what has happened.
void SmTeam::let_go() {
  for (Member& member : members_) {
    const bool go = (member.waits == Waits::kPublished && member.awaited < published_) ||
                    (member.waits == Waits::kEntered && member.awaited < requests_.entered()) ||
                    (member.waits == Waits::kServed && member.awaited < requests_.served());
    if (go) member.waits = Waits::kNothing;
  }
}

/// Runs those that are due to the end of the window, while what has been handed over is served: by this thread, which
/// has L2's tags in its caches.
void SmTeam::run_due(const Round& round) {
  round_ = round;
  const auto start = std::chrono::steady_clock::now();
  const bool worth = threads_ && (always_ || due_.size() >= kWorthSharing);
  if (worth && (always_ || choice_.shared())) {
    share_due();
  } else {
    requests_.serve();
    for (Member* const member : due_) run_member(*member, round_);
  }
  if (!worth) return;
  const int acted = std::accumulate(due_.begin(), due_.end(), 0,
                                    [](int sum, const Member* member) { return sum + member->sm->acted(); });
  choice_.took(acted, std::chrono::steady_clock::now() - start);
}

/// SMs that lie side by side make up a share: mostly the same ones from one round to the next, whose state is in the
/// thread's caches. Nobody waits for a thread that is late; others take its share.
void SmTeam::share_due() {
  left_ = due_.size();
  for (std::size_t part = 0; part < parts_; ++part) {
    shares_[part].rest.store((part + 1) * due_.size() / parts_ << kHalf | part * due_.size() / parts_,
                             std::memory_order_release);
  }
  threads_->begin(work_);
  requests_.serve();
  run_share(0);
  for (int polls = 0; left_.load(std::memory_order_acquire) != 0; ++polls) {
    if (polls > kPolls) std::this_thread::yield();
  }
}

void SmTeam::run_share(std::size_t part) {
  for (std::size_t i = 0; i < parts_; ++i) {
    std::atomic<std::uint64_t>& rest = shares_[(part + i) % parts_].rest;
    const auto some = [](std::uint64_t of) { return (of & kLowHalf) < of >> kHalf; };
    while (some(rest.load(std::memory_order_relaxed))) {
      const std::uint64_t taken = rest.fetch_add(1, std::memory_order_acquire);
      if (!some(taken)) break;
      run_member(*due_[taken & kLowHalf], round_);
      left_.fetch_sub(1, std::memory_order_release);
    }
  }
}

void SmTeam::run_member(Member& member, const Round& round) {
  const sm::Cycle from = std::max(member.wake, member.clock);
  member.wake = sm::kNever;
  const sm::Cycle next = member.sm->run(from, round.end, round.entered, round.served);
  member.wake = std::min(member.wake, next);  // it may have woken itself
  member.waits = member.sm->waits();
  member.awaited = member.sm->awaited();
  member.clock = member.waits == Waits::kTold ? member.awaited + 1 : std::min(round.end, next);
}

/// Cycles that all have done.
sm::Cycle SmTeam::done() const {
  sm::Cycle done = window_end_;
  for (const Member& member : members_) {
    const bool idle = member.waits == Waits::kNothing && member.wake >= window_end_;
    if (!idle) done = std::min(done, member.clock);
  }
  return done;
}

/// Makes the writes of cycles that all have done, and hands their requests over. Returns whether there are any more.
bool SmTeam::publish() {
  const sm::Cycle end = done();
  if (end <= published_) return false;
  for (; published_ < end; ++published_) {
    if (!news_of(published_).empty()) publish_cycle(published_);
  }
  requests_.hand_over(published_);
  return true;
}

void SmTeam::publish_cycle(sm::Cycle cycle) {
  std::vector<Member*>& members = news_of(cycle);
  std::sort(members.begin(), members.end(), by_turn);
  if (!failed_) {
    for (const Member* const member : members) member->sm->repeat_loads(cycle);
    for (const Member* const member : members) failed_ |= !member->sm->publish(cycle);
  }
  members.clear();
}

bool SmTeam::anyone_waits(Waits waits) const {
  return std::any_of(members_.begin(), members_.end(), [=](const Member& member) { return member.waits == waits; });
}

void SmTeam::enter() {
  requests_.enter();
  take_answers();
}

/// What has been handed over is served, and nothing else happens meanwhile.
void SmTeam::serve() {
  requests_.serve();
  take_answers();
}

/// For those who cannot go on without. Returns whether there was anything to ask.
bool SmTeam::ask_l2() {
  const sm::Cycle served = requests_.served(), entered = requests_.entered();
  if (anyone_waits(Waits::kServed)) serve();
  if (anyone_waits(Waits::kEntered)) enter();
  return requests_.served() != served || requests_.entered() != entered;
}

void SmTeam::tell(sm::Cycle now) {
  std::vector<Member*> members;
  for (Member& member : members_) {
    if (member.waits == Waits::kTold && member.awaited == now) members.push_back(&member);
  }
  std::sort(members.begin(), members.end(), by_turn);
  for (Member* const member : members) member->sm->tell();
}

sm::Cycle SmTeam::first_wake() const {
  sm::Cycle first = sm::kNever;
  for (const Member& member : members_) first = std::min(first, member.wake);
  return first;
}

/// When SystemC's time is to come here again: where it tells somebody of something, behind that, at the next window in
/// which something is due, or at last where the last thing has happened.
sm::Cycle SmTeam::next_run(sm::Cycle now) const {
  sm::Cycle next = sm::kNever;
  for (const Member& member : members_) {
    if (member.waits == Waits::kTold) next = std::min(next, std::max(member.awaited, now + 1));
  }
  if (next != sm::kNever) return next;
  next = std::min(first_wake(), requests_.first_due());
  if (ahead_ == 1) return next;
  if (next != sm::kNever) return std::max(next, window_end_);
  return last_ > now ? last_ : sm::kNever;
}

}  // namespace stc::gpu
