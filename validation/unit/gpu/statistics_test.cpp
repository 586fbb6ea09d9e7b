// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/run_statistics.h"

#include <gtest/gtest.h>

namespace stc::gpu {
namespace {

/// A CTA on an SM from one cycle to another.
CtaRecord cta(int sm, std::uint64_t start, std::uint64_t end) { return {0, sm, start, end}; }

TEST(MostResident, CountsWhatIsOnOneSmAtOnce) {
  EXPECT_EQ(most_resident({}), 0);
  EXPECT_EQ(most_resident({cta(0, 10, 20), cta(1, 10, 20), cta(2, 15, 30)}), 1);
  EXPECT_EQ(most_resident({cta(5, 10, 20), cta(5, 11, 21), cta(5, 20, 30), cta(4, 0, 99)}), 2);
  EXPECT_EQ(most_resident({cta(0, 10, 21), cta(0, 11, 21), cta(0, 20, 30)}), 3);
}

TEST(MostResident, OneThatLeavesMakesRoomInThatCycle) {
  EXPECT_EQ(most_resident({cta(0, 10, 20), cta(0, 20, 30), cta(0, 30, 40)}), 1);
}

}  // namespace
}  // namespace stc::gpu
