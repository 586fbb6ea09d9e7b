// SPDX-License-Identifier: Apache-2.0
#include "models/sm/tensor_counters.h"

#include "models/isa/state/warp.h"

namespace stc::sm {
namespace {

constexpr std::uint64_t kRegisterBytes = std::uint64_t{4} * isa::kWarpSize;

std::uint64_t bytes_of(int registers) { return static_cast<std::uint64_t>(registers) * kRegisterBytes; }

/// The counter of multiplications of these elements; none where their energy is not known.
std::uint64_t* macs_of(SmStatistics& statistics, isa::NumberFormat type) {
  switch (type) {
    case isa::NumberFormat::f16:
    case isa::NumberFormat::bf16: return &statistics.tensor_f16_macs;
    case isa::NumberFormat::tf32: return &statistics.tensor_tf32_macs;
    case isa::NumberFormat::s8:
    case isa::NumberFormat::u8: return &statistics.tensor_s8_macs;
    default: return nullptr;
  }
}

}  // namespace

namespace {

void count_products(SmStatistics& statistics, const isa::MmaOp& op, int interval) {
  ++statistics.tensor_instructions;
  if (op.sparse) ++statistics.sparse_tensor_instructions;
  statistics.tensor_busy_cycles += static_cast<std::uint64_t>(interval);
  statistics.tensor_logical_macs += static_cast<std::uint64_t>(op.logical_macs());
  statistics.tensor_stored_macs += static_cast<std::uint64_t>(op.stored_macs());
  if (std::uint64_t* macs = macs_of(statistics, op.a)) *macs += static_cast<std::uint64_t>(op.stored_macs());
  if (op.sparse) statistics.tensor_selected_macs += static_cast<std::uint64_t>(op.stored_macs());
}

void count_results_and_metadata(SmStatistics& statistics, const isa::MmaOp& op) {
  LevelBytes& file = statistics.register_file;
  file.read[static_cast<std::size_t>(DataRole::kOutput)] += bytes_of(op.c_registers());
  file.write[static_cast<std::size_t>(DataRole::kOutput)] += bytes_of(op.c_registers());
  if (!op.sparse) return;
  // A selector uses part of the metadata register; the bits that steer are what counts as traffic.
  const int groups = op.m * op.k / op.pattern.group_elements();
  file.read[static_cast<std::size_t>(DataRole::kMetadata)] +=
      static_cast<std::uint64_t>(groups * op.pattern.index_bits_per_group() / 8);
}

}  // namespace

void count_matrix_instruction(SmStatistics& statistics, const isa::MmaOp& op, int interval) {
  count_products(statistics, op, interval);
  LevelBytes& file = statistics.register_file;
  file.read[static_cast<std::size_t>(DataRole::kWeight)] += bytes_of(op.a_registers());
  file.read[static_cast<std::size_t>(DataRole::kActivation)] += bytes_of(op.b_registers());
  count_results_and_metadata(statistics, op);
}

void count_warpgroup_instruction(SmStatistics& statistics, const isa::Instruction& instruction, int interval) {
  isa::MmaOp op = instruction.mma;
  op.m = 16;
  count_products(statistics, op, interval);
  // The four warps' parts share one reading of B.
  const bool from_registers = instruction.a.kind == isa::Operand::Kind::kRegister;
  LevelBytes& a_level = from_registers ? statistics.register_file : statistics.shared;
  a_level.read[static_cast<std::size_t>(DataRole::kWeight)] += bytes_of(op.a_registers());
  statistics.shared.read[static_cast<std::size_t>(DataRole::kActivation)] += bytes_of(op.b_registers()) / 4;
  count_results_and_metadata(statistics, op);
}

}  // namespace stc::sm
