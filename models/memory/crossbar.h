// SPDX-License-Identifier: Apache-2.0
// Models:   the crossbar between SMs and L2 partitions: SM ports, the common read bandwidth, arbitration.
// Evidence: configs/gpus/*.yaml, memory.crossbar.
// Abstracts: routing inside the crossbar; request and response flits.
// Timing:   requests of one cycle are served in an order that rotates over the SMs, never in the order in which SystemC
//           happened to run them; a response is annotated with its arrival time.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/memory/line_request.h"
#include "models/memory/memory_params.h"
#include "models/memory/time_base.h"

namespace stc::memory {

/// SMs send BEGIN_REQ with nb_transport_fw and get BEGIN_RESP with nb_transport_bw, the delay being the response's.
/// Writes get no response.
class Crossbar : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Crossbar);
  Crossbar(sc_core::sc_module_name name, int sms, const MemoryParams& params);

  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Crossbar>> from_sm;
  sc_core::sc_vector<tlm_utils::simple_initiator_socket<Crossbar>> to_partition;

  void reset();

 private:
  tlm::tlm_sync_enum nb_transport_fw(int sm, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void serve();
  void serve_one(int sm, tlm::tlm_generic_payload& payload);

  const MemoryParams params_;
  std::vector<std::vector<tlm::tlm_generic_payload*>> inbox_;  // per SM, in order of issue
  std::vector<int> waiting_;                                   // SMs with a non-empty inbox
  std::vector<Server> request_port_, read_port_, write_port_;
  Server read_all_;
  sc_core::sc_event work_;
};

}  // namespace stc::memory
