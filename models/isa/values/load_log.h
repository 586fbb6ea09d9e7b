// SPDX-License-Identifier: Apache-2.0
// Loads of global memory by warps that run ahead of the stores of others: each is made at once, from what memory holds
// then, and made again when all stores before it are made, if somebody stores to the buffer that it read. Nobody has
// used what it loaded by then, since the time that an SM runs ahead is shorter than a load takes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/isa/values/cycle_log.h"
#include "models/isa/values/execution.h"
#include "models/isa/values/lane_address.h"

namespace stc::isa {

/// Buffers that a launch has stored to.
class StoredBuffers {
 public:
  /// nullptr: any may be.
  void add(const Allocation* buffer) {
    if (std::find(buffers_.begin(), buffers_.end(), buffer) == buffers_.end()) buffers_.push_back(buffer);
  }
  /// `buffer`, nullptr: any; may be one of them.
  bool holds(const Allocation* buffer) const {
    for (const Allocation* const one : buffers_) {
      if (one == buffer || one == nullptr || buffer == nullptr) return true;
    }
    return false;
  }
  void clear() { buffers_.clear(); }

 private:
  std::vector<const Allocation*> buffers_;
};

struct LoggedLoad;
using MakeLoad = void (*)(Execution& x, const LoggedLoad& load);

struct LoggedLoad {
  std::uint64_t cycle = 0;
  const Instruction* instruction = nullptr;
  WarpState* warp = nullptr;
  LaneMask lanes = 0;
  const Allocation* buffer = nullptr;  ///< nullptr: several
  MakeLoad make = nullptr;
  LanePointers from;
  LanePointers to;    ///< of a copy to shared memory
  LaneCounts counts;  ///< of a copy of parts
};

/// Of one SM.
class LoadLog : public CycleLog<LoggedLoad> {};

/// Makes the loads of `cycle`, the oldest, that `context.loads` holds again if their buffers have been stored to, and
/// forgets them.
void repeat_loads(ExecuteContext& context, std::uint64_t cycle);

/// Notes a load that was just made, if the context keeps a log. Returns the note, to be filled in where its kind needs
/// more, or nullptr.
LoggedLoad* log_load(const Execution& x, MakeLoad make, const LanePointers& from);

}  // namespace stc::isa
