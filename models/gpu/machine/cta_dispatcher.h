// SPDX-License-Identifier: Apache-2.0
// Models:   the work distributor: hands CTAs in order of their linear index to SMs.
// Evidence: configs/gpus/*.yaml, launch; measured/h200/ctas.csv for the order.
// Abstracts: several kernels at once; the GPC at which CTAs are counted from, which varies on silicon; that the first
//           SMs get their second CTAs already between those of other GPCs when all get two.
// Timing:   one CTA per dispatch_interval, of a GPC one per gpc_dispatch_interval; at first one CTA for every SM before
//           any gets a second. The walk of sm_layout.h says which SMs get the CTAs when there are not enough; indices
//           then count up SM after SM of the first group, GPC after GPC of the others. Later the SM whose CTA ended
//           first. Clusters go to GPCs in turn (cluster_walk.h), when one has room for all of their CTAs.
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "models/gpu/cluster_walk.h"
#include "models/gpu/gpu_params.h"
#include "models/gpu/sm_layout.h"
#include "models/sm/streaming_multiprocessor.h"

namespace stc::gpu {

class CtaDispatcher : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(CtaDispatcher);
  CtaDispatcher(sc_core::sc_module_name name, const GpuParams& params,
                std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>& sms);

  void begin_launch(const sm::LaunchContext& launch);
  /// A CTA slot of `sm` is free again.
  void slot_freed(int sm);
  bool done() const { return ended_ == ctas_; }
  std::uint64_t ended() const { return ended_; }
  /// Called with every CTA that was sent to an SM and the cycle in which it gets there.
  std::function<void(int sm, std::uint64_t cta, std::uint64_t cycle)> on_start;
  /// Asked which CTA comes where `cta` is due, `cta` itself or a later one; those between count as ended. Empty: all
  /// come.
  std::function<std::uint64_t(std::uint64_t cta)> leave_out;

 private:
  void dispatch();
  /// Whether there is a CTA to be sent, those that are left out being passed over.
  bool has_next();
  void first_wave();
  std::vector<int> next_round() const;
  void start_clusters(int latency);
  void start_cluster(std::uint64_t number, const std::vector<int>& sms, int latency);
  void start_on(int sm, std::uint64_t cta, int latency, const std::shared_ptr<sm::Cluster>& cluster = nullptr,
                std::uint32_t rank = 0);

  const LaunchParams params_;
  const int tpc_sms_;
  const std::vector<int> gpc_of_sm_;
  const SmWalk walk_;
  ClusterWalk cluster_walk_;
  const sm::ClusterParams cluster_params_;
  std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>& sms_;
  std::uint64_t ctas_ = 0;
  isa::Dim3 grid_;
  std::optional<isa::Dim3> cluster_;  ///< none: no clusters
  std::uint64_t next_ = 0;            ///< CTA or cluster
  std::uint64_t ended_ = 0;
  std::uint64_t free_at_ = 0;               ///< cycle at which the dispatcher can send the next CTA
  std::vector<std::uint64_t> gpc_free_at_;  ///< and at which a GPC can start one
  bool first_wave_due_ = false;
  std::vector<int> freed_;  ///< SMs that reported in this cycle
  sc_core::sc_event work_;
};

}  // namespace stc::gpu
