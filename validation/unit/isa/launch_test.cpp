// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/isa/machine.h"

#include "models/isa/state/address_space.h"

namespace stc::isa {
namespace {

template <class T>
T at(const std::vector<std::uint8_t>& bank, std::size_t offset) {
  T value;
  std::memcpy(&value, bank.data() + offset, sizeof value);
  return value;
}

TEST(StartWarp, LivesAccordingToTheBlock) {
  Machine m;
  m.cta.block = {40, 1, 1};
  m.warp.r[3].fill(9);
  start_warp(m.warp, m.kernel, m.cta, 0);
  EXPECT_EQ(m.warp.live, 0xffffffffu);
  EXPECT_EQ(m.warp.r[3][0], 0u);
  EXPECT_TRUE(m.warp.up[7]);
  start_warp(m.warp, m.kernel, m.cta, 1);
  EXPECT_EQ(m.warp.live, 0xffu);
  EXPECT_EQ(m.warp.active, 0xffu);
  start_warp(m.warp, m.kernel, m.cta, 2);
  EXPECT_TRUE(m.warp.exited());
}

TEST(LaunchConstants, DimensionsParametersAndWindows) {
  Kernel kernel;
  kernel.parameter_base = 0x210;
  kernel.parameter_bytes = 8;
  kernel.sm_version = 90;
  kernel.local_bytes = 2000;
  kernel.constant0.assign(0x210, 0);
  kernel.constant0[0x100] = 0x5a;
  const auto bank = launch_constants(kernel, {132, 1024}, {7, 6, 5}, {4, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, 12345);
  EXPECT_EQ(bank.size(), 0x218u);
  EXPECT_EQ(at<std::uint32_t>(bank, 0x0), 4u);
  EXPECT_EQ(at<std::uint32_t>(bank, 0x8), 2u);
  EXPECT_EQ(at<std::uint32_t>(bank, 0xc), 7u);
  EXPECT_EQ(at<std::uint32_t>(bank, 0x14), 5u);
  EXPECT_EQ(at<std::uint64_t>(bank, 0x18), kSharedWindow);
  EXPECT_EQ(at<std::uint64_t>(bank, 0x20), kLocalWindow);
  EXPECT_EQ(at<std::uint32_t>(bank, 0x28), 2000u);
  EXPECT_EQ(at<std::uint32_t>(bank, 0x2c), 12345u);
  EXPECT_EQ(at<std::uint32_t>(bank, 0x15c), 7u);
  EXPECT_EQ(at<float>(bank, 0x150), 1.0f);
  EXPECT_EQ(at<std::uint32_t>(bank, 0x114), 1024u);  // %total_smem_size leaves these out
  EXPECT_EQ(bank[0x100], 0x5a);
  EXPECT_EQ(at<std::uint64_t>(bank, 0x210), 0x0807060504030201u);
}

TEST(PlaceVariables, AllocatesOnceAndPatchesAddresses) {
  Machine m;
  m.kernel.variables = {{"table", 64, {1, 2, 3}, {}}, {"scratch", 32, {}, {}}};
  m.kernel.address_patches = {{4, 8, 0, 4}, {4, 0, 1, 0}};
  place_variables(m.kernel, m.memory);
  const Allocation& table = *m.memory.find("table");
  EXPECT_EQ(table.data[2], 3);
  EXPECT_EQ(at<std::uint64_t>(m.kernel.constants[4], 8), table.address + 4);
  EXPECT_EQ(at<std::uint64_t>(m.kernel.constants[4], 0), m.memory.find("scratch")->address);
  Kernel second = m.kernel;
  place_variables(second, m.memory);
  EXPECT_EQ(m.memory.allocations().size(), 2u);
}

}  // namespace
}  // namespace stc::isa
