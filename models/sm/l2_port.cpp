// SPDX-License-Identifier: Apache-2.0
#include "models/sm/l2_port.h"

#include <algorithm>

#include "models/core/time_base.h"

namespace stc::sm {

L2Port::L2Port(int sm, int partition, memory::PayloadPool& payloads, SmStatistics& statistics)
    : to_crossbar("to_crossbar"), sm_(sm), partition_(partition), statistics_(statistics), payloads_(payloads) {
  to_crossbar.register_nb_transport_bw(this, &L2Port::nb_transport_bw);
}

void L2Port::begin_launch(const LaunchContext* launch) {
  launch_ = launch;
  waiting_.clear();
  leaving_.clear();
  listed_ = entered_ = left_ = 0;
  looked_at_ = {};
  begin_cycle(0);
}

void L2Port::send(const LineQuery& query) {
  count(query, memory::sector_count(query.access.sectors));
  waiting_.push_back({now_, query});
  sent_ = true;
  stores_ |= query.write;
  atomics_ |= query.atomic;
}

void L2Port::hand_over(Cycle cycle) {
  if (waiting_.empty()) return;
  if (leaving_.empty() && waiting_.back().cycle < cycle) return leaving_.swap(waiting_);
  const auto end =
      std::find_if(waiting_.begin(), waiting_.end(), [cycle](const Leaving& one) { return one.cycle >= cycle; });
  leaving_.insert(leaving_.end(), waiting_.begin(), end);
  waiting_.erase(waiting_.begin(), end);
}

void L2Port::flush(Cycle cycle) {
  for (; left_ < leaving_.size() && leaving_[left_].cycle == cycle; ++left_) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    to_crossbar->nb_transport_fw(payload_of(leaving_[left_]), phase, delay);
  }
  if (left_ < leaving_.size()) return;
  leaving_.clear();
  listed_ = entered_ = left_ = 0;
  looked_at_ = {};
}

tlm::tlm_generic_payload& L2Port::payload_of(const Leaving& leaving) {
  const LineQuery& query = leaving.query;
  tlm::tlm_generic_payload& payload = payloads_.acquire();
  memory::LineRequest& request = memory::request_of(payload);
  payload.set_address(query.access.line * memory::kLineBytes);
  payload.set_command(query.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  request.sectors = query.access.sectors;
  request.atomic = query.atomic;
  request.packets = query.access.packets;
  request.passes = query.access.passes;
  request.waits_for_sum = query.waits_for_sum;
  request.leaves_in = query.leaves_in;
  request.whole_line = query.whole_line;
  request.role = query.role;
  request.sm = sm_;
  request.partition = partition_;
  request.token = query.token;
  request.sent = leaving.cycle;
  request.waited = leaving.waited;
  request.entered = leaving.entered;
  return payload;
}

void L2Port::count(const LineQuery& query, int sectors) {
  ++statistics_.l2_requests;
  statistics_.l2_sectors += static_cast<std::uint64_t>(sectors);
  (query.write ? statistics_.l2.write : statistics_.l2.read)[static_cast<std::size_t>(query.role)] +=
      static_cast<std::uint64_t>(sectors) * memory::kSectorBytes;
  if (launch_->probe == nullptr) return;
  launch_->probe->memory_request({sm_, now_ - launch_->start_cycle, query.access.line * memory::kLineBytes, sectors,
                                  query.write, query.role, query.instruction});
}

tlm::tlm_sync_enum L2Port::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                           sc_core::sc_time& delay) {
  const Tick arrival = to_ticks(sc_core::sc_time_stamp()) + to_ticks(delay);
  const Cycle cycle = last_cycle(arrival);
  if (phase == tlm::END_REQ) {
    on_hold(cycle);
    return tlm::TLM_ACCEPTED;
  }
  on_response(memory::request_of(payload).token, cycle);
  return tlm::TLM_COMPLETED;
}

}  // namespace stc::sm
