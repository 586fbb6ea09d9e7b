// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/cta_dispatcher.h"

#include <algorithm>

#include "models/memory/time_base.h"

namespace stc::gpu {

using memory::kTicksPerCycle;

CtaDispatcher::CtaDispatcher(sc_core::sc_module_name name, const GpuParams& params,
                             std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>& sms)
    : sc_module(name), params_(params.launch), walk_(params), sms_(sms) {
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
  return walk_.round(ctas_ - next_, [this](int sm) { return sms_[static_cast<std::size_t>(sm)]->has_free_slot(); });
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
