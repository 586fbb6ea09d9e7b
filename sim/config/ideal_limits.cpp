// SPDX-License-Identifier: Apache-2.0
#include "sim/config/ideal_limits.h"

#include <algorithm>

namespace stc::sim {
namespace {

std::vector<Override> below(const std::string& group, std::vector<Override> keys) {
  for (Override& key : keys) key.path.insert(0, group + ".");
  return keys;
}

std::vector<Override> together(const std::vector<std::vector<Override>>& groups) {
  std::vector<Override> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

std::vector<Override> launch_keys() {
  return together({below("launch", {{"overhead_cycles", "0"},
                                    {"dispatch_interval", "0"},
                                    {"gpc_dispatch_interval", "0"},
                                    {"cta_launch_latency", "0"},
                                    {"cta_end_latency", "0"}}),
                   below("clock_spread", {{"settled", "0"}, {"per_watt", "0"}, {"warpgroups", "1"}})});
}

/// A shared access and a hit in L1 take the cycle in which they leave the sub-core and the one in which they are
/// served.
std::vector<Override> latency_keys() {
  return together({below("memory", {{"l2.near_latency", "1"},
                                    {"l2.own_clock_latency", "0"},
                                    {"l2.far_extra_latency", "0"},
                                    {"l2.half_extra_latency", "0"},
                                    {"crossbar.sm_step", "0"},
                                    {"hbm.extra_latency", "1"},
                                    {"hbm.far_extra_latency", "0"}}),
                   below("sm.lsu", {{"queue_latency", "1"},
                                    {"shared_latency", "2"},
                                    {"l1_latency", "2"},
                                    {"shuffle_latency", "2"},
                                    {"status_latency", "1"},
                                    {"shuffle_index_cycles", "0"},
                                    {"shuffle_predicate_cycles", "0"},
                                    {"read_release", "1"},
                                    {"async_copy_latency", "0"},
                                    {"atomic_latency", "0"}}),
                   below("sm.issue", {{"barrier_latency", "1"},
                                      {"s2r_latency", "1"},
                                      {"s2ur_latency", "1"},
                                      {"xu_latency", "1"},
                                      {"constant_latency", "1"},
                                      {"constant_word_cycles", "0"},
                                      {"constant_near_miss_cycles", "0"},
                                      {"constant_operand_miss_cycles", "0"},
                                      {"constant_miss_latency", "0"},
                                      {"constant_memory_latency", "0"},
                                      {"other_latency", "1"},
                                      {"match_latency", "1"},
                                      {"match_value_cycles", "0"},
                                      {"redux_latency", "1"},
                                      {"fence_latency", "0"},
                                      {"fence_memory_latency", "0"},
                                      {"fence_system_latency", "0"}}),
                   below("sm.tensor_core", {{"fill_cycles", "0"}, {"block_latency", "1"}})});
}

std::vector<Override> dram_keys() {
  return below("memory.hbm", {{"bytes_per_cycle", "1000000"}, {"refresh_cycles", "0"}});
}

std::vector<Override> l2_keys() {
  return together({below("memory.crossbar", {{"request_interval", "0"},
                                             {"sm_read_bytes_per_cycle", "4096"},
                                             {"sm_write_bytes_per_cycle", "4096"},
                                             {"read_bytes_per_cycle", "1000000"},
                                             {"write_bytes_per_cycle", "1000000"},
                                             {"gpc_read_bytes_per_cycle", "1000000"},
                                             {"partition_link_bytes_per_cycle", "1000000"},
                                             {"atomic_packets", "1000000"}}),
                   below("memory.l2", {{"slice_bytes_per_cycle", "1024"},
                                       {"lookup_interval", "0"},
                                       {"atomic_interval", "0.1"},
                                       {"atomic_sum_interval", "0.1"},
                                       {"atomic_sector_interval", "0.1"}}),
                   below("sm.lsu", {{"line_interval", "0"},
                                    {"line_queue_entries", "4096"},
                                    {"store_bytes_per_cycle", "4096"},
                                    {"store_queue_cycles", "4096"}})});
}

std::vector<Override> shared_memory_keys() {
  return below(
      "sm.lsu",
      {{"data_width_bytes", "65536"},  {"own_wavefront_interval", "1"},   {"return_bytes_per_cycle", "1024"},
       {"queue_entries", "64"},        {"address_interval", "1"},         {"operand_cycles", "0"},
       {"matrix_port_cycles", "0"},    {"sm_queue_registers", "1024"},    {"sm_interval", "0"},
       {"sm_queue_entries", "1024"},   {"data_queue_wavefronts", "1024"}, {"own_store_cycles", "1024"},
       {"copy_interval", "0"},         {"idle_copy_wavefronts", "0"},     {"copy_matrix_cycles", "0"},
       {"copy_fence_wavefronts", "0"}, {"cached_copy_wavefronts", "0"},   {"wide_access_cycles", "0"},
       {"tag_lines_per_cycle", "32"},  {"global_address_cycles", "0"},    {"store_release_per_register", "0"}});
}

std::vector<Override> instruction_keys() {
  return together({below("sm.pipes", {{"alu_interval", "1"},
                                      {"fma_interval", "1"},
                                      {"imad_interval", "1"},
                                      {"fma_wide_interval", "1"},
                                      {"half_interval", "1"},
                                      {"fp64_interval", "1"},
                                      {"xu_interval", "1"},
                                      {"conversion_interval", "1"},
                                      {"uniform_interval", "1"},
                                      {"branch_interval", "1"}}),
                   below("sm.fetch", {{"first_level_bytes", "16777216"},
                                      {"second_level_bytes", "268435456"},
                                      {"launch_bytes", "268435456"},
                                      {"second_level_latency", "0"},
                                      {"second_level_interval", "1"},
                                      {"memory_latency", "0"},
                                      {"memory_interval", "1"},
                                      {"emptied_interval", "1"},
                                      {"start_latency", "0"},
                                      {"launch_interval", "0"}}),
                   below("sm.issue", {{"register_read_window", "16"},
                                      {"barrier_arrival_interval", "0"},
                                      {"taken_branch_latency", "1"},
                                      {"indirect_branch_latency", "1"},
                                      {"convergence_cycles", "0"}})});
}

std::vector<Override> feed_keys() {
  return below("sm.tensor_core", {{"operand_registers_per_pass", "64"},
                                  {"cycles_per_pass", "1"},
                                  {"port_cycles", "0"},
                                  {"sparse_port_cycles", "0"},
                                  {"port_lead_cycles", "0"},
                                  {"integer_switch_cycles", "0"},
                                  {"sparse_switch_cycles", "0"}});
}

}  // namespace

const std::vector<IdealLimit>& ideal_limits() {
  static const std::vector<IdealLimit> rows = {
      {"launch", "launch", "launch overhead, the times in which CTAs are given to SMs, and that GPCs' clocks differ",
       launch_keys()},
      {kTailLimit,
       "tail",
       "SMs end one after the other, or have no CTA: the work of all is spread over them evenly",
       {}},
      {"latency", "latency", "what one access, copy, barrier or dependent matrix instruction takes on an idle machine",
       latency_keys()},
      {"dram", "DRAM", "bandwidth and refresh of device memory", dram_keys()},
      {"l2", "L2", "bandwidth of L2, of the crossbar and of the SMs' ports to it", l2_keys()},
      {"shared_memory", "shared memory",
       "wavefronts and bank conflicts, queues and ports of memory instructions in the SM", shared_memory_keys()},
      {"instructions", "other instructions",
       "pipes beside the tensor cores, their register ports, instruction caches and branches", instruction_keys()},
      {"feed", "operand feed", "registers that the tensor cores collect before they multiply", feed_keys()},
  };
  return rows;
}

std::vector<Override> lifted_keys(const std::vector<std::string>& limits) {
  std::vector<Override> keys;
  for (const IdealLimit& limit : ideal_limits()) {
    if (std::find(limits.begin(), limits.end(), limit.key) == limits.end()) continue;
    keys.insert(keys.end(), limit.keys.begin(), limit.keys.end());
  }
  return keys;
}

}  // namespace stc::sim
