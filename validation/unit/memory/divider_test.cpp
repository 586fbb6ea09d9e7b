// SPDX-License-Identifier: Apache-2.0
// Division by multiplication gives what the processor's gives.
#include <gtest/gtest.h>

#include "models/core/divider.h"

namespace stc {
namespace {

TEST(Divider, DividesAsTheProcessorDoes) {
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  for (const std::uint64_t by : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{40},
                                 std::uint64_t{10240}, std::uint64_t{1} << 63, kMost - 1, kMost}) {
    const Divider divider(by);
    for (std::uint64_t i = 0; i < 200; ++i) {
      // Around multiples of the divisor, small and large, and the largest numbers.
      for (const std::uint64_t n : {i, by * i, by * i - 1, by * i + 1, kMost / by * by - i, kMost - i, i << 56}) {
        ASSERT_EQ(divider.quotient(n), n / by) << n << " / " << by;
        ASSERT_EQ(divider.remainder(n), n % by) << n << " % " << by;
      }
    }
  }
}

}  // namespace
}  // namespace stc
