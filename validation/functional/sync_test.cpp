// SPDX-License-Identifier: Apache-2.0
// Kernels of sample_sync.cu: cuda::barrier, cuda::pipeline, cuda::memcpy_async and mbarrier instructions.
#include "validation/functional/kernel_fixture.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace stc::functional {
namespace {

std::vector<std::uint32_t> random_words(std::size_t count) {
  std::mt19937 random(5);
  std::vector<std::uint32_t> values(count);
  for (auto& v : values) v = static_cast<std::uint32_t>(random());
  return values;
}

class SyncKernels : public KernelFixture {
 protected:
  isa::Kernel kernel(const std::string& name) { return load("sample_sync", name); }
  /// One CTA with arguments (in, out, n), warps in short turns so that they meet in every order.
  std::vector<std::uint32_t> pipeline(const std::string& name, const std::vector<std::uint32_t>& in, unsigned threads,
                                      std::size_t results, int n) {
    const auto pin = upload("in", in), out = reserve("out", 4 * results);
    run(kernel(name), {1, 1, 1}, {threads, 1, 1}, Arguments().add(pin).add(out).add(n), 0, 5);
    return download<std::uint32_t>("out");
  }
  /// Each thread's item, of so many words, comes from the thread whose number differs in two bits.
  void copies(const std::string& name, std::size_t words) {
    const auto in = random_words(2 * 256 * words);
    const auto pin = upload("in", in), out = reserve("out", 4 * in.size());
    run(kernel(name), {2, 1, 1}, {256, 1, 1}, Arguments().add(pin).add(out), 0, 9);
    const auto result = download<std::uint32_t>("out");
    for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(result[i], in[((i / words) ^ 33) * words + i % words]) << i;
  }
};

TEST_P(SyncKernels, BarrierRounds) {
  constexpr int kRounds = 6;
  const auto in = random_words(kRounds * 160);
  const auto result = pipeline("barrier_rounds", in, 160, 160, kRounds);
  for (std::size_t t = 0; t < 160; ++t) {
    std::uint32_t sum = 0;
    for (std::size_t r = 0; r < kRounds; ++r) sum = sum * 3 + in[r * 160 + (t + 1) % 160];
    ASSERT_EQ(result[t], sum) << t;
  }
}

TEST_P(SyncKernels, ThreadsLeaveABarrier) {
  const auto out = reserve("out", 16);
  run(kernel("barrier_drop"), {1, 1, 1}, {128, 1, 1}, Arguments().add(out), 0, 5);
  EXPECT_EQ(download<int>("out"), (std::vector<int>{128, 224, 288, 320}));
}

TEST_P(SyncKernels, CopiesArriveAtABarrier) { copies("copy_with_barrier", 1); }
TEST_P(SyncKernels, CopiesOfAGroup) { copies("copy_of_group", 4); }

TEST_P(SyncKernels, PipelineOfThreads) {
  constexpr int kSteps = 9;
  const auto in = random_words(kSteps * 128);
  const auto result = pipeline("pipeline_of_threads", in, 128, 128, kSteps);
  for (std::size_t t = 0; t < 128; ++t) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < kSteps; ++i) sum = sum * 3 + in[i * 128 + t];
    ASSERT_EQ(result[t], sum) << t;
  }
}

TEST_P(SyncKernels, PipelineOfABlock) {
  constexpr int kSteps = 9;
  const auto in = random_words(kSteps * 128);
  const auto result = pipeline("pipeline_of_block", in, 128, 128, kSteps);
  for (std::size_t t = 0; t < 128; ++t) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < kSteps; ++i) sum = sum * 3 + in[i * 128 + (t + 1) % 128];
    ASSERT_EQ(result[t], sum) << t;
  }
}

TEST_P(SyncKernels, PipelineOfProducersAndConsumers) {
  constexpr int kSteps = 9;
  const auto in = random_words(kSteps * 128);
  const auto result = pipeline("pipeline_of_roles", in, 128, 64, kSteps);
  for (std::size_t t = 0; t < 64; ++t) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < kSteps; ++i) sum = sum * 3 + in[i * 128 + t] - in[i * 128 + (t + 64 + 5) % 128];
    ASSERT_EQ(result[t], sum) << t;
  }
}

/// Lane i leaves the others out of round i; they meet although each comes out of its loop when its flag opens.
TEST_P(SyncKernels, LanesLeaveALoopOneByOneAndMeet) {
  std::mt19937 random(11);
  for (const int slice : {1, 3, 7, 20, 61}) {
    SCOPED_TRACE(slice);
    memory_ = isa::GlobalMemory();
    std::vector<int> order(32);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    const auto porder = upload("order", order), flags = reserve("flags", 4 * 128), counts = reserve("counts", 4 * 32);
    heap_.reset();
    run(load("sample_leave", "leave_one_by_one"), {1, 1, 1}, {64, 1, 1}, Arguments().add(porder).add(flags).add(counts),
        0, slice);
    const auto found = download<int>("counts");
    for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(found[lane], lane < 4 ? 93 : 124) << lane;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, SyncKernels, ::testing::Values(80, 90));

class BarrierInstructions : public SyncKernels {};

TEST_P(BarrierInstructions, GiveTheTokensOfAnH200) {
  const auto out = reserve("out", 8 * 64);
  run(kernel("barrier_states"), {1, 1, 1}, {1, 1, 1}, Arguments().add(out));
  const std::vector<std::uint64_t> expected = {0x7fffd800, 0x7fffe000, 0x7ffff3ff, 0,          1,          0x7ffff800,
                                               1,          0,                          // five arrivals
                                               0x7ffffbfd, 0,          0,          1,  // bytes after the arrival
                                               0x7ffff800, 0,          1,              // bytes before they are expected
                                               0x7fffe000, 0x7fffe800, 0x7ffff800, 0xfffff800,  // threads that leave
                                               0x7ffff000, 0x7ffffbff, 0,          1,          0x00000800, 0x80000800};
  auto found = download<std::uint64_t>("out");
  found.resize(expected.size());
  EXPECT_EQ(found, expected);
}

TEST_P(BarrierInstructions, TakeAllLanesAtOnce) {
  const auto out = reserve("out", 8 * 160);
  run(kernel("barrier_lanes"), {1, 1, 1}, {32, 1, 1}, Arguments().add(out));
  const auto found = download<std::uint64_t>("out");
  for (std::size_t lane = 0; lane < 32; ++lane) {
    SCOPED_TRACE(lane);
    EXPECT_EQ(found[lane], 0x7ffec000u);
    EXPECT_EQ(found[32 + lane], lane < 8 ? 0x7fffc000u : 0x7ffec000u);
    EXPECT_EQ(found[64 + lane], 0x7fe0c000u);
    EXPECT_EQ(found[96 + lane], 0x7ffec000u);
    EXPECT_EQ(found[128 + lane], 0x7fe1c3fcu);
  }
}

TEST_P(BarrierInstructions, TryWaitEnds) {
  const auto out = reserve("out", 4);
  run(kernel("barrier_time_limit"), {1, 1, 1}, {32, 1, 1}, Arguments().add(out));
  EXPECT_EQ(download<int>("out")[0], 0);
}

INSTANTIATE_TEST_SUITE_P(Hopper, BarrierInstructions, ::testing::Values(90));

}  // namespace
}  // namespace stc::functional
