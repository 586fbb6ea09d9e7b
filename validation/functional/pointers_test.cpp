// SPDX-License-Identifier: Apache-2.0
// Function pointers that one kernel, a variable's first contents or the host hand to another kernel of the module.
#include <gmock/gmock.h>

#include "validation/functional/kernel_fixture.h"

namespace stc::functional {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kPointersModule[] = "sample_pointers";
constexpr int kPointersThreads = 32;

class Pointers : public KernelFixture {
 protected:
  void run_alone(const std::string& kernel, const Arguments& arguments, std::uint32_t threads = 1) {
    run(load(kPointersModule, kernel), {1, 1, 1}, {threads, 1, 1}, arguments);
  }
  std::string fault_of(const std::string& kernel, const Arguments& arguments) {
    try {
      run_alone(kernel, arguments, kPointersThreads);
    } catch (const isa::SimulatedFault& error) {
      return error.what();
    }
    return "";
  }
  template <class Function>
  void expect_each(const Function& expected) {
    const auto results = download<unsigned>("out");
    for (unsigned i = 0; i < kPointersThreads; ++i) EXPECT_EQ(results[i], expected(i)) << "thread " << i;
  }
};
INSTANTIATE_TEST_SUITE_P(Sm, Pointers, ::testing::Values(80, 90));

TEST_P(Pointers, MeanTheSameInTheNextKernel) {
  const std::uint64_t out = reserve("out", kPointersThreads * 4);
  run_alone("pointers_set", Arguments().add(0));
  run_alone("pointers_call", Arguments().add(out), kPointersThreads);
  expect_each([](unsigned x) { return 2 * x; });
}

TEST_P(Pointers, OfObjectsThatAnotherKernelMakes) {
  const std::uint64_t out = reserve("out", kPointersThreads * 4);
  run_alone("pointers_make", Arguments());
  run_alone("pointers_virtual", Arguments().add(out), kPointersThreads);
  expect_each([](unsigned x) { return x % 2 == 0 ? 10 * x + 1 : 30 * x; });
}

TEST_P(Pointers, AreInFirstContentsBeforeAnyKernelUsesThem) {
  const std::uint64_t out = reserve("out", kPointersThreads * 4);
  load(kPointersModule, "pointers_none");
  const auto table = download<std::uint64_t>("pointers_table");
  run_alone("pointers_given", Arguments().add(out).add(table[0]), kPointersThreads);
  expect_each([](unsigned x) { return (x + 1000) ^ 1; });
  run_alone("pointers_given", Arguments().add(out).add(table[1]), kPointersThreads);
  expect_each([](unsigned x) { return 2 * x; });
}

TEST_P(Pointers, ToWhatCannotRunAreFaults) {
  const std::uint64_t out = reserve("out", kPointersThreads * 4);
  load(kPointersModule, "pointers_none");
  const auto table = download<std::uint64_t>("pointers_table");
  EXPECT_THAT(fault_of("pointers_given", Arguments().add(out).add(table[2])),
              AllOf(HasSubstr("jump to 0x7e"),
                    HasSubstr("the function pointers_surface, which the kernel cannot call: it uses")));
  EXPECT_THAT(fault_of("pointers_given", Arguments().add(out).add(download<std::uint64_t>("pointers_pair")[0])),
              AllOf(HasSubstr("the function pointers_wide, which the kernel cannot call: it uses"),
                    HasSubstr("registers, where the kernel has 36")));
  run_alone("pointers_set", Arguments().add(1));
  EXPECT_THAT(fault_of("pointers_call", Arguments().add(out)), HasSubstr("cnpv2GetParameterBufferV2"));
  EXPECT_THAT(fault_of("pointers_given", Arguments().add(out).add(std::uint64_t{0})),
              HasSubstr("jump to 0x0, which is no code"));
}

TEST_P(Pointers, OfAnotherModuleAreFaults) {
  const std::uint64_t out = reserve("out", kPointersThreads * 4);
  load("sample_linked", "linked_none");
  const auto other = download<std::uint64_t>("linked_steps");
  EXPECT_THAT(fault_of("pointers_given", Arguments().add(out).add(other[0])),
              AllOf(HasSubstr("jump to 0x7e"), HasSubstr("where the kernel's module has no function")));
}

TEST_P(Pointers, ModulesCanLieBehindEachOther) {
  const std::string path = "validation/functional/cubins/sm_" + std::to_string(GetParam()) + "/sample_pointers.cubin";
  const cubin::Cubin first = cubin::open_cubin(path);
  cubin::Cubin second = cubin::open_cubin(path);
  EXPECT_TRUE(second.addresses().overlaps(first.addresses()));
  second.move_code_behind(first.addresses());
  EXPECT_FALSE(second.addresses().overlaps(first.addresses()));
  EXPECT_FALSE(first.addresses().overlaps(second.addresses()));
  EXPECT_NE(second.decode("pointers_call").code_places.front().address,
            first.decode("pointers_call").code_places.front().address);
}

TEST_P(Pointers, AddNothingToKernelsThatCallNone) {
  const std::string path = "validation/functional/cubins/sm_" + std::to_string(GetParam()) + "/sample_pointers.cubin";
  const cubin::Cubin module = cubin::open_cubin(path);
  for (const char* kernel : {"pointers_none", "pointers_set", "pointers_make"}) {
    EXPECT_EQ(module.look_into(kernel).parts.size(), 1u) << kernel;
  }
  EXPECT_GT(module.look_into("pointers_call").parts.size(), 5u);
}

}  // namespace
}  // namespace stc::functional
