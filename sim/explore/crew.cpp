// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/crew.h"

#include <cstdlib>

#include "sim/base/text.h"

namespace stc::sim {

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
