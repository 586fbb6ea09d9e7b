// SPDX-License-Identifier: Apache-2.0
// A decoded SASS instruction (sm_80, sm_90): what the decoder of traces/cubin and the builder of
// traces/gemm produce, what isa::execute computes and what models/sm schedules.
#pragma once

#include <cstdint>

#include "models/isa/mma/mma_op.h"
#include "models/isa/opcode.h"

namespace stc::isa {

constexpr std::uint8_t kRegisterZero = 255;  ///< RZ
constexpr std::uint8_t kPredicateTrue = 7;   ///< PT, UPT
constexpr std::uint8_t kUniformZero = 63;    ///< URZ
constexpr int kScoreboards = 6;              ///< of a warp, SB0 to SB5
constexpr std::uint8_t kNoScoreboard = 7;
constexpr int kInstructionBytes = 16;

/// A source operand of an ALU-like slot (A, B or C), or the offset form of a memory address.
struct Operand {
  enum class Kind : std::uint8_t { kNone, kRegister, kUniform, kImmediate, kConstant, kConstantUniformBase };
  Kind kind = Kind::kNone;
  std::uint8_t index = kRegisterZero;  ///< register or uniform-register number
  std::uint8_t bank = 0;               ///< constant bank (kConstant)
  bool negate = false;                 ///< arithmetic negation; bitwise NOT for .X forms and for logic ops
  bool absolute = false;
  bool reuse = false;       ///< keep in the register-file cache
  std::uint32_t value = 0;  ///< immediate bits, or byte offset into the constant bank
};

struct PredicateOperand {
  std::uint8_t index = kPredicateTrue;
  bool negate = false;
  bool uniform = false;  ///< names UPx instead of Px
};

/// The 21 control bits that the compiler attaches to every instruction.
struct Control {
  std::uint8_t stall = 0;  ///< cycles before the same warp may issue again
  bool yield = false;      ///< bit 109 == 0: do not pick this warp in the next cycle
  std::uint8_t write_scoreboard = kNoScoreboard;
  std::uint8_t read_scoreboard = kNoScoreboard;
  std::uint8_t wait_mask = 0;  ///< bit i: scoreboard i must be zero before issue
  std::uint8_t reuse = 0;      ///< bit 0: slot A, 1: B, 2: C, 3: metadata of sparse matrix operations
};

enum class Compare : std::uint8_t {
  kFalse,
  kLt,
  kEq,
  kLe,
  kGt,
  kNe,
  kGe,
  kTrueOrNum,
  kNan = 8,
  kLtu,
  kEqu,
  kLeu,
  kGtu,
  kNeu,
  kGeu,
  kTrue
};
enum class BoolOp : std::uint8_t { kAnd, kOr, kXor };
enum class MufuFunction : std::uint8_t { kCos, kSin, kEx2, kLg2, kRcp, kRsq, kRcp64h, kRsq64h, kSqrt, kTanh };
enum class ShuffleMode : std::uint8_t { kIdx, kUp, kDown, kBfly };
enum class AtomicOp : std::uint8_t { kAdd, kMin, kMax, kInc, kDec, kAnd, kOr, kXor, kExch, kCas };
enum class BarMode : std::uint8_t { kSync, kArrive, kReduce, kScan };
/// What SYNCS.ARRIVE and ARRIVES do to the counts of an mbarrier: arrivals (A), bytes on their way (T).
enum class MbarrierArrival : std::uint8_t {
  kOneExpecting,  ///< A1TR: one arrival; the operand's bytes are expected
  kOne,           ///< A1T0: one arrival
  kExpectOne,     ///< A0T1: one byte is expected
  kExpect,        ///< A0TR: the operand's bytes are expected
  kComplete,      ///< A0TX: so many have come
  kCount          ///< ART0: as many arrivals as the operand says
};
enum class VoteMode : std::uint8_t { kAll, kAny, kEq };
enum class Rounding : std::uint8_t { kNearestEven, kDown, kUp, kZero };
/// Register formats of conversions (F2F, F2I, I2F) and atomics.
enum class ScalarType : std::uint8_t {
  kU8,
  kS8,
  kU16,
  kS16,
  kU32,
  kS32,
  kU64,
  kS64,
  kF16,
  kBf16,
  kF32,
  kF64,
  kF16x2,
  kBf16x2,
  kE4m3,
  kE5m2,
  kU4,
  kS4,
  kU2,
  kS2
};

/// Modifiers. Only the members that the opcode's documentation names are meaningful; the rest are zero.
struct Modifiers {
  // integer and shift
  bool is_signed = false;      ///< IMAD, ISETP, SHF, IMNMX ...
  bool extended = false;       ///< .X (carry in) or ISETP.EX
  bool high = false;           ///< SHF .HI, LEA.HI, MUL high
  bool right = false;          ///< SHF.R
  bool wrap = false;           ///< SHF .W
  bool sx32 = false;           ///< LEA.HI.SX32
  bool is_64bit = false;       ///< SHF U64/S64, CS2R 64, S2UR ...
  std::uint8_t shift = 0;      ///< LEA shift amount
  std::uint8_t lut = 0;        ///< LOP3, ULOP3, PLOP3 first table
  std::uint8_t lut1 = 0;       ///< PLOP3 second table
  bool predicate_and = false;  ///< LOP3 .PAND
  std::uint8_t prmt_mode = 0;  ///< 0 index, 1 F4E, 2 B4E, 3 RC8, 4 ECL, 5 ECR, 6 RC16
  Compare compare = Compare::kFalse;
  BoolOp bool_op = BoolOp::kAnd;
  std::uint8_t byte_select = 0;  ///< R2P, P2R: .B0 .. .B3; BMSK, FLO variants: see decoder
  // float
  bool ftz = false;
  bool saturate = false;
  bool relu = false;  ///< F2FP, HFMA2, VIMNMX: negative results become zero
  Rounding rounding = Rounding::kNearestEven;
  MufuFunction mufu = MufuFunction::kRcp;
  bool pack_bf16 = false;      ///< F2FP.BF16, HFMA2.BF16
  std::uint8_t swizzle_a = 0;  ///< HADD2/HFMA2: 0 H1_H0, 1 F32, 2 H0_H0, 3 H1_H1, 4 H0_NH1 (b of HFMA2)
  std::uint8_t swizzle_b = 0;
  std::uint8_t swizzle_c = 0;
  ScalarType source_type = ScalarType::kU32;
  ScalarType dest_type = ScalarType::kU32;
  std::uint16_t variant = 0;  ///< any further selector an opcode needs; its meaning is documented at the decoder's row
  // special register, control
  std::uint8_t special_register = 0;
  std::uint8_t barrier = 0;  ///< BSSY/BSYNC/BREAK register, BAR id when immediate
  ShuffleMode shuffle = ShuffleMode::kIdx;
  VoteMode vote = VoteMode::kAll;
  MbarrierArrival mbarrier = MbarrierArrival::kOne;
  bool mbarrier_leaves = false;  ///< SYNCS.ARRIVE.OPTOUT: who arrives is not expected again
  BarMode bar = BarMode::kSync;
  std::uint8_t depbar_scoreboard = 0;  ///< DEPBAR.LE SBk; kNoScoreboard: waits for `depbar_wait_zero` alone
  std::uint8_t depbar_count = 0;       ///< DEPBAR.LE ..., N
  std::uint8_t depbar_wait_zero = 0;   ///< further scoreboards that must be zero
};

/// Memory-access fields of LDG/STG/LDS/STS/LDSM/LDGSTS/ATOM*/RED/LDL/STL/LDC.
struct MemoryFields {
  std::uint8_t address_register = kRegisterZero;  ///< Ra (pair when address_64bit)
  std::uint8_t data_register = kRegisterZero;     ///< source of stores and atomics
  std::uint8_t compare_register = kRegisterZero;  ///< ATOM CAS second source
  std::uint8_t uniform_register = kUniformZero;   ///< UR added to the address, unless it is a descriptor
  std::uint8_t descriptor = kUniformZero;         ///< UR of desc[], never added
  bool descriptor_shown = false;                  ///< disassemblers print desc[URx] (always on sm_90)
  std::uint8_t shared_register = kRegisterZero;   ///< LDGSTS: shared-side address register
  std::int32_t offset = 0;                        ///< bytes; LDGSTS: global side
  std::int32_t shared_offset = 0;                 ///< LDGSTS: shared side
  std::uint8_t bytes = 4;                         ///< per lane: 1, 2, 4, 8, 16
  bool sign_extend = false;                       ///< S8/S16 loads
  bool address_64bit = false;
  std::uint8_t index_scale = 1;  ///< LDS/STS [R.X4]: multiplies the address register
  std::uint8_t matrices = 0;     ///< LDSM: 1, 2, 4
  bool transposed = false;       ///< LDSM .MT88
  bool uniform_is_64bit = false;
  bool uniform_on_shared_side = false;   ///< LDGSTS dae form
  bool bypass_l1 = false;                ///< LDGSTS .BYPASS (.cg)
  bool partial_source = false;           ///< LDGSTS .ZFILL: low address bits count bytes that stay zero
  std::uint8_t prefetch_bytes_log2 = 0;  ///< .LTC64B/128B/256B: 6, 7, 8; 0 none
  std::uint8_t cache_op = 0;             ///< raw 86:84
  std::uint8_t scope = 0;                ///< raw 80:77
  AtomicOp atomic = AtomicOp::kAdd;

  bool strong_at_gpu() const { return scope >= 7; }             ///< .STRONG.GPU and .STRONG.SYS read what L2 holds
  bool whole_line() const { return prefetch_bytes_log2 >= 7; }  ///< L2 is to fetch 128 bytes or more
};

struct Instruction {
  Opcode opcode = Opcode::kInvalid;
  std::uint8_t sm = 0;         ///< one of models/core/architecture.h
  std::uint16_t encoding = 0;  ///< 13-bit opcode as encoded, for messages; 0 when built by traces/gemm
  std::uint32_t address = 0;   ///< byte offset in the kernel
  std::uint64_t low = 0;       ///< raw words
  std::uint64_t high = 0;

  PredicateOperand guard;             ///< @P, @!P, @UP
  std::uint8_t dest = kRegisterZero;  ///< Rd; URd for uniform operations
  Operand a, b, c;
  std::uint8_t dest_predicate0 = kPredicateTrue;  ///< Pu
  std::uint8_t dest_predicate1 = kPredicateTrue;  ///< Pv
  PredicateOperand source_predicate0;             ///< Pp (bits 89:87); default PT
  PredicateOperand source_predicate1;             ///< Pq (bits 79:77)
  PredicateOperand source_predicate2;             ///< bits 70:68
  std::uint32_t target = 0;                       ///< branch target: byte offset in the kernel's text (BRA, BSSY, CALL)

  Control control;
  Modifiers mod;
  MemoryFields mem;
  MmaOp mma;  ///< kHmma, kImma, kBmma
  std::uint8_t metadata_register = kRegisterZero;
  std::uint8_t selector = 0;  ///< mma.sp: which lanes of a quad supply the metadata
};

/// WARPGROUP.DEPBAR: until matrix instructions are complete, which they are for all warps of the warpgroup at once.
constexpr bool waits_for_warpgroup(const Instruction& instruction) {
  return instruction.opcode == Opcode::kWarpgroup && instruction.mod.variant == 1;
}

}  // namespace stc::isa
