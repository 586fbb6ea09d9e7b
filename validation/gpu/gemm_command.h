// SPDX-License-Identifier: Apache-2.0
// stcgpu gemm POINTS: times of many GEMMs of the kernel library, or the same launches once each under a profiler.
// POINTS holds a line per point: kernel m n k l2 (cold or warm). Operands are random; their bytes repeat every few
// megabytes, so that no time goes into making them. Metadata is legal everywhere.
#pragma once

#include <string>

#include "sim/base/data_folder.h"

namespace stc::silicon {

struct GemmCommand {
  std::string points, out;
  std::string micro_kernels = sim::data_folder() + "/validation/kernels";
  int runs = 21;         ///< least number of timed launches of a point
  double seconds = 0;    ///< no new point begins after this time; 0: no limit
  bool profile = false;  ///< one launch a point, between cuProfilerStart and cuProfilerStop; nothing is timed
};

int gemm(const GemmCommand& command);

}  // namespace stc::silicon
