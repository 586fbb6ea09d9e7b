// SPDX-License-Identifier: Apache-2.0
// Stands between an initiator and a target and notes whatever breaks the rules of TLM-2.0's base protocol
// (IEEE 1666-2011, chapters 14 and 15), on either side.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <map>
#include <set>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace stc::timing {

class BaseProtocolChecker : public sc_core::sc_module {
 public:
  explicit BaseProtocolChecker(sc_core::sc_module_name name);

  tlm_utils::simple_target_socket<BaseProtocolChecker> from_initiator;
  tlm_utils::simple_initiator_socket<BaseProtocolChecker> to_target;

  const std::vector<std::string>& broken_rules() const { return broken_; }
  int complete() const { return complete_; }
  std::size_t under_way() const { return under_way_.size(); }
  /// Transactions that are complete and that somebody still holds.
  int held() const;

 private:
  enum class Phase { kRequest, kRequestTaken, kResponse };
  struct Transaction {
    Phase phase = Phase::kRequest;
    sc_core::sc_time since;  // annotated time of the last phase
    tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
    std::uint64_t address = 0;
    std::vector<std::uint8_t> written;
    const unsigned char* data = nullptr;
    unsigned length = 0;
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void begin_request(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
  void end_request(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
  void begin_response(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
  void end_response(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
  /// A phase that the callee returned.
  void returned(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& at);
  void finish(const tlm::tlm_generic_payload& payload);
  void check_request(const tlm::tlm_generic_payload& payload);
  void check_unchanged(const Transaction& transaction, const tlm::tlm_generic_payload& payload);
  void rule(bool kept, const std::string& text);

  std::map<const tlm::tlm_generic_payload*, Transaction> under_way_;
  std::set<const tlm::tlm_generic_payload*> finished_;
  const tlm::tlm_generic_payload* asking_ = nullptr;
  const tlm::tlm_generic_payload* answering_ = nullptr;
  sc_core::sc_time request_free_, response_free_;
  int complete_ = 0;
  std::vector<std::string> broken_;
};

}  // namespace stc::timing
