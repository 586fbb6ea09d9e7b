// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/cta_dispatcher.h"

#include <algorithm>

#include "models/memory/time_base.h"

namespace stc::gpu {

using memory::kTicksPerCycle;

CtaDispatcher::CtaDispatcher(sc_core::sc_module_name name, const GpuParams& params,
                             std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>& sms)
    : sc_module(name), params_(params.launch), gpcs_(params.gpcs), sms_(sms) {
  SC_METHOD(dispatch);
  sensitive << work_;
  dont_initialize();
}

void CtaDispatcher::begin_launch(std::uint64_t ctas) {
  ctas_ = ctas;
  next_ = ended_ = free_at_ = 0;
  freed_.clear();
  first_wave_due_ = true;
  work_.notify(sc_core::SC_ZERO_TIME);
}

void CtaDispatcher::slot_freed(int sm) {
  ++ended_;
  if (freed_.empty()) work_.notify(memory::until_arbitration());
  freed_.push_back(sm);
}

void CtaDispatcher::start_on(int sm) {
  const std::uint64_t now = memory::to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle;
  const std::uint64_t when = std::max(now, free_at_);
  free_at_ = when + static_cast<std::uint64_t>(params_.dispatch_interval);
  sms_[static_cast<std::size_t>(sm)]->start_cta(next_++, when);
}

std::vector<int> CtaDispatcher::next_round() const {
  std::vector<int> sms;
  for (int sm = 0; sm < static_cast<int>(sms_.size()); ++sm) {
    if (sms_[static_cast<std::size_t>(sm)]->has_free_slot()) sms.push_back(sm);
  }
  // With CTAs for some SMs only, they are spread over pairs of SMs first and over GPCs evenly.
  std::stable_sort(sms.begin(), sms.end(), [](int a, int b) { return a % 2 < b % 2; });
  const std::uint64_t left = ctas_ - next_;
  if (left < sms.size()) sms.resize(left);
  std::stable_sort(sms.begin(), sms.end(), [this](int a, int b) {
    const int gpc_a = gpc_of(a, gpcs_), gpc_b = gpc_of(b, gpcs_);
    return gpc_a != gpc_b ? gpc_a < gpc_b : a < b;
  });
  return sms;
}

void CtaDispatcher::first_wave() {
  for (std::vector<int> sms = next_round(); !sms.empty(); sms = next_round()) {
    for (const int sm : sms) start_on(sm);
  }
}

void CtaDispatcher::dispatch() {
  if (first_wave_due_) {
    first_wave_due_ = false;
    first_wave();
    return;
  }
  std::sort(freed_.begin(), freed_.end());
  for (const int sm : freed_) {
    if (next_ < ctas_) start_on(sm);
    on_progress();
  }
  freed_.clear();
}

}  // namespace stc::gpu
