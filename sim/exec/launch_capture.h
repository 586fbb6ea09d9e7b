// SPDX-License-Identifier: Apache-2.0
// A launch of a program under `stcsim exec` as a run file with its data: before() and after() it, then commit().
// What is not kept: the heap behind device malloc, and managed memory as such (its bytes are).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sim/exec/program_launch.h"
#include "sim/launch/launch_writer.h"

namespace stc::sim {

class LaunchCapture {
 public:
  LaunchCapture(const std::string& folder, std::uint64_t number, ProgramState& state, const ProgramFunction& function);

  void before(const std::string& gpu_file, const ProgramFunction& function, const remote::LaunchShape& shape,
              const std::vector<isa::KernelParameter>& parameters, const std::vector<std::uint8_t>& block);
  /// What the launch has changed becomes what the run file expects.
  void after();
  /// UserError when a file cannot be written.
  void commit() { writer_.commit(); }

 private:
  template <class Visit>
  void for_each_buffer(const Visit& visit);

  LaunchWriter writer_;
  ProgramState& state_;
  ProgramModule& module_;
  std::set<std::uint64_t> kept_;  ///< addresses of buffers that were there before the launch
};

}  // namespace stc::sim
