// SPDX-License-Identifier: Apache-2.0
// Everything that a launch counts, compared with what another counted.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <tuple>
#include <type_traits>

#include "models/gpu/run_statistics.h"

namespace stc::timing {

/// All counters at once, those included that are added later.
template <class Counters>
bool same(const Counters& a, const Counters& b) {
  static_assert(std::has_unique_object_representations_v<Counters>, "compare member by member");
  return std::memcmp(&a, &b, sizeof a) == 0;
}

inline auto fields(const CtaRecord& cta) { return std::tie(cta.linear_index, cta.sm, cta.start, cta.end); }

inline void expect_same_sms(const gpu::RunStatistics& got, const gpu::RunStatistics& want) {
  ASSERT_EQ(got.per_sm.size(), want.per_sm.size());
  for (std::size_t sm = 0; sm < want.per_sm.size(); ++sm)
    EXPECT_TRUE(same(got.per_sm[sm], want.per_sm[sm])) << "SM " << sm;
  ASSERT_EQ(got.ctas.size(), want.ctas.size());
  for (std::size_t i = 0; i < want.ctas.size(); ++i)
    EXPECT_EQ(fields(got.ctas[i]), fields(want.ctas[i])) << "CTA " << i;
}

inline void expect_same(const gpu::RunStatistics& got, const gpu::RunStatistics& want) {
  EXPECT_EQ(got.cycles, want.cycles);
  EXPECT_EQ(got.cycles_elapsed, want.cycles_elapsed);
  EXPECT_EQ(got.clock_mhz, want.clock_mhz);
  EXPECT_EQ(got.ctas_per_sm, want.ctas_per_sm);
  EXPECT_EQ(got.occupancy_limit, want.occupancy_limit);
  EXPECT_TRUE(same(got.memory, want.memory)) << "memory";
  EXPECT_TRUE(same(got.total, want.total)) << "sum over all SMs";
  expect_same_sms(got, want);
}

}  // namespace stc::timing
