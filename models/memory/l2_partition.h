// SPDX-License-Identifier: Apache-2.0
// Models:   one of the two L2 partitions: slices with tags, a link to the other partition, device memory behind.
// Evidence: measured/h200/traffic.csv: what memory sees of volumes that are read and stored (capacity, second copies of
//           far lines, stored lines kept); second_readers.csv: latencies of near and far lines.
// Abstracts: data, ECC, compression.
// Timing:   slice wait on every access, then that of an atomic's unit; a hit takes near_latency (and half_extra_latency);
//           a far line adds far_extra_latency and the link; a miss adds device memory.
#pragma once

#include <systemc>
#include <vector>

#include "models/core/statistics.h"
#include "models/core/time_base.h"
#include "models/memory/address_hash.h"
#include "models/memory/atomic_units.h"
#include "models/memory/device_memory.h"
#include "models/memory/home_partition.h"
#include "models/memory/line_request.h"
#include "models/memory/memory_params.h"
#include "models/memory/observed.h"
#include "models/memory/sector_cache.h"
#include "models/memory/stored_lines.h"

namespace stc::memory {

class L2Partition : public sc_core::sc_module, public Observed, private FillListener {
 public:
  L2Partition(sc_core::sc_module_name name, int index, const MemoryParams& params, const HomePartition& home,
              DeviceMemory& memory, AtomicUnits& atomic_units);

  /// The partition behind the link, and who is told of reads that waited for device memory.
  void connect(L2Partition& peer) { peer_ = &peer; }
  void answer(FilledReads& crossbar) { crossbar_ = &crossbar; }

  /// Serves a request of the crossbar, which left it in `delay`; adds the time until it has left this partition.
  /// A store's is the time until it is acknowledged. Returns false if it is a read that waits for device memory, of
  /// which FilledReads is told later.
  bool access(LineRequest& request, Tick& delay);
  /// A request for the line is on its way, or comes next (`now`). Changes nothing but how soon it is answered in real
  /// time. Returns whether it is here, if that is looked for.
  bool expect(std::uint64_t line, bool now) { return now ? cache_.expect_line(line) : (cache_.expect(line), false); }
  /// The set of its cache in which a line is, if anywhere, and how many lines fit in all.
  std::uint64_t set(std::uint64_t line) const { return cache_.set(line); }
  std::uint64_t capacity() const { return cache_.capacity(); }
  /// Puts a line here as if it had been read before the launch. No time passes.
  void touch(std::uint64_t line, DataRole role);
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
  /// From the crossbar to a slice and back.
  Tick path(std::uint64_t line, int gpc) const;
  /// Leaves a read in the miss table until `sectors` have come.
  void wait(std::uint8_t sectors, LineRequest& request, Tick delay);
  void filled(LineRequest& request) override;
  void read(std::uint64_t line, bool is_home, LineRequest& request, Tick& delay);
  void write(std::uint64_t line, LineRequest& request, Tick& delay);
  /// A store on its way to the other partition leaves a copy.
  void pass_through(std::uint64_t line, LineRequest& request);
  void fetch(std::uint64_t line, std::uint8_t sectors, LineRequest& request, Tick& delay);
  void ask_peer(LineRequest& request, Tick& delay);
  CacheLine& new_entry(std::uint64_t line, DataRole role, LineRequest* request);
  CacheLine& entry_for(std::uint64_t line, DataRole role, LineRequest* request);
  /// Slices and link at the rates of params_, idle.
  void set_rates();
  Server& slice_with(std::uint64_t line) { return slices_[slice_of(line, slice_count_)]; }

  const int index_;
  MemoryParams params_;
  L2Partition* peer_ = nullptr;
  FilledReads* crossbar_ = nullptr;
  const HomePartition& home_;  ///< of all partitions
  const Divider slice_count_;
  DeviceMemory& memory_;
  SectorCache cache_;
  StoredLines stored_lines_;
  std::vector<Server> slices_;
  AtomicUnits& atomic_units_;  ///< of all partitions
  Server link_;
  MemoryStatistics statistics_, passed_over_;
};

}  // namespace stc::memory
