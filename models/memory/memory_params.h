// SPDX-License-Identifier: Apache-2.0
// Parameters of the memory system outside the SMs.
#pragma once

#include <cstdint>

namespace stc::memory {

/// SM ports and the crossbar between SMs and L2 partitions.
struct CrossbarParams {
  int atomic_packets = 0;
  double request_interval = 0;
  double sm_read_bytes_per_cycle = 0;
  double sm_write_bytes_per_cycle = 0;
  double read_bytes_per_cycle = 0;
  double write_bytes_per_cycle = 0;
  double gpc_read_bytes_per_cycle = 0;
  double partition_link_bytes_per_cycle = 0;
  double store_queue_kib = 0;
  int coalesced_requests = 0;
  double coalescer_reach = 0;
  double sm_step = 0;

  template <class V>
  void describe(V& v) {
    v.field("request_interval", request_interval, "cycles", 0.0, 64.0, "An SM sends one line request in this time.");
    v.field("sm_read_bytes_per_cycle", sm_read_bytes_per_cycle, "bytes/cycle", 1.0, 4096.0,
            "Bytes that one SM receives from L2.");
    v.field("sm_write_bytes_per_cycle", sm_write_bytes_per_cycle, "bytes/cycle", 1.0, 4096.0,
            "Bytes that one SM sends to L2.");
    v.field("read_bytes_per_cycle", read_bytes_per_cycle, "bytes/cycle", 1.0, 1e6,
            "Bytes that all SMs together receive from L2.");
    v.field("write_bytes_per_cycle", write_bytes_per_cycle, "bytes/cycle", 1.0, 1e6,
            "Bytes that all SMs together send to L2.");
    v.field("gpc_read_bytes_per_cycle", gpc_read_bytes_per_cycle, "bytes/cycle", 1.0, 1e6,
            "Bytes that the SMs of one GPC together receive from L2.");
    v.field("coalesced_requests", coalesced_requests, "requests", 1, 64,
            "Reads of one line by SMs of one GPC that a single request to L2 serves; 1: each goes by itself.");
    v.field("coalescer_reach", coalescer_reach, "cycles", 0.0, 10000.0,
            "A read joins one on its way only if that one's data arrives no sooner than in this time.");
    v.field("sm_step", sm_step, "cycles", 0.0, 100.0,
            "Latency from one SM of a GPC to the next further away, both ways together; see Crossbar.");
    v.field("atomic_packets", atomic_packets, "packets", 1, 1000000,
            "Packets of atomics of one SM that may wait for units of L2 before it sends no more.");
    v.field("partition_link_bytes_per_cycle", partition_link_bytes_per_cycle, "bytes/cycle", 1.0, 1e6,
            "Bytes that cross between the two L2 partitions, each way.");
    v.field(
        "store_queue_kib", store_queue_kib, "KiB", 0.0, 1e6,
        "What stores of all SMs may wait on their way into L2 before who sends more is held up; reads go behind those "
        "of their own SM.");
  }
};

struct L2Params {
  int partitions = 0;
  std::uint64_t second_partition_gpcs = 0;
  int slices_per_partition = 0;
  double capacity_mib = 0;
  int ways = 0;
  double slice_bytes_per_cycle = 0;
  double lookup_interval = 0;
  double near_latency = 0;
  double own_clock_latency = 0;
  double far_extra_latency = 0;
  std::uint64_t second_half_gpcs = 0;
  double half_extra_latency = 0;
  bool replicate_far_lines = false;
  double dirty_mib = 0;
  double eager_mib = 0;
  double dirty_at_launch_mib = 0;
  double lines_at_launch_mib = 0;
  double spared_share = 0;
  int interleave_bytes = 0;
  double atomic_interval = 0;
  double atomic_sum_interval = 0;
  double atomic_sector_interval = 0;
  int atomic_interleave_bytes = 0;
  int atomic_units = 0;

  template <class V>
  void describe(V& v) {
    v.field("partitions", partitions, "partitions", 2, 2,
            "L2 partitions, linked to each other; an SM is attached to one of them.");
    v.field("second_partition_gpcs", second_partition_gpcs, "GPC mask", 0, 9e18,
            "Bit i: GPC i is attached to the second partition, else to the first.");
    v.field("slices_per_partition", slices_per_partition, "slices", 1, 1024, "Independent banks of a partition.");
    v.field("capacity_mib", capacity_mib, "MiB", 0.0625, 4096.0, "L2 capacity, all partitions.");
    v.field("ways", ways, "ways", 1, 128, "Associativity.");
    v.field("slice_bytes_per_cycle", slice_bytes_per_cycle, "bytes/cycle", 1.0, 1024.0, "Bandwidth of one slice.");
    v.field("lookup_interval", lookup_interval, "cycles", 0.0, 100.0,
            "A slice takes one request, or reads one line for device memory, in this time, however few its sectors.");
    v.field("near_latency", near_latency, "cycles", 1.0, 10000.0,
            "LDG that hits the SM's own partition: issue to dependent issue, idle machine.");
    v.field("own_clock_latency", own_clock_latency, "cycles", 0.0, 10000.0,
            "Part of near_latency that passes in L2's own clock; see memory_clock.h.");
    v.field("far_extra_latency", far_extra_latency, "cycles", 0.0, 10000.0,
            "Further latency when the other partition serves the line.");
    v.field("second_half_gpcs", second_half_gpcs, "GPC mask", 0, 9e18,
            "Bit i: GPC i lies next to the second half of its partition's slices, else to the first.");
    v.field("half_extra_latency", half_extra_latency, "cycles", 0.0, 10000.0,
            "Further latency when the slice lies in the other half of the partition.");
    v.field("dirty_mib", dirty_mib, "MiB", 0.0, 1e4,
            "Stored lines that L2 keeps; beyond that it writes the oldest of them to memory and keeps them as read.");
    v.field(
        "eager_mib", eager_mib, "MiB", 0.0, 1e4,
        "Stored lines beyond which a read, or a store to a stored line, has the oldest one of its set written, if the "
        "set holds more of them than its share of these.");
    v.field("dirty_at_launch_mib", dirty_at_launch_mib, "MiB", 0.0, 1e4,
            "Stored lines of others that even an emptied L2 holds when a kernel starts; the oldest of "
            "lines_at_launch_mib.");
    v.field("lines_at_launch_mib", lines_at_launch_mib, "MiB", 0.0, 1e4,
            "Lines of others that it holds then, each in a set by chance; at least the stored ones.");
    v.field("spared_share", spared_share, "of 1", 0.0, 1.0,
            "How often a line that memory does not have is spared when it is the least recently used of its set: the "
            "least recently used one that memory has goes.");
    v.flag("replicate_far_lines", replicate_far_lines,
           "A line of the other partition is also kept in the own one after the first read.");
    v.field("interleave_bytes", interleave_bytes, "bytes", 128, 1 << 24,
            "Consecutive bytes that have their home in the same partition.");
    v.field("atomic_interval", atomic_interval, "cycles", 0.1, 1000.0,
            "A unit works on one sector of an atomic, or on one lane of those at one address, in this time.");
    v.field("atomic_sum_interval", atomic_sum_interval, "cycles", 0.1, 1000.0,
            "The same of floating-point additions to one address.");
    v.field(
        "atomic_sector_interval", atomic_sector_interval, "cycles", 0.1, 1000.0,
        "A further sector of an atomic whose lanes are at different addresses, other than those of the one before.");
    v.field("atomic_interleave_bytes", atomic_interleave_bytes, "bytes", 128, 1 << 24,
            "Consecutive bytes whose atomics the same unit works on; two units take turns over four such chunks.");
    v.field("atomic_units", atomic_units, "units", 1, 1024,
            "Units that work on atomics, each for all lines of its chunks, one after the other.");
  }
};

struct HbmParams {
  int channels = 0;
  double bytes_per_cycle = 0;
  double extra_latency = 0;
  double far_extra_latency = 0;
  int banks = 0;
  int page_bytes = 0;
  double refresh_interval = 0;
  double refresh_cycles = 0;
  int access_bytes = 0;
  double write_queue_kib = 0;

  template <class V>
  void describe(V& v) {
    v.field("channels", channels, "channels", 1, 1024, "Independent channels; lines are hashed over them.");
    v.field("bytes_per_cycle", bytes_per_cycle, "bytes/cycle", 0.1, 1e6,
            "Bandwidth of all channels together that reads sustain, per SM clock.");
    v.field("extra_latency", extra_latency, "cycles", 1.0, 100000.0, "Latency that an L2 miss adds, idle machine.");
    v.field("far_extra_latency", far_extra_latency, "cycles", 0.0, 100000.0,
            "Further latency of the half of all lines whose channel lies on the other side than their L2 slice.");
    v.field("banks", banks, "banks", 1, 1024,
            "Banks of a channel; each is refreshed at a time of its own, the same bank of all channels at once.");
    v.field("page_bytes", page_bytes, "bytes", 128, 65536, "Neighbouring bytes that lie in one bank.");
    v.field("refresh_interval", refresh_interval, "cycles", 1.0, 1e9, "Time between two refreshes of a bank.");
    v.field("refresh_cycles", refresh_cycles, "cycles", 0.0, 1e6,
            "Time of a refresh, for which reads of the bank wait.");
    v.field("access_bytes", access_bytes, "bytes", 32, 256, "Least transfer of one access.");
    v.field(
        "write_queue_kib", write_queue_kib, "KiB", 0.0, 1e6,
        "Writes that wait for all channels together before stores do. A channel writes when its queue is half full, "
        "until it is empty; reads wait for that, at the most as long as a full queue takes.");
  }
};

struct MemoryParams {
  CrossbarParams crossbar;
  L2Params l2;
  HbmParams hbm;

  template <class V>
  void describe(V& v) {
    v.group("crossbar", crossbar, "SM ports and the crossbar between SMs and L2 partitions.");
    v.group("l2", l2, "L2 cache.");
    v.group("hbm", hbm, "Device memory.");
  }
};

}  // namespace stc::memory
