// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/tensor_core/bench.h"

#include <gtest/gtest.h>

namespace stc::tensor_core {
namespace {

constexpr Cycle kLongest = 1000;  // of an instruction

}  // namespace

Bench::Bench(const TensorCoreParams& params, const arith::Numerics& numerics)
    : sc_module(sc_core::sc_module_name("bench")),
      clock_("clock", sc_core::sc_time(1, sc_core::SC_NS)),
      unit_("tensor_core", params, numerics) {
  unit_.clock(clock_);
  unit_.request(request_);
  unit_.ready(ready_);
  unit_.result(result_);
  SC_METHOD(drive);
  sensitive << clock_.posedge_event();
  dont_initialize();
}

void Bench::drive() {
  ++now_;
  for (const MmaResult& result : result_.read().ended) {
    if (!result.valid) continue;
    Outcome& outcome = outcomes_[result.tag];
    outcome.usable = now_;
    outcome.d.assign(result.d.begin(),
                     result.d.begin() + std::ptrdiff_t{(*requests_)[result.tag].op.c_registers()} * 32);
    outcome.error = result.error;
    ++finished_;
  }
  const bool entered = offered_ && ready_.read();
  if (entered) {
    outcomes_[next_++].issued = now_;
    offered_ = false;
    paused_ = 0;
  } else if (!offered_ && ready_.read()) {
    ++paused_;
  }
  if (!offered_) offer();
}

/// Puts the next instruction on the wires when it has waited long enough; idle until then.
void Bench::offer() {
  MmaRequest request;
  const int pause = next_ < pause_->size() ? (*pause_)[next_] : 0;
  if (next_ < requests_->size() && paused_ >= pause) {
    request = (*requests_)[next_];
    request.tag = next_;
    offered_ = true;
  }
  request_.write(request);
}

std::vector<Outcome> Bench::run(const std::vector<MmaRequest>& requests, const std::vector<int>& pause) {
  requests_ = &requests;
  pause_ = &pause;
  outcomes_.assign(requests.size(), Outcome{});
  next_ = finished_ = 0;
  for (Cycle i = 0; i < kLongest * requests.size() && finished_ < requests.size(); ++i) {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  }
  EXPECT_EQ(next_, requests.size()) << "the stimulus stopped early";
  EXPECT_EQ(finished_, requests.size()) << "instructions without a result";
  EXPECT_FALSE(requests.empty());
  return outcomes_;
}

}  // namespace stc::tensor_core
