// SPDX-License-Identifier: Apache-2.0
// Machines as values: several in a process do not disturb each other, none is built too late, a failed launch leaves
// no trace, and destruction leaves no module.
#include "models/gpu/machine/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <systemc>

#include "sim/base/worker_pool.h"
#include "validation/unit/gpu/saxpy.h"

namespace stc::gpu {
namespace {

/// Two launches, the second of which finds what the first left in L2.
std::string first_launch(Machine& machine, Saxpy& saxpy) {
  saxpy.launch.options.l2 = L2State::kCold;
  return bytes_of(machine.run(saxpy.launch));
}
std::string second_launch(Machine& machine, Saxpy& saxpy) {
  saxpy.launch.options.l2 = L2State::kAsLeft;
  return bytes_of(machine.run(saxpy.launch));
}

/// What the GPU counts in a process of its own.
std::string alone(const std::string& gpu) {
  sim::WorkerPool process(1, [](const std::string& name) {
    const GpuParams params = gpu_named(name);
    Machine machine("gpu", params);
    Saxpy saxpy(params);
    const std::string first = first_launch(machine, saxpy);
    return first + second_launch(machine, saxpy);
  });
  process.submit(0, gpu);
  const auto answer = process.poll(-1);
  EXPECT_FALSE(answer->failed) << answer->text;
  return answer->text;
}

TEST(Machine, ChecksOfDependencesChangeNoFigure) {
  const GpuParams params = gpu_named("a100");
  Machine machine("gpu", params);
  Saxpy saxpy(params);
  ASSERT_TRUE(saxpy.launch.options.check_dependences);
  const std::string checked = first_launch(machine, saxpy);
  saxpy.launch.options.check_dependences = false;
  EXPECT_TRUE(first_launch(machine, saxpy) == checked);
}

std::size_t modules() {
  std::size_t count = 0;
  for (const sc_core::sc_object* object : sc_core::sc_get_top_level_objects()) {
    count += dynamic_cast<const sc_core::sc_module*>(object) != nullptr ? 1 : 0;
  }
  return count;
}

TEST(Machine, TwoGpusInterleavedCountWhatEachCountsAlone) {
  const std::string a100_alone = alone("a100"), h200_alone = alone("h200");
  ASSERT_NE(a100_alone, h200_alone);
  const GpuParams a100 = gpu_named("a100"), h200 = gpu_named("h200");
  Machine first("a100", a100), second("h200", h200);
  Saxpy on_first(a100), on_second(h200);
  std::string from_first = first_launch(first, on_first);
  std::string from_second = first_launch(second, on_second);
  from_first += second_launch(first, on_first);
  from_second += second_launch(second, on_second);
  EXPECT_TRUE(from_first == a100_alone) << "A100";
  EXPECT_TRUE(from_second == h200_alone) << "H200";
}

TEST(Machine, BuiltAfterTheStartSaysWhatToDo) {
  const GpuParams params = gpu_named("a100");
  Machine machine("early", params);
  Saxpy saxpy(params);
  first_launch(machine, saxpy);
  try {
    Machine late("late", params);
    FAIL() << "it was built";
  } catch (const std::logic_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("GPU 'late' cannot be built any more"));
    EXPECT_THAT(error.what(), testing::HasSubstr("Build every gpu::Machine of a process before the first"));
  }
  EXPECT_EQ(modules(), 1u);
  first_launch(machine, saxpy);  // goes on
}

TEST(Machine, AFailedLaunchLeavesNoTrace) {
  const GpuParams params = gpu_named("a100");
  Machine failing("failing", params), other("other", params);
  Saxpy saxpy(params);
  saxpy.launch.options.max_cycles = 1500;
  EXPECT_THROW(failing.run(saxpy.launch), Deadlock);
  saxpy.launch.options.max_cycles = 0;
  const std::string usual = first_launch(other, saxpy);
  EXPECT_TRUE(first_launch(failing, saxpy) == usual);
}

TEST(Machine, StepsAreForMachinesThatWereBuiltForThem) {
  const GpuParams params = gpu_named("a100");
  Machine machine("gpu", params);
  Saxpy saxpy(params);
  saxpy.launch.options.tensor_core = TensorCoreModel::kSteps;
  EXPECT_THROW(machine.run(saxpy.launch), std::logic_error);
}

TEST(Machine, DestructionLeavesNoModule) {
  const GpuParams params = gpu_named("a100");
  {
    const Machine never_run("never_run", params);
    Machine first("first", params), second("second", params, TensorCoreModel::kSteps);
    Saxpy saxpy(params);
    EXPECT_EQ(modules(), 3u);
    const std::string counted = first_launch(first, saxpy);
    EXPECT_TRUE(first_launch(second, saxpy) == counted);
  }
  EXPECT_EQ(modules(), 0u);
}

TEST(Machine, OneThatIsGoneDoesNotDisturbTheOthers) {
  const GpuParams params = gpu_named("a100");
  Machine stays("stays", params);
  Saxpy saxpy(params);
  std::string before;
  {
    Machine goes("goes", params);
    before = first_launch(goes, saxpy);
  }
  EXPECT_TRUE(first_launch(stays, saxpy) == before);
}

}  // namespace
}  // namespace stc::gpu
