// SPDX-License-Identifier: Apache-2.0
// In place of mpi_crew.cpp where the program is built without MPI; nobody asks for more than built_with_mpi().
#include <cassert>

#include "sim/explore/mpi_crew.h"

namespace stc::sim {

struct MpiJob::Connection {};
MpiJob::MpiJob(LocalCrew* own, const std::string& failure, const std::string&) : own_(own), failure_(failure) {
  assert(false);
}
MpiJob::~MpiJob() = default;
int MpiJob::rank() const { return 0; }
void MpiJob::serve() {}
std::unique_ptr<Crew> MpiJob::crew() { return nullptr; }
bool built_with_mpi() { return false; }

}  // namespace stc::sim
