// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/instruction_counts.h"

#include <numeric>

namespace stc::sim {
namespace {

constexpr std::uint64_t kBytesOfSector = 32;

std::uint64_t sectors(const std::array<std::uint64_t, kDataRoles>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0}) / kBytesOfSector;
}

}  // namespace

void InstructionCounts::add(const InstructionCounts& other) {
  for (const CountColumn& column : count_columns()) this->*column.value += other.*column.value;
  for (std::size_t i = 0; i < stalls.size(); ++i) stalls[i] += other.stalls[i];
}

std::uint64_t InstructionCounts::warp_cycles() const {
  return std::accumulate(stalls.begin(), stalls.end(), std::uint64_t{0});
}

const std::vector<CountColumn>& count_columns() {
  using Counts = InstructionCounts;
  using Sm = SmStatistics;
  static const std::vector<CountColumn> columns = {
      {&Counts::warp_executions, "warp_executions", "warp instructions", "Issued.",
       [](const Sm& sm) { return sm.warp_instructions; }},
      {&Counts::thread_executions, "thread_executions", "thread instructions", "Lanes whose guard was true, summed.",
       [](const Sm& sm) { return sm.thread_instructions; }},
      {&Counts::shared_wavefronts, "shared_wavefronts", "wavefronts",
       "Cycles of the data stage, as counted in memory.shared_wavefronts of results.",
       [](const Sm& sm) { return sm.shared_wavefronts; }},
      {&Counts::copy_wavefronts, "copy_wavefronts", "wavefronts", "The same of asynchronous copies.",
       [](const Sm& sm) { return sm.copy_wavefronts; }},
      {&Counts::conflict_wavefronts, "conflict_wavefronts", "wavefronts", "Of both, caused by bank conflicts.",
       [](const Sm& sm) { return sm.shared_conflict_wavefronts; }},
      {&Counts::l1_hit_sectors, "l1_hit_sectors", "32-byte sectors", "Served by the L1.",
       [](const Sm& sm) { return sm.l1_sector_hits; }},
      {&Counts::l2_requests, "l2_requests", "line requests", "128-byte lines asked of L2.",
       [](const Sm& sm) { return sm.l2_requests; }},
      {&Counts::l2_read_sectors, "l2_read_sectors", "32-byte sectors", "Asked of L2.",
       [](const Sm& sm) { return sectors(sm.l2.read); }},
      {&Counts::l2_write_sectors, "l2_write_sectors", "32-byte sectors", "Written to L2.",
       [](const Sm& sm) { return sectors(sm.l2.write); }},
      {&Counts::tensor_cycles, "tensor_cycles", "cycles of a tensor core", "In which one is busy with it.",
       [](const Sm& sm) { return sm.tensor_busy_cycles; }},
  };
  return columns;
}

}  // namespace stc::sim
