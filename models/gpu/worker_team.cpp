// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/worker_team.h"

namespace stc::gpu {
namespace {

constexpr int kSpins = 4000;   // some tens of microseconds
constexpr int kYields = 2000;  // about a millisecond: longer than what one thread does between two rounds

/// Spinning keeps others from their work when there are more threads than processors.
int spins_of(int size) { return size <= static_cast<int>(std::thread::hardware_concurrency()) ? kSpins : 0; }

/// The hint that a thread spins.
void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Whether `condition` came true while this thread spun, and then let others have its processor.
template <class Condition>
bool spin_until(Condition condition, int spins) {
  for (int i = 0; i < spins; ++i) {
    if (condition()) return true;
    pause();
  }
  for (int i = 0; i < kYields && spins != 0; ++i) {
    if (condition()) return true;
    std::this_thread::yield();
  }
  return condition();
}

}  // namespace

WorkerTeam::WorkerTeam(int size) : spins_(spins_of(size)) {
  for (int i = 1; i < size; ++i) workers_.push_back(std::make_unique<Worker>());
  for (int i = 1; i < size; ++i) {
    workers_[static_cast<std::size_t>(i - 1)]->thread = std::thread([this, i] { serve(i); });
  }
}

WorkerTeam::~WorkerTeam() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  begins_.notify_all();
  for (const auto& worker : workers_) worker->thread.join();
}

void WorkerTeam::begin(const std::function<void(int)>& work) {
  work_ = &work;
  ++round_;
  // Who goes to sleep says so before it looks at the round a last time; so one of the two sees the other.
  if (asleep_ != 0) {
    const std::lock_guard lock(mutex_);
    begins_.notify_all();
  }
}

void WorkerTeam::run(const std::function<void(int)>& work) {
  begin(work);
  const std::uint64_t round = round_;
  work(0);
  for (const auto& worker : workers_) {
    const auto finished = [&] { return worker->finished.load(std::memory_order_acquire) == round; };
    while (!spin_until(finished, spins_)) std::this_thread::yield();
  }
}

std::uint64_t WorkerTeam::next_round(std::uint64_t done) {
  const auto begun = [&] { return round_ != done || ends_; };
  if (!spin_until(begun, spins_)) {
    std::unique_lock lock(mutex_);
    ++asleep_;
    begins_.wait(lock, begun);
    --asleep_;
  }
  return ends_ ? 0 : round_.load();
}

void WorkerTeam::serve(int number) {
  Worker& self = *workers_[static_cast<std::size_t>(number - 1)];
  for (std::uint64_t round = 0; (round = next_round(round)) != 0;) {
    (*work_.load())(number);
    self.finished.store(round, std::memory_order_release);
  }
}

}  // namespace stc::gpu
