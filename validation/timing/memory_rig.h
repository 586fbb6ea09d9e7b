// SPDX-License-Identifier: Apache-2.0
// The memory system with mock SMs: requests go in at chosen cycles, arrival cycles come out.
#pragma once

#include <systemc>

#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "models/core/time_base.h"
#include "models/memory/crossbar.h"
#include "models/memory/hbm.h"
#include "models/memory/l2_partition.h"

namespace stc::timing {

/// Sends line requests and notes when the answers arrive.
class MockSm : private memory::LineSource {
 public:
  MockSm(memory::Crossbar& crossbar, int number, int partition) : crossbar_(crossbar), number_(number) {
    crossbar.connect(number, partition, *this);
  }

  void request(std::uint64_t line, std::uint8_t sectors, bool write, std::uint32_t token, bool atomic = false,
               bool joins = false) {
    memory::SentQuery query;
    query.line = line;
    query.sent = to_ticks(sc_core::sc_time_stamp()) / kTicksPerCycle;
    query.sm = number_;
    query.write = write;
    query.sectors = sectors;
    query.token = token;
    query.atomic = atomic;
    query.joins = joins;
    crossbar_.prepare(query);
    crossbar_.send(query);
  }
  int answers() const { return answers_; }
  /// Cycle at which the answer to `token` arrives.
  double arrival(std::uint32_t token) const { return arrivals_.at(token); }
  /// Cycle in which the last store or atomic is known to be made.
  double acknowledged() const { return acknowledged_; }
  /// Until when it is held up; 0: it never was.
  double held_until() const { return held_until_; }

 private:
  void answered(const memory::LineRequest& request, Tick arrival) override {
    ++answers_;
    arrivals_[request.token] = static_cast<double>(arrival) / kTicksPerCycle;
  }
  void held(Tick until) override { held_until_ = static_cast<double>(until) / kTicksPerCycle; }
  void acknowledged(Tick arrival) override { acknowledged_ = static_cast<double>(arrival) / kTicksPerCycle; }
  memory::Crossbar& crossbar_;
  const int number_;
  std::map<std::uint32_t, double> arrivals_;
  int answers_ = 0;
  double acknowledged_ = 0, held_until_ = 0;
};

/// Two L2 partitions, HBM or `own` device memory, a crossbar and `sms` mock SMs, SM i attached to partition i mod 2.
struct MemoryRig {
  explicit MemoryRig(const memory::MemoryParams& p, int sms = 2, memory::DeviceMemory* own = nullptr)
      : MemoryRig(p, gpcs(sms), own) {}
  MemoryRig(const memory::MemoryParams& p, const std::vector<int>& gpc_of_sm, memory::DeviceMemory* own)
      : params(p),
        places(p.l2),
        crossbar("crossbar", gpc_of_sm, places, p),
        hbm(p.hbm),
        atomic_units(p.l2),
        l2_0("l2_0", 0, p, places, own != nullptr ? *own : hbm, atomic_units),
        l2_1("l2_1", 1, p, places, own != nullptr ? *own : hbm, atomic_units) {
    const int sms = static_cast<int>(gpc_of_sm.size());
    for (int i = 0; i < sms; ++i) {
      sm.push_back(std::make_unique<MockSm>(crossbar, i, i % 2));
    }
    crossbar.connect({&l2_0, &l2_1});
    l2_0.connect(l2_1);
    l2_1.connect(l2_0);
  }
  /// Each SM is a GPC of its own.
  static std::vector<int> gpcs(int sms) {
    std::vector<int> gpc_of_sm(static_cast<std::size_t>(sms));
    std::iota(gpc_of_sm.begin(), gpc_of_sm.end(), 0);
    return gpc_of_sm;
  }
  /// First line at or after `from` whose home is `partition`.
  std::uint64_t line_of(int partition, std::uint64_t from = 0) const {
    while (places.home(from) != partition) ++from;
    return from;
  }
  static double now() { return static_cast<double>(to_ticks(sc_core::sc_time_stamp())) / 1000.0; }
  static void advance(double cycles) { sc_core::sc_start(to_time(cycles_to_ticks(cycles))); }

  memory::MemoryParams params;
  memory::LinePlaces places;
  memory::Crossbar crossbar;
  memory::Hbm hbm;
  memory::AtomicUnits atomic_units;
  memory::L2Partition l2_0, l2_1;
  std::vector<std::unique_ptr<MockSm>> sm;
};

}  // namespace stc::timing
