// SPDX-License-Identifier: Apache-2.0
// Models:   the tensor memory accelerator (TMA) of an SM: bulk and tensor copies become requests for lines of L2, one
//           after the other, and are counted at their mbarriers when the last has come.
// Evidence: configs/gpus/h200.yaml, sm.bulk: single copies of 16 bytes to 64 KiB, boxes of one and more dimensions
//           (measured/h200/tensor_times.csv); up to 16 issued one behind the other, copies to all CTAs of a cluster
//           (bulk_at_once.csv); boxes outside of their tensors (copies_outside.csv).
// Abstracts: how many stores it holds; how many tensor maps, and whether those come from L2; bank conflicts of what it
//           writes to shared memory, and what that takes from others but matrix instructions of warpgroups; that loads
//           and stores share it.
// Timing:   a copy begins latency after its issue; requests leave one per line_interval, those of stores over the port
//           of stores. A load that finds places others waits at its issue until one, at a line per line_interval, has
//           come to its last, and place_latency. What comes, of other SMs' copies to several CTAs too, is written as
//           landing_port.h says. Rows outside of the tensor take as long to ask for and to write as others; one request
//           brings the zeros of four. What goes to shared memory of the cluster takes its packets' time; its arrival at
//           the mbarrier is the cluster's, that of a copy to several CTAs multicast_latency behind the first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/isa/values/bulk_transfer.h"
#include "models/sm/event_queue.h"
#include "models/sm/landing_port.h"
#include "models/sm/memory_instruction.h"
#include "models/sm/ring_queue.h"
#include "models/sm/sm_params.h"

namespace stc::sm {

/// Tokens of the unit's requests to L2 have this bit, those of the LSU do not.
constexpr std::uint32_t kBulkToken = 1u << 31;
constexpr int kBulkRowsShift = 24;  // of a token: the rows of shared memory that the answer comes to

/// Who asked for a copy.
struct BulkOrigin {
  std::uint16_t warp = 0;
  std::uint32_t generation = 0;
  std::uint16_t cta_slot = 0;
  std::uint64_t cta = 0;      ///< its number in the launch
  std::uint32_t address = 0;  ///< of the instruction
  std::uint32_t group = 0;    ///< of a store
};

class BulkUnit {
 public:
  using Send = std::function<void(const LineQuery&)>;
  /// A line of a copy comes to each CTA of its arrivals, others of the cluster among them or not.
  using Share = std::function<void(const BulkOrigin&, const std::vector<isa::RemoteArrival>&, const LandingLine&)>;
  /// Sends a line of a store at `now`; returns when it has left.
  using Store = std::function<Cycle(const isa::BulkTransfer::Line&, const BulkOrigin&, DataRole, Cycle now)>;
  /// `return_latency`: of an answer, which what goes to shared memory needs not. `packet_cycles`: of 32 bytes on their
  /// way to other CTAs of a cluster.
  BulkUnit(const BulkParams& params, int return_latency, double packet_cycles, EventQueue& events, Send send,
           Store store, Share share)
      : params_(params),
        packet_cycles_(packet_cycles),
        return_latency_(static_cast<Cycle>(return_latency)),
        events_(events),
        send_(std::move(send)),
        store_(std::move(store)),
        share_(std::move(share)),
        port_(params) {}

  /// A copy was issued at `now`, or what concerns a tensor map alone.
  void begin(const isa::BulkTransfer& transfer, const BulkOrigin& origin, Cycle now);
  /// Sends what can be sent at `now`.
  void tick(Cycle now);
  /// When tick() can do something next, kNever if nothing waits.
  Cycle next() const { return std::min({next_of(loads_), next_of(stores_), port_.next()}); }
  /// Whether tick() at `now` sends to the port of stores.
  bool may_store(Cycle now) const { return next_of(stores_) <= now; }
  /// When a further load can be issued, as far as is known: once fewer than `places` have lines to ask for.
  Cycle room() const { return asked_.size() < static_cast<std::size_t>(params_.places) ? 0 : asked_.front(); }
  /// A line asked for with `token` will have arrived at `arrival`, from a slice of L2, with so many sectors.
  void response(std::uint32_t token, Cycle arrival, std::uint16_t slice, std::uint8_t sectors);
  /// One of another SM's copy to several CTAs will.
  void lands(const LandingLine& line) { port_.add(line); }
  /// Lines that are here before cycle `end`, which are all known now, are written as far as that goes before it.
  void write(Cycle end) {
    port_.write(end, [this](std::uint32_t copy, Cycle cycle) { part_arrives(copy, cycle + return_latency_); });
  }
  /// See LandingPort.
  int written_beside(Cycle now, Cycle busy_until) { return port_.written_beside(now, busy_until); }
  /// The load of an event kBulkLanded, which is over. Holds until the next copy begins.
  struct Landed {
    BulkOrigin origin;
    bool multicast = false;  ///< arrivals at other CTAs are those of data that have come to them
    std::vector<isa::RemoteArrival> arrivals;
  };
  const Landed& close(std::uint32_t number);
  /// Whether copies are under way.
  bool busy() const { return under_way_ != 0; }
  void reset(Cycle origin);

 private:
  struct Transfer {
    isa::BulkTransfer what;
    BulkOrigin origin;
    Cycle begins = 0;
    std::size_t sent = 0;  ///< lines
    int parts_left = 0;
    Cycle latest = 0;
    std::uint64_t order = 0;
  };
  /// Copies that wait, the first of which is being sent.
  struct Queue {
    RingQueue<std::uint32_t> waiting;
    Cycle free = 0;  ///< when the next line can leave
  };
  Cycle next_of(const Queue& queue) const;
  Cycle map_ready(std::uint64_t map, Cycle now);
  void take_place(const Transfer& transfer);
  void send_to_cluster(Transfer& transfer, std::uint32_t number, Cycle now);
  void load_line(Transfer& transfer, std::uint32_t number, Cycle now);
  std::uint16_t intake_of(const isa::BulkTransfer::Line& line) const;
  void store_line(Transfer& transfer, Cycle now);
  void sent_all(Transfer& transfer, std::uint32_t number, Cycle now);
  void part_arrives(std::uint32_t number, Cycle arrival);
  void forget(std::uint32_t number);

  const BulkParams& params_;
  const double packet_cycles_;
  const Cycle return_latency_;
  EventQueue& events_;
  const Send send_;
  const Store store_;
  const Share share_;
  LandingPort port_;
  std::vector<Transfer> transfers_;
  std::vector<std::uint32_t> unused_;
  std::unordered_map<std::uint64_t, Cycle> maps_;  ///< tensor maps by address, and from when on they are at hand
  Queue loads_, stores_;
  std::deque<Cycle> asked_;  ///< when the last `places` loads will have asked for all their lines and left their places
  double cluster_free_ = 0;  ///< when what follows can leave for other CTAs
  Landed landed_;
  int under_way_ = 0;
};

}  // namespace stc::sm
