// SPDX-License-Identifier: Apache-2.0
// From two times to an answer with its reason.
#include "sim/convolution/advice.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace stc::sim {
namespace {

using ::testing::HasSubstr;

KernelTime time_of(std::uint64_t cycles, const std::string& bound, int tiles_k = 18, std::int64_t ctas = 1000) {
  KernelTime time;
  time.cycles = cycles;
  time.bound = bound;
  time.tiles_k = tiles_k;
  time.ctas = ctas;
  time.explanation = "the warps wait";
  return time;
}

TEST(ConvolutionAdvice, FivePercentIsTheEdgeOnBothSides) {
  const KernelTime sparse = time_of(1000, "latency");
  EXPECT_EQ(advise(time_of(1050, "tensor"), sparse, 108).use, Use::kYes);
  EXPECT_EQ(advise(time_of(1049, "tensor"), sparse, 108).use, Use::kEven);
  EXPECT_EQ(advise(time_of(1000, "tensor"), time_of(1049, "latency"), 108).use, Use::kEven);
  EXPECT_EQ(advise(time_of(1000, "tensor"), time_of(1050, "latency"), 108).use, Use::kNo);
}

TEST(ConvolutionAdvice, AGainIsExplainedByTheDenseKernel) {
  const KernelTime sparse = time_of(100, "dram");
  EXPECT_EQ(advise(time_of(150, "tensor"), sparse, 108).because, "multiplying");
  KernelTime dense = time_of(150, "dram");
  dense.weights_of_dram = 0.8;
  EXPECT_THAT(advise(dense, sparse, 108).reason, HasSubstr("80 % of its bytes are weights"));
  EXPECT_THAT(advise(time_of(150, "launch"), sparse, 108).because, HasSubstr("few CTAs"));
}

TEST(ConvolutionAdvice, NoGainIsExplainedByTheSparseKernel) {
  const KernelTime dense = time_of(100, "tensor");
  KernelTime sparse = time_of(100, "dram", 18);
  sparse.weights_of_dram = 0.03;
  EXPECT_THAT(advise(dense, sparse, 108).reason, HasSubstr("97 %"));
  EXPECT_EQ(advise(dense, time_of(100, "latency", 1), 108).because, "short k: 1 k-tile");
  EXPECT_EQ(advise(dense, time_of(100, "launch", 18, 49), 108).because, "49 CTAs on 108 SMs");
  EXPECT_THAT(advise(dense, time_of(100, "latency"), 108).reason, HasSubstr("the warps wait"));
}

TEST(ConvolutionAdvice, TimesSurviveTheWayFromAWorker) {
  KernelTime time = time_of(123, "l2", 7, 49);
  time.kernel = "conv";
  time.sparse = true;
  time.weights_of_l2 = 0.25;
  EXPECT_EQ(KernelTime::from_json(time.json()).json(), time.json());
}

}  // namespace
}  // namespace stc::sim
