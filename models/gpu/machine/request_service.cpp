// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/machine/request_service.h"

#include <algorithm>

namespace stc::gpu {

void RequestService::reset() {
  for (Ports& ports : senders_) ports.clear();
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

/// Notes who sends when.
void RequestService::list() {
  for (const auto& sm : sms_) {
    sm::L2Port& port = sm->l2_port();
    port.list([&](const sm::L2Port::Leaving& one) {
      Ports& ports = senders(one.cycle);
      if (ports.empty() || ports.back() != &port) ports.push_back(&port);
    });
  }
}

void RequestService::enter() {
  if (memory_.stores_wait_in_l2()) return serve();
  list();
  for (sm::Cycle cycle = entered_; cycle < handed_over_; ++cycle) {
    const Ports& ports = senders(cycle);
    const auto first = std::find_if(ports.begin(), ports.end(), [first = memory_.first_of(cycle)](const auto* port) {
      return port->sm() >= first;
    });
    const auto enter = [&](sm::L2Port* port) {
      port->enter(cycle, [&](int sm, const sm::LineQuery& query) {
        return memory_.enter(sm, query.write, query.access.sectors, cycle);
      });
    };
    std::for_each(first, ports.end(), enter);
    std::for_each(ports.begin(), first, enter);
  }
  entered_ = handed_over_;
}

/// Of the requests of `cycle`: the tags of their lines are asked for, or, when these are near, where the lines are.
void RequestService::expect(sm::Cycle cycle, Stage stage) {
  if (cycle >= handed_over_) return;
  for (sm::L2Port* const port : senders(cycle)) {
    port->look_ahead(stage, cycle, [&](const sm::L2Port::Leaving& one) {
      memory_.expect(port->partition(), one.query.access.line, stage == kLines);
    });
  }
}

void RequestService::serve() {
  list();
  for (sm::Cycle cycle = served_; cycle < served_ + kTagsAhead; ++cycle) expect(cycle, kTags);
  for (sm::Cycle cycle = served_; cycle < served_ + kLinesAhead; ++cycle) expect(cycle, kLines);
  for (sm::Cycle cycle = served_; cycle < handed_over_; ++cycle) {
    expect(cycle + kTagsAhead, kTags);
    expect(cycle + kLinesAhead, kLines);
    Ports& ports = senders(cycle);
    if (ports.empty()) continue;
    for (sm::L2Port* const port : ports) port->flush(cycle);
    ports.clear();
    memory_.serve_until(cycle + 1);
  }
  served_ = handed_over_;
  entered_ = std::max(entered_, served_);
}

}  // namespace stc::gpu
