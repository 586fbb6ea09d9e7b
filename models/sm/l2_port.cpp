// SPDX-License-Identifier: Apache-2.0
#include "models/sm/l2_port.h"

#include <algorithm>
#include <utility>

#include "models/core/time_base.h"

namespace stc::sm {

L2Port::L2Port(int sm, int partition, SmStatistics& statistics)
    : sm_(sm), partition_(partition), statistics_(statistics) {}

void L2Port::connect(memory::Crossbar& crossbar) {
  crossbar_ = &crossbar;
  crossbar.connect(sm_, partition_, *this);
}

void L2Port::begin_launch(const LaunchContext* launch) {
  launch_ = launch;
  waiting_.clear();
  leaving_.clear();
  responses_.clear();
  told_ = {};
  begin_cycle(0);
}

void L2Port::send(const LineQuery& query) {
  count(query, memory::sector_count(query.access.sectors));
  waiting_.push_back(sent_query(query));
  sent_ = true;
  stores_ |= query.write;
  atomics_ |= query.atomic;
}

memory::SentQuery L2Port::sent_query(const LineQuery& query) const {
  memory::SentQuery sent;
  sent.line = query.access.line;
  sent.sent = now_;
  sent.sm = sm_;
  sent.token = query.token;
  sent.sectors = query.access.sectors;
  sent.write = query.write;
  sent.atomic = query.atomic;
  sent.whole_line = query.whole_line;
  sent.intake = query.intake;
  sent.role = query.role;
  sent.waits_for_sum = query.waits_for_sum;
  sent.packets = query.access.packets;
  sent.passes = query.access.passes;
  sent.leaves_in = query.leaves_in;
  sent.more_packets = static_cast<std::uint8_t>(query.more_packets);
  sent.joins = query.joins;
  crossbar_->prepare(sent);
  return sent;
}

void L2Port::hand_over(Cycle cycle) {
  if (waiting_.empty()) return;
  if (leaving_.empty() && waiting_.back().sent < cycle) return leaving_.swap(waiting_);
  const auto end = std::find_if(waiting_.begin(), waiting_.end(),
                                [cycle](const memory::SentQuery& one) { return one.sent >= cycle; });
  leaving_.insert(leaving_.end(), waiting_.begin(), end);
  waiting_.erase(waiting_.begin(), end);
}

void L2Port::note_answer() {
  if (!std::exchange(told_.anything, true)) on_answer();
}

void L2Port::answered(const memory::LineRequest& request, Tick arrival) {
  const auto sectors = static_cast<std::uint8_t>(memory::sector_count(request.sectors));
  responses_.push_back({request.token, request.place.slice, sectors, arrival});
  told_.soonest = std::min(told_.soonest, arrival);
  note_answer();
}

void L2Port::held(Tick until) {
  told_.held_until = std::max(told_.held_until, until);
  note_answer();
}

void L2Port::acknowledged(Tick arrival) {
  told_.acknowledged = std::max(told_.acknowledged, arrival);
  note_answer();
}

L2Port::Answers L2Port::take_answers(std::vector<Response>& responses) {
  const Cycle soonest = told_.soonest == kNever ? kNever : last_cycle(told_.soonest);
  const Answers answers = {soonest, last_cycle(told_.held_until), last_cycle(told_.acknowledged)};
  if (responses.empty()) {
    responses.swap(responses_);
  } else {
    responses.insert(responses.end(), responses_.begin(), responses_.end());
    responses_.clear();
  }
  told_ = {};
  return answers;
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
