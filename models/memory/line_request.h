// SPDX-License-Identifier: Apache-2.0
// One request for up to four 32-byte sectors of a 128-byte line: as an SM asks, and as it travels through crossbar and
// L2.
//
// These call one another directly: what they say is the machine's own, everyone on the way fills in his part, and times
// are numbers, since most answers are known when they are asked for. No module from elsewhere fits there. The boundary
// at which one does is device memory (external_memory.h), behind TLM-2.0 sockets.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/core/time_base.h"
#include "models/isa/state/global_memory.h"

namespace stc::memory {

constexpr std::uint32_t kLineBytes = 128;
constexpr std::uint32_t kSectorBytes = 32;
constexpr std::uint8_t kAllSectors = 0xf;
constexpr int kMostPackets = 16;  ///< of a line, four of a sector

/// Where a line lies in L2, which its number says: see LinePlaces.
struct LinePlace {
  std::uint32_t set = 0;    ///< of the cache of either partition
  std::uint16_t slice = 0;  ///< of either partition
  std::uint8_t home = 0;    ///< partition
  std::uint8_t half = 0;    ///< of the slices of a partition
};

/// What an SM asks, as it leaves it. It carries no data: values live in isa::GlobalMemory.
struct alignas(64) SentQuery {
  std::uint64_t line = 0;  ///< address / kLineBytes
  std::uint64_t sent = 0;  ///< cycle in which it left the SM
  int sm = 0;
  std::uint32_t token = 0;   ///< the requester's own
  std::uint8_t sectors = 0;  ///< bit i: bytes [32 i, 32 i + 32)
  bool write = false;
  bool atomic = false;      ///< read-modify-write at L2
  bool whole_line = false;  ///< on a miss fetch the whole line (.LTC128B)
  DataRole role = DataRole::kOther;
  // Of an atomic:
  bool waits_for_sum = false;  ///< a floating-point addition
  std::uint8_t packets = 1;    ///< packets of lanes at different addresses
  std::uint8_t passes = 1;     ///< sectors of all of them, as often as the slice works on each
  int leaves_in = 0;           ///< cycles until its last packet has left the SM
  // Filled in by Crossbar::prepare():
  LinePlace place;             ///< of the line
  std::uint8_t gpc = 0;        ///< the SM's
  std::uint8_t partition = 0;  ///< to which the SM is attached
  /// The requester's: of a read that no other SM's joins and whose answer stays in its slice until the SM has done with
  /// those before, sixteenths of a cycle that this one takes; 0: of any other.
  std::uint16_t intake = 0;
  Tick waited = 0;  ///< ticks of the longest queue on the way, see Server
  // On its way:
  bool entered = false;         ///< see Crossbar::enter()
  bool came_behind = false;     ///< see Crossbar::come_behind()
  std::uint8_t likely_way = 0;  ///< of the set in the SM's partition, if the line was there when it was looked for
  bool asks_home = false;       ///< it was not, and its home is the other partition
  /// Of a store: packets beside one for each sector, which say what of lines that were sent before is stored.
  std::uint8_t more_packets = 0;
  bool joins = false;  ///< of a store: it goes on with the one of its line before, slices have looked that up
};

static_assert(sizeof(SentQuery) == 64, "one line of the processor's cache");

/// One that is being served.
struct LineRequest : SentQuery {
  explicit LineRequest(const SentQuery& query) : SentQuery(query) {}

  Tick now = 0;            ///< when the crossbar serves it
  Tick waited_for_l2 = 0;  ///< of a store: `waited` before device memory
  bool fetched = false;    ///< it asked device memory
  Tick to_home = 0;        ///< ticks from the own partition to the line's home, if it was asked
  Tick after_fill = 0;     ///< of a read that waits for device memory: from its data's coming until they leave L2
};

/// Who sends requests to the crossbar: an SM's port.
class LineSource {
 public:
  /// What was asked for will be here at `arrival`.
  virtual void answered(const LineRequest& request, Tick arrival) = 0;
  /// What was sent waits until `until`; the next store or atomic need not leave before.
  virtual void held(Tick until) = 0;
  /// A store or an atomic that was sent will have been made, and the SM know it, at `arrival`.
  virtual void acknowledged(Tick arrival) = 0;

 protected:
  ~LineSource() = default;
};

/// Of a mask of four; a table, since not every x86-64 counts bits.
inline constexpr std::array<std::uint8_t, kAllSectors + 1> kSectorCounts{0, 1, 1, 2, 1, 2, 2, 3,
                                                                         1, 2, 2, 3, 2, 3, 3, 4};
constexpr int sector_count(std::uint8_t sectors) { return kSectorCounts[sectors & kAllSectors]; }

/// A Server of bytes that come in whole sectors of one line: how long it takes for them is worked out beforehand.
class SectorServer {
 public:
  SectorServer() = default;
  explicit SectorServer(double bytes_per_cycle) : server_(bytes_per_cycle) {
    for (std::size_t sectors = 0; sectors < times_.size(); ++sectors) {
      times_[sectors] = server_.time_of(static_cast<double>(sectors * kSectorBytes));
    }
  }

  /// See Server.
  Tick free_from() const { return server_.free_from(); }
  void hold(Tick until) { server_.hold(until); }
  /// Is done no sooner than in `least`.
  Tick reserve(Tick now, int sectors, Tick least = 0) {
    return server_.occupy(now, std::max(times_[static_cast<std::size_t>(sectors)], least));
  }
  /// Of sectors of data, each in a packet of its own, and those that one of them did not hold.
  Tick reserve(Tick now, const SentQuery& query) {
    return reserve(now, sector_count(query.sectors) + query.more_packets);
  }

 private:
  Server server_;
  std::array<Tick, kMostPackets + 1> times_{};  // by sectors
};

/// Reserves `server` for the request, for `least` ticks at the least, and notes the queue found there.
inline void queue_at(LineRequest& request, SectorServer& server, int sectors, Tick least = 0) {
  request.waited = std::max(request.waited, server.reserve(request.now, sectors, least));
}

/// Places of requests that are not served at once, used again and again.
class RequestPool {
 public:
  LineRequest& keep(const SentQuery& query) {
    if (free_.empty()) free_.push_back(&all_.emplace_back(query));
    LineRequest* const request = free_.back();
    free_.pop_back();
    *request = LineRequest(query);
    return *request;
  }
  void release(LineRequest& request) { free_.push_back(&request); }
  /// Nobody holds any more.
  void reset() {
    free_.clear();
    for (LineRequest& request : all_) free_.push_back(&request);
  }

 private:
  std::deque<LineRequest> all_;
  std::vector<LineRequest*> free_;
};

}  // namespace stc::memory
