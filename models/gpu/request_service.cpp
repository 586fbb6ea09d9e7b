// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/request_service.h"

namespace stc::gpu {

void RequestService::reset() {
  for (auto& ports : senders_) ports.clear();
}

void RequestService::serve(sm::Cycle begin, sm::Cycle end) {
  expect();
  for (sm::Cycle cycle = begin; cycle < end; ++cycle) {
    auto& ports = senders_[cycle % senders_.size()];
    if (ports.empty()) continue;
    for (sm::L2Port* const port : ports) port->flush(cycle);
    ports.clear();
    memory_.serve_until(cycle + 1);
  }
}

/// First all tags are asked for, and when they are near, the lines.
void RequestService::expect() {
  for (const auto& sm : sms_) {
    sm::L2Port& port = sm->l2_port();
    for (const sm::L2Port::Leaving& one : port.leaving()) {
      memory_.expect(port.partition(), one.query.access.line, false);
      auto& ports = senders_[one.cycle % senders_.size()];
      if (ports.empty() || ports.back() != &port) ports.push_back(&port);
    }
  }
  for (const auto& sm : sms_) {
    const sm::L2Port& port = sm->l2_port();
    for (const sm::L2Port::Leaving& one : port.leaving()) {
      memory_.expect(port.partition(), one.query.access.line, true);
    }
  }
}

}  // namespace stc::gpu
