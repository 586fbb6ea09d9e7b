// SPDX-License-Identifier: Apache-2.0
// Models:   the crossbar between SMs and L2 partitions: SM and GPC ports, the common read bandwidth, arbitration, the
//           coalescing of reads in a GPC.
// Evidence: configs/gpus/*.yaml, memory.crossbar.
//           measured/h200/latency.csv: two halves of a partition's slices; SMs of a GPC in four steps of distance.
// Abstracts: request and response flits; further differences of distance.
// Timing:   requests of one cycle are served in an order that rotates over the SMs, never in the order in which SystemC
//           happened to run them; a response is annotated with its arrival time.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "models/core/time_base.h"
#include "models/memory/atomic_window.h"
#include "models/memory/line_request.h"
#include "models/memory/memory_params.h"
#include "models/memory/miss_table.h"
#include "models/memory/request_coalescer.h"

namespace stc::memory {

class L2Partition;

/// Reads are answered with their arrival, ahead of it when device memory is the built-in one, else when the line has
/// come. Writes are not answered, but held when they had to wait: until the SM's next one would not.
class Crossbar : public sc_core::sc_module, private FilledReads {
 public:
  SC_HAS_PROCESS(Crossbar);
  /// `gpc_of_sm` has an entry per SM.
  Crossbar(sc_core::sc_module_name name, std::vector<int> gpc_of_sm, const MemoryParams& params);

  /// Who is told of the answers to an SM's requests.
  void connect(int sm, LineSource& source) { sources_[static_cast<std::size_t>(sm)] = &source; }
  /// The partitions, in their order.
  void connect(const std::vector<L2Partition*>& partitions);

  /// A place for a request, which send() takes; whatever it held before, it is to be filled in.
  LineRequest& new_request() { return pool_.acquire(); }
  void send(int sm, LineRequest& request);

  /// Called with every request as it comes, and with those of a cycle before they are served (`now`), unless they are
  /// served on call: where its line is will be looked up.
  std::function<void(int partition, std::uint64_t line, bool now)> on_expect = [](int, std::uint64_t, bool) {};

  /// From now on requests are served when serve_until() is called, else by SystemC in the cycle in which they come.
  void serve_on_call(bool on_call) { on_call_ = on_call; }
  /// Serves requests that were sent before cycle `end`, of which all have come. None may be further than kSpan cycles
  /// from the first. The answers must be later than SystemC's time.
  void serve_until(std::uint64_t end);
  static constexpr std::uint64_t kSpan = 256;
  /// Takes a request through the ports by which it enters, ahead of serve_until(), so that the SM knows how long a
  /// store is held up. Returns the ticks that it waits. Requests enter in the order in which they are served: by
  /// cycles, of each beginning with SM first_of(cycle).
  Tick enter(int sm, bool write, std::uint8_t sectors, std::uint64_t cycle);
  /// L2 can hold stores up: how long is known when they are served, not when they enter.
  bool stores_wait_in_l2() const { return stores_wait_in_l2_; }
  int first_of(std::uint64_t cycle) const { return static_cast<int>((cycle - origin_) % gpc_of_sm_.size()); }

  /// Forgets everything; cycles count from `origin`, so that a launch does not depend on what ran before it, at the
  /// rates of `params`.
  void reset(std::uint64_t origin, const MemoryParams& params);
  /// Sectors that reached an SM with another SM's request.
  std::uint64_t coalesced_sectors() const { return coalesced_sectors_; }

 private:
  struct Waiting {
    int sm;
    LineRequest* request;
  };
  using Requests = std::vector<Waiting>;
  void serve();
  void serve(Requests& requests, std::uint64_t cycle);
  void serve_one(int sm, LineRequest& request, Tick now);
  void hold_atomics(int sm, const LineRequest& request);
  /// Time from now until the read's data reaches the SM; none if it waits for device memory.
  std::optional<Tick> read(int sm, LineRequest& request);
  /// The answer to a read that waited for device memory, and to those that joined it.
  void filled(LineRequest& request, Tick delay) override;
  void answer(LineRequest& request, Tick arrival);
  void hold(int sm, Tick until);
  Requests& of_cycle(std::uint64_t cycle) { return waiting_[cycle % kSpan]; }

  /// Ports at the rates of params_, idle.
  void set_rates();

  MemoryParams params_;
  RequestPool pool_;
  std::vector<LineSource*> sources_;  // per SM
  std::vector<L2Partition*> partitions_;
  const std::vector<int> gpc_of_sm_;
  std::vector<Tick> way_;                // per SM, from and to its GPC's coalescer, each way
  std::array<Requests, kSpan> waiting_;  // of a cycle, those of an SM in order of issue
  std::uint64_t served_ = 0;             // cycles before it
  bool on_call_ = false;
  std::vector<Server> request_port_, read_port_, write_port_;
  std::vector<AtomicWindow> atomics_;
  std::vector<Server> gpc_port_;
  std::vector<RequestCoalescer> coalescer_;  // per GPC
  struct Joined {
    LineRequest* request;
    Tick soonest;  // when it can have its data at the coalescer
  };
  std::unordered_map<const void*, std::vector<Joined>> joined_;  // by the read that they joined
  Server read_all_, write_all_;
  const bool stores_wait_in_l2_;
  std::uint64_t coalesced_sectors_ = 0;
  std::uint64_t origin_ = 0;
  sc_core::sc_event work_;
};

}  // namespace stc::memory
