// SPDX-License-Identifier: Apache-2.0
// Every convolution kernel of the library at one small layer against an H200; no parameter was set from any of them.
// The limits are those of validation/known_gaps.yaml, and every metric of the report has one.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "validation/silicon/comparison.h"

namespace stc::silicon {
namespace {

TEST(ConvolutionAccuracy, EveryKernelAtOneLayer) {
  std::map<std::string, KnownGap> gaps = gaps_by_metric("convolution");
  ASSERT_FALSE(gaps.empty());
  // The kernels of the library.
  expect_gaps(comparison("convolution", gaps.begin()->second.filter), gaps, 18);
}

}  // namespace
}  // namespace stc::silicon
