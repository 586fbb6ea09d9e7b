// SPDX-License-Identifier: Apache-2.0
// What an instruction reads and writes, for whoever orders instructions or counts their waits: general registers,
// predicates and their uniform twins, numbered in one row.
#pragma once

#include <vector>

#include "models/isa/instruction.h"

namespace stc::gemm {

constexpr int kFirstUniform = 256, kFirstPredicate = 320, kFirstUniformPredicate = 328;
constexpr int kResources = 336;
inline bool is_general(int resource) { return resource < kFirstUniform; }
inline bool is_uniform_register(int resource) { return resource >= kFirstUniform && resource < kFirstPredicate; }
inline bool is_predicate(int resource) { return resource >= kFirstPredicate && resource < kFirstUniformPredicate; }

struct Uses {
  std::vector<int> reads, writes;
};
Uses uses_of(const isa::Instruction& instruction);

bool is_matrix(const isa::Instruction& instruction);
bool is_uniform(const isa::Instruction& instruction);
/// Result arrives, or sources are free, when a scoreboard says so.
bool is_variable(const isa::Instruction& instruction);
/// LDSM and LDGSTS.
bool moves_data(const isa::Instruction& instruction);

}  // namespace stc::gemm
