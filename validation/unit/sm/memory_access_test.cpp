// SPDX-License-Identifier: Apache-2.0
// What loads of global memory ask of the data stage.
#include "models/sm/memory_access.h"

#include <gtest/gtest.h>

#include "validation/gpus.h"

namespace stc::sm {
namespace {

class MemoryAccessTest : public testing::Test {
 protected:
  /// Of a warp whose lanes load, or add to, words `step` bytes apart from `first` on.
  int wavefronts(isa::Opcode opcode, std::uint64_t first, std::uint64_t step) {
    isa::Instruction instruction;
    instruction.opcode = opcode;
    isa::ExecuteResult result;
    result.space = isa::Space::kGlobal;
    result.is_atomic = opcode == isa::Opcode::kAtomg;
    result.access_lanes = ~isa::LaneMask{0};
    result.bytes_per_lane = 4;
    for (std::size_t lane = 0; lane < result.address.size(); ++lane) result.address[lane] = first + lane * step;
    IssueInfo info;
    info.memory = result.is_atomic ? MemoryKind::kGlobalAtomic : MemoryKind::kGlobalLoad;
    MemoryInstruction request;
    access_.make(warp_, instruction, info, result, 0, request);
    return request.wavefronts;
  }

 private:
  SmParams params_ = validation::a100().sm;
  SmStatistics statistics_;
  WarpContext warp_{8, 0, 0};
  MemoryAccess access_{0, params_, statistics_};
};

TEST_F(MemoryAccessTest, ALoadTakesAWavefrontForWordsOfDifferentBanks) {
  EXPECT_EQ(wavefronts(isa::Opcode::kLdg, 0, 4), 1);
  EXPECT_EQ(wavefronts(isa::Opcode::kLdg, 64, 4), 1) << "of two lines";
  EXPECT_EQ(wavefronts(isa::Opcode::kLdg, 0, 8), 2);
  EXPECT_EQ(wavefronts(isa::Opcode::kLdg, 0, 128), 32) << "of one bank";
}

TEST_F(MemoryAccessTest, AnAtomicTakesOneForEachLine) { EXPECT_EQ(wavefronts(isa::Opcode::kAtomg, 64, 4), 2); }

}  // namespace
}  // namespace stc::sm
