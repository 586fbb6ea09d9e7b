// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/machine/cta_dispatcher.h"

#include <algorithm>

#include "models/core/time_base.h"

namespace stc::gpu {

CtaDispatcher::CtaDispatcher(sc_core::sc_module_name name, const GpuParams& params,
                             std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>& sms)
    : sc_module(name),
      params_(params.launch),
      tpc_sms_(params.tpc_sms),
      gpc_of_sm_(gpc_of_sms(params)),
      walk_(params),
      cluster_walk_(params),
      cluster_params_(params.sm.cluster),
      sms_(sms) {
  SC_METHOD(dispatch);
  sensitive << work_;
  dont_initialize();
}

void CtaDispatcher::begin_launch(const sm::LaunchContext& launch) {
  grid_ = launch.grid;
  cluster_ = launch.cluster;
  ctas_ = grid_.count();
  if (cluster_) cluster_walk_.reset(ctas_ / cluster_->count());
  next_ = ended_ = free_at_ = 0;
  gpc_free_at_.assign(gpc_of_sm_.size(), 0);
  freed_.clear();
  first_wave_due_ = true;
  work_.notify(sc_core::SC_ZERO_TIME);
}

void CtaDispatcher::slot_freed(int sm) {
  ++ended_;
  if (freed_.empty()) work_.notify(until_arbitration());
  freed_.push_back(sm);
}

void CtaDispatcher::start_on(int sm, std::uint64_t cta, int latency, const std::shared_ptr<sm::Cluster>& cluster,
                             std::uint32_t rank) {
  const std::uint64_t now = to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle;
  const std::uint64_t sent = std::max(now + static_cast<std::uint64_t>(latency), free_at_);
  free_at_ = sent + static_cast<std::uint64_t>(params_.dispatch_interval);
  const auto place = static_cast<std::size_t>(sm);
  std::uint64_t& gpc_free_at = gpc_free_at_[static_cast<std::size_t>(gpc_of_sm_[place])];
  const std::uint64_t when = std::max(sent, gpc_free_at);
  gpc_free_at = when + static_cast<std::uint64_t>(params_.gpc_dispatch_interval);
  on_start(sm, cta, when);
  sms_[place]->start_cta(cta, when, cluster, rank);
}

void CtaDispatcher::start_clusters(int latency) {
  const std::uint64_t clusters = ctas_ / cluster_->count();
  const auto free = [this](int sm) { return sms_[static_cast<std::size_t>(sm)]->free_slots(); };
  while (next_ < clusters) {
    const std::vector<int> sms = cluster_walk_.place(cluster_->count(), free);
    if (sms.empty()) return;
    start_cluster(next_++, sms, latency);
  }
}

void CtaDispatcher::start_cluster(std::uint64_t number, const std::vector<int>& sms, int latency) {
  const isa::Dim3 size = *cluster_;
  const std::uint64_t wide = grid_.x / size.x, high = grid_.y / size.y;
  const std::uint64_t x = number % wide * size.x, y = number / wide % high * size.y, z = number / wide / high * size.z;
  const bool pair = sms.front() >= static_cast<int>(sms_.size()) - params_.first_sms;
  const auto cluster =
      std::make_shared<sm::Cluster>(static_cast<std::uint32_t>(number), sms.size(), cluster_params_, pair);
  for (std::uint32_t rank = 0; rank < sms.size(); ++rank) {
    const std::uint64_t row = y + rank / size.x % size.y, plane = z + rank / size.x / size.y;
    start_on(sms[rank], x + rank % size.x + grid_.x * (row + grid_.y * plane), latency, cluster, rank);
  }
}

std::vector<int> CtaDispatcher::next_round() const {
  return walk_.round(ctas_ - next_, [this](int sm) { return sms_[static_cast<std::size_t>(sm)]->free_slots() > 0; });
}

void CtaDispatcher::first_wave() {
  for (std::vector<int> sms = next_round(); !sms.empty(); sms = next_round()) {
    // Second SMs of TPCs start after all first ones.
    for (int place = 0; place < tpc_sms_; ++place) {
      for (std::size_t i = 0; i < sms.size(); ++i) {
        if (sms[i] % tpc_sms_ == place) start_on(sms[i], next_ + i, 0);
      }
    }
    next_ += sms.size();
  }
}

bool CtaDispatcher::has_next() {
  if (leave_out && next_ < ctas_) {
    const std::uint64_t due = leave_out(next_);
    ended_ += due - next_;
    next_ = due;
  }
  return next_ < ctas_;
}

void CtaDispatcher::dispatch() {
  if (first_wave_due_) {
    first_wave_due_ = false;
    cluster_ ? start_clusters(0) : first_wave();
    return;
  }
  std::sort(freed_.begin(), freed_.end());
  for (const int sm : freed_) {
    if (!cluster_ && has_next()) start_on(sm, next_++, params_.cta_end_latency);
  }
  freed_.clear();
  if (cluster_) start_clusters(params_.cta_end_latency);
}

}  // namespace stc::gpu
