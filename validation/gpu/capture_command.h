// SPDX-License-Identifier: Apache-2.0
// stcgpu capture: runs a CUDA program on a real GPU and keeps its launches as run files with data.
#pragma once

#include <string>
#include <vector>

namespace stc::silicon {

struct CaptureCommand {
  std::vector<std::string> program;  ///< with its arguments
  std::string out_folder;
  std::string launches;  ///< "3,7-9"; empty: all
  std::string gpu_file;  ///< that the run files name
};

/// Returns the program's own exit code, 128 + N where signal N ended it. UserError when it cannot be started, or a file
/// cannot be written.
int capture(const CaptureCommand& command);

}  // namespace stc::silicon
