// SPDX-License-Identifier: Apache-2.0
// What was seen of a launch, instruction by instruction and over time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/state/kernel.h"
#include "sim/profile/instruction_counts.h"
#include "sim/profile/utilisation.h"
#include "traces/cubin/source_lines.h"

namespace stc::sim {

struct ProfiledInstruction {
  std::uint32_t address = 0;  ///< in the kernel's code, bytes
  std::string text;           ///< as in a listing
  cubin::SourceLine source;   ///< where the compiler says that it comes from; no file: it does not
  InstructionCounts counts;
};

struct LaunchProfile {
  std::string role;         ///< "launch", "before", "dense", "same_tile"; "program" under `stcsim exec`
  std::string kernel;       ///< symbol
  std::string title;        ///< for people
  std::string kernel_hash;  ///< as in results: of the cubin's bytes
  int sm_version = 0;
  std::uint64_t launches = 1;  ///< that are added up
  std::uint64_t cycles = 0;    ///< of all of them
  std::vector<ProfiledInstruction> instructions;
  UtilisationSeries series;  ///< of a single launch; else empty

  InstructionCounts totals() const;
  /// Instructions of a launch of the same kernel, added to these; the series is lost.
  void add(const LaunchProfile& other);
};

/// Of a launch of `kernel` that has not run: its instructions with their texts and lines, no counts.
LaunchProfile blank_profile(const isa::Kernel& kernel, const std::string& kernel_hash, const cubin::SourceLines& lines);

}  // namespace stc::sim
