// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library as far as energy needs it, loaded when the program runs. Nothing here changes a setting.
#pragma once

#include <cstdint>
#include <string>

namespace stc::silicon {

/// What the board says of itself at one moment.
struct BoardState {
  double watts = 0;  ///< mean over the last moments, as the driver does it
  int sm_mhz = 0, memory_mhz = 0;
  int celsius = 0;
  std::uint64_t clock_limits = 0;  ///< bits of nvmlClocksEventReasons: 1 idle, 4 power cap, 8 hardware slowdown ...
};

class Nvml {
 public:
  /// The first GPU. Throws std::runtime_error where the library or a function of it is missing.
  Nvml();
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  std::uint64_t millijoules() const;  ///< since the driver was loaded
  BoardState state() const;
  double limit_watts() const;
  std::string driver() const;

 private:
  void* symbol(const char* name) const;
  void* library_ = nullptr;
  void* device_ = nullptr;
};

}  // namespace stc::silicon
