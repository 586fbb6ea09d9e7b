// SPDX-License-Identifier: Apache-2.0
// stcgpu run FILE: a run file on silicon. Buffers, arguments and outputs are those of stcsim run, and so is the format
// of the result (sim/result/result_json.h): a measurement in place of what only a simulator can count.
#pragma once

#include <string>
#include <vector>

#include "sim/base/data_folder.h"

namespace stc::silicon {

struct RunCommand {
  std::string file;
  std::vector<std::string> sets;
  std::string json_file;   ///< "-" prints it
  std::string out_folder;  ///< for saved buffers; empty: where the run file says
  std::string micro_kernels = sim::data_folder() + "/validation/kernels";
  int runs = 21;
};

/// Returns the exit code: 1 when a checked D is wrong.
int run(const RunCommand& command);

}  // namespace stc::silicon
