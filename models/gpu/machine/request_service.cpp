// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/machine/request_service.h"

#include <algorithm>

namespace stc::gpu {

void RequestService::reset() {
  for (Queries& queries : queries_) queries.clear();
  later_.clear();
  handed_over_ = entered_ = served_ = 0;
}

void RequestService::begin(sm::Cycle now) {
  if (served_ == handed_over_) entered_ = served_ = now;
  handed_over_ = now;
}

void RequestService::hand_over(sm::Cycle end) {
  for (const auto& sm : sms_) sm->l2_port().hand_over(end);
  handed_over_ = end;
}

/// Puts what has been handed over where the cycle is served in which it was sent.
void RequestService::list() {
  for (std::size_t ahead = 0; ahead < sms_.size() + kPortsAhead; ++ahead) {
    if (ahead < sms_.size()) sms_[ahead]->l2_port().expect_leaving();
    if (ahead < kPortsAhead) continue;
    sms_[ahead - kPortsAhead]->l2_port().leave(
        [this](const memory::SentQuery& query) { of(query.sent).push_back(query); });
  }
}

/// Loads whose stores no longer wait come in this cycle, ahead of what their SMs send in it.
void RequestService::list_due(sm::Cycle cycle) {
  while (first_due() <= cycle) {
    for (memory::SentQuery& query : later_.begin()->second) {
      memory::Crossbar::come_behind(query, cycle);
      Queries& queries = of(cycle);
      const auto place = std::partition_point(queries.begin(), queries.end(), [&](const memory::SentQuery& one) {
        return one.sm < query.sm || (one.sm == query.sm && one.came_behind);
      });
      queries.insert(place, query);
    }
    later_.erase(later_.begin());
  }
}

/// Calls `each` with the queries of `cycle` in the order in which the crossbar serves them.
template <class Each>
void RequestService::in_turn(sm::Cycle cycle, const Each& each) {
  Queries& queries = of(cycle);
  if (queries.empty()) return;
  const auto first = std::lower_bound(queries.begin(), queries.end(), memory_.crossbar().first_of(cycle),
                                      [](const memory::SentQuery& query, int sm) { return query.sm < sm; });
  std::for_each(first, queries.end(), each);
  std::for_each(queries.begin(), first, each);
}

void RequestService::enter() {
  memory::Crossbar& crossbar = memory_.crossbar();
  if (crossbar.stores_wait_in_l2()) return serve();
  list();
  for (sm::Cycle cycle = entered_; cycle < handed_over_; ++cycle) {
    in_turn(cycle, [&](memory::SentQuery& query) {
      if (query.write) crossbar.enter(query);
    });
  }
  entered_ = handed_over_;
}

/// Calls `each` with the queries of cycles from `first` up to `end` that have been handed over.
template <class Each>
void RequestService::each_sent(sm::Cycle first, sm::Cycle end, const Each& each) {
  for (sm::Cycle cycle = first; cycle < std::min(end, handed_over_); ++cycle) {
    for (memory::SentQuery& query : of(cycle)) each(query);
  }
}

void RequestService::serve() {
  memory::Crossbar& crossbar = memory_.crossbar();
  list();
  const auto tags = [&](const memory::SentQuery& query) { crossbar.expect_tags(query); };
  const auto line = [&](memory::SentQuery& query) { crossbar.expect_line(query); };
  const auto home = [&](const memory::SentQuery& query) { crossbar.expect_home(query); };
  each_sent(served_, served_ + kTagsAhead, tags);
  each_sent(served_, served_ + kLinesAhead, line);
  each_sent(served_, served_ + kHomeAhead, home);
  for (sm::Cycle cycle = served_; cycle < handed_over_; ++cycle) {
    each_sent(cycle + kTagsAhead, cycle + kTagsAhead + 1, tags);
    each_sent(cycle + kLinesAhead, cycle + kLinesAhead + 1, line);
    each_sent(cycle + kHomeAhead, cycle + kHomeAhead + 1, home);
    list_due(cycle);
    in_turn(cycle, [&](const memory::SentQuery& query) {
      const sm::Cycle due = crossbar.take_turn(query);
      if (due > cycle) {
        later_[due].push_back(query);
      } else {
        crossbar.serve(query);
      }
    });
    of(cycle).clear();
  }
  served_ = handed_over_;
  entered_ = std::max(entered_, served_);
}

void RequestService::send(sm::StreamingMultiprocessor& sm, sm::Cycle end) {
  sm.l2_port().hand_over(end);
  sm.l2_port().leave([this](const memory::SentQuery& query) { memory_.crossbar().send(query); });
}

}  // namespace stc::gpu
