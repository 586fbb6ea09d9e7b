// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_channel.h"

#include <fmt/format.h>

namespace stc::memory {
namespace {

Tick now_tick() { return to_ticks(sc_core::sc_time_stamp()); }

}  // namespace

MemoryChannel::MemoryChannel(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
  socket.register_nb_transport_bw(this, &MemoryChannel::nb_transport_bw);
  SC_METHOD(send_next);
  sensitive << work_;
  dont_initialize();
  SC_METHOD(take_answers);
  sensitive << answer_;
  dont_initialize();
}

void MemoryChannel::send(Tick begin, const Request& request) {
  waiting_.emplace(begin, request);
  const Tick now = now_tick();
  work_.notify(to_time(begin > now ? begin - now : 0));
}

void MemoryChannel::send_next() {
  if (waiting_.empty() || asking_ != nullptr) return;
  const auto first = waiting_.begin();
  const Tick from = std::max(first->first, next_request_), now = now_tick();
  if (from > now) return work_.notify(to_time(from - now));
  const Request request = first->second;
  waiting_.erase(first);
  begin(request);
  work_.notify(sc_core::SC_ZERO_TIME);
}

void MemoryChannel::begin(const Request& request) {
  Transaction& transaction = acquire();
  transaction.request = request;
  transaction.sent = transaction.wanted = true;
  if (request.write) written_bytes(request.address, transaction.data.data(), request.bytes);
  tlm::tlm_generic_payload& payload = transaction.payload;
  payload.set_command(request.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(request.address);
  payload.set_data_ptr(transaction.data.data());
  payload.set_data_length(request.bytes);
  payload.set_streaming_width(request.bytes);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  ++under_way_;
  asking_ = &transaction;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
  if (status == tlm::TLM_UPDATED) act_on(transaction, phase, delay);
  if (status == tlm::TLM_COMPLETED) {
    request_taken(sc_core::SC_ZERO_TIME);  // the annotated time is the answer's alone
    answered(transaction, delay, false);
  }
}

tlm::tlm_sync_enum MemoryChannel::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  const auto found = transactions_.find(&payload);
  if (found == transactions_.end() || !found->second->sent) {
    SC_REPORT_ERROR(name(), "the device memory answers a transaction that it was not sent");
    return tlm::TLM_ACCEPTED;
  }
  act_on(*found->second, phase, delay);
  return tlm::TLM_ACCEPTED;
}

void MemoryChannel::act_on(Transaction& transaction, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ && asking_ == &transaction) return request_taken(delay);
  if (phase == tlm::BEGIN_RESP) return answered(transaction, delay, true);
  SC_REPORT_ERROR(name(), "the device memory sent a phase out of order: END_REQ and BEGIN_RESP follow a request once");
}

void MemoryChannel::request_taken(const sc_core::sc_time& delay) {
  asking_ = nullptr;
  next_request_ = now_tick() + to_ticks(delay);
  work_.notify(delay);
}

void MemoryChannel::answered(Transaction& transaction, const sc_core::sc_time& delay, bool needs_end) {
  if (asking_ == &transaction) request_taken(delay);  // an answer implies END_REQ
  transaction.sent = false;
  answers_.emplace(now_tick() + to_ticks(delay), Answer{&transaction, needs_end});
  answer_.notify(delay);
}

void MemoryChannel::take_answers() {
  const Tick now = now_tick();
  while (!answers_.empty() && answers_.begin()->first <= now) {
    const Answer answer = answers_.begin()->second;
    answers_.erase(answers_.begin());
    take(answer);
  }
  if (!answers_.empty()) answer_.notify(to_time(answers_.begin()->first - now));
}

void MemoryChannel::take(const Answer& answer) {
  Transaction& transaction = *answer.transaction;
  if (!transaction.payload.is_response_ok()) {
    SC_REPORT_ERROR(name(), fmt::format("the device memory answers {} to {} bytes at {:#x}",
                                        transaction.payload.get_response_string(), transaction.request.bytes,
                                        transaction.request.address)
                                .c_str());
  }
  const Request request = transaction.request;
  const bool wanted = transaction.wanted;
  if (answer.needs_end) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(transaction.payload, phase, delay);
  }
  --under_way_;
  transaction.payload.release();
  if (wanted && !request.write) on_read(request);
}

void MemoryChannel::reset() {
  waiting_.clear();
  for (auto& [payload, transaction] : transactions_) transaction->wanted = false;
}

MemoryChannel::Transaction& MemoryChannel::acquire() {
  if (free_.empty()) {
    tlm::tlm_mm_interface* const pool = this;
    auto fresh = std::make_unique<Transaction>(pool);
    free_.push_back(fresh.get());
    transactions_.emplace(&fresh->payload, std::move(fresh));
  }
  Transaction& transaction = *free_.back();
  free_.pop_back();
  transaction.payload.acquire();
  return transaction;
}

void MemoryChannel::free(tlm::tlm_generic_payload* payload) {
  payload->reset();  // extensions that the memory hung on it
  free_.push_back(transactions_.at(payload).get());
}

}  // namespace stc::memory
