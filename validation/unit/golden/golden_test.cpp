// SPDX-License-Identifier: Apache-2.0
// Every matrix instruction on the golden register images: all bits that an H200 gave, illegal metadata included. Then
// the hand-made dot products that tell rules of arithmetic apart, and which activation each metadata nibble selects.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iterator>

#include "validation/gpu/probe_directed.h"
#include "validation/gpus.h"
#include "validation/unit/golden/silicon_cases.h"

namespace stc::golden {
namespace {

using gpu_probe::Images;
using gpu_probe::kChunk;
using gpu_probe::ProbeOp;

std::size_t mismatches(const ProbeOp& op, const arith::Numerics& numerics, std::string& first) {
  const std::vector<std::uint32_t> model = model_results(op, golden_cases(op), numerics);
  const std::vector<std::uint32_t> silicon = measured_golden(op);
  const std::size_t words = 32 * static_cast<std::size_t>(op.c_registers);
  std::size_t count = 0;
  for (std::size_t i = 0; i < model.size(); ++i) {
    if (model[i] == silicon[i] || count++ != 0) continue;
    const std::size_t number = i / words * kChunk;
    char text[160];
    std::snprintf(text, sizeof text, "case %zu (%s, %s metadata), lane %zu: model %08x, silicon %08x", number,
                  name_of(gpu_probe::distribution_of(number)), name_of(gpu_probe::metadata_of(number)),
                  i % words / static_cast<std::size_t>(op.c_registers), model[i], silicon[i]);
    first = text;
  }
  return count;
}

TEST(GoldenSet, EveryInstructionGivesTheBitsOfTheHardware) {
  ASSERT_EQ(gpu_probe::probe_ops().size(), 132u);
  for (const ProbeOp& op : gpu_probe::probe_ops()) {
    std::string first;
    EXPECT_EQ(mismatches(op, validation::h200().numerics, first), 0u)
        << op.name << " selector " << op.selector << ": " << first;
  }
}

TEST(GoldenSet, NoticesAWrongRule) {
  const std::function<void(arith::Numerics&)> changes[] = {
      [](arith::Numerics& rules) { --rules.fraction_bits; },
      [](arith::Numerics& rules) { ++rules.fraction_bits; },
      [](arith::Numerics& rules) { rules.f16_block_length /= 4, rules.tf32_block_length /= 4; },
  };
  for (std::size_t change = 0; change < std::size(changes); ++change) {
    for (const ProbeOp& op : gpu_probe::probe_ops()) {
      if (op.c != "f32") continue;  // f16 results hide most of it: the directed cases and the bulk test see them
      arith::Numerics wrong = validation::h200().numerics;
      changes[change](wrong);
      std::string first;
      EXPECT_GT(mismatches(op, wrong, first), 0u) << op.name << ", change " << change;
    }
  }
}

/// Directed cases of `op`; `wrong` says of each that differs what the two gave.
std::size_t check_directed(const ProbeOp& op, const arith::Numerics& numerics, std::string& wrong) {
  const std::vector<gpu_probe::DotCase> cases = gpu_probe::directed_cases(op);
  const std::vector<Row> measured = measured_rows("mma_directed.csv", op, 1);
  EXPECT_EQ(measured.size(), cases.size()) << op.name;
  Images images;
  images.resize(op, cases.size());
  for (std::size_t n = 0; n < cases.size(); ++n) write_dot(op, cases[n], images, n);
  const std::vector<std::uint32_t> d = model_results(op, images, numerics);
  for (std::size_t n = 0; n < std::min(cases.size(), measured.size()); ++n) {
    EXPECT_EQ(measured[n][3], cases[n].detail);
    const std::uint32_t word = d[n * 32 * static_cast<std::size_t>(op.c_registers)];
    char text[16];
    std::snprintf(text, sizeof text, op.c == "f16" ? "%04x" : "%08x", op.c == "f16" ? word & 0xffff : word);
    if (text != measured[n][4])
      wrong += op.name + ", " + cases[n].probe + " " + cases[n].detail + ": model " + text + ", silicon " +
               measured[n][4] + "\n";
  }
  return cases.size();
}

TEST(DirectedCases, EveryDotProductGivesTheBitsOfTheHardware) {
  std::size_t checked = 0;
  for (const ProbeOp& op : gpu_probe::probe_ops()) {
    std::string wrong;
    checked += check_directed(op, validation::h200().numerics, wrong);
    EXPECT_EQ(wrong, "");
  }
  EXPECT_EQ(checked, 2592u);
}

TEST(DirectedCases, NoticeAWrongExponentFloor) {
  for (const ProbeOp& op : gpu_probe::probe_ops()) {
    if (op.a != "bf16" && !(op.a == "f16" && op.c == "f16")) continue;
    for (const int change : {-1, 1}) {
      if (op.c == "f16" && change < 0) continue;  // -21 and -22 agree on all cases that were measured
      arith::Numerics numerics = validation::h200().numerics;
      numerics.exponent_floor_f16 += change;
      numerics.exponent_floor_f32 += change;
      std::string wrong;
      check_directed(op, numerics, wrong);
      EXPECT_NE(wrong, "") << op.name << ", change " << change;
    }
  }
}

/// What mma_selection.csv says of one stored element: the k that it met, base-4 digit by digit, or "-".
std::string selected(const ProbeOp& op, const std::vector<std::uint32_t>& d, std::size_t first, int row) {
  int k = 0;
  for (int pass = 0; pass < gpu_probe::kSelectionPasses; ++pass) {
    const std::size_t place = (first + static_cast<std::size_t>(pass)) * 32 * static_cast<std::size_t>(op.c_registers);
    const int digit = static_cast<int>(gpu_probe::result_of_row(op, d.data() + place, row)) - 1;
    if (digit < 0 || digit > 3) return "-";
    k |= digit << (2 * pass);
  }
  return std::to_string(k);
}

TEST(Selection, EveryNibbleSelectsWhatTheHardwareSelects) {
  for (const ProbeOp& op : gpu_probe::probe_ops()) {
    const std::vector<Row> measured = measured_rows("mma_selection.csv", op, 0);
    if (measured.empty()) continue;
    ASSERT_EQ(measured.size(), 16u) << op.name;
    const int depth = gpu_probe::stored_depth(op), batches = (depth + 15) / 16;
    for (int nibble = 0; nibble < 16; ++nibble) {
      Images images;
      images.resize(op, static_cast<std::size_t>(batches * gpu_probe::kSelectionPasses));
      std::size_t n = 0;
      for (int batch = 0; batch < batches; ++batch) {
        for (int pass = 0; pass < gpu_probe::kSelectionPasses; ++pass)
          write_selection(op, nibble, batch, pass, images, n++);
      }
      const std::vector<std::uint32_t> d = model_results(op, images);
      for (int j = 0; j < depth; ++j) {
        const auto first = static_cast<std::size_t>(j / 16 * gpu_probe::kSelectionPasses);
        EXPECT_EQ(selected(op, d, first, j % 16),
                  measured[static_cast<std::size_t>(nibble)][static_cast<std::size_t>(j) + 3])
            << op.name << " selector " << op.selector << ", nibble " << nibble << ", stored element " << j;
      }
    }
  }
}

}  // namespace
}  // namespace stc::golden
