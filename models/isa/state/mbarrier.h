// SPDX-License-Identifier: Apache-2.0
// Models:   the mbarrier object: 64 bits of shared memory that count arrivals and bytes on their way, and whose phase
//           flips when nothing is missing.
// Evidence: sm_80: the code that nvcc makes of mbarrier.init, .pending_count, .arrive.noComplete and of waiting;
//           sm_90: words written back by an H200 after every operation, in every order.
// Abstracts: on sm_90 the word is in shared memory all the time; hardware writes it there when mbarrier.inval asks.
// Timing:   none here; models/sm decides when an instruction reaches the barrier.
#pragma once

#include <cstdint>

#include "models/core/architecture.h"
#include "models/isa/state/warp.h"

namespace stc::isa {

constexpr unsigned kMbarrierBytes = 8;

/// What one instruction does to one barrier, all its lanes together.
struct MbarrierUpdate {
  std::uint64_t arrivals = 0;
  std::int64_t transactions = 0;  ///< bytes that are expected from now on; those that have come are negative
  bool leaves = false;            ///< who arrives is not expected in later phases
};

class Mbarrier {
 public:
  Mbarrier(int sm_version, std::uint64_t word) : layout_(architecture_of(sm_version).mbarrier), word_(word) {}

  std::uint64_t word() const { return word_; }
  bool phase() const { return word_ >> 63 != 0; }
  std::uint64_t pending() const;
  std::uint64_t expected() const { return (layout_.expected_top - field(layout_.expected_lsb, layout_.count_bits)); }
  std::int64_t transactions() const;

  /// Returns what is wrong with it (the barrier is left as it was), or nullptr.
  const char* apply(const MbarrierUpdate& update);

 private:
  std::uint64_t field(int lsb, int bits) const { return word_ >> lsb & ((std::uint64_t{1} << bits) - 1); }
  void set_field(int lsb, int bits, std::uint64_t value);

  const MbarrierLayout& layout_;
  std::uint64_t word_;
};

/// The instruction of a warp that asked for something of which the warp does not see the end.
struct IssuedBy {
  const Instruction* instruction = nullptr;  ///< of the kernel's code, or of whoever executes a single one
  Dim3 cta{0, 0, 0};
  int warp = 0;
};

/// An arrival that is made when bytes have landed, or when it has found its way to another CTA.
struct CopyArrival {
  std::uint32_t address = 0;  ///< of the barrier, in the CTA's shared memory
  MbarrierUpdate update;
  IssuedBy by;
};

/// An arrival at a barrier of another CTA of the cluster.
struct RemoteArrival {
  std::uint32_t rank = 0;
  CopyArrival arrival;
};

}  // namespace stc::isa
