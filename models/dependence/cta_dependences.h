// SPDX-License-Identifier: Apache-2.0
// The checks of one CTA: of each warp's registers, and of its asynchronous copies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/dependence/copy_landing.h"
#include "models/dependence/warp_dependences.h"

namespace stc::dependence {

/// What is checked: everything, or asynchronous copies alone.
enum class Checked : std::uint8_t { kAll, kCopies };

class CtaDependences {
 public:
  CtaDependences(const KernelUses& kernel, Checked checked, std::size_t warps, std::size_t shared_bytes)
      : kernel_(&kernel), checked_(checked), shared_bytes_(shared_bytes), warps_(warps), copies_(warps, shared_bytes) {}
  /// A new CTA: nothing has happened yet.
  void begin();

  void observe(std::size_t warp, DependenceObserver* observer) { warps_[warp].observe(observer); }
  /// Notes that a warp has executed instruction number `index` for `result.lanes` of its path `active`. Returns what is
  /// wrong with it; empty: nothing.
  std::string executed(const isa::WarpState& warp, std::uint32_t index, isa::LaneMask active,
                       const isa::ExecuteResult& result);

 private:
  const KernelUses* kernel_;
  Checked checked_;
  std::size_t shared_bytes_;
  std::vector<WarpDependences> warps_;
  CopyLanding copies_;
};

}  // namespace stc::dependence
