// SPDX-License-Identifier: Apache-2.0
// Who wants to see what happens on a GPU while it runs derives from Probe and gives it to the launch. Everything that
// it is told of is also counted (models/core/statistics.h), and nothing else is. Cycles count from the launch's
// beginning.
#pragma once

#include <cstdint>

#include "models/core/data_role.h"
#include "models/core/statistics.h"

namespace stc {

/// A warp by its place.
struct WarpPlace {
  int sm = 0;
  int sub_core = 0;
  std::uint64_t cta = 0;  ///< linear index
  int warp = 0;           ///< in its CTA
};

/// A warp instruction was issued and executed.
struct IssueEvent {
  WarpPlace at;
  std::uint64_t cycle = 0;
  std::uint32_t address = 0;  ///< in the kernel's code, bytes
  std::uint32_t lanes = 0;    ///< that executed it
};

/// A warp spent the cycles [begin, end) in one way. kIssued: the cycle of an issue.
struct StallEvent {
  WarpPlace at;
  Stall reason = Stall::kIssued;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// An SM asks L2 for sectors of a line, or sends it some.
struct MemoryEvent {
  int sm = 0;
  std::uint64_t cycle = 0;
  std::uint64_t address = 0;  ///< of the 128-byte line
  int sectors = 0;            ///< of 32 bytes
  bool write = false;
  DataRole role = DataRole::kOther;
};

class Probe {
 public:
  virtual ~Probe() = default;
  /// True: only cta_begin() and cta_end() are called, and warps run as if nobody listened.
  virtual bool only_ctas() const { return false; }
  virtual void issue(const IssueEvent&) {}
  virtual void stall(const StallEvent&) {}
  virtual void memory_request(const MemoryEvent&) {}
  /// Its `end` is not known yet.
  virtual void cta_begin(const CtaRecord&) {}
  virtual void cta_end(const CtaRecord&) {}
};

}  // namespace stc
