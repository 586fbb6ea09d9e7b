// SPDX-License-Identifier: Apache-2.0
// Evidence: code that nvcc 13.0 emits for each, its disassembly, and words that an H200 wrote.
#include "models/core/architecture.h"

#include <array>
#include <stdexcept>

namespace stc {
namespace {

Architecture sm_80() {
  Architecture a;
  a.sm_version = 80;
  a.parts = "A100";
  a.family = CodeFamily::kAmpere;
  a.mbarrier = {31, 32, 0, std::uint64_t{1} << 30, 0, 0};
  a.constants = {0x160, 0x50, 0x8c, 0x88, 0x40, false, 0x120, 0x130, 0x118, 0x128};
  a.encoding.count_lanes_operation = 10;
  a.encoding.arrives_by_atoms = true;
  a.spelling.double_matrix = ".884";
  return a;
}

Architecture sm_90() {
  Architecture a;
  a.sm_version = 90;
  a.parts = "H100, H200";
  a.family = CodeFamily::kHopper;
  a.has_clusters = true;
  a.system_shared_bytes = 1024;
  a.wide_shared_atomics_answer = true;  // an H200 executes as many instructions for them as for global ones
  a.fixed_latency_of_doubles = true;
  a.has_viadd = true;
  a.has_fp8_mma = true;
  a.emulates_int4_mma = true;
  a.mbarrier = {20, 43, 1, std::uint64_t{1} << 20, 21, 21};
  a.constants = {0x210, 0xd0, 0x44, 0x40, 0x198, true, 0x68, 0x190, 0x208, 0x18c};
  a.encoding.bf16_arithmetic = true;
  a.encoding.signed_integer_pack = true;
  a.encoding.packs_tf32_and_fp8 = true;
  a.encoding.crossed_halves = true;
  a.encoding.xorsign_minimum = true;
  a.encoding.descriptors_always_shown = true;
  a.encoding.separate_float_atomics = true;
  a.encoding.modes_of_compare_and_swap = true;
  a.encoding.count_lanes_operation = 11;
  a.encoding.names_copy_arrivals = true;
  a.encoding.profiling_bits = true;
  a.encoding.split_branch_offset = true;
  a.encoding.branch_on_any = true;
  a.encoding.modes_of_warpsync = true;
  a.encoding.sleep_between_barriers = true;
  a.encoding.narrow_zero_register = true;
  a.spelling = {"G", ".8x8x4", true, true};
  return a;
}

const std::array<Architecture, 2>& architectures() {
  static const std::array<Architecture, 2> all{sm_80(), sm_90()};
  return all;
}

}  // namespace

const Architecture* find_architecture(int sm_version) {
  for (const Architecture& architecture : architectures()) {
    if (architecture.sm_version == sm_version) return &architecture;
  }
  return nullptr;
}

const Architecture& architecture_of(int sm_version) {
  if (const Architecture* found = find_architecture(sm_version)) return *found;
  throw std::invalid_argument("sm_version is " + std::to_string(sm_version) + ", but must be " + known_architectures());
}

std::string known_architectures() {
  std::string out;
  for (const Architecture& a : architectures()) {
    out += (out.empty() ? "" : " or ") + std::to_string(a.sm_version) + " (" + a.parts + ")";
  }
  return out;
}

int oldest_architecture() { return architectures().front().sm_version; }
int newest_architecture() { return architectures().back().sm_version; }

}  // namespace stc
