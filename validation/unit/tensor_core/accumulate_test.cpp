// SPDX-License-Identifier: Apache-2.0
// Loops that add up in the same registers, of every shape, unrolled 1, 2 and 4 times: both models of the tensor core
// take the same cycles and give the same bits, and name the same instruction when D is used too early.
#include <gtest/gtest.h>

#include <cstring>

#include "models/gpu/machine/machine.h"
#include "sim/config/gpu_config.h"
#include "traces/cubin/cubin.h"

namespace stc::sim {
namespace {

struct SumOutcome {
  std::uint64_t cycles = 0;
  std::vector<std::uint8_t> d;
  std::string fault;
};

class Accumulate : public testing::TestWithParam<int> {
 protected:
  Accumulate() : machine_("gpu", one_sm(), gpu::TensorCoreModel::kSteps) {}
  static gpu::GpuParams one_sm() {
    gpu::GpuParams gpu = read_gpu_config(GetParam() == 80 ? "configs/gpus/a100.yaml" : "configs/gpus/h200.yaml").params;
    gpu.sms = 1;
    return gpu;
  }

  SumOutcome run(const isa::Kernel& kernel, gpu::TensorCoreModel model, bool check) {
    isa::GlobalMemory memory;
    const std::uint64_t out = memory.allocate("out", 512).address;
    const int iterations = 5;
    gpu::Launch launch;
    launch.kernel = &kernel;
    launch.block.x = 32;
    launch.parameters.resize(12);
    std::memcpy(launch.parameters.data(), &out, 8);
    std::memcpy(launch.parameters.data() + 8, &iterations, 4);
    launch.memory = &memory;
    launch.options.tensor_core = model;
    launch.options.check_dependences = check;
    SumOutcome outcome;
    try {
      outcome.cycles = machine_.run(launch).cycles;
    } catch (const isa::SimulatedFault& fault) {
      outcome.fault = fault.what();
    }
    outcome.d = memory.find("out")->data.to_vector();
    return outcome;
  }

  cubin::Cubin cubin() const {
    return cubin::open_cubin("validation/functional/cubins/sm_" + std::to_string(GetParam()) +
                             "/sample_accumulate.cubin");
  }

  gpu::Machine machine_;
};

TEST_P(Accumulate, StepsAndScheduleAgree) {
  const cubin::Cubin file = cubin();
  int kernels = 0;
  for (const isa::Kernel& listed : file.kernels()) {
    const std::string& name = listed.name;
    const isa::Kernel kernel = file.decode(name);
    const SumOutcome steps = run(kernel, gpu::TensorCoreModel::kSteps, true);
    const SumOutcome schedule = run(kernel, gpu::TensorCoreModel::kSchedule, true);
    EXPECT_EQ(steps.fault, "") << name;
    EXPECT_EQ(steps.cycles, schedule.cycles) << name;
    EXPECT_EQ(steps.d, schedule.d) << name;
    EXPECT_NE(steps.d, std::vector<std::uint8_t>(512)) << name;
    ++kernels;
  }
  EXPECT_EQ(kernels, GetParam() == 80 ? 60 : 54);
}

/// One cycle less between two matrix instructions of a loop that has none to spare.
TEST_P(Accumulate, TooEarlyAReadIsTheSameFaultInBoth) {
  const cubin::Cubin file = cubin();
  for (const char* op : {"mma_sp_m16n8k32_f32_f16_f16_f32", "mma_m16n8k8_f32_f16_f16_f32"}) {
    isa::Kernel kernel = file.decode(std::string("accumulate_") + op + "_u2");
    std::size_t between = 0;
    for (int found = 0; found < 2; ++between) found += kernel.code[between].opcode == isa::Opcode::kHmma ? 1 : 0;
    for (between -= 2; kernel.code[between].control.stall < 4;) --between;
    --kernel.code[between].control.stall;
    const SumOutcome steps = run(kernel, gpu::TensorCoreModel::kSteps, false);
    const SumOutcome schedule = run(kernel, gpu::TensorCoreModel::kSchedule, false);
    const SumOutcome checked = run(kernel, gpu::TensorCoreModel::kSchedule, true);
    EXPECT_NE(steps.fault.find(" cycles, stall counts give "), std::string::npos) << op << steps.fault;
    EXPECT_EQ(steps.fault, schedule.fault);
    EXPECT_EQ(steps.fault, checked.fault);
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, Accumulate, testing::Values(80, 90));

}  // namespace
}  // namespace stc::sim
