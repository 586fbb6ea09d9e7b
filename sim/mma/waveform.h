// SPDX-License-Identifier: Apache-2.0
// One matrix instruction on its way through the tensor core, as a waveform (VCD) and a save file that opens it in
// GTKWave with its signals grouped. One cycle is one nanosecond of the waveform.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/sm/sm_params.h"
#include "models/tensor_core/step_schedule.h"
#include "models/tensor_core/warpgroup_cores.h"
#include "sim/mma/mma_case.h"

namespace stc::sim {

struct WaveformRequest {
  const MmaCase* mma = nullptr;  ///< operation and operands
  const arith::Numerics* numerics = nullptr;
  tensor_core::TensorCoreParams params;
  std::string file;                    ///< ends in .vcd; the save file has .gtkw instead
  sm::WarpgroupParams warpgroup = {};  ///< for operations of warpgroups
};

struct Waveform {
  std::vector<std::uint8_t> vcd;
  /// D that the unit computed: a register image [registers][32], of a warpgroup the matrix [m][n].
  std::vector<std::uint32_t> d;
  int latency = 0;  ///< cycles from issue until D can be read
};

/// Runs the instruction. Once per process: SystemC elaborates once. UserError when the unit cannot run it.
Waveform record_waveform(const WaveformRequest& request);

/// GTKWave's save file for that waveform.
std::string gtkwave_save_file(const tensor_core::StepSchedule& schedule, const std::string& vcd_file);
std::string gtkwave_save_file(const tensor_core::WarpgroupSchedule& schedule, const std::string& vcd_file);

/// How the four tensor cores of such an SM go through an operation of a warpgroup with A in shared memory.
tensor_core::WarpgroupSchedule warpgroup_schedule(const isa::MmaOp& op, const sm::WarpgroupParams& params);

/// Name of the save file of a waveform; UserError unless `vcd_file` ends in .vcd.
std::string save_file_of(const std::string& vcd_file);

/// Records and writes both files; returns the name of the save file.
std::string write_waveform(const WaveformRequest& request);

}  // namespace stc::sim
