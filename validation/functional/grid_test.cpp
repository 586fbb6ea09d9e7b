// SPDX-License-Identifier: Apache-2.0
// Whether this_grid() finds the workspace of a cooperative launch, on one CTA; more of them need the whole machine.
#include "models/isa/state/address_space.h"
#include "validation/functional/kernel_fixture.h"

namespace stc::functional {
namespace {

class Grid : public KernelFixture {};
INSTANTIATE_TEST_SUITE_P(Sm, Grid, ::testing::Values(80, 90));

TEST_P(Grid, IsValidInACooperativeLaunchOnly) {
  const isa::Kernel kernel = load("sample_grid", "grid_valid");
  const std::uint64_t out = reserve("out", 4);
  run(kernel, {1, 1, 1}, {1, 1, 1}, Arguments().add(out));
  EXPECT_EQ(download<int>("out")[0], 0);
  grid_workspace_ = isa::place_grid_workspace(memory_);
  run(kernel, {1, 1, 1}, {1, 1, 1}, Arguments().add(out));
  EXPECT_EQ(download<int>("out")[0], 1);
}

TEST_P(Grid, SynchronizesOneCta) {
  std::vector<std::uint32_t> values;
  for (std::uint32_t i = 0; i < 256; ++i) values.push_back(i * 3);
  const std::uint64_t in = upload("in", values);
  const std::uint64_t rounds = reserve("rounds", 4);
  grid_workspace_ = isa::place_grid_workspace(memory_);
  run(load("sample_grid", "grid_reduce"), {1, 1, 1}, {64, 1, 1}, Arguments().add(in).add(256).add(rounds));
  EXPECT_EQ(download<std::uint32_t>("in")[0], 3u * 255 * 256 / 2);
  EXPECT_EQ(download<std::uint32_t>("rounds")[0], 8u);
}

}  // namespace
}  // namespace stc::functional
