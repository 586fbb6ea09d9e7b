// SPDX-License-Identifier: Apache-2.0
// Models:   the L2's side of one channel to a device memory of the user's own: a TLM-2.0 initiator socket.
// Evidence: IEEE 1666-2011, chapter 15: the base protocol.
// Abstracts: a limit on requests that wait here; room for answers, which L2 always has.
// Timing:   approximately timed, four phases. A request waits for the END_REQ of the one before it; an answer counts
//           when its annotated time has come, and END_RESP follows at that time.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "models/core/time_base.h"
#include "models/memory/line_request.h"

namespace stc::memory {

class MemoryChannel : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  SC_HAS_PROCESS(MemoryChannel);
  explicit MemoryChannel(sc_core::sc_module_name name);

  tlm_utils::simple_initiator_socket<MemoryChannel> socket;

  /// Consecutive sectors of a line.
  struct Request {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    bool write = false;
  };
  /// Sends a request at tick `begin` or when those before it have left; those of one tick in the order of the calls.
  void send(Tick begin, const Request& request);
  /// Fills `bytes` bytes at `data` with what is to be written to `address`; called when the write leaves.
  std::function<void(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes)> written_bytes;
  /// Called when a read's data are here.
  std::function<void(const Request&)> on_read;

  bool idle() const { return waiting_.empty() && under_way_ == 0; }
  /// Drops what has not been sent and ignores the answers to what has.
  void reset();

 private:
  struct Transaction {
    explicit Transaction(tlm::tlm_mm_interface* pool) : payload(pool) {}
    tlm::tlm_generic_payload payload;
    std::array<std::uint8_t, kLineBytes> data{};
    Request request;
    bool sent = false;    // and not answered
    bool wanted = false;  // its answer matters
  };
  struct Answer {
    Transaction* transaction;
    bool needs_end;  // END_RESP
  };

  void send_next();
  void begin(const Request& request);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void act_on(Transaction& transaction, const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  void request_taken(const sc_core::sc_time& delay);
  void answered(Transaction& transaction, const sc_core::sc_time& delay, bool needs_end);
  void take_answers();
  void take(const Answer& answer);
  Transaction& acquire();
  void free(tlm::tlm_generic_payload* payload) override;

  std::multimap<Tick, Request> waiting_;
  std::multimap<Tick, Answer> answers_;
  const Transaction* asking_ = nullptr;  // between BEGIN_REQ and END_REQ
  Tick next_request_ = 0;                // not before this tick
  int under_way_ = 0;                    // transactions sent and not complete
  std::unordered_map<const tlm::tlm_generic_payload*, std::unique_ptr<Transaction>> transactions_;
  std::vector<Transaction*> free_;
  sc_core::sc_event work_, answer_;
};

}  // namespace stc::memory
