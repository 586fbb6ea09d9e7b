// SPDX-License-Identifier: Apache-2.0
// What several threads count for themselves and is added up in the end: sums do not depend on who counted what.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace stc::sim {

/// Shard: copyable, add(const Shard&).
template <class Shard>
class ThreadShards {
 public:
  explicit ThreadShards(Shard empty) : empty_(std::move(empty)), serial_(++serials()) {}

  /// That of the calling thread.
  Shard& mine() {
    thread_local Found found;
    if (found.shard == nullptr || found.serial != serial_) found = {serial_, &make()};
    return *found.shard;
  }
  /// While no thread counts.
  Shard sum() const {
    Shard all = empty_;
    for (const auto& [thread, shard] : shards_) all.add(*shard);
    return all;
  }

 private:
  struct Found {
    std::uint64_t serial = 0;
    Shard* shard = nullptr;
  };
  static std::atomic<std::uint64_t>& serials() {
    static std::atomic<std::uint64_t> count{0};
    return count;
  }
  Shard& make() {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto& shard = shards_[std::this_thread::get_id()];
    if (!shard) shard = std::make_unique<Shard>(empty_);
    return *shard;
  }

  const Shard empty_;
  const std::uint64_t serial_;  ///< no two of a process have the same
  std::mutex mutex_;
  std::map<std::thread::id, std::unique_ptr<Shard>> shards_;
};

}  // namespace stc::sim
