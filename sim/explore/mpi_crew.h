// SPDX-License-Identifier: Apache-2.0
// Several ranks of an MPI job as one crew. Every rank has worker processes of its own, forked before MPI starts, so
// that ranks themselves only pass messages: rank 0 hands out points and gathers answers, the others serve. A worker
// that dies costs its point's time; it is tried again. A rank that dies ends the job, as MPI has it, and the journal
// of rank 0 has everything that was finished. Where the launcher lets the others live (Open MPI: --enable-recovery),
// ranks watch each other's heartbeats and the points of a silent one are run by the others.
#pragma once

#include <memory>
#include <string>

#include "sim/base/crew.h"

namespace stc::sim {

class MpiJob {
 public:
  /// `failure`: why this rank cannot take part; empty when it can. `work`: names what this rank would compute. Ranks
  /// exchange numbers of points, so all must have the same.
  MpiJob(LocalCrew* own, const std::string& failure, const std::string& work);
  ~MpiJob();
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  int rank() const;
  /// The first rank's failure, as every rank learns it; empty when all can take part.
  const std::string& failure() const { return failure_; }
  /// Ranks but 0: computes what rank 0 sends until it ends the job.
  void serve();
  /// Rank 0: all workers of all ranks. Dismisses the ranks when it is destroyed.
  std::unique_ptr<Crew> crew();

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
  LocalCrew* own_;
  bool abandoned_ = false;  ///< a rank has died: no orderly end of MPI is possible
  std::string failure_;
};

/// Whether this program was built with MPI.
bool built_with_mpi();

}  // namespace stc::sim
