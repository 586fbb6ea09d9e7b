// SPDX-License-Identifier: Apache-2.0
#include "models/memory/crossbar.h"

#include <algorithm>

namespace stc::memory {
Crossbar::Crossbar(sc_core::sc_module_name name, int sms, const MemoryParams& params)
    : sc_module(name),
      from_sm("from_sm", static_cast<std::size_t>(sms)),
      to_partition("to_partition", static_cast<std::size_t>(params.l2.partitions)),
      params_(params),
      inbox_(static_cast<std::size_t>(sms)),
      request_port_(inbox_.size(), Server(1.0 / std::max(1e-6, params.crossbar.request_interval))),
      read_port_(inbox_.size(), Server(params.crossbar.sm_read_bytes_per_cycle)),
      write_port_(inbox_.size(), Server(params.crossbar.sm_write_bytes_per_cycle)),
      read_all_(params.crossbar.read_bytes_per_cycle) {
  for (std::size_t sm = 0; sm < from_sm.size(); ++sm) {
    from_sm[sm].register_nb_transport_fw(this, &Crossbar::nb_transport_fw, static_cast<int>(sm));
  }
  SC_METHOD(serve);
  sensitive << work_;
  dont_initialize();
}

void Crossbar::reset() {
  for (auto& box : inbox_) box.clear();
  waiting_.clear();
  for (std::size_t sm = 0; sm < inbox_.size(); ++sm) {
    request_port_[sm].reset();
    read_port_[sm].reset();
    write_port_[sm].reset();
  }
  read_all_.reset();
}

tlm::tlm_sync_enum Crossbar::nb_transport_fw(int sm, tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                             sc_core::sc_time&) {
  auto& box = inbox_[static_cast<std::size_t>(sm)];
  if (box.empty()) {
    if (waiting_.empty()) work_.notify(until_arbitration());
    waiting_.push_back(sm);
  }
  box.push_back(&payload);
  return tlm::TLM_ACCEPTED;
}

void Crossbar::serve() {
  const auto cycle = to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle;
  const int sms = static_cast<int>(inbox_.size());
  const int first = static_cast<int>(cycle % static_cast<std::uint64_t>(sms));
  std::sort(waiting_.begin(), waiting_.end(),
            [first, sms](int a, int b) { return (a - first + sms) % sms < (b - first + sms) % sms; });
  for (const int sm : waiting_) {
    auto& box = inbox_[static_cast<std::size_t>(sm)];
    for (tlm::tlm_generic_payload* payload : box) serve_one(sm, *payload);
    box.clear();
  }
  waiting_.clear();
}

void Crossbar::serve_one(int sm, tlm::tlm_generic_payload& payload) {
  const auto port = static_cast<std::size_t>(sm);
  LineRequest& request = *payload.get_extension<LineRequest>();
  const int bytes = sector_count(request.sectors) * static_cast<int>(kSectorBytes);
  request.waited = 0;
  queue_at(request, request_port_[port], 1.0);
  if (payload.is_write()) {
    queue_at(request, write_port_[port], bytes);
  } else {
    queue_at(request, read_port_[port], bytes);
    queue_at(request, read_all_, bytes);
  }
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  to_partition[static_cast<std::size_t>(request.partition)]->b_transport(payload, delay);
  if (payload.is_read()) {
    delay += to_time(cycles_to_ticks(params_.l2.near_latency) - kArbitration + request.waited);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    from_sm[port]->nb_transport_bw(payload, phase, delay);
  }
  payload.release();
}

}  // namespace stc::memory
