// SPDX-License-Identifier: Apache-2.0
// Warpgroup matrix instructions against what an H200 gave: all bits of the golden images, the directed dot products,
// and which elements of shared memory a descriptor names.
#include <gtest/gtest.h>

#include <functional>

#include "models/isa/mma/matrix_descriptor.h"
#include "validation/unit/golden/warpgroup_cases.h"

namespace stc::golden {
namespace {

using gpu_probe::ProbeOp;
using isa::MmaOp;

/// Outputs of the golden cases that the model computes otherwise.
std::size_t warpgroup_mismatches(const ProbeOp& op, const MmaOp& as) {
  const std::vector<std::uint32_t> model = warpgroup_results(op, as, golden_cases(op), 1);
  const std::vector<std::uint32_t> silicon = measured_warpgroup_golden(op);
  std::size_t count = 0;
  for (std::size_t i = 0; i < model.size(); ++i) count += model[i] != silicon[i] ? 1 : 0;
  return count;
}

TEST(WarpgroupGolden, EveryInstructionGivesTheBitsOfTheHardware) {
  ASSERT_EQ(gpu_probe::wgmma_probe_ops().size(), 44u);
  for (const ProbeOp& op : gpu_probe::wgmma_probe_ops()) {
    EXPECT_EQ(warpgroup_mismatches(op, warpgroup_op(op)), 0u) << op.name << " selector " << op.selector;
  }
}

TEST(WarpgroupGolden, BytesAreNotThoseThatWarpsEmulate) {
  for (const ProbeOp& op : gpu_probe::wgmma_probe_ops()) {
    if (op.a[0] != 'e') continue;
    MmaOp emulated = warpgroup_op(op);
    emulated.warpgroup = false;
    EXPECT_GT(warpgroup_mismatches(op, emulated), 0u) << op.name;
  }
}

TEST(WarpgroupGolden, AFromSharedMemoryIsTheSame) {
  for (const ProbeOp& op : gpu_probe::wgmma_probe_ops()) {
    const std::vector<Row> rows = measured_rows("wgmma_hashes.csv", op, 0);
    ASSERT_EQ(rows.size(), 1u) << op.name;
    EXPECT_EQ(rows[0][2], "yes") << op.name;
  }
}

TEST(WarpgroupDirected, EveryDotProductGivesTheBitsOfTheHardware) {
  std::size_t checked = 0;
  for (const ProbeOp& op : gpu_probe::wgmma_probe_ops()) {
    const std::vector<gpu_probe::DotCase> cases = directed_wgmma_cases(op);
    const std::vector<Row> measured = measured_rows("wgmma_directed.csv", op, 1);
    ASSERT_EQ(measured.size(), cases.size()) << op.name;
    gpu_probe::Images images;
    images.resize(op, cases.size());
    for (std::size_t n = 0; n < cases.size(); ++n) write_dot(op, cases[n], images, n);
    const std::vector<std::uint32_t> d = warpgroup_results(op, warpgroup_op(op), images, 1);
    for (std::size_t n = 0; n < cases.size(); ++n, ++checked) {
      const std::uint32_t word = d[n * 32 * static_cast<std::size_t>(op.c_registers)];
      char text[16];
      std::snprintf(text, sizeof text, op.c == "f16" ? "%04x" : "%08x", op.c == "f16" ? word & 0xffff : word);
      EXPECT_EQ(text, measured[n][4]) << op.name << ", " << cases[n].probe << " " << cases[n].detail;
    }
  }
  EXPECT_EQ(checked, 3229u);
}

/// Numbers of the elements that an operand is made of, in the order of wgmma_layout.csv.
std::vector<std::uint32_t> elements_of(const LayoutRow& row) {
  const isa::MatrixDescriptor descriptor(row.descriptor);
  const int depth = std::min(16, 32 / row.element_bytes);
  std::vector<std::uint32_t> elements;
  const auto add = [&](int line, int k) {
    const int along = (row.mn_major ? line : k) * row.element_bytes;
    const std::uint32_t part =
        row.mn_major ? descriptor.mn_major(k, along / 16 * 16) : descriptor.k_major(line, along / 16 * 16);
    elements.push_back((part + static_cast<std::uint32_t>(along % 16)) / static_cast<std::uint32_t>(row.element_bytes));
  };
  if (row.operand == "b") {
    for (int k = 0; k < depth; ++k) {
      for (int column = 0; column < row.lines; ++column) add(column, k);
    }
  } else {
    for (int line = 0; line < row.lines; ++line) {
      for (int k = 0; k < depth; ++k) add(line, k);
    }
  }
  return elements;
}

TEST(MatrixDescriptors, NameTheElementsThatTheHardwareReads) {
  const std::vector<LayoutRow> rows = measured_layouts();
  EXPECT_EQ(rows.size(), 476u);
  for (const LayoutRow& row : rows) {
    const std::vector<std::uint32_t> elements = elements_of(row);
    EXPECT_EQ(isa::MatrixDescriptor(row.descriptor).unknown_bits(), 0u);
    EXPECT_EQ(elements.front(), row.first) << std::hex << row.descriptor;
    EXPECT_EQ(elements.back(), row.last) << std::hex << row.descriptor;
    EXPECT_EQ(gpu_probe::hash_words(elements.data(), elements.size()), row.hash) << std::hex << row.descriptor;
  }
}

TEST(MatrixDescriptors, BitsOutsideTheFieldsAreUnknown) {
  for (const int bit : {14, 15, 30, 31, 46, 47, 48, 52, 56, 61})
    EXPECT_NE(isa::MatrixDescriptor(std::uint64_t{1} << bit).unknown_bits(), 0u) << bit;
  for (const int bit : {0, 13, 16, 29, 32, 45, 49, 51, 62, 63})
    EXPECT_EQ(isa::MatrixDescriptor(std::uint64_t{1} << bit).unknown_bits(), 0u) << bit;
}

}  // namespace
}  // namespace stc::golden
