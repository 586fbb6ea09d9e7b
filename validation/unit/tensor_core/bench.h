// SPDX-License-Identifier: Apache-2.0
// A tensor core with a driver that issues a list of instructions, each as early as allowed, and notes what comes out.
// One per process: SystemC elaborates once.
#pragma once

#include <string>
#include <vector>

#include "models/tensor_core/tensor_core.h"

namespace stc::tensor_core {

struct Outcome {
  Cycle issued = 0;
  Cycle usable = 0;  ///< first cycle in which D may be read
  std::vector<std::uint32_t> d;
  std::string error;
};

class Bench : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Bench);
  Bench(const TensorCoreParams& params, const arith::Numerics& numerics);

  /// Simulates until every instruction has given D. `pause[i]` cycles pass between the earliest cycle and issue i;
  /// instructions without an entry do not wait. Fails the test when the stimulus did not finish.
  std::vector<Outcome> run(const std::vector<MmaRequest>& requests, const std::vector<int>& pause = {});

 private:
  void drive();
  void offer();

  sc_core::sc_clock clock_;
  sc_core::sc_signal<MmaRequest> request_;
  sc_core::sc_signal<bool> ready_;
  sc_core::sc_signal<MmaResults> result_;
  TensorCore unit_;
  const std::vector<MmaRequest>* requests_ = nullptr;
  const std::vector<int>* pause_ = nullptr;
  std::vector<Outcome> outcomes_;
  std::size_t next_ = 0, finished_ = 0;
  bool offered_ = false;
  int paused_ = 0;
  Cycle now_ = 0;
};

}  // namespace stc::tensor_core
