// SPDX-License-Identifier: Apache-2.0
// What differs between the instruction sets that are modelled: architecture.cpp has one of these for each, and is the
// only place that knows them by number (scripts/layering). All others ask for a property by its name. What differs
// between GPUs of one instruction set, rates and rounding included, stands in configs/gpus.
#pragma once

#include <cstdint>
#include <string>

namespace stc {

/// Machine code comes in two families. Encodings that exist in one of them only name it (traces/cubin), and so do the
/// habits of nvcc (traces/gemm).
enum class CodeFamily : std::uint8_t { kAmpere, kHopper };

/// The word of an mbarrier. Counts are kept as what is missing to a power of two, so that hardware counts up into the
/// phase.
struct MbarrierLayout {
  int count_bits = 0, pending_lsb = 0, expected_lsb = 0;
  std::uint64_t expected_top = 0;
  int transaction_lsb = 0, transaction_bits = 0;  ///< 0 bits: no such count
};

/// Offsets in constant bank 0, which the driver fills.
struct ConstantLayout {
  std::uint32_t parameters = 0;         ///< of the kernel, where its cubin does not say
  std::uint32_t generic_constants = 0;  ///< generic address of the bank with the module's variables, 64 bit
  /// Pointer that cooperative launches pass in environment registers 1 and 2: upper half, then lower half.
  std::uint32_t grid_workspace = 0;
  std::uint32_t environment = 0;         ///< %envreg0 of 32
  std::uint32_t generic_parameters = 0;  ///< generic address of c[0], or of the parameters in it, 64 bit
  bool generic_skips_header = false;     ///< of the parameters
  std::uint32_t reserved_end = 0;        ///< %reserved_smem_offset_end, then %reserved_smem_offset_1
  std::uint32_t graph = 0;               ///< %current_graph_exec, 64 bit; 0 where no graph launches the kernel
  std::uint32_t global_descriptor = 0;   ///< of LDG and STG, 64 bit
  std::uint32_t alias_fence = 0;         ///< what fence.proxy.alias looks at first
};

/// Fields that mean different things, or that only one family has.
struct EncodingTraits {
  bool bf16_arithmetic = false;           ///< of bf16 there is more than HFMA2 and HMNMX2
  bool signed_integer_pack = false;       ///< I2IP has a bit for the sign of its sources
  bool packs_tf32_and_fp8 = false;        ///< F2FP knows these formats
  bool crossed_halves = false;            ///< a pair in HFMA2 may be exchanged, its former high half negated
  bool xorsign_minimum = false;           ///< minimum and maximum have a mode XORSIGN
  bool descriptors_always_shown = false;  ///< disassemblers print desc[URx] whatever bit 101 says
  bool separate_float_atomics = false;    ///< with opcodes and types of their own
  bool modes_of_compare_and_swap = false;
  unsigned count_lanes_operation = 0;   ///< of ATOMS.POPC.INC
  bool arrives_by_atoms = false;        ///< mbarriers are words for ATOMS.ARRIVE; else SYNCS does them
  bool names_copy_arrivals = false;     ///< ARRIVES.LDGSTSBAR says what arrives
  bool profiling_bits = false;          ///< 104:102
  bool split_branch_offset = false;     ///< the low byte apart, in 23:16
  bool branch_on_any = false;           ///< BRA has a mode that any lane decides
  bool modes_of_warpsync = false;       ///< a field of them; else one bit says EXCLUSIVE
  bool sleep_between_barriers = false;  ///< NANOSLEEP.SYNCS
  bool narrow_zero_register = false;    ///< RZ beside a uniform pointer has 32 bits; QSPC shows it
};

/// How the disassembler spells what both families have.
struct Spelling {
  const char* global_reduction = "";  ///< between RED and its modifiers
  const char* double_matrix = "";
  bool formats_of_packed_floats = false;  ///< F2FP.F16.F32, not F2FP
  bool unsigned_predicate_masks = false;  ///< P2R's mask is no signed number
};

struct Architecture {
  int sm_version = 0;  ///< compute capability x 10
  const char* parts = "";
  CodeFamily family = CodeFamily::kAmpere;

  bool has_clusters = false;                ///< launches, constants and shared memory of thread-block clusters
  std::uint32_t system_shared_bytes = 0;    ///< at the start of a CTA's shared window, which code leaves alone
  bool wide_shared_atomics_answer = false;  ///< 64-bit integer arithmetic of generic ATOM is done there, too
  bool fixed_latency_of_doubles = false;    ///< 64-bit floating point and R2UR need no scoreboard
  bool has_viadd = false;                   ///< else IADD3 with RZ
  bool has_fp8_mma = false;                 ///< mma of 8-bit floats, which the compiler emulates by f16
  bool emulates_int4_mma = false;           ///< mma of s4 and u4 is several instructions for 8-bit numbers
  MbarrierLayout mbarrier;
  ConstantLayout constants;
  EncodingTraits encoding;
  Spelling spelling;
};

/// nullptr: no such instruction set is modelled.
const Architecture* find_architecture(int sm_version);
/// Throws std::invalid_argument that names those there are.
const Architecture& architecture_of(int sm_version);

/// "80 (A100) or 90 (H100, H200)"
std::string known_architectures();

/// The oldest and the newest that are modelled.
int oldest_architecture();
int newest_architecture();

}  // namespace stc
