// SPDX-License-Identifier: Apache-2.0
// How many cycles must lie between the issues of two instructions of a warp of which one waits for the other, where no
// scoreboard tells: tables by who writes and who reads.
// Evidence: latency tables that NVIDIA provided for Mesa's compiler (Ampere, Ada). Code that nvcc 13.0 wrote for sm_80
//           and sm_90 is never below them (validation/functional) and meets most of those that it uses exactly, on
//           both; R2UR, and 64-bit floating point on sm_90, from that code.
// Abstracts: what the tables leave out: carry-less products. 8x8 integer matrices: from that code, on both.
#pragma once

#include <array>
#include <cstdint>

#include "models/isa/resource_use.h"

namespace stc::dependence {

/// Who writes, and how.
enum class Writer : std::uint8_t {
  kAlu,
  kWide64,    ///< CS2R of 64 bits, LEPC
  kFma,       ///< floating point, products of 32 bits
  kWideLow,   ///< IMAD.WIDE, first register
  kWideHigh,  ///< and second
  kHalf,
  kDouble,  ///< 64-bit floating point where it needs no scoreboard, HFMA2.MMA
  kMatrix,
  kUniform,      ///< arithmetic of the uniform datapath
  kUniformMove,  ///< UMOV, ULDC, VOTEU
  kToUniform,    ///< R2UR where it needs no scoreboard
  kScoreboard    ///< takes as long as it takes
};

/// Who reads, and when.
enum class Reader : std::uint8_t {
  kAlu,
  kFma,
  kWideAb,    ///< IMAD.WIDE, factors
  kWideHigh,  ///< and high half of the addend
  kHalf,
  kDouble,
  kMatrix,
  kDecoupled,  ///< instructions with scoreboards that are not memory's, branches
  kAddress,    ///< memory, shuffles, barriers
  kUniform,
  kUniformMove,
  kConstant,  ///< ULDC, addresses of constant banks
  kBranch,
  kGuard,
  kShortMatrix  ///< a matrix instruction that collects its operands in one pass
};

Writer writer_of(const isa::Instruction& instruction, int word);
Reader reader_of(const isa::Instruction& instruction, isa::UseSlot slot);
/// Its results come, and its sources are free, when a scoreboard says so.
bool needs_scoreboard(const isa::Instruction& instruction);

/// A write or read of fixed latency by one instruction.
struct FixedWrite {
  Writer writer = Writer::kAlu;
  std::uint8_t matrix_latency = 0;  ///< kMatrix: cycles until a matrix or arithmetic instruction may read
  bool guarded = false;
  bool eight_rows = false;  ///< kMatrix: others than matrix instructions may read a cycle sooner
};

int read_after_write(int resource, const FixedWrite& write, Reader reader);
int write_after_write(const FixedWrite& first, Writer second);
int write_after_read(Reader reader, Writer writer);

}  // namespace stc::dependence
