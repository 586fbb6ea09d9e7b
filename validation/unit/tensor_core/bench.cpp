// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/tensor_core/bench.h"

#include <gtest/gtest.h>

#include "models/core/time_base.h"

namespace stc::tensor_core {
namespace {

Cycle now() { return to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle; }

}  // namespace

Bench::Bench(const TensorCoreParams& params)
    : sc_module(sc_core::sc_module_name("bench")), unit("tensor_core", params) {
  SC_METHOD(drive);
  sensitive << tick_;
  dont_initialize();
  unit.on_result = [this](std::uint64_t tag, const std::vector<std::uint32_t>& d) {
    outcomes_[tag].usable = now() + 1;
    outcomes_[tag].d = d;
    ++finished_;
  };
}

void Bench::drive() {
  if (unit.ready(now())) {
    const int pause = next_ < pause_->size() ? (*pause_)[next_] : 0;
    if (paused_++ >= pause) {
      paused_ = 0;
      MmaRequest request = (*requests_)[next_];
      request.tag = next_;
      outcomes_[next_++].issued = now();
      unit.issue(std::move(request));
    }
  }
  if (next_ < requests_->size()) tick_.notify(to_time(kTicksPerCycle));
}

std::vector<Outcome> Bench::run(const std::vector<MmaRequest>& requests, const std::vector<int>& pause) {
  requests_ = &requests;
  pause_ = &pause;
  outcomes_.assign(requests.size(), Outcome{});
  next_ = finished_ = 0;
  tick_.notify(to_time(kTicksPerCycle));
  sc_core::sc_start();  // until nothing is left to do
  EXPECT_EQ(next_, requests.size()) << "the stimulus stopped early";
  EXPECT_EQ(finished_, requests.size()) << "instructions without a result";
  EXPECT_FALSE(requests.empty());
  return outcomes_;
}

}  // namespace stc::tensor_core
