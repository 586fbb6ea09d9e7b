// SPDX-License-Identifier: Apache-2.0
// 1.1 million outputs per instruction and selector from nine distributions of operands and three classes
// of metadata: the hashes equal the hardware's. About a minute of one core; `ctest -LE bulk` leaves it out.
#include <gtest/gtest.h>

#include "validation/unit/golden/silicon_cases.h"
#include "validation/unit/golden/warpgroup_cases.h"

namespace stc::golden {
namespace {

using gpu_probe::kChunk;
using gpu_probe::ProbeOp;

constexpr std::size_t kShards = 12;

/// Compares the hashes of a shard of `ops`: of those that were measured, and of D as `results(op, images)` has it.
template <typename Measured, typename Results>
void compare_hashes(const std::vector<ProbeOp>& ops, std::size_t shard, const Measured& measured,
                    const Results& results) {
  for (std::size_t i = shard; i < ops.size(); i += kShards) {
    const ProbeOp& op = ops[i];
    const std::vector<std::uint64_t> silicon = measured(op);
    ASSERT_EQ(silicon.size(), static_cast<std::size_t>(gpu_probe::kChunksPerOp));
    for (std::size_t chunk = 0; chunk < silicon.size(); ++chunk) {
      gpu_probe::Images images;
      images.resize(op, kChunk);
      for (std::size_t n = 0; n < kChunk; ++n) make_case(op, chunk * kChunk + n, images, n);
      const std::vector<std::uint32_t> d = results(op, images);
      EXPECT_EQ(gpu_probe::hash_words(d.data(), d.size()), silicon[chunk])
          << op.name << " selector " << op.selector << ", cases " << chunk * kChunk << " to "
          << (chunk + 1) * kChunk - 1 << " (" << name_of(gpu_probe::distribution_of(chunk * kChunk)) << ", "
          << name_of(gpu_probe::metadata_of(chunk * kChunk)) << " metadata)";
    }
  }
}

class Bulk : public testing::TestWithParam<std::size_t> {};

TEST_P(Bulk, HashesOfAllChunksEqualTheHardwares) {
  compare_hashes(gpu_probe::probe_ops(), GetParam(), measured_hashes,
                 [](const ProbeOp& op, const gpu_probe::Images& images) { return model_results(op, images); });
}

class WarpgroupBulk : public testing::TestWithParam<std::size_t> {};

TEST_P(WarpgroupBulk, HashesOfAllChunksEqualTheHardwares) {
  compare_hashes(gpu_probe::wgmma_probe_ops(), GetParam(), measured_warpgroup_hashes,
                 [](const ProbeOp& op, const gpu_probe::Images& images) {
                   return warpgroup_results(op, warpgroup_op(op), images, 4);
                 });
}

INSTANTIATE_TEST_SUITE_P(Shard, WarpgroupBulk, testing::Range<std::size_t>(0, kShards));
INSTANTIATE_TEST_SUITE_P(Shard, Bulk, testing::Range<std::size_t>(0, kShards));

}  // namespace
}  // namespace stc::golden
