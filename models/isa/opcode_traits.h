// SPDX-License-Identifier: Apache-2.0
// What opcodes.def says of an operation, for whoever schedules, checks or decodes it.
#pragma once

#include <array>

#include "models/isa/opcode.h"

namespace stc::isa {

/// Who takes an instruction at issue: a pipe of the sub-core or, for memory instructions, the path behind the LSU.
enum class ExecutionUnit : std::uint8_t {
  kNone,  ///< the issue stage alone
  kAlu,
  kVotes,       ///< B2R: results of barriers, through the ALU
  kFma,         ///< floating point and sums of two
  kImad,        ///< products of 32 bits
  kFmaInteger,  ///< other integer work of the FMA pipe
  kFmaWide,     ///< products of 64 bits
  kHalf,
  kFp64,
  kMufu,           ///< special function unit
  kConversion,     ///< conversions and bit counts, beside the special function unit
  kDivisionCheck,  ///< FCHK
  kStatus,         ///< special registers that are read through a scoreboard
  kCrossLane,      ///< what one lane needs of others, without memory
  kConstant,       ///< indexed loads from constant banks
  kTensor,
  kUniform,
  kBranch,
  kSharedLoad,  ///< reads shared memory, atomics on it included
  kSharedStore,
  kShuffle,
  kMbarrier,
  kGlobalLoad,  ///< global, generic and local memory
  kGlobalStore,
  kGlobalAtomic,
  kAsyncCopy,
  kCopyFence,  ///< waits for asynchronous copies
  kWarpgroup,  ///< matrix instructions of four warps, and what orders them
  kBulk        ///< copies of blocks and tensors that one thread asks for
};

/// Who writes and who reads, in the latency tables of models/dependence.
enum class LatencyClass : std::uint8_t {
  kControl,  ///< no result, reads predicates at most: as kAlu
  kAlu,
  kWide64,  ///< moves a pair of registers
  kFma,
  kWide,      ///< a 64-bit product, both halves
  kWideHigh,  ///< a 64-bit product, upper half
  kHalf,
  kHalfOnDouble,  ///< HFMA2.MMA
  kDouble,        ///< by a scoreboard before sm_90
  kMatrix,
  kUniform,
  kUniformMove,
  kUniformConstant,
  kToUniform,   ///< by a scoreboard before sm_90
  kMemory,      ///< by a scoreboard; reads as memory instructions do
  kDecoupled,   ///< by a scoreboard; reads as the special function unit does
  kSlowReader,  ///< reads as kDecoupled, writes as kAlu
  kBarrier,     ///< reads as kMemory, writes as kAlu
  kBranch,      ///< goes elsewhere
  kConvergence  ///< reads as kBranch
};

/// What `dest` names: registers, how many of them; or the uniform datapath's, whose predicates are then uniform too.
enum class Result : std::uint8_t {
  kNone,
  kOne,
  kTwo,
  kFour,
  kByWidth,     ///< two with mod.is_64bit
  kByType,      ///< two for 64-bit mod.dest_type
  kBytes,       ///< mem.bytes
  kMatrices,    ///< mem.matrices
  kMatrix,      ///< D of `mma`
  kPredicates,  ///< the predicates that operand B masks
  kUniform,
  kUniformPair,
  kUniformBytes,   ///< mem.bytes
  kUniformMasked,  ///< the uniform predicates that operand B masks
  kUniformVote,    ///< uniform results, predicates read are the lanes'
  kLaneToUniform   ///< a uniform register, all predicates are the lanes'
};

/// Registers read through operands A, B and C where they are registers, and through `mem`.
enum class Sources : std::uint8_t {
  kOperands,         ///< one each
  kWideSum,          ///< C is a pair
  kDoubles,          ///< all are pairs
  kByWidth,          ///< A is a pair with mod.is_64bit
  kByType,           ///< B is a pair for 64-bit mod.source_type
  kTarget,           ///< A is a pair: a code address
  kMatrix,           ///< fragments of `mma`
  kWarpgroupMatrix,  ///< C of `mma`, A unless it is in shared memory, four uniform registers of descriptors
  kDoubleMatrix,     ///< A and B are pairs, C four
  kPredicates,       ///< one each, and the predicates that operand B masks
  kAddress,          ///< one each, and an address
  kStore,            ///< and an address, data of mem.bytes
  kStoreMatrices,    ///< and an address, data of mem.matrices
  kAtomic,           ///< and an address, data, for CAS a value to compare
  kCopy              ///< and two addresses
};

/// Where the encodings stand: traces/cubin/opcodes_*.cpp.
enum class DecoderTable : std::uint8_t {
  none,
  integer,
  floating,
  conversion,
  matrix,
  memory,
  mbarrier,
  control,
  warpgroup,
  bulk
};

struct OpcodeTraits {
  Opcode opcode;
  ExecutionUnit unit;
  LatencyClass latency;
  Result result;
  Sources sources;
  DecoderTable decoder;
  const char* mnemonic;  ///< without modifiers
};

inline constexpr std::array<OpcodeTraits, kOpcodeCount> kOpcodeTraits = {{
#define STC_OPCODE(name, handler, unit, latency, result, sources, decoder, mnemonic, modifiers, operands)             \
  {Opcode::name, ExecutionUnit::unit, LatencyClass::latency, Result::result, Sources::sources, DecoderTable::decoder, \
   mnemonic},
#include "models/isa/opcodes.def"
}};

constexpr const OpcodeTraits& traits_of(Opcode opcode) { return kOpcodeTraits[static_cast<std::size_t>(opcode)]; }

/// Operations of the uniform datapath: one result per warp.
constexpr bool is_uniform_operation(Opcode opcode) { return traits_of(opcode).result >= Result::kUniform; }

/// Predicates that it writes are uniform.
constexpr bool sets_uniform_predicates(Opcode opcode) {
  return is_uniform_operation(opcode) && traits_of(opcode).result != Result::kLaneToUniform;
}

/// Reads memory and writes it.
constexpr bool is_atomic(Opcode opcode) { return traits_of(opcode).sources == Sources::kAtomic; }

/// A matrix instruction that tensor cores execute, of a warp or of a warpgroup; DMMA has a pipe of its own.
constexpr bool takes_tensor_core(Opcode opcode) {
  const OpcodeTraits& traits = traits_of(opcode);
  return traits.unit == ExecutionUnit::kTensor ||
         (traits.unit == ExecutionUnit::kWarpgroup && traits.result == Result::kMatrix);
}

/// A warp's part of a matrix instruction of its warpgroup.
constexpr bool is_warpgroup_matrix(Opcode opcode) { return traits_of(opcode).sources == Sources::kWarpgroupMatrix; }

constexpr bool is_matrix(Opcode opcode) { return traits_of(opcode).sources == Sources::kMatrix; }

}  // namespace stc::isa
