// SPDX-License-Identifier: Apache-2.0
// Models:   one of the two L2 partitions: slices with tags, a link to the other partition, device memory behind.
// Evidence: measured/h200/traffic.csv: what memory sees of volumes that are read and stored (capacity, second copies of
//           far lines, stored lines kept); second_readers.csv: latencies of near and far lines.
// Abstracts: data, ECC, compression.
// Timing:   slice wait on every access, then that of an atomic's unit; a hit takes near_latency (and half_extra_latency);
//           a far line adds far_extra_latency and the link, where stores wait behind all and reads behind reads if that
//           is sooner; a miss adds device memory. An answer that an SM makes several rows of stays in its slice until
//           the SM has made them of the ones before.
#pragma once

#include <array>
#include <systemc>
#include <vector>

#include "models/core/statistics.h"
#include "models/core/time_base.h"
#include "models/memory/atomic_units.h"
#include "models/memory/device_memory.h"
#include "models/memory/line_places.h"
#include "models/memory/line_request.h"
#include "models/memory/memory_params.h"
#include "models/memory/observed.h"
#include "models/memory/sector_cache.h"
#include "models/memory/stored_lines.h"

namespace stc::memory {

class L2Partition : public sc_core::sc_module, public Observed, private FillListener {
 public:
  L2Partition(sc_core::sc_module_name name, int index, const MemoryParams& params, const LinePlaces& places,
              DeviceMemory& memory, AtomicUnits& atomic_units);

  /// The partition behind the link, and who is told of reads that waited for device memory.
  void connect(L2Partition& peer) { peer_ = &peer; }
  void answer(FilledReads& crossbar) { crossbar_ = &crossbar; }

  /// Serves a request of the crossbar, which left it in `delay`; adds the time until it has left this partition.
  /// A store's is the time until it is acknowledged. Returns false if it is a read that waits for device memory, of
  /// which FilledReads is told later.
  bool access(LineRequest& request, Tick& delay);
  /// A request for a line of this set is on its way; or one for this line comes next, which then seems to be here or
  /// not. That changes nothing but how soon it is answered in real time.
  void expect(std::uint64_t set) const { cache_.expect(set); }
  bool expect_line(SentQuery& query);
  void expect_line(std::uint64_t line, std::uint64_t set) { cache_.expect_line(line, set); }
  /// The set of its cache in which a line is, if anywhere, and how many lines fit in all.
  std::uint64_t set(std::uint64_t line) const { return cache_.set(line); }
  std::uint64_t capacity() const { return cache_.capacity(); }
  /// Puts a line here as if it had been read before the launch, or `stored`, which its home alone knows. No time
  /// passes, and nothing counts.
  void touch(std::uint64_t line, DataRole role, bool stored);
  /// Does to the tags what a read does, in no time; what it brings counts `times`. Returns the sectors that are asked
  /// for behind this partition.
  std::uint8_t pass_read(std::uint64_t line, std::uint8_t sectors, DataRole role, bool whole_line, std::uint64_t times);
  /// The same of a store; `at_home`: else it passes through and leaves a copy.
  void pass_write(std::uint64_t line, std::uint8_t sectors, DataRole role, bool at_home);
  /// What those did since the last reset.
  const MemoryStatistics& passed_over() const { return passed_over_; }
  const MemoryStatistics& statistics() const { return statistics_; }
  /// Forgets statistics and times; `keep_lines` leaves the tags as they are.
  void reset(bool keep_lines, const MemoryParams& params);

 private:
  void access_from_crossbar(LineRequest& request, Tick& delay);
  void access_from_peer(LineRequest& request, Tick& delay);
  /// From the crossbar to the request's slice and back.
  Tick path(const LineRequest& request) const {
    return path_[request.place.half ^ (params_.l2.second_half_gpcs >> static_cast<unsigned>(request.gpc) & 1)];
  }
  /// Leaves a read in the miss table until `sectors` have come.
  void wait(std::uint8_t sectors, LineRequest& request, Tick delay);
  void filled(LineRequest& request) override;
  void read(LineRequest& request, Tick& delay);
  /// Asks for what a read misses and the neighbours that come with it. `entry`: of the line, null: it has none.
  void bring(std::uint8_t missing, CacheLine* entry, LineRequest& request, Tick& delay);
  void write(LineRequest& request, Tick& delay);
  /// A store on its way to the other partition leaves a copy.
  void pass_through(LineRequest& request);
  void fetch(std::uint8_t sectors, LineRequest& request, Tick& delay);
  void ask_peer(LineRequest& request, Tick& delay);
  /// The entry of a request's line, a new one if it has none.
  CacheLine& entry_for(LineRequest& request);
  /// An entry for a line that has none. `request`: on whose behalf a stored line leaves, null: in no time.
  CacheLine& new_entry(std::uint64_t line, std::uint64_t set, DataRole role, LineRequest* request);
  /// Times, slices and link as params_ has them, idle.
  void set_rates();
  bool is_home(const LineRequest& request) const { return request.place.home == index_; }
  void queue_at_slice(LineRequest& request) {
    SectorServer& slice = slices_[request.place.slice];
    if (request.intake != 0) return queue_with_intake(request, slice);
    queue_at(request, slice, sector_count(request.sectors), request.joins ? 0 : lookup_);
  }
  void queue_with_intake(LineRequest& request, SectorServer& slice);

  const int index_;
  MemoryParams params_;
  L2Partition* peer_ = nullptr;
  FilledReads* crossbar_ = nullptr;
  const LinePlaces& places_;  ///< in all partitions
  DeviceMemory& memory_;
  SectorCache cache_;
  StoredLines stored_lines_;
  std::vector<SectorServer> slices_;
  Tick lookup_ = 0;            ///< that a request takes of its slice at the least
  AtomicUnits& atomic_units_;  ///< of all partitions
  std::vector<Tick> intakes_;  ///< by SM: when it has done with the answers that slices kept for it
  SectorServer link_;
  SectorServer link_reads_;        ///< of reads alone, which share it with stores at the most evenly
  Tick to_peer_ = 0;               ///< each way
  std::array<Tick, 2> path_ = {};  ///< to the own half's slices, to the other's
  MemoryStatistics statistics_, passed_over_;
};

}  // namespace stc::memory
