// SPDX-License-Identifier: Apache-2.0
// One channel of a small memory with open rows: how a device memory of your own answers L2, in the four phases of the
// base protocol.
#pragma once

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>
#include <array>
#include <cstdint>
#include <map>
#include <systemc>
#include <tlm>

/// Times in SM cycles, which are SystemC's nanoseconds here.
class RowBufferMemory : public sc_core::sc_module {
 public:
  explicit RowBufferMemory(sc_core::sc_module_name name);

  tlm_utils::simple_target_socket<RowBufferMemory> socket;

  std::uint64_t row_hits() const { return row_hits_; }
  std::uint64_t row_misses() const { return row_misses_; }

 private:
  struct Bank {
    std::uint64_t open_row = ~std::uint64_t{0};
    sc_core::sc_time free;
  };
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void on_phase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);
  /// When a request that comes now has its data.
  sc_core::sc_time served(const tlm::tlm_generic_payload& payload);
  void answer_next();

  std::array<Bank, 16> banks_;
  std::multimap<sc_core::sc_time, tlm::tlm_generic_payload*> answers_;  // banks answer out of order
  bool answering_ = false;                                              // between BEGIN_RESP and END_RESP
  std::uint64_t row_hits_ = 0, row_misses_ = 0;
  tlm_utils::peq_with_cb_and_phase<RowBufferMemory> phases_;
};
