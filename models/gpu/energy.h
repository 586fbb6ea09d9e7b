// SPDX-License-Identifier: Apache-2.0
// Models:   joules of a launch: what was counted times what an event costs, and constant power over its time.
// Evidence: the energy keys of the GPU file; scripts/fit_energy finds those of an H200 from loops that keep one part busy.
// Abstracts: values of operands (random ones; zeros as the other end), temperature, order of events.
// Timing:   none; a launch that would exceed the board's power limit is said to run at a lower clock, but is not simulated
//           so.
#pragma once

#include <array>
#include <cstdint>

namespace stc::gpu {

struct GpuParams;
struct RunStatistics;

enum class EnergyPart : std::uint8_t {
  kConstant,      ///< board and idle SMs, over the elapsed time
  kSms,           ///< SMs that hold CTAs
  kInstructions,  ///< issue and lanes
  kTensor,        ///< multiply-accumulates
  kRegisterFile,  ///< operands of matrix instructions
  kShared,
  kL1,
  kL2,
  kDram,
  kCount
};
constexpr int kEnergyParts = static_cast<int>(EnergyPart::kCount);
const char* name_of(EnergyPart part);     ///< key in the result, e.g. "register_file"
const char* meaning_of(EnergyPart part);  ///< one sentence

/// Joules of one launch.
struct Energy {
  bool known = false;                           ///< false: matrix instructions of types whose energy nobody states
  std::array<double, kEnergyParts> joules{};    ///< operands of random values
  std::array<double, kEnergyParts> of_zeros{};  ///< operands that are zeros
  double seconds = 0;                           ///< elapsed
  // Where the mean power would exceed the limit: at which clock it does not, and what the launch then takes.
  double limited_mhz = 0, limited_seconds = 0, limited_joules = 0;

  double total() const;
  double total_of_zeros() const;
  double watts() const { return seconds > 0 ? total() / seconds : 0.0; }
};

/// `run` with all counters and times set.
Energy energy_of(const RunStatistics& run, const GpuParams& gpu);

}  // namespace stc::gpu
