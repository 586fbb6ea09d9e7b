// SPDX-License-Identifier: Apache-2.0
// Which loads, copies and stores of a kernel move data that nothing but matrix products looks at. Where products are
// not computed (Values::kAddresses), the bytes need not be moved: a matrix instruction then changes nothing, so
// whatever else the kernel does, its control flow, addresses and stores, stays as it is bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/isa/state/kernel.h"

namespace stc::isa {

class UnusedData {
 public:
  /// Empty where there are no matrix products, or where the kernel goes ways that are not followed here.
  explicit UnusedData(const Kernel& kernel);

  bool empty() const { return moves_.empty(); }
  /// Whether what this instruction loads, copies or stores is used by nobody. Its addresses are looked at all the same.
  bool moved_by(const Instruction& instruction) const { return moves_[instruction.address / kInstructionBytes] != 0; }

 private:
  std::vector<std::uint8_t> moves_;  // per instruction
};

}  // namespace stc::isa
