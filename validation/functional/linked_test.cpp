// SPDX-License-Identifier: Apache-2.0
// Kernels of separately compiled and linked files: calls across sections, tables of functions, addresses in variables.
#include <gmock/gmock.h>

#include <cmath>

#include "traces/cubin/cubin_error.h"
#include "validation/functional/kernel_fixture.h"

namespace stc::functional {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kLinkedModule[] = "sample_linked";

class Linked : public KernelFixture {};
INSTANTIATE_TEST_SUITE_P(Sm, Linked, ::testing::Values(80, 90));

int power(int base, int exponent) {
  unsigned result = 1;
  for (int i = 0; i < exponent; ++i) result *= static_cast<unsigned>(base);
  return static_cast<int>(result);
}

TEST_P(Linked, CallsFunctionsOfOtherSections) {
  constexpr int kTable[] = {5, 4, 3, 2, 1, 0, -1, -2};
  constexpr int kThreads = 64;
  const std::uint64_t out = reserve("out", kThreads * 4);
  const std::uint64_t waves = reserve("waves", kThreads * 8);
  const isa::Kernel kernel = load(kLinkedModule, "linked_calls");
  for (int n = 0; n < 6; ++n) {
    run(kernel, {1, 1, 1}, {kThreads, 1, 1}, Arguments().add(out).add(waves).add(n), kThreads * 4);
    const auto results = download<int>("out");
    for (int i = 0; i < kThreads; ++i) {
      const int expected = power(i, n) + kTable[i & 7] + 3 * ((i + 1) % kThreads) + i + 100 + 30;
      ASSERT_EQ(results[static_cast<std::size_t>(i)], expected) << "thread " << i << ", n = " << n;
    }
  }
  const auto curve = download<double>("waves");
  for (int i = 0; i < kThreads; ++i)
    EXPECT_NEAR(curve[static_cast<std::size_t>(i)], 2 * std::sin(i * 0.5) + i * 0.5, 1e-13);
}

TEST_P(Linked, CallsThroughTablesOfFunctions) {
  const std::uint64_t out = reserve("out", 32 * 4);
  run(load(kLinkedModule, "linked_pointers"), {1, 1, 1}, {32, 1, 1}, Arguments().add(out).add(5));
  const auto results = download<int>("out");
  std::string printed;
  for (int i = 0; i < 32; ++i) {
    const int x = 5 + i;
    EXPECT_EQ(results[static_cast<std::size_t>(i)], i % 3 == 0 ? 2 * x : i % 3 == 1 ? x * x * x : -x);
    if (i % 3 == 2) printed += "loud " + std::to_string(x) + "\n";
  }
  EXPECT_EQ(output_.text(), printed);
  EXPECT_EQ(download<int>("linked_counter"), (std::vector<int>{10 + 112, 20 + 120, 30 + 128, 40 + 136}));
}

TEST_P(Linked, SwitchesThroughATableOfTheLinker) {
  for (int first = 10; first <= 15; first += 2) {
    const std::uint64_t out = upload("out" + std::to_string(first), std::vector<int>(64));
    run(load(kLinkedModule, "linked_switch"), {1, 1, 1}, {64, 1, 1}, Arguments().add(out).add(first));
    const auto results = download<int>("out" + std::to_string(first));
    for (int i = 0; i < 64; ++i) {
      const int expected[] = {1, 0, i * i, 7, __builtin_popcount(static_cast<unsigned>(i)), -i};
      ASSERT_EQ(results[static_cast<std::size_t>(i)], expected[first - 10 + i / 32]) << "thread " << i;
    }
  }
}

TEST_P(Linked, OnlyTheKernelThatNeedsItIsRefused) {
  const std::string path = "validation/functional/cubins/sm_" + std::to_string(GetParam()) + "/sample_linked.cubin";
  const cubin::Cubin module = cubin::open_cubin(path);
  EXPECT_NO_THROW(module.decode("linked_none"));
  EXPECT_EQ(module.look_into("linked_none").parts.size(), 1u);
  EXPECT_EQ(module.look_into("linked_calls").parts.size(), GetParam() == 80 ? 6u : 6u);
  try {
    module.decode("linked_launches");
    FAIL() << "decoded";
  } catch (const cubin::CubinError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("kernel linked_launches uses dynamic parallelism"),
                                    HasSubstr("which is not modelled")));
  }
}

}  // namespace
}  // namespace stc::functional
