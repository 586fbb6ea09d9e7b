// SPDX-License-Identifier: Apache-2.0
// printf, assert, malloc and free of compiled kernels.
#include <gmock/gmock.h>

#include <cinttypes>
#include <cstdio>

#include "validation/functional/kernel_fixture.h"

namespace stc::functional {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kModule[] = "sample_driver";

class Driver : public KernelFixture {
 protected:
  std::string fault(const isa::Kernel& kernel, isa::Dim3 grid, isa::Dim3 block, const Arguments& arguments) {
    try {
      run(kernel, grid, block, arguments);
    } catch (const isa::SimulatedFault& error) {
      return error.what();
    }
    return "";
  }
};
INSTANTIATE_TEST_SUITE_P(Sm, Driver, ::testing::Values(80, 90));

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

TEST_P(Driver, PrintfPrintsLaneAfterLane) {
  constexpr int kThreads = 8;
  std::vector<double> values;
  for (int i = 0; i < kThreads; ++i) values.push_back(i * 1.25 - 3);
  const std::uint64_t in = upload("in", values);
  const std::uint64_t counts = reserve("counts", kThreads * 4);
  run(load(kModule, "driver_printf"), {1, 1, 1}, {kThreads, 1, 1}, Arguments().add(in).add(counts));

  std::string even, odd, both;
  for (int i = 0; i < kThreads; ++i) {
    const double v = values[static_cast<std::size_t>(i)];
    if (i % 2 == 0) {
      even += formatted("[%d] %8.3f|%-10e|%g|%s\n", i, v, v * 1e10, v / 3, i % 4 != 0 ? "odd" : "even");
    } else {
      odd += formatted("[%i] %+" PRId64 " %05u %#x %o %c %p %%\n", i, -(std::int64_t{1} << 40) * i, 7u * i, 0xabcu + i,
                       64u + i, 'a' + i, reinterpret_cast<void*>(static_cast<std::uintptr_t>(0x1000) * i));
    }
    both += formatted("%*d|%.*f|%.3s|%hd\n", 6, i, 2, v, "clipped", static_cast<short>(70000 + i));
  }
  const std::string text = output_.text();
  EXPECT_THAT(text, HasSubstr(even));
  EXPECT_THAT(text, HasSubstr(odd));
  EXPECT_THAT(text, HasSubstr(both));
  EXPECT_THAT(text, HasSubstr("done\n"));
  EXPECT_EQ(text.size(), even.size() + odd.size() + both.size() + 5);
  const auto counted = download<int>("counts");
  EXPECT_EQ(counted[0], 605);
  EXPECT_EQ(counted[1], 607);
  EXPECT_EQ(counted[2], 605);
}

TEST_P(Driver, AssertNamesWhatFailedAndWhere) {
  std::vector<int> values(64, 3);
  values[45] = 9;
  const std::uint64_t in = upload("in", values);
  const std::uint64_t out = reserve("out", 64 * 4);
  const isa::Kernel kernel = load(kModule, "driver_assert");
  const auto arguments = [&](int limit) { return Arguments().add(in).add(out).add(limit); };
  EXPECT_EQ(fault(kernel, {2, 1, 1}, {32, 1, 1}, arguments(10)), "");
  EXPECT_EQ(download<int>("out")[45], 18);
  EXPECT_THAT(fault(kernel, {2, 1, 1}, {32, 1, 1}, arguments(9)),
              AllOf(HasSubstr("assertion `values[i] < limit` failed: "), HasSubstr("sample_driver.cu:22: "),
                    HasSubstr("driver_assert"), HasSubstr("CTA (1, 0, 0)"), HasSubstr("thread (13, 0, 0)")));
}

TEST_P(Driver, MallocGivesBlocksUntilTheHeapIsFull) {
  const std::uint64_t out = reserve("out", 96 * 8);
  run(load(kModule, "driver_malloc"), {3, 1, 1}, {32, 1, 1}, Arguments().add(out).add(10));
  const auto sums = download<std::int64_t>("out");
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], static_cast<std::int64_t>(10 * i + 45));

  EXPECT_THAT(fault(load(kModule, "driver_free_twice"), {1, 1, 1}, {1, 1, 1}, Arguments().add(out)),
              HasSubstr("malloc has not given or free has taken back"));

  const std::uint64_t got = reserve("got", 32 * 4);
  run(load(kModule, "driver_heap_full"), {1, 1, 1}, {32, 1, 1}, Arguments().add(got).add(1 << 20));
  const auto given = download<int>("got");
  EXPECT_EQ(std::count(given.begin(), given.end(), 1), 8);  // of 8 MiB
}

TEST_P(Driver, AKernelThatCallsNothingNeedsNothing) {
  const isa::Kernel kernel = load(kModule, "driver_none");
  const std::uint64_t out = reserve("out", 32 * 4);
  run(kernel, {1, 1, 1}, {32, 1, 1}, Arguments().add(out));
  EXPECT_EQ(download<int>("out")[31], 32);
}

}  // namespace
}  // namespace stc::functional
