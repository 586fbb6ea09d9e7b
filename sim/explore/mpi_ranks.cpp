// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/mpi_ranks.h"

#include <fmt/format.h>

#include <cstdlib>

#include "sim/base/text.h"

namespace stc::sim {

std::string first_failure(const std::vector<std::string>& failures, const std::vector<std::string>& works) {
  for (const std::string& failure : failures) {
    if (!failure.empty()) return failure;
  }
  for (std::size_t rank = 1; rank < works.size(); ++rank) {
    if (works[rank] == works[0]) continue;
    return fmt::format(
        "MPI rank {} has other points than rank 0; all ranks need the same program, sweep file, GPU files and options",
        rank);
  }
  return "";
}

int mpi_ranks() {
  // Open MPI; MPICH and its relatives.
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr) continue;
    if (const auto ranks = parse_integer(value)) return static_cast<int>(*ranks);
  }
  return 1;
}

}  // namespace stc::sim
