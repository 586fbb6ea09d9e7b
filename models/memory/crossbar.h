// SPDX-License-Identifier: Apache-2.0
// Models:   the crossbar between SMs and L2 partitions: SM and GPC ports, the common read bandwidth, arbitration, the
//           coalescing of reads in a GPC.
// Evidence: configs/gpus/*.yaml, memory.crossbar.
//           measured/h200/latency.csv: two halves of a partition's slices; SMs of a GPC in four steps of distance.
//           store_bursts.csv, loads_behind_stores.csv: stores queue on their way into L2, an SM's loads behind them.
// Abstracts: request and response flits; further differences of distance.
// Timing:   requests of one cycle are served in an order that rotates over the SMs, never in the order in which SystemC
//           happened to run them; a response is annotated with its arrival time. A load goes behind the stores of its
//           SM: it begins when they no longer wait, or would not if each SM had its share of the port.
#pragma once

#include <map>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "models/core/time_base.h"
#include "models/memory/atomic_window.h"
#include "models/memory/l2_partition.h"
#include "models/memory/line_places.h"
#include "models/memory/line_request.h"
#include "models/memory/memory_params.h"
#include "models/memory/miss_table.h"
#include "models/memory/request_coalescer.h"

namespace stc::memory {

/// Reads are answered with their arrival, ahead of it when device memory is the built-in one, else when the line has
/// come. Writes are not answered, but held when they had to wait: until the SM's next one would not.
class Crossbar : public sc_core::sc_module, private FilledReads {
 public:
  SC_HAS_PROCESS(Crossbar);
  /// `gpc_of_sm` has an entry per SM.
  Crossbar(sc_core::sc_module_name name, const std::vector<int>& gpc_of_sm, const LinePlaces& places,
           const MemoryParams& params);

  /// Who is told of the answers to an SM's requests, and the partition to which it is attached.
  void connect(int sm, int partition, LineSource& source);
  /// The partitions, in their order.
  void connect(const std::vector<L2Partition*>& partitions);

  /// Fills in what concerns none but the SM that asks, in the order in which it does: where the line lies and how long
  /// the query waits at the SM's own ports. Different SMs may call it at the same time.
  void prepare(SentQuery& query);
  /// Takes a query of this cycle, which is served by SystemC at the cycle's place of arbitration.
  void send(const SentQuery& query);
  /// Serves a query at once, as of the cycle in which it was sent. They come by cycles, of each beginning with SM
  /// first_of(cycle), then by their numbers, round. Device memory must know at once when reads are back.
  void serve(const SentQuery& query);
  /// Takes a store through the port that all SMs share, ahead of serve() and in the same order, so that the SM knows
  /// how long it is held up.
  void enter(SentQuery& store);
  /// The cycle in which a query is to be served: the one in which it was sent or, of a load behind what its SM stored,
  /// a later one, which is kept for it. It then comes again, as sent in that cycle, by come_behind().
  std::uint64_t take_turn(const SentQuery& query);
  static void come_behind(SentQuery& load, std::uint64_t cycle);
  /// No load that SystemC serves waits for its turn.
  bool idle() const { return later_.empty(); }
  /// L2 can hold stores up: how long is known when they are served, not when they enter.
  bool stores_wait_in_l2() const { return stores_wait_in_l2_; }
  int first_of(std::uint64_t cycle) const { return static_cast<int>((cycle - origin_) % sms_.size()); }

  /// A query will be served soon: where its line is will be looked up, first where its tags are and reads that it may
  /// join, then, when these are near, the line itself. Changes nothing but how soon it is served in real time.
  void expect_tags(const SentQuery& query) const {
    if (!query.write) gpcs_[query.gpc].coalescer.expect(query.line);
    partitions_[query.partition]->expect(query.place.set);
  }
  void expect_line(SentQuery& query) {
    if (partitions_[query.partition]->expect_line(query) || query.place.home == query.partition) return;
    query.asks_home = true;
    partitions_[query.place.home]->expect(query.place.set);
  }
  void expect_home(const SentQuery& query) {
    if (query.asks_home) partitions_[query.place.home]->expect_line(query.line, query.place.set);
  }

  /// Forgets everything; cycles count from `origin`, so that a launch does not depend on what ran before it, at the
  /// rates of `params`.
  void reset(std::uint64_t origin, const MemoryParams& params);
  /// When L2 has what all SMs stored so far, from `origin` on.
  Tick stored_by() const;
  /// Sectors that reached an SM with another SM's request.
  std::uint64_t coalesced_sectors() const { return coalesced_sectors_; }

 private:
  struct Sm {
    LineSource* source = nullptr;
    Tick way = 0;  ///< to its GPC's coalescer and from there, each way
    std::uint8_t gpc = 0;
    std::uint8_t partition = 0;
  };
  /// An SM's own, which it queues at before others know of it.
  struct alignas(64) SmPorts {
    Server requests;
    SectorServer reads, writes;
  };
  /// What an SM stored, which loads behind it do not pass.
  struct Stores {
    SectorServer share;  ///< of the port that all SMs share
    Tick in_l2 = 0;      ///< when L2 has all of it
    SectorServer loads;  ///< the SM's port, as loads that come behind have it
  };
  struct Gpc {
    SectorServer reads;
    RequestCoalescer coalescer;
  };
  static std::vector<Sm> sms_of(const std::vector<int>& gpc_of_sm, const CrossbarParams& params);
  const Sm& sm_of(const SentQuery& query) const { return sms_[static_cast<std::size_t>(query.sm)]; }

  void serve_waiting();
  /// Returns whether it has been answered, as it has not if it waits for device memory.
  bool serve_one(LineRequest& request);
  void write(LineRequest& request, const Sm& sm);
  bool read(LineRequest& request, const Sm& sm);
  /// Who stored waits with the next one as long as the queue has no room.
  void hold_stores(const SentQuery& store, Tick now);
  /// Of a read that another SM's brings too, which is at the coalescer at `arrival`.
  bool join(LineRequest& request, const Sm& sm, Tick arrival);
  void hold_atomics(const LineRequest& request, const Sm& sm);
  /// The answer to a read that waited for device memory, and to those that joined it.
  void filled(LineRequest& request, Tick delay) override;
  static void answer(const LineRequest& request, const Sm& sm, Tick arrival);
  /// Of a read that waited.
  void answer_late(LineRequest& request, Tick arrival);

  /// Ports are idle from now on.
  void set_rates(const CrossbarParams& rates);

  const LinePlaces& places_;
  RequestPool pool_;
  std::vector<Sm> sms_;
  std::vector<SmPorts> ports_;         // by SM
  std::vector<AtomicWindow> atomics_;  // by SM
  std::vector<Stores> stores_;         // by SM
  std::vector<Gpc> gpcs_;
  std::vector<L2Partition*> partitions_;
  std::vector<LineRequest*> waiting_, coming_;        // for this cycle's arbitration
  std::multimap<std::uint64_t, LineRequest*> later_;  // reads that go behind stores, by the cycle of theirs
  struct Joined {
    LineRequest* request;
    Tick soonest;  // when it can have its data at the coalescer
  };
  std::unordered_map<const void*, std::vector<Joined>> joined_;  // by the read that they joined
  SectorServer read_all_, write_all_;
  Tick request_interval_ = 0;
  const bool stores_wait_in_l2_;
  Tick store_queue_ = 0;  ///< how long stores may wait before an SM is held up
  std::uint64_t coalesced_sectors_ = 0;
  std::uint64_t origin_ = 0;
  sc_core::sc_event work_;
};

}  // namespace stc::memory
