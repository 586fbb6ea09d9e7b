// SPDX-License-Identifier: Apache-2.0
// One stack of Ramulator 1 (github.com/CMU-SAFARI/ramulator) behind a TLM-2.0 target socket.
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>

namespace ramulator {
class Gem5Wrapper;
}

class RamulatorMemory : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(RamulatorMemory);
  /// `config`: a file of Ramulator's, configs/HBM-config.cfg for one; `clock_ghz`: of the SMs, whose cycle is SystemC's
  /// nanosecond.
  RamulatorMemory(sc_core::sc_module_name name, const std::string& config, double clock_ghz);
  ~RamulatorMemory() override;

  tlm_utils::simple_target_socket<RamulatorMemory> socket;

  std::uint64_t accesses() const { return accesses_; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void tick();
  /// Hands Ramulator as much of the request as it takes.
  void hand_over();
  void done(tlm::tlm_generic_payload& payload);
  void answer();

  const std::unique_ptr<ramulator::Gem5Wrapper> ramulator_;
  const sc_core::sc_time period_;
  tlm::tlm_generic_payload* asking_ = nullptr;        // between BEGIN_REQ and END_REQ
  std::uint64_t handed_over_ = 0;                     // bytes of it, from the first access on
  std::map<tlm::tlm_generic_payload*, int> pending_;  // accesses that Ramulator has not answered
  std::deque<tlm::tlm_generic_payload*> done_;
  bool answering_ = false;  // between BEGIN_RESP and END_RESP
  std::uint64_t accesses_ = 0;
};
