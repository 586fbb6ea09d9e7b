// SPDX-License-Identifier: Apache-2.0
// A cold L2 cache on a real GPU.
#pragma once

#include <string>

#include "validation/gpu/cuda_driver.h"

namespace stc::silicon {

/// Cubins of the newest architecture that the GPU runs: 80 or 90.
int cubin_version(const DeviceFacts& facts);

/// Empties L2 of everything else: reads a region of several times its size, so that no dirty lines remain either.
class L2Flush {
 public:
  /// `kernels` is the folder with sm_80/ and sm_90/ of the microbenchmarks (micro_global.cubin does the reading).
  L2Flush(const DeviceFacts& facts, const std::string& kernels);
  void operator()();

 private:
  Module module_;
  CUfunction function_;
  DeviceBuffer region_, clocks_;
  Arguments arguments_;
  LaunchShape shape_;
};

}  // namespace stc::silicon
