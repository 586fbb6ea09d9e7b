// SPDX-License-Identifier: Apache-2.0
// What the checks must know of each instruction of a kernel, worked out once and shared by all warps.
#pragma once

#include <functional>
#include <vector>

#include "models/dependence/issue_distance.h"
#include "models/dependence/latency_table.h"
#include "models/dependence/scoreboard_waits.h"
#include "models/isa/state/kernel.h"

namespace stc::dependence {

struct RegisterRead {
  std::uint16_t resource = 0;
  Reader reader = Reader::kAlu;
};
struct RegisterWrite {
  std::uint16_t resource = 0;
  FixedWrite write;
  /// It is there when the sources have been read: the predicate of a generic atomic, which says whose memory it is.
  bool with_sources = false;
};

struct InstructionUses {
  std::vector<RegisterRead> guards;  ///< read whether or not a lane executes
  std::vector<RegisterRead> reads;
  std::vector<RegisterWrite> writes;
  bool scoreboard = false;
  bool predicates_only = false;  ///< no register is written
  Unit unit = Unit::kOther;
  std::vector<std::uint16_t> accumulators;  ///< of a warpgroup's matrix instruction
  bool ends_group = false;                  ///< of such
  int groups_left = -1;                     ///< WARPGROUP.DEPBAR: groups that need not be over
};

/// Cycles until a result of a matrix instruction may be read.
using MatrixLatency = std::function<int(const isa::MmaOp&)>;

InstructionUses uses_of(const isa::Instruction& instruction, const MatrixLatency& matrix_latency);

struct KernelUses {
  KernelUses(const isa::Kernel& of, const MatrixLatency& matrix_latency, IssueCycles issue_cycles);
  const isa::Kernel& kernel;
  const IssueCycles cycles;
  std::vector<InstructionUses> instructions;
};

}  // namespace stc::dependence
