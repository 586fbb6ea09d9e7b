// SPDX-License-Identifier: Apache-2.0
// The memory system with mock SMs: requests go in at chosen cycles, arrival cycles come out.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
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

/// Sends line requests through a real socket and notes when the answers arrive.
class MockSm : public sc_core::sc_module {
 public:
  MockSm(sc_core::sc_module_name name, int partition) : sc_module(name), socket("socket"), partition_(partition) {
    socket.register_nb_transport_bw(this, &MockSm::nb_transport_bw);
  }
  tlm_utils::simple_initiator_socket<MockSm> socket;

  void request(std::uint64_t line, std::uint8_t sectors, bool write, std::uint32_t token, bool atomic = false) {
    tlm::tlm_generic_payload& payload = pool_.acquire();
    auto& r = *payload.get_extension<memory::LineRequest>();
    payload.set_address(line * memory::kLineBytes);
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    r.sectors = sectors;
    r.partition = partition_;
    r.token = token;
    r.atomic = atomic;
    r.whole_line = false;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(payload, phase, delay);
  }
  int answers() const { return answers_; }
  /// Cycle at which the answer to `token` arrives.
  double arrival(std::uint32_t token) const { return arrivals_.at(token); }

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    const auto ticks = to_ticks(sc_core::sc_time_stamp()) + to_ticks(delay);
    ++answers_;
    arrivals_[payload.get_extension<memory::LineRequest>()->token] = static_cast<double>(ticks) / kTicksPerCycle;
    return tlm::TLM_COMPLETED;
  }
  const int partition_;
  memory::PayloadPool pool_;
  std::map<std::uint32_t, double> arrivals_;
  int answers_ = 0;
};

/// Two L2 partitions, HBM or `own` device memory, a crossbar and `sms` mock SMs, SM i attached to partition i mod 2.
struct MemoryRig {
  explicit MemoryRig(const memory::MemoryParams& p, int sms = 2, memory::DeviceMemory* own = nullptr)
      : MemoryRig(p, gpcs(sms), own) {}
  MemoryRig(const memory::MemoryParams& p, const std::vector<int>& gpc_of_sm, memory::DeviceMemory* own)
      : params(p),
        crossbar("crossbar", gpc_of_sm, p),
        hbm(p.hbm),
        atomic_units(p.l2),
        home(p.l2),
        l2_0("l2_0", 0, p, home, own != nullptr ? *own : hbm, atomic_units),
        l2_1("l2_1", 1, p, home, own != nullptr ? *own : hbm, atomic_units) {
    const int sms = static_cast<int>(gpc_of_sm.size());
    for (int i = 0; i < sms; ++i) {
      sm.push_back(std::make_unique<MockSm>(("sm" + std::to_string(i)).c_str(), i % 2));
      sm.back()->socket.bind(crossbar.from_sm[static_cast<std::size_t>(i)]);
    }
    memory::L2Partition* parts[] = {&l2_0, &l2_1};
    for (std::size_t i = 0; i < 2; ++i) {
      crossbar.to_partition[i].bind(parts[i]->from_crossbar);
      parts[i]->to_peer.bind(parts[1 - i]->from_peer);
    }
  }
  /// Each SM is a GPC of its own.
  static std::vector<int> gpcs(int sms) {
    std::vector<int> gpc_of_sm(static_cast<std::size_t>(sms));
    std::iota(gpc_of_sm.begin(), gpc_of_sm.end(), 0);
    return gpc_of_sm;
  }
  /// First line at or after `from` whose home is `partition`.
  std::uint64_t line_of(int partition, std::uint64_t from = 0) const {
    while (home.of(from) != partition) ++from;
    return from;
  }
  static double now() { return static_cast<double>(to_ticks(sc_core::sc_time_stamp())) / 1000.0; }
  static void advance(double cycles) { sc_core::sc_start(to_time(cycles_to_ticks(cycles))); }

  memory::MemoryParams params;
  memory::Crossbar crossbar;
  memory::Hbm hbm;
  memory::AtomicUnits atomic_units;
  memory::HomePartition home;
  memory::L2Partition l2_0, l2_1;
  std::vector<std::unique_ptr<MockSm>> sm;
};

}  // namespace stc::timing
