// SPDX-License-Identifier: Apache-2.0
// What ranks of an MPI job know of each other before they work together.
#pragma once

#include <string>
#include <vector>

namespace stc::sim {

/// Why ranks cannot work together, empty when they can: one of them cannot take part (`failures`, one a rank, empty for
/// those that can), or they have other points than rank 0 (`works` name what each would compute).
std::string first_failure(const std::vector<std::string>& failures, const std::vector<std::string>& works);

/// Ranks of the MPI job that this process was started in, read from the launcher's environment; 1 without one.
int mpi_ranks();

}  // namespace stc::sim
