// SPDX-License-Identifier: Apache-2.0
// Models:   everything that a tensor core does for one matrix instruction, cycle by cycle: which registers each
//           collection pass brings, which outputs and which slice of k each step multiplies, when each block of k is
//           added.
// Evidence: unit counts and latencies of TensorCoreParams; their evidence is in configs/gpus/*.yaml.
// Abstracts: which bank a register comes from; how the adders are built inside.
// Timing:   offsets in cycles from issue. Passes follow each other; steps follow each other once A, B and metadata are
//           there; each tile's blocks of k follow each other. mma_timing.h has the sums as formulas.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/mma/mma_op.h"
#include "models/tensor_core/tensor_core_params.h"

namespace stc::tensor_core {

enum class OperandKind : std::uint8_t { kA, kB, kMetadata, kC };

struct OperandRegister {
  OperandKind operand = OperandKind::kA;
  int index = 0;
  bool operator==(const OperandRegister& o) const { return operand == o.operand && index == o.index; }
};

/// One step of the array: outputs [row, row + tile_rows) x [column, column + tile_columns), stored elements
/// [stored, stored + count) of k.
struct TileStep {
  int tile = 0;
  int row = 0;
  int column = 0;
  int stored = 0;
  int count = 0;
};

/// The products of one block of k of one tile are added to the tile's accumulators.
struct TileAddition {
  int tile = 0;
  int block = 0;   ///< also the adder that does it
  int end = 0;     ///< stored elements below this one have been added afterwards
  int enters = 0;  ///< cycle in which the addition begins
  int leaves = 0;  ///< first cycle in which the sum can be used
};

struct StepSchedule {
  isa::MmaOp op;
  int multipliers = 0;  ///< of one unit, for this element width
  int tile_rows = 0;
  int tile_columns = 0;
  int cycles_per_pass = 0;
  int cycles_per_step = 0;
  std::vector<std::vector<OperandRegister>> passes;
  std::vector<TileStep> steps;
  std::vector<TileAddition> additions;
  int first_step = 0;         ///< A, B and metadata are in the buffers
  int latest_first_step = 0;  ///< a busy array may delay the first step until here without delaying D

  int tiles() const { return op.m * op.n / (tile_rows * tile_columns); }
  int collect_cycles() const { return static_cast<int>(passes.size()) * cycles_per_pass; }
  int step_cycles() const { return static_cast<int>(steps.size()) * cycles_per_step; }
  /// First cycle in which all of D can be used.
  int complete() const { return additions.back().leaves; }
};

/// Throws std::invalid_argument unless the units form a tile that divides the 16 x 8 outputs.
StepSchedule step_schedule(const isa::MmaOp& op, const TensorCoreParams& params);

/// Rows and columns of D that the units compute in one step: 8 x 4 for 32 units.
struct Tile {
  int rows = 0;
  int columns = 0;
};
Tile tile_of(const TensorCoreParams& params);

}  // namespace stc::tensor_core
