// SPDX-License-Identifier: Apache-2.0
// Threads that work together on one thing after another, each thing taking microseconds: they wait by spinning for a
// while before they sleep.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace stc::gpu {

class WorkerTeam {
 public:
  /// `size` threads, the caller's being one of them.
  explicit WorkerTeam(int size);
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;
  WorkerTeam& operator=(const WorkerTeam&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }
  /// Calls `work(i)`, which must not throw, for i from 0 to size() - 1 at once, 0 in this thread. Returns when all have
  /// returned; what they wrote is visible then.
  void run(const std::function<void(int)>& work);
  /// Lets the other threads call `work(i)`, which outlives the team, and does not wait. A thread that is late finds out
  /// itself that nothing is left to do; it misses rounds that others begin meanwhile.
  void begin(const std::function<void(int)>& work);

 private:
  static constexpr std::size_t kCacheLine = 64;
  struct alignas(kCacheLine) Worker {
    std::atomic<std::uint64_t> finished{0};  ///< rounds
    std::thread thread;
  };
  void serve(int number);
  /// Waits until a round after `done` has begun; the last one's number, 0 if there is none to come.
  std::uint64_t next_round(std::uint64_t done);

  const int spins_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<const std::function<void(int)>*> work_{nullptr};
  alignas(kCacheLine) std::atomic<std::uint64_t> round_{0};
  std::atomic<bool> ends_{false};
  std::atomic<int> asleep_{0};
  std::mutex mutex_;
  std::condition_variable begins_;
};

}  // namespace stc::gpu
