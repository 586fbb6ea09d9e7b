// SPDX-License-Identifier: Apache-2.0
// Metadata unit and operand selector by themselves: every index bit reaches the multiplexer it belongs to.
#include <gtest/gtest.h>

#include "models/sparsity/metadata_layout.h"
#include "models/tensor_core/metadata_unit.h"
#include "models/tensor_core/operand_selector.h"
#include "validation/gpus.h"

namespace stc::tensor_core {
namespace {

const char* const kSparse = "mma.sp.m16n8k32.f32.f16.f16.f32";

/// Metadata unit and selector between signals that the test drives.
struct Parts : sc_core::sc_module {
  explicit Parts(const isa::MmaOp& op, int selector)
      : sc_module(sc_core::sc_module_name("parts")), metadata("metadata"), selector_unit("selector") {
    metadata.operands(operands);
    metadata.selects(selects);
    selector_unit.operands(operands);
    selector_unit.selects(selects);
    selector_unit.inputs(inputs);
    schedule = step_schedule(op, validation::a100().sm.tensor_core);
    of = {true, 0, op, selector};
  }

  /// One step: weights are numbered, activation input j of multiplexer i in column c is 1000 c + 10 i + j.
  const MultiplierInputs& step(int number, const std::vector<std::uint32_t>& words) {
    StepOperands in;
    const TileStep& slice = schedule.steps[static_cast<std::size_t>(number)];
    const int count = slice.count;
    ++of.sequence;
    in.step = {of,
               number,
               {slice.tile, slice.row, slice.column, schedule.tile_rows, schedule.tile_columns},
               slice.stored,
               count};
    const int m = of.op.sparse ? of.op.pattern.mux_inputs() : 1;
    for (int i = 0; i < schedule.tile_rows * count; ++i) in.weights.push_back(static_cast<std::uint32_t>(i));
    for (int c = 0; c < schedule.tile_columns; ++c) {
      for (int i = 0; i < count; ++i) {
        for (int j = 0; j < m; ++j) in.activations.push_back(static_cast<std::uint32_t>(1000 * c + 10 * i + j));
      }
    }
    in.metadata = words;
    operands.write(in);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    EXPECT_EQ(inputs.read().step, in.step) << "the selector did not answer";
    return inputs.read();
  }

  sc_core::sc_signal<StepOperands> operands;
  sc_core::sc_signal<MuxSelects> selects;
  sc_core::sc_signal<MultiplierInputs> inputs;
  MetadataUnit metadata;
  OperandSelector selector_unit;
  StepSchedule schedule;
  Operation of;
};

TEST(MetadataAndSelector, EveryIndexSteersItsMultiplexerInEveryStep) {
  const isa::MmaOp op = isa::parse_mma_name(kSparse);
  const int selector = 1;
  Parts parts(op, selector);
  const sparsity::MetadataLayout layout = isa::metadata_layout(op);
  std::vector<std::uint8_t> indices(16u * static_cast<std::size_t>(op.stored_k()));
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::uint8_t>((i * 7 + i / 16 * 3) % 4);
  std::vector<std::uint32_t> words(32, 0xffffffffu);
  layout.pack(indices.data(), selector, words.data());
  int checked = 0;
  for (std::size_t number = 0; number < parts.schedule.steps.size(); ++number) {
    const MultiplierInputs in = parts.step(static_cast<int>(number), words);
    const TileStep& slice = parts.schedule.steps[number];
    for (int row = 0; row < 8; ++row) {
      for (int column = 0; column < 4; ++column) {
        for (int i = 0; i < slice.count; ++i, ++checked) {
          const auto multiplier = static_cast<std::size_t>((row * 4 + column) * slice.count + i);
          const unsigned index =
              indices[static_cast<std::size_t>((slice.row + row) * op.stored_k() + slice.stored + i)];
          EXPECT_EQ(in.weight[multiplier], static_cast<std::uint32_t>(row * slice.count + i));
          EXPECT_EQ(in.activation[multiplier], static_cast<std::uint32_t>(1000 * column + 10 * i) + index);
        }
      }
    }
  }
  EXPECT_EQ(checked, 16 * 8 * 16);
}

TEST(MetadataAndSelector, OneFlippedBitMovesOneMultiplexerInEveryColumn) {
  const isa::MmaOp op = isa::parse_mma_name(kSparse);
  Parts parts(op, 0);
  std::vector<std::uint32_t> words(32, 0x44444444u);
  const MultiplierInputs before = parts.step(0, words);
  words[5] ^= 1u << 3;  // lane 5: row 1, second half of the stored elements of k32: not in the first step
  EXPECT_EQ(parts.step(0, words).activation, before.activation);
  words[4] ^= 1u << 3;  // lane 4: row 1, stored element 1, upper bit
  const MultiplierInputs after = parts.step(0, words);
  for (std::size_t i = 0; i < before.activation.size(); ++i) {
    const std::size_t row = i / 32, element = i % 8;
    const std::uint32_t moved = row == 1 && element == 1 ? 2 : 0;
    EXPECT_EQ(after.activation[i] ^ before.activation[i], (before.activation[i] + moved) ^ before.activation[i]) << i;
    EXPECT_EQ(after.activation[i] != before.activation[i], moved != 0) << i;
  }
}

TEST(MetadataAndSelector, DenseGoesStraightThrough) {
  Parts parts(isa::parse_mma_name("mma.m16n8k16.f32.f16.f16.f32"), 0);
  const MultiplierInputs in = parts.step(2, std::vector<std::uint32_t>(32, 0xffffffffu));
  for (std::size_t i = 0; i < in.activation.size(); ++i) {
    EXPECT_EQ(in.activation[i], 1000 * (i / 8 % 4) + 10 * (i % 8));
  }
  EXPECT_EQ(in.activation.size(), 256u);
}

}  // namespace
}  // namespace stc::tensor_core
