// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/cycle_log.h"

#include <gtest/gtest.h>

#include <vector>

namespace stc::isa {
namespace {

struct Note {
  std::uint64_t cycle = 0;
  int value = 0;
};

std::vector<int> take(CycleLog<Note>& log, std::uint64_t cycle) {
  std::vector<int> values;
  log.take(cycle, [&](const Note& note) { values.push_back(note.value); });
  return values;
}

TEST(CycleLog, NotesOfACycleComeInTheirOrder) {
  CycleLog<Note> log;
  log.add(1).value = 10;
  log.add(1).value = 11;
  log.add(4).value = 40;
  EXPECT_EQ(log.last_cycle(), 4u);
  EXPECT_EQ(take(log, 1), (std::vector<int>{10, 11}));
  EXPECT_EQ(take(log, 2), std::vector<int>{});
  EXPECT_EQ(take(log, 4), std::vector<int>{40});
  EXPECT_TRUE(log.empty());
}

// It is never empty here: notes move to the front of the room, or it grows, and none is lost.
TEST(CycleLog, KeepsWhatWaitsWhileOthersCome) {
  CycleLog<Note> log;
  int next = 0;
  for (std::uint64_t cycle = 0; cycle < 100; ++cycle) {
    for (int i = 0; i < 3; ++i) log.add(cycle).value = static_cast<int>(3 * cycle) + i;
    if (cycle < 5) continue;
    for (const int value : take(log, cycle - 5)) EXPECT_EQ(value, next++);
    EXPECT_FALSE(log.empty());
  }
  EXPECT_EQ(next, 3 * 95);
}

}  // namespace
}  // namespace stc::isa
