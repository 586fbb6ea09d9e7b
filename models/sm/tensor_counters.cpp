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

MatrixCounts matrix_counts(const isa::MmaOp& op) {
  MatrixCounts counts;
  counts.logical_macs = static_cast<std::uint64_t>(op.logical_macs());
  counts.stored_macs = static_cast<std::uint64_t>(op.stored_macs());
  counts.a_bytes = bytes_of(op.a_registers());
  counts.b_bytes = bytes_of(op.b_registers());
  counts.c_bytes = bytes_of(op.c_registers());
  if (!op.sparse) return counts;
  // A selector uses part of the metadata register; the bits that steer are what counts as traffic.
  const int groups = op.m * op.k / op.pattern.group_elements();
  counts.metadata_bytes = static_cast<std::uint64_t>(groups * op.pattern.index_bits_per_group() / 8);
  return counts;
}

namespace {

void count_products(SmStatistics& statistics, const isa::MmaOp& op, const MatrixCounts& counts, int interval) {
  ++statistics.tensor_instructions;
  if (op.sparse) ++statistics.sparse_tensor_instructions;
  statistics.tensor_busy_cycles += static_cast<std::uint64_t>(interval);
  statistics.tensor_logical_macs += counts.logical_macs;
  statistics.tensor_stored_macs += counts.stored_macs;
  if (std::uint64_t* macs = macs_of(statistics, op.a)) *macs += counts.stored_macs;
  if (op.sparse) statistics.tensor_selected_macs += counts.stored_macs;
}

void count_results_and_metadata(SmStatistics& statistics, const MatrixCounts& counts) {
  LevelBytes& file = statistics.register_file;
  file.read[static_cast<std::size_t>(DataRole::kOutput)] += counts.c_bytes;
  file.write[static_cast<std::size_t>(DataRole::kOutput)] += counts.c_bytes;
  file.read[static_cast<std::size_t>(DataRole::kMetadata)] += counts.metadata_bytes;
}

}  // namespace

void count_matrix_instruction(SmStatistics& statistics, const isa::MmaOp& op, const MatrixCounts& counts,
                              int interval) {
  count_products(statistics, op, counts, interval);
  LevelBytes& file = statistics.register_file;
  file.read[static_cast<std::size_t>(DataRole::kWeight)] += counts.a_bytes;
  file.read[static_cast<std::size_t>(DataRole::kActivation)] += counts.b_bytes;
  count_results_and_metadata(statistics, counts);
}

void count_warpgroup_instruction(SmStatistics& statistics, const isa::Instruction& instruction, int interval) {
  isa::MmaOp op = instruction.mma;
  op.m = 16;
  const MatrixCounts counts = matrix_counts(op);
  count_products(statistics, op, counts, interval);
  ++statistics.warpgroup_tensor_instructions;
  // The four warps' parts share one reading of B.
  const bool from_registers = instruction.a.kind == isa::Operand::Kind::kRegister;
  LevelBytes& a_level = from_registers ? statistics.register_file : statistics.shared;
  a_level.read[static_cast<std::size_t>(DataRole::kWeight)] += counts.a_bytes;
  statistics.shared.read[static_cast<std::size_t>(DataRole::kActivation)] += counts.b_bytes / 4;
  count_results_and_metadata(statistics, counts);
}

}  // namespace stc::sm
