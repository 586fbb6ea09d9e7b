// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/distances.h"

#include <cassert>

namespace stc::gemm {

int readable_from(int resource, const Written& written, dependence::Reader reader) {
  if (!written.at) return 0;
  assert(written.by.writer != dependence::Writer::kScoreboard);
  return *written.at + read_after_write(resource, written.by, reader);
}

int writable_from(const Written& written, dependence::Writer writer) {
  return written.at ? *written.at + write_after_write(written.by, writer) : 0;
}

dependence::InstructionUses timed_uses(const isa::Instruction& instruction, const ScheduleTimes& times) {
  const auto latency = [&](const isa::MmaOp&) { return times.mma_latency; };
  dependence::InstructionUses uses = dependence::uses_of(instruction, latency);
  uses.reads.insert(uses.reads.end(), uses.guards.begin(), uses.guards.end());
  return uses;
}

}  // namespace stc::gemm
