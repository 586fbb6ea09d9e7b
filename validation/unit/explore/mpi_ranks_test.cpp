// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/mpi_ranks.h"

#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

TEST(MpiRanks, WorkTogetherOnTheSamePointsOnly) {
  EXPECT_EQ(first_failure({"", "", ""}, {"a", "a", "a"}), "");
  EXPECT_THAT(first_failure({"", "", ""}, {"a", "a", "b"}),
              testing::HasSubstr("MPI rank 2 has other points than rank 0"));
}

TEST(MpiRanks, ReasonOfTheFirstThatCannotTakePart) {
  EXPECT_EQ(first_failure({"", "no such file", "no memory"}, {"a", "", ""}), "no such file");
}

}  // namespace
}  // namespace stc::sim
