// SPDX-License-Identifier: Apache-2.0
// Whoever computes points: processes of this computer, or of all computers of an MPI job.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

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

/// The worker processes of this computer alone.
class LocalCrew : public Crew {
 public:
  LocalCrew(int workers, WorkerPool::Work work) : pool_(workers, std::move(work)) {}
  int size() const override { return pool_.size(); }
  bool has_idle() const override { return pool_.has_idle(); }
  bool busy() const override { return pool_.busy(); }
  void submit(std::size_t point) override { pool_.submit(point, std::to_string(point)); }
  std::optional<WorkerPool::Answer> poll(int milliseconds) override { return pool_.poll(milliseconds); }

 private:
  WorkerPool pool_;
};

/// Why ranks cannot work together, empty when they can: one of them cannot take part (`failures`, one a rank, empty for
/// those that can), or they have other points than rank 0 (`works` name what each would compute).
std::string first_failure(const std::vector<std::string>& failures, const std::vector<std::string>& works);

/// Ranks of the MPI job that this process was started in, read from the launcher's environment; 1 without one.
int mpi_ranks();

}  // namespace stc::sim
