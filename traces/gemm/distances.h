// SPDX-License-Identifier: Apache-2.0
// Cycles between two instructions of a built program of which one waits for the other: the tables of models/dependence,
// which compiled code keeps to, with the latency of the kernel's own matrix instruction.
#pragma once

#include <optional>

#include "models/dependence/kernel_uses.h"
#include "traces/gemm/gemm_builder.h"

namespace stc::gemm {

/// The latest write of a register by an instruction of fixed latency.
struct Written {
  std::optional<int> at;  ///< cycle of issue; none: there was no such write
  dependence::FixedWrite by;
};
/// Cycle at which `reader` may issue, and at which a write by `writer` may.
int readable_from(int resource, const Written& written, dependence::Reader reader);
int writable_from(const Written& written, dependence::Writer writer);

/// What the instruction reads, guards among it, and what it writes.
dependence::InstructionUses timed_uses(const isa::Instruction& instruction, const ScheduleTimes& times);

}  // namespace stc::gemm
