// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/machine/thread_choice.h"

#include <gtest/gtest.h>

namespace stc::gpu {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// Works for `span`, in units of which one takes `alone` or `shared`; returns which part of the time they were shared.
double share(ThreadChoice& choice, nanoseconds span, nanoseconds alone, nanoseconds shared) {
  nanoseconds spent{0}, together{0};
  while (spent < span) {
    const nanoseconds unit = choice.shared() ? shared : alone;
    if (choice.shared()) together += unit;
    choice.took(1, unit);
    spent += unit;
  }
  return static_cast<double>(together.count()) / static_cast<double>(spent.count());
}

TEST(ThreadChoice, TakesWhatIsFaster) {
  ThreadChoice choice;
  EXPECT_GT(share(choice, milliseconds(1000), microseconds(20), microseconds(11)), 0.95);
}

TEST(ThreadChoice, LeavesThreadsAloneThatStandInEachOthersWay) {
  ThreadChoice choice;
  EXPECT_LT(share(choice, milliseconds(1000), microseconds(20), microseconds(400)), 0.05);
}

TEST(ThreadChoice, NoticesThatThingsHaveChanged) {
  ThreadChoice choice;
  share(choice, milliseconds(5000), microseconds(20), microseconds(400));
  share(choice, milliseconds(2000), microseconds(20), microseconds(11));
  EXPECT_GT(share(choice, milliseconds(1000), microseconds(20), microseconds(11)), 0.95);
  share(choice, milliseconds(200), microseconds(20), microseconds(400));
  EXPECT_LT(share(choice, milliseconds(1000), microseconds(20), microseconds(400)), 0.1);
}

}  // namespace
}  // namespace stc::gpu
