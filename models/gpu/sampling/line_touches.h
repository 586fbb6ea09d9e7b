// SPDX-License-Identifier: Apache-2.0
// Which lines of global memory instructions ask L2 for, without when.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/data_role.h"
#include "models/isa/values/execute.h"

namespace stc::gpu {

/// Sectors of a 128-byte line that somebody reads or writes.
struct LineTouch {
  std::uint64_t line = 0;
  std::int64_t step = 0;  ///< lines by which it is further on each time that it comes again
  std::uint8_t sectors = 0;
  std::uint8_t partitions = 0;  ///< of L2, bit each: those that the readers are attached to
  DataRole role = DataRole::kOther;
  bool write = false;
  bool whole_line = false;
};

/// Appends what `instruction` touched of global memory.
void add_touches(const isa::Instruction& instruction, const isa::ExecuteResult& result,
                 std::vector<LineTouch>& touches);

/// One entry, the first, for those that touch the same line and go on in the same steps; some may keep theirs.
void merge(std::vector<LineTouch>& touches);

}  // namespace stc::gpu
