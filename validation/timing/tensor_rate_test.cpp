// SPDX-License-Identifier: Apache-2.0
// How often a sub-core's tensor core takes an instruction, and that the scheduler reaches that rate and not one cycle
// more. Published intervals: Sun et al. 2023, tables 3 and 6; CUTLASS machine model (NVIDIA); see
// configs/gpus/a100.yaml.
#include <gtest/gtest.h>

#include <ostream>

#include "validation/timing/kernel_builder.h"

namespace stc::timing {
namespace {

using isa::NumberFormat;

struct Rate {
  const char* name;
  isa::MmaOp op;
  int cycles;
};
void PrintTo(const Rate& rate, std::ostream* out) { *out << rate.name; }

class TensorRate : public testing::TestWithParam<Rate> {
 protected:
  /// Cycles that `count` independent instructions of one warp take, stall count 1 each, so that only the unit limits.
  std::uint64_t cycles_for(const isa::MmaOp& op, int count, int warps) {
    KernelBuilder k(160);
    for (int i = 0; i < count; ++i) k.add(mma(op, 16 + 4 * i, 0, 4, 16 + 4 * i, 12), stall(1));
    k.exit();
    return k.run(machine_, {1, static_cast<std::uint32_t>(32 * warps)}).cycles;
  }

 private:
  gpu::Machine machine_{"gpu", gpu_without_fetch()};
};

TEST_P(TensorRate, EveryFurtherInstructionCostsItsInterval) {
  const Rate& rate = GetParam();
  const std::uint64_t shorter = cycles_for(rate.op, 20, 1);
  const std::uint64_t longer = cycles_for(rate.op, 21, 1);
  EXPECT_EQ(longer - shorter, static_cast<std::uint64_t>(rate.cycles));
}

TEST_P(TensorRate, FourWarpsUseFourUnitsAtOnce) {
  EXPECT_EQ(cycles_for(GetParam().op, 20, 4), cycles_for(GetParam().op, 20, 1));
}

TEST_P(TensorRate, TwoWarpsOfASubCoreShareOneUnit) {
  const std::uint64_t one = cycles_for(GetParam().op, 20, 4);
  const std::uint64_t two = cycles_for(GetParam().op, 20, 8);
  EXPECT_EQ(two - one, static_cast<std::uint64_t>(20 * GetParam().cycles));
}

INSTANTIATE_TEST_SUITE_P(
    A100, TensorRate,
    testing::Values(Rate{"HMMA_16816_F32", mma_op(16, NumberFormat::f16, NumberFormat::f32), 8},
                    Rate{"HMMA_16816_F16", mma_op(16, NumberFormat::f16, NumberFormat::f16), 8},
                    Rate{"HMMA_1688_F32", mma_op(8, NumberFormat::f16, NumberFormat::f32), 4},
                    Rate{"HMMA_1688_TF32", mma_op(8, NumberFormat::tf32, NumberFormat::f32), 8},
                    Rate{"HMMA_1684_TF32", mma_op(4, NumberFormat::tf32, NumberFormat::f32), 4},
                    Rate{"IMMA_16832_S8", mma_op(32, NumberFormat::s8, NumberFormat::s32), 8},
                    Rate{"IMMA_16816_S8", mma_op(16, NumberFormat::s8, NumberFormat::s32), 4},
                    Rate{"HMMA_SP_16832_F32", sparse_mma_op(32, NumberFormat::f16, NumberFormat::f32, 2, 4), 8},
                    Rate{"HMMA_SP_16832_F16", sparse_mma_op(32, NumberFormat::f16, NumberFormat::f16, 2, 4), 8},
                    Rate{"HMMA_SP_16816_F32", sparse_mma_op(16, NumberFormat::f16, NumberFormat::f32, 2, 4), 6},
                    Rate{"HMMA_SP_16816_F16", sparse_mma_op(16, NumberFormat::f16, NumberFormat::f16, 2, 4), 6},
                    Rate{"HMMA_SP_16816_TF32", sparse_mma_op(16, NumberFormat::tf32, NumberFormat::f32, 1, 2), 8},
                    Rate{"HMMA_SP_1688_TF32", sparse_mma_op(8, NumberFormat::tf32, NumberFormat::f32, 1, 2), 6},
                    Rate{"IMMA_SP_16864_S8", sparse_mma_op(64, NumberFormat::s8, NumberFormat::s32, 2, 4), 8},
                    Rate{"IMMA_SP_16832_S8", sparse_mma_op(32, NumberFormat::s8, NumberFormat::s32, 2, 4), 6}),
    [](const auto& rate) { return std::string(rate.param.name); });

}  // namespace
}  // namespace stc::timing
