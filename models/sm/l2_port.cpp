// SPDX-License-Identifier: Apache-2.0
#include "models/sm/l2_port.h"

#include <algorithm>

#include "models/core/time_base.h"

namespace stc::sm {

L2Port::L2Port(int sm, int partition, SmStatistics& statistics)
    : sm_(sm), partition_(partition), statistics_(statistics) {}

void L2Port::connect(memory::Crossbar& crossbar) {
  crossbar_ = &crossbar;
  crossbar.connect(sm_, *this);
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
    crossbar_->send(sm_, request_of(leaving_[left_]));
  }
  if (left_ < leaving_.size()) return;
  leaving_.clear();
  listed_ = entered_ = left_ = 0;
  looked_at_ = {};
}

memory::LineRequest& L2Port::request_of(const Leaving& leaving) {
  const LineQuery& query = leaving.query;
  memory::LineRequest& request = crossbar_->new_request();
  request.line = query.access.line;
  request.write = query.write;
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
  return request;
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

}  // namespace stc::sm
