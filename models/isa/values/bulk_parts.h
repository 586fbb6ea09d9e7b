// SPDX-License-Identifier: Apache-2.0
// What bulk copies of all kinds are made of: where they land, how their bytes move, who counts them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "models/isa/state/tensor_tile.h"
#include "models/isa/values/atomic_value.h"
#include "models/isa/values/execution.h"
#include "models/isa/values/lane_address.h"

namespace stc::isa {

[[noreturn]] void bulk_fault(const Execution& x, const std::string& what);
/// 64 bits of two words of a block of uniform registers.
std::uint64_t long_word(const Execution& x, const Operand& o);

/// Moves parts of at most 16 bytes, 32 of them at a time as accesses of warps are noted.
class PartMover {
 public:
  PartMover(Execution& x, BulkTransfer::Kind kind) : x_(x), kind_(kind), lanes_(x.lanes) {}
  /// A store that reduces what is there with what it brings.
  PartMover(Execution& x, const AtomicForm& reduction)
      : x_(x), kind_(BulkTransfer::Kind::kStore), lanes_(x.lanes), reduction_(reduction) {}
  ~PartMover() { x_.lanes = lanes_; }
  PartMover(const PartMover&) = delete;
  PartMover& operator=(const PartMover&) = delete;

  /// What is loaded becomes tf32 on its way: the nearest one, even where two are; NaNs one NaN.
  void round_to_tf32() { tf32_ = true; }
  /// Host pointer to global memory, of which what follows is to be moved.
  std::uint8_t* reach(std::uint64_t address, std::uint64_t bytes);
  void add(std::uint8_t* to, std::uint8_t* from, std::uint32_t bytes);
  void flush();

 private:
  Execution& x_;
  const BulkTransfer::Kind kind_;
  const LaneMask lanes_;
  const std::optional<AtomicForm> reduction_;
  bool tf32_ = false;
  const Allocation* buffer_ = nullptr;
  LanePointers to_{}, from_{};
  LaneCounts bytes_{};
  std::size_t count_ = 0;
};

/// Where a copy lands in shared memory: the same offset of one CTA or of several.
struct Landing {
  std::array<CtaState*, kMostClusterCtas> ctas{};
  std::array<std::uint32_t, kMostClusterCtas> ranks{};
  std::size_t count = 0;
  std::uint32_t offset = 0;
};
/// `place`: shared address; `mask`: CTAs of a multicast.
Landing landing_at(const Execution& x, std::uint32_t place, bool multicast, std::uint32_t mask, std::uint64_t bytes,
                   std::uint32_t alignment);
void require_shared(const Execution& x, const CtaState& cta, std::uint32_t offset, std::uint64_t bytes,
                    std::uint32_t alignment, const char* what);
void mark_written(CtaState& cta, std::uint32_t offset, std::uint32_t bytes, DataRole role);
/// The bytes that have come are counted at the mbarriers, now or when whoever keeps time says so.
void arrive_at(Execution& x, const Landing& to, std::uint32_t barrier, std::uint32_t bytes);
void begin_transfer(Execution& x, BulkTransfer::Kind kind, std::uint32_t bytes);

/// A block of the CTA's shared memory goes to that of a CTA of its cluster, or reduces what is there.
void copy_between_shared(Execution& x, const std::optional<AtomicForm>& reduction);

}  // namespace stc::isa
