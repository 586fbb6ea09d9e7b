// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/launch_profile.h"

#include "models/isa/text/kernel_name.h"
#include "models/isa/text/listing.h"

namespace stc::sim {

InstructionCounts LaunchProfile::totals() const {
  InstructionCounts sum;
  for (const ProfiledInstruction& one : instructions) sum.add(one.counts);
  return sum;
}

void LaunchProfile::add(const LaunchProfile& other) {
  launches += other.launches;
  cycles += other.cycles;
  series = {};
  for (std::size_t i = 0; i < instructions.size() && i < other.instructions.size(); ++i) {
    instructions[i].counts.add(other.instructions[i].counts);
  }
}

LaunchProfile blank_profile(const isa::Kernel& kernel, const std::string& kernel_hash,
                            const cubin::SourceLines& lines) {
  LaunchProfile profile;
  profile.kernel = kernel.name;
  profile.title = isa::readable_name(kernel.name);
  profile.kernel_hash = kernel_hash;
  profile.sm_version = kernel.sm_version;
  profile.instructions.reserve(kernel.code.size());
  for (const isa::Instruction& instruction : kernel.code) {
    profile.instructions.push_back(
        {instruction.address, isa::listing_text(instruction), lines.at(instruction.address), {}});
  }
  return profile;
}

}  // namespace stc::sim
