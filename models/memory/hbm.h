// SPDX-License-Identifier: Apache-2.0
// Models:   device memory: channels of fixed bandwidth, two latencies by the side a line's channel lies on, refresh.
// Evidence: configs/gpus/*.yaml, memory.hbm.
// Abstracts: rows and conflicts inside a bank (inside the sustained bandwidth); address translation.
// Timing:   reads wait for channel, transfer, latency and, if it is being refreshed, the bank; writes take bandwidth.
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/core/statistics.h"
#include "models/core/time_base.h"
#include "models/memory/line_request.h"
#include "models/memory/memory_params.h"

namespace stc::memory {

/// Answers b_transport with the delay annotated; any other TLM-2.0 memory model can stand in its place.
class Hbm : public sc_core::sc_module {
 public:
  Hbm(sc_core::sc_module_name name, const HbmParams& params);

  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Hbm>> target;

  const MemoryStatistics& statistics() const { return statistics_; }
  /// Cycles count from `origin`.
  void reset(std::uint64_t origin = 0);

 private:
  void b_transport(int port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  int atoms_of(std::uint8_t sectors) const;
  /// Time until the bank of `line` is no longer refreshed.
  Tick refresh(std::uint64_t line) const;

  const HbmParams params_;
  std::vector<Server> channels_;
  MemoryStatistics statistics_;
  Tick origin_ = 0;
};

}  // namespace stc::memory
