// SPDX-License-Identifier: Apache-2.0
// Several probes in the place of one.
#pragma once

#include <algorithm>
#include <vector>

#include "models/core/probe.h"

namespace stc::sim {

class ProbeList : public Probe {
 public:
  void add(Probe& probe) { probes_.push_back(&probe); }
  /// That which stands for all of them: one alone for itself, none for nobody.
  Probe* get() { return probes_.empty() ? nullptr : probes_.size() == 1 ? probes_.front() : this; }

  bool only_ctas() const override {
    return std::all_of(probes_.begin(), probes_.end(), [](const Probe* probe) { return probe->only_ctas(); });
  }
  bool takes_sms_apart() const override {
    return std::all_of(probes_.begin(), probes_.end(), [](const Probe* probe) { return probe->takes_sms_apart(); });
  }
  void issue(const IssueEvent& event) override { tell(&Probe::issue, event); }
  void stall(const StallEvent& event) override { tell(&Probe::stall, event); }
  void wavefronts(const WavefrontEvent& event) override { tell(&Probe::wavefronts, event); }
  void l1_hit(const L1HitEvent& event) override { tell(&Probe::l1_hit, event); }
  void memory_request(const MemoryEvent& event) override { tell(&Probe::memory_request, event); }
  void l2_access(const L2Event& event) override { tell(&Probe::l2_access, event); }
  void dram_access(const DramEvent& event) override { tell(&Probe::dram_access, event); }
  void cta_begin(const CtaRecord& cta) override { tell(&Probe::cta_begin, cta); }
  void cta_end(const CtaRecord& cta) override { tell(&Probe::cta_end, cta); }

 private:
  template <class Event>
  void tell(void (Probe::*of)(const Event&), const Event& event) {
    for (Probe* const probe : probes_) (probe->*of)(event);
  }
  std::vector<Probe*> probes_;
};

}  // namespace stc::sim
