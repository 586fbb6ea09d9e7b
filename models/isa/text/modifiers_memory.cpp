// SPDX-License-Identifier: Apache-2.0
// Modifiers of memory operations.
#include <fmt/format.h>

#include "models/core/architecture.h"
#include "models/isa/text/modifier_text.h"
#include "models/isa/text/opcode_text.h"

namespace stc::isa::modifiers {
namespace {

std::string size_suffix(const MemoryFields& m) {
  switch (m.bytes) {
    case 1: return m.sign_extend ? ".S8" : ".U8";
    case 2: return m.sign_extend ? ".S16" : ".U16";
    case 8: return ".64";
    case 16: return ".128";
    default: return "";
  }
}
std::string scope_suffix(std::uint8_t scope) {
  switch (scope) {
    case 0: return "";
    case 4: return ".CONSTANT";
    case 5: return ".STRONG.SM";
    case 7: return ".STRONG.GPU";
    case 10: return ".STRONG.SYS";
    default: return fmt::format(".SCOPE{}", scope);
  }
}
std::string cache_suffix(std::uint8_t cache_op) {
  static constexpr const char* kNames[] = {".EF", "", ".EL", ".LU", ".EU", ".NA", ".CACHE6", ".CACHE7"};
  return kNames[cache_op & 7];
}
std::string prefetch_suffix(const MemoryFields& m) {
  return m.prefetch_bytes_log2 == 0 ? "" : fmt::format(".LTC{}B", 1 << m.prefetch_bytes_log2);
}
/// ".F32x2.FTZ.RN", ".F16x8.RN", ".128"; empty: no vector.
std::string vector_type(const Instruction& i) {
  const int words = i.mem.bytes / 4;
  switch (i.mod.source_type) {
    case ScalarType::kF32: return words == 1 ? "" : fmt::format(".F32x{}{}.RN", words, i.mod.ftz ? ".FTZ" : "");
    case ScalarType::kF16x2: return words == 1 ? "" : fmt::format(".F16x{}.RN", 2 * words);
    case ScalarType::kBf16x2: return words == 1 ? "" : fmt::format(".BF16x{}.RN", 2 * words);
    case ScalarType::kU32: return words == 4 ? ".128" : "";
    default: return "";
  }
}
std::string atomic_type(const Instruction& i, bool ftz = true) {
  if (std::string vector = vector_type(i); !vector.empty()) return vector;
  const ScalarType type = i.mod.source_type;
  switch (type) {
    case ScalarType::kU32: return "";
    case ScalarType::kU64: return ".64";
    case ScalarType::kF32: return ftz ? ".F32.FTZ.RN" : ".F32.RN";
    case ScalarType::kF64: return ".F64.RN";
    case ScalarType::kF16x2: return ".F16x2.RN";
    case ScalarType::kBf16x2: return ".BF16x2.RN";
    default: return std::string(".") + name_of(type);
  }
}

/// CAST.SPIN: a compare-and-swap whose result says whether the swap took place.
const char* swap_or_name(const Instruction& i) {
  return i.mem.atomic == AtomicOp::kCas && i.mod.variant == 1 ? "CAST.SPIN" : name_of(i.mem.atomic);
}

}  // namespace

std::string size(const Instruction& i) { return size_suffix(i.mem); }
std::string constant_size(const Instruction& i) {
  static constexpr const char* kModes[] = {"", ".IL", ".IS", ".ISL"};
  return size_suffix(i.mem) + kModes[i.mod.variant & 3];
}
std::string global_access(const Instruction& i) {
  const MemoryFields& m = i.mem;
  Text t;
  t.add("E", m.address_64bit).raw(cache_suffix(m.cache_op)).raw(prefetch_suffix(m)).raw(size_suffix(m));
  return t.raw(scope_suffix(m.scope)).str();
}
std::string local_access(const Instruction& i) { return cache_suffix(i.mem.cache_op) + size_suffix(i.mem); }
std::string scoreboard_comparison(const Instruction& i) { return i.mod.depbar_scoreboard < kScoreboards ? ".LE" : ""; }
std::string matrix_access(const Instruction& i) {
  Text t;
  t.add("16").add(i.mem.transposed ? "MT88" : "M88");
  if (i.mem.matrices > 1) t.raw(fmt::format(".{}", i.mem.matrices));
  return t.str();
}
std::string copy(const Instruction& i) {
  const MemoryFields& m = i.mem;
  Text t;
  t.add("E", m.address_64bit).add("BYPASS", m.bypass_l1).raw(cache_suffix(m.cache_op)).raw(prefetch_suffix(m));
  return t.raw(size_suffix(m)).raw(scope_suffix(m.scope)).add("ZFILL", m.partial_source).str();
}

std::string atomic(const Instruction& i) {
  const MemoryFields& m = i.mem;
  Text t;
  t.add("E", m.address_64bit).add(swap_or_name(i)).raw(cache_suffix(m.cache_op));
  return t.raw(atomic_type(i, i.mod.ftz)).raw(scope_suffix(m.scope)).str();
}
std::string global_reduction(const Instruction& i) {
  return architecture_of(i.sm).spelling.global_reduction + atomic(i);
}
std::string shared_atomic(const Instruction& i) {
  if (i.mod.variant == 2) return ".POPC.INC.32";
  if (i.mod.variant == 3) return ".ARRIVE.64";
  return Text().add(swap_or_name(i)).raw(atomic_type(i)).str();
}

std::string fence(const Instruction& i) {
  static constexpr const char* kScopes[] = {"CTA", "SM", "GPU", "SYS", "SCOPE4", "VC", "SCOPE6", "SCOPE7"};
  static constexpr const char* kSemantics[] = {"SC", "ALL", "SEM2", "SEM3"};
  return Text().add(kSemantics[i.mod.variant >> 4 & 3]).add(kScopes[i.mod.variant & 7]).str();
}
std::string view(const Instruction& i) { return i.mod.variant == 1 ? ".G" : ".S"; }
std::string cache_control(const Instruction& i) {
  static constexpr const char* kOps[] = {"PF1", "PF2",  "WB",   "IV",   "IVALL", "RS",   "RSLB", "WBALL",
                                         "OP8", "PML2", "DML2", "RML2", "OP12",  "OP13", "OP14", "OP15"};
  return Text().add("E", i.mem.address_64bit).add(kOps[i.mod.variant & 15]).str();
}
std::string address_space(const Instruction& i) {
  static constexpr const char* kSpaces[] = {"S", "L", "G", "D", "SPACE4", "SPACE5", "SPACE6", "SPACE7"};
  return Text().add("E", i.mem.address_64bit).add(kSpaces[i.mod.variant & 7]).str();
}

std::string mbarrier_arrival(const Instruction& i) {
  static constexpr const char* kNames[] = {"", ".A1T0", ".A0T1", ".A0TR", ".A0TX", ".ART0"};
  const Modifiers& m = i.mod;
  Text t;
  t.add("RED", m.variant == 1).add("OPTOUT", m.mbarrier_leaves);
  return t.raw(kNames[static_cast<int>(m.mbarrier)]).str();
}
std::string try_wait(const Instruction& i) { return i.mod.variant == 1 ? ".TRYWAIT" : ""; }
std::string copies_arrival(const Instruction& i) {
  if (!architecture_of(i.sm).encoding.names_copy_arrivals) return "";
  return i.mod.mbarrier == MbarrierArrival::kComplete ? ".TRANSCNT" : ".ARVCNT";
}

}  // namespace stc::isa::modifiers
