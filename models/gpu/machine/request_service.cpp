// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/machine/request_service.h"

#include <algorithm>

namespace stc::gpu {

void RequestService::reset() {
  for (Queries& queries : queries_) queries.clear();
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
  for (const auto& sm : sms_) {
    sm->l2_port().leave([this](const memory::SentQuery& query) { of(query.sent).push_back(query); });
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

void RequestService::expect_tags(sm::Cycle cycle) {
  if (cycle >= handed_over_) return;
  for (const memory::SentQuery& query : of(cycle)) memory_.crossbar().expect_tags(query);
}

void RequestService::expect_lines(sm::Cycle cycle) {
  if (cycle >= handed_over_) return;
  for (memory::SentQuery& query : of(cycle)) memory_.crossbar().expect_line(query);
}

void RequestService::expect_home(sm::Cycle cycle) {
  if (cycle >= handed_over_) return;
  for (const memory::SentQuery& query : of(cycle)) memory_.crossbar().expect_home(query);
}

void RequestService::serve() {
  memory::Crossbar& crossbar = memory_.crossbar();
  list();
  for (sm::Cycle cycle = served_; cycle < served_ + kTagsAhead; ++cycle) expect_tags(cycle);
  for (sm::Cycle cycle = served_; cycle < served_ + kLinesAhead; ++cycle) expect_lines(cycle);
  for (sm::Cycle cycle = served_; cycle < served_ + kHomeAhead; ++cycle) expect_home(cycle);
  for (sm::Cycle cycle = served_; cycle < handed_over_; ++cycle) {
    expect_tags(cycle + kTagsAhead);
    expect_lines(cycle + kLinesAhead);
    expect_home(cycle + kHomeAhead);
    in_turn(cycle, [&](const memory::SentQuery& query) { crossbar.serve(query); });
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
