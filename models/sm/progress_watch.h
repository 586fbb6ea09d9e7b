// SPDX-License-Identifier: Apache-2.0
// Whether the warps of an SM still get anywhere. They do not when memory stays as it is, no thread ends, and every warp
// either waits at a barrier of its CTA or has come back to a place with all that decides its way the same as before:
// then it goes round for ever. That is exact, not a guess: a warp that counts up to something gets somewhere.
// What is under way and may change that counts as well (streaming_multiprocessor.cpp): a barrier that opens, arrivals
// behind copies, stores after whose leaving a CTA gives up its place.
// Three stages keep it cheap: stores and exits are always seen; then the instructions that warps run are gathered; then
// what decides their way is compared.
// Abstracts: stores to local memory, RED, BAR.RED and driver calls count as progress whatever they do.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/values/execute.h"
#include "models/sm/control_inputs.h"
#include "models/sm/warp_context.h"

namespace stc::sm {

class ProgressWatch {
 public:
  enum class Stage : std::uint8_t { kStores, kGather, kCompare };

  void begin_launch(const isa::Kernel* kernel, std::size_t warps);
  /// Begins a span of time at `now`. kCompare is to follow a span of kGather or kCompare without progress.
  void begin_span(Stage stage, Cycle now);
  /// Something happened that is not an instruction's doing.
  void progress() { progressed_ = true; }
  /// To be told of every instruction that `warp` has just executed.
  void note(const WarpContext& warp, const isa::Instruction& instruction, const isa::ExecuteResult& result,
            const isa::ExecuteContext& context) {
    if (instruction.opcode == isa::Opcode::kExit || (result.is_write && !result.is_atomic)) progressed_ = true;
    if (stage_ != Stage::kStores && !progressed_) look(warp, instruction, result, context);
  }
  bool progressed() const { return progressed_; }
  /// After a span of kCompare without progress: whether `warp` goes round for ever or stands at a barrier.
  bool stands_still(const WarpContext& warp) const;

 private:
  /// One warp's way through the kernel.
  struct Round {
    Visited visited;
    std::vector<std::uint16_t> inputs;
    std::uint32_t anchor = ~std::uint32_t{0};  // address of a branch at which its state is looked at
    std::uint64_t state = 0;                   // there, at an earlier visit
    std::uint64_t wake_ns = 0;                 // of the paths that slept then
    std::uint64_t visits = 0;
    bool repeats = false;
  };
  void look(const WarpContext& warp, const isa::Instruction& instruction, const isa::ExecuteResult& result,
            const isa::ExecuteContext& context);
  void compare(const isa::WarpState& warp, Round& round, const isa::Instruction& instruction, bool branched,
               std::uint64_t now_ns);

  Stage stage_ = Stage::kStores;
  bool progressed_ = false;
  Cycle since_ = 0;
  ControlInputs control_;
  std::size_t instructions_ = 0;
  std::vector<Round> rounds_;  // by slot, filled when needed
};

}  // namespace stc::sm
