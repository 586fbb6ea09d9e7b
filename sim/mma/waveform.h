// SPDX-License-Identifier: Apache-2.0
// One matrix instruction on its way through the tensor core, as a waveform (VCD) and a save file that opens it in
// GTKWave with its signals grouped. One cycle is one nanosecond of the waveform.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/tensor_core/step_schedule.h"
#include "sim/mma/mma_case.h"

namespace stc::sim {

struct WaveformRequest {
  const MmaCase* mma = nullptr;  ///< operation and operands
  const arith::Numerics* numerics = nullptr;
  tensor_core::TensorCoreParams params;
  std::string file;  ///< ends in .vcd; the save file has .gtkw instead
};

struct Waveform {
  std::vector<std::uint8_t> vcd;
  std::vector<std::uint32_t> d;  ///< D register image [registers][32] that the unit computed
  int latency = 0;               ///< cycles from issue until D can be read
};

/// Runs the instruction. Once per process: SystemC elaborates once. UserError when the unit cannot run it.
Waveform record_waveform(const WaveformRequest& request);

/// GTKWave's save file for that waveform.
std::string gtkwave_save_file(const tensor_core::StepSchedule& schedule, const std::string& vcd_file);

/// Name of the save file of a waveform; UserError unless `vcd_file` ends in .vcd.
std::string save_file_of(const std::string& vcd_file);

/// Records and writes both files; returns the name of the save file.
std::string write_waveform(const WaveformRequest& request);

}  // namespace stc::sim
