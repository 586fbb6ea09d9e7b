// SPDX-License-Identifier: Apache-2.0
// What decides which way a warp goes on: the registers and predicates from which its instructions take guards,
// branches, barriers and, through others, all that these depend on.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/resource_use.h"
#include "models/isa/state/kernel.h"
#include "models/isa/state/warp.h"

namespace stc::sm {

/// Instructions that a warp has come to, and for which lanes.
struct Visited {
  std::vector<bool> reached;   ///< by instruction: whether or not a lane executed it
  std::vector<bool> executed;  ///< in one lane at least
};

class ControlInputs {
 public:
  void reset(const isa::Kernel* kernel);
  /// Registers and predicates (isa/resource_use.h) whose values decide what a warp does that runs `visited` alone, as
  /// long as memory stays as it is.
  std::vector<std::uint16_t> of(const Visited& visited);

 private:
  const isa::ResourceUse& use(std::size_t instruction);

  const isa::Kernel* kernel_ = nullptr;
  std::vector<isa::ResourceUse> uses_;  // by instruction, worked out when first asked for
  std::vector<bool> known_;
};

/// FNV-1a of where the warp's paths stand and of the values of `inputs` in all lanes. Two equal states go on equally.
std::uint64_t control_state(const isa::WarpState& warp, const std::vector<std::uint16_t>& inputs);

}  // namespace stc::sm
