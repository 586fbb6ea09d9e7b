// SPDX-License-Identifier: Apache-2.0
#include "ramulator_memory.h"

#include <Gem5Wrapper.h>
#include <Request.h>

namespace {

constexpr std::uint64_t kAccessBytes = 64;

ramulator::Config read_config(const std::string& file) {
  ramulator::Config config(file);
  config.set_core_num(1);
  return config;
}

}  // namespace

RamulatorMemory::RamulatorMemory(sc_core::sc_module_name name, const std::string& config, double clock_ghz)
    : sc_module(name),
      socket("socket"),
      ramulator_(std::make_unique<ramulator::Gem5Wrapper>(read_config(config), static_cast<int>(kAccessBytes))),
      period_(ramulator_->tCK * clock_ghz, sc_core::SC_NS) {
  socket.register_nb_transport_fw(this, &RamulatorMemory::nb_transport_fw);
  SC_METHOD(tick);
}

RamulatorMemory::~RamulatorMemory() = default;

tlm::tlm_sync_enum RamulatorMemory::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time&) {
  if (phase == tlm::BEGIN_REQ) {
    payload.acquire();
    asking_ = &payload;
    handed_over_ = 0;
  } else {
    answering_ = false;
    payload.release();
  }
  return tlm::TLM_ACCEPTED;
}

void RamulatorMemory::tick() {
  next_trigger(period_);
  hand_over();
  ramulator_->tick();
  answer();
}

void RamulatorMemory::hand_over() {
  if (asking_ == nullptr) return;
  tlm::tlm_generic_payload& payload = *asking_;
  const std::uint64_t first = payload.get_address() / kAccessBytes * kAccessBytes;
  const std::uint64_t end = payload.get_address() + payload.get_data_length();
  using Type = ramulator::Request::Type;
  for (; first + handed_over_ < end; handed_over_ += kAccessBytes) {
    const auto address = static_cast<long>(first + handed_over_);
    const ramulator::Request request(address, payload.is_read() ? Type::READ : Type::WRITE,
                                     [this, &payload](ramulator::Request&) { done(payload); });
    if (!ramulator_->send(request)) return;  // its queue is full: the rest at another tick
    ++accesses_;
    if (payload.is_read()) ++pending_[&payload];
  }
  asking_ = nullptr;
  if (payload.is_write()) done_.push_back(&payload);  // a write is complete when it is in the queue
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(payload, phase, delay);
}

void RamulatorMemory::done(tlm::tlm_generic_payload& payload) {
  if (--pending_[&payload] != 0 || asking_ == &payload) return;
  pending_.erase(&payload);
  done_.push_back(&payload);
}

void RamulatorMemory::answer() {
  if (answering_ || done_.empty()) return;
  tlm::tlm_generic_payload& payload = *done_.front();
  done_.pop_front();
  answering_ = true;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(payload, phase, delay);
}
