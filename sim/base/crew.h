// SPDX-License-Identifier: Apache-2.0
// Whoever computes points: processes of this computer, or of all computers of an MPI job.
#pragma once

#include <optional>
#include <string>

#include "sim/base/worker_pool.h"

namespace stc::sim {

class Crew {
 public:
  Crew() = default;
  virtual ~Crew() = default;
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  virtual int size() const = 0;  ///< points at a time
  virtual bool has_idle() const = 0;
  virtual bool busy() const = 0;
  virtual void submit(std::size_t point) = 0;
  /// The next answer; nothing when none came within `milliseconds`.
  virtual std::optional<WorkerPool::Answer> poll(int milliseconds) = 0;
};

/// The worker processes of this computer alone; their jobs are the numbers of points.
class LocalCrew : public Crew {
 public:
  LocalCrew(int workers, WorkerPool::Work work, std::string log_file = "")
      : pool_(workers, std::move(work), std::move(log_file)) {}
  int size() const override { return pool_.size(); }
  bool has_idle() const override { return pool_.has_idle(); }
  bool busy() const override { return pool_.busy(); }
  void submit(std::size_t point) override { pool_.submit(point, std::to_string(point)); }
  std::optional<WorkerPool::Answer> poll(int milliseconds) override { return pool_.poll(milliseconds); }

 private:
  WorkerPool pool_;
};

}  // namespace stc::sim
