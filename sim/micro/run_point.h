// SPDX-License-Identifier: Apache-2.0
// One microbenchmark in the simulator, from the cubin that the GPU ran, launched as on the GPU: buffers filled with
// zeros, one launch to warm L2 (unless it was flushed), one that counts.
#pragma once

#include <string>

#include "models/gpu/run_statistics.h"
#include "models/isa/state/kernel.h"
#include "sim/micro/point.h"

namespace stc::gpu {
class Machine;
}

namespace stc::micro {

struct Outcome {
  gpu::RunStatistics run;  ///< of the launch that counts
  /// The same numbers as Point::measured, in the same order.
  std::vector<double> simulated;
  std::uint64_t operations = 0;  ///< interval: of the first warp
};

class Runner {
 public:
  /// `cubins` holds sm_80/ and sm_90/. With `check_dependences` a dependence that control codes do not keep is a fault.
  Runner(gpu::Machine& machine, std::string cubins, bool check_dependences = false)
      : machine_(machine), cubins_(std::move(cubins)), check_dependences_(check_dependences) {}

  /// Throws what loading or simulating throws: UserError, isa::SimulatedFault, gpu::Deadlock, gpu::LaunchError.
  Outcome run(const Point& point);

 private:
  const isa::Kernel& kernel(const Point& point);

  gpu::Machine& machine_;
  std::string cubins_;
  bool check_dependences_;
  isa::Kernel kernel_;  // the last one used
  std::string kernel_name_;
  std::map<std::string, std::vector<std::uint8_t>> files_;
};

}  // namespace stc::micro
