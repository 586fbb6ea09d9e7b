// SPDX-License-Identifier: Apache-2.0
// Events come in the order of their cycles, those of a cycle in the order in which their places were taken.
#include "models/sm/event_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace stc::sm {
namespace {

std::vector<std::uint32_t> all_of(EventQueue& events, Cycle until) {
  std::vector<std::uint32_t> indices;
  while (events.due(until)) indices.push_back(events.pop().index);
  return indices;
}

void push(EventQueue& events, Cycle cycle, std::uint32_t index) {
  events.push(cycle, Event::Kind::kDataArrived, 0, 0, index);
}

TEST(EventQueue, EventsOfACycleComeInTheOrderOfEntry) {
  EventQueue events;
  push(events, 7, 1);
  push(events, 5, 2);
  push(events, 7, 3);
  push(events, 5, 4);
  EXPECT_EQ(all_of(events, 10), (std::vector<std::uint32_t>{2, 4, 1, 3}));
  EXPECT_TRUE(events.empty());
}

// An SM that runs ahead learns later when something arrives whose place among the events it knows.
TEST(EventQueue, APlaceThatWasTakenIsKept) {
  EventQueue events;
  const std::uint64_t first = events.take_order();
  push(events, 5, 2);
  const std::uint64_t third = events.take_order();
  push(events, 5, 4);
  events.push(5, Event::Kind::kDataArrived, 0, 0, 3, third);
  events.push(5, Event::Kind::kDataArrived, 0, 0, 1, first);
  push(events, 5, 5);
  EXPECT_EQ(all_of(events, 5), (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
}

TEST(EventQueue, APlaceThatWasTakenIsKeptAmongEventsFarAhead) {
  EventQueue events;
  const std::uint64_t first = events.take_order();
  push(events, 5000, 2);
  events.push(5000, Event::Kind::kDataArrived, 0, 0, 1, first);
  EXPECT_EQ(all_of(events, 5000), (std::vector<std::uint32_t>{1, 2}));
}

}  // namespace
}  // namespace stc::sm
