// SPDX-License-Identifier: Apache-2.0
#include "validation/timing/base_protocol_checker.h"

#include <algorithm>

namespace stc::timing {

using sc_core::sc_time;
using sc_core::sc_time_stamp;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

BaseProtocolChecker::BaseProtocolChecker(sc_core::sc_module_name name)
    : sc_module(name), from_initiator("from_initiator"), to_target("to_target") {
  from_initiator.register_nb_transport_fw(this, &BaseProtocolChecker::nb_transport_fw);
  to_target.register_nb_transport_bw(this, &BaseProtocolChecker::nb_transport_bw);
}

int BaseProtocolChecker::held() const {
  return static_cast<int>(std::count_if(finished_.begin(), finished_.end(), [this](const tlm_generic_payload* payload) {
    return under_way_.count(payload) == 0 && payload->get_ref_count() != 0;
  }));
}

void BaseProtocolChecker::rule(bool kept, const std::string& text) {
  if (!kept) broken_.push_back(sc_time_stamp().to_string() + ": " + text);
}

tlm_sync_enum BaseProtocolChecker::nb_transport_fw(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
  const tlm_phase called = phase;
  if (phase == tlm::BEGIN_REQ) {
    begin_request(payload, sc_time_stamp() + delay);
  } else if (phase == tlm::END_RESP) {
    end_response(payload, sc_time_stamp() + delay);
  } else {
    rule(false, "the initiator sent a phase of the target");
  }
  const tlm_sync_enum status = to_target->nb_transport_fw(payload, phase, delay);
  if (called == tlm::END_RESP) {
    finish(payload);
  } else if (status == tlm::TLM_UPDATED) {
    returned(payload, phase, sc_time_stamp() + delay);
  } else if (status == tlm::TLM_COMPLETED) {
    if (asking_ == &payload) end_request(payload, sc_time_stamp());
    finish(payload);
  }
  return status;
}

tlm_sync_enum BaseProtocolChecker::nb_transport_bw(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
  returned(payload, phase, sc_time_stamp() + delay);
  const tlm_sync_enum status = from_initiator->nb_transport_bw(payload, phase, delay);
  if (status == tlm::TLM_UPDATED) {
    rule(phase == tlm::END_RESP, "the initiator returned another phase than END_RESP");
    end_response(payload, sc_time_stamp() + delay);
  }
  if (status != tlm::TLM_ACCEPTED) finish(payload);
  return status;
}

void BaseProtocolChecker::returned(const tlm_generic_payload& payload, const tlm_phase& phase, const sc_time& at) {
  if (phase == tlm::END_REQ) {
    end_request(payload, at);
  } else if (phase == tlm::BEGIN_RESP) {
    begin_response(payload, at);
  } else {
    rule(false, "the target sent a phase of the initiator");
  }
}

void BaseProtocolChecker::check_request(const tlm_generic_payload& payload) {
  rule(payload.is_read() || payload.is_write(), "a command that neither reads nor writes");
  rule(payload.get_data_ptr() != nullptr, "no data pointer");
  rule(payload.get_data_length() > 0, "no data length");
  rule(payload.get_streaming_width() >= payload.get_data_length(), "a streaming width below the length");
  rule(payload.get_byte_enable_ptr() == nullptr, "byte enables");
  rule(!payload.is_dmi_allowed(), "the DMI hint set by the initiator");
  rule(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, "a response status before the response");
  rule(payload.has_mm() && payload.get_ref_count() > 0, "a transaction without memory manager that is not held");
}

void BaseProtocolChecker::begin_request(const tlm_generic_payload& payload, const sc_time& at) {
  rule(asking_ == nullptr, "BEGIN_REQ before END_REQ of the last request");
  rule(at >= request_free_, "BEGIN_REQ before the annotated time of the last END_REQ");
  rule(under_way_.count(&payload) == 0, "BEGIN_REQ of a transaction that is under way");
  check_request(payload);
  asking_ = &payload;
  Transaction& transaction = under_way_[&payload];
  transaction = {Phase::kRequest,          at, payload.get_command(), payload.get_address(), {}, payload.get_data_ptr(),
                 payload.get_data_length()};
  if (payload.is_write() && transaction.data != nullptr) {
    transaction.written.assign(transaction.data, transaction.data + transaction.length);
  }
}

void BaseProtocolChecker::end_request(const tlm_generic_payload& payload, const sc_time& at) {
  rule(asking_ == &payload, "END_REQ of a transaction that does not ask");
  const auto found = under_way_.find(&payload);
  if (found == under_way_.end()) return;
  rule(at >= found->second.since, "END_REQ before its BEGIN_REQ");
  found->second.phase = Phase::kRequestTaken;
  found->second.since = at;
  asking_ = nullptr;
  request_free_ = at;
}

void BaseProtocolChecker::begin_response(const tlm_generic_payload& payload, const sc_time& at) {
  if (asking_ == &payload) end_request(payload, at);
  const auto found = under_way_.find(&payload);
  rule(found != under_way_.end() && found->second.phase == Phase::kRequestTaken, "BEGIN_RESP without a request");
  if (found == under_way_.end()) return;
  rule(answering_ == nullptr && at >= response_free_, "BEGIN_RESP before END_RESP of the last response");
  rule(at >= found->second.since, "BEGIN_RESP before its END_REQ");
  rule(payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "BEGIN_RESP without a response status");
  check_unchanged(found->second, payload);
  found->second.phase = Phase::kResponse;
  found->second.since = at;
  answering_ = &payload;
}

void BaseProtocolChecker::end_response(const tlm_generic_payload& payload, const sc_time& at) {
  const auto found = under_way_.find(&payload);
  rule(found != under_way_.end() && found->second.phase == Phase::kResponse, "END_RESP without BEGIN_RESP");
  rule(answering_ == &payload, "END_RESP of another transaction than the one that answers");
  if (found != under_way_.end()) rule(at >= found->second.since, "END_RESP before its BEGIN_RESP");
  response_free_ = at;
}

void BaseProtocolChecker::finish(const tlm_generic_payload& payload) {
  const auto found = under_way_.find(&payload);
  if (found == under_way_.end()) return;
  check_unchanged(found->second, payload);
  under_way_.erase(found);
  finished_.insert(&payload);
  if (answering_ == &payload) answering_ = nullptr;
  ++complete_;
}

void BaseProtocolChecker::check_unchanged(const Transaction& transaction, const tlm_generic_payload& payload) {
  rule(payload.get_command() == transaction.command && payload.get_address() == transaction.address &&
           payload.get_data_ptr() == transaction.data && payload.get_data_length() == transaction.length,
       "a transaction that has changed under way");
  rule(std::equal(transaction.written.begin(), transaction.written.end(), transaction.data),
       "written bytes that have changed under way");
}

}  // namespace stc::timing
