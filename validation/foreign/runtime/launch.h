// SPDX-License-Identifier: Apache-2.0
// One launch: written as a run file with cubin and memory image, run by `stcsim run`, its memory read back.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "validation/foreign/runtime/program.h"

namespace stc::foreign {

struct LaunchRequest {
  const void* kernel = nullptr;
  dim3 grid, block;
  void** arguments = nullptr;
  std::size_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  dim3 cluster{1, 1, 1};
};

/// Ends the program when the simulator refuses the launch or finds a fault: kExitRefused, kExitFault.
/// $FOREIGN_LAUNCHES names the folder of the recorded launches, $FOREIGN_BLOBS that of their files' contents,
/// $FOREIGN_STCSIM the simulator and $FOREIGN_GPU the file of the GPU.
cudaError_t launch(const LaunchRequest& request);

}  // namespace stc::foreign
