// SPDX-License-Identifier: Apache-2.0
// Reads of what nobody wrote: registers, shared and local memory hold a pattern until an instruction writes them, and
// the first read of each kind before that is kept.
// Exact per lane and register, and per byte of memory. What a register is read for is not asked: a value that the code
// throws away counts. Predicates, uniform and convergence registers are not followed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/values/execution.h"

namespace stc::isa {

/// The first read of one kind.
struct UnwrittenRead {
  enum class Of : std::uint8_t { kRegister, kShared, kLocal };
  Of of = Of::kRegister;
  std::uint64_t place = 0;        ///< register number, or byte address in shared or local memory
  std::uint32_t instruction = 0;  ///< byte offset in the kernel
  std::string mnemonic;
  Dim3 cta{0, 0, 0};
  int warp = 0;
  int lane = 0;
};
const char* name_of(UnwrittenRead::Of of);

class Poison {
 public:
  /// A NaN in every floating-point format.
  static constexpr std::uint8_t kByte = 0xff;

  /// Fills the state of a CTA, or of a warp, that starts.
  static void fill(CtaState& cta);
  static void fill(WarpState& warp);

  /// Before the executing lanes read their source registers.
  void registers_read(const Execution& x);
  /// After `lanes` wrote their destination.
  static void registers_written(const Instruction& instruction, WarpState& warp, LaneMask lanes);
  /// The executing lanes touch `bytes` at result.address.
  void memory_access(const Execution& x, Space space, unsigned bytes, bool write);

  /// At most one of each kind, in the order in which they happened.
  const std::vector<UnwrittenRead>& first_reads() const { return first_; }

 private:
  void note(const Execution& x, UnwrittenRead::Of of, int lane, std::uint64_t place);
  bool noted(UnwrittenRead::Of of) const;

  std::vector<UnwrittenRead> first_;
};

}  // namespace stc::isa
