// SPDX-License-Identifier: Apache-2.0
// Models:   what a warp knows of accumulators of its warpgroup's matrix instructions (HGMMA and its like): an
//           instruction's belong to the group that the next one with gsb0 ends, and may be used by others once
//           WARPGROUP.DEPBAR has waited for that group.
// Evidence: PTX ISA, wgmma.wait_group; the code that nvcc 13.0 writes for it.
// Abstracts: operands A and metadata in registers, which may not be overwritten before that either.
// Timing:   none: groups that are over by themselves in this run do not count.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/dependence/kernel_uses.h"

namespace stc::dependence {

class GroupWaits {
 public:
  struct EarlyUse {
    std::uint16_t resource = 0;
    bool writes = false;
    std::uint32_t producer = 0;  ///< instruction of the kernel
  };
  /// Notes that the warp has issued `instruction` for some lane. Returns the first accumulator that it uses too early.
  std::optional<EarlyUse> issued(const InstructionUses& uses, std::uint32_t instruction) {
    if (uses.groups_left >= 0) {
      const auto left = static_cast<std::uint32_t>(uses.groups_left);
      if (ended_ > left && ended_ - left > over_) over_ = ended_ - left;
    }
    if (started_) {
      for (const RegisterRead& read : uses.reads)
        if (pending(read.resource)) return EarlyUse{read.resource, false, producer_[read.resource]};
      for (const RegisterWrite& write : uses.writes)
        if (pending(write.resource)) return EarlyUse{write.resource, true, producer_[write.resource]};
    }
    for (const std::uint16_t resource : uses.accumulators) {
      group_[resource] = ended_ + 1;
      producer_[resource] = instruction;
      started_ = true;
    }
    if (uses.ends_group) ++ended_;
    return std::nullopt;
  }

 private:
  bool pending(std::uint16_t resource) const { return resource < group_.size() && group_[resource] > over_; }

  bool started_ = false;
  std::uint32_t ended_ = 0;                 ///< groups
  std::uint32_t over_ = 0;                  ///< of them, waited for
  std::array<std::uint32_t, 256> group_{};  ///< that an accumulator belongs to; 0: none
  std::array<std::uint32_t, 256> producer_{};
};

}  // namespace stc::dependence
