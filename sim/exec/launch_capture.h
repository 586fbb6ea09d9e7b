// SPDX-License-Identifier: Apache-2.0
// A launch of a program as a run file with all that it needs, for `stcsim run` and `stcgpu run`:
//   FOLDER/003/run.yaml      the third launch: grid, arguments as bytes, every allocation at its address
//   FOLDER/data/HASH.bin     cubins and contents of buffers, equal ones once
#pragma once

#include <string>
#include <vector>

#include "sim/exec/program_launch.h"

namespace stc::sim {

/// To be called before the launch. UserError when a file cannot be written. What is not kept: the heap behind device
/// malloc, and managed memory as such (its bytes are).
void capture_launch(const std::string& folder, std::uint64_t number, const std::string& gpu_file, ProgramState& state,
                    const ProgramFunction& function, const remote::LaunchShape& shape,
                    const std::vector<isa::KernelParameter>& parameters, const std::vector<std::uint8_t>& block);

}  // namespace stc::sim
