// SPDX-License-Identifier: Apache-2.0
// Models:   when a tensor core takes and finishes a matrix instruction, derived from its unit counts.
// Evidence: issue intervals and latencies in configs/gpus/*.yaml; validation/timing checks every published row.
// Abstracts: nothing of an instruction's value.
// Timing:   the interval is the longer of the array's steps and the passes of operand collection. The latency is fill +
//           blocks of k; fill is longer when operands or products come later than that. step_schedule.h spells the same
//           out cycle by cycle.
#pragma once

#include <cstdint>

#include "models/isa/mma/mma_op.h"
#include "models/tensor_core/tensor_core_params.h"

namespace stc::tensor_core {

struct MmaTiming {
  int steps = 0;                ///< array steps: (outputs / units) x (stored k / multipliers for this width)
  int step_cycles = 0;          ///< cycles that the array is busy
  int operand_registers = 0;    ///< slots of the operand path: A, B, C, metadata
  int passes = 0;               ///< collection passes
  int collect_cycles = 0;       ///< cycles that operand collection is busy
  int multiplicand_cycles = 0;  ///< of those, until A, B and metadata are there and steps may begin (C comes last)
  int tiles = 0;                ///< steps that it takes to visit all outputs once
  int interval = 0;             ///< cycles between two independent issues
  int blocks = 0;               ///< blocks of k that accumulate one after the other
  int block_cycles = 0;         ///< from one block's additions to the next one's
  int first_addition = 0;       ///< cycles from issue until the first block's products are added to C
  int latency = 0;              ///< cycles from issue until a dependent instruction may issue
  bool sparse = false;
  bool feed_bound = false;  ///< collection, not multiplication, sets the interval
};

/// Multipliers of one dot-product unit for elements of `op.a`.
int multipliers_for(const isa::MmaOp& op, const TensorCoreParams& params);
/// 32-bit metadata registers per lane that the instruction reads (0 when dense).
int metadata_registers(const isa::MmaOp& op);

/// What operand collection brings, in its order: A and B, the metadata behind them or beside them through a port of its
/// own, and C last, which only the first addition needs.
struct OperandCollection {
  int multiplicands = 0;        ///< slots of A and B; B takes as many as dense B where the activation path is scaled
  int metadata = 0;             ///< registers
  bool metadata_port = false;   ///< they have a path of their own
  int accumulators = 0;         ///< slots of C; packed f16 takes those of unpacked
  int multiplicand_passes = 0;  ///< until A, B and metadata are there
  int passes = 0;

  int first_accumulator() const { return multiplicands + (metadata_port ? 0 : metadata); }
  int slots() const { return first_accumulator() + accumulators; }  ///< of the operand path
};
OperandCollection operand_collection(const isa::MmaOp& op, const TensorCoreParams& params);
/// From one block's additions to the next one's. block_latency is that of 16 x 8 outputs; fewer leave the adders sooner
/// (m8n8k128: 14 cycles, not 16, on an H200 and in the code that ptxas writes for sm_80 and sm_90).
int block_cycles(const isa::MmaOp& op, const TensorCoreParams& params);
MmaTiming mma_timing(const isa::MmaOp& op, const TensorCoreParams& params);

}  // namespace stc::tensor_core
