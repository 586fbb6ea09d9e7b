// SPDX-License-Identifier: Apache-2.0
// Parameters of one streaming multiprocessor.
#pragma once

#include "models/tensor_core/tensor_core_params.h"

namespace stc::sm {

/// Capacity limits that decide how many CTAs an SM holds.
struct OccupancyParams {
  int max_warps = 0;
  int max_ctas = 0;
  int max_threads_per_cta = 0;
  int registers = 0;
  int register_allocation_unit = 0;
  int shared_bytes = 0;
  int shared_bytes_per_cta = 0;
  int reserved_shared_bytes = 0;
  int shared_allocation_unit = 0;

  template <class V>
  void describe(V& v) {
    v.field("max_warps", max_warps, "warps", 1, 1024, "Warps resident on an SM.");
    v.field("max_ctas", max_ctas, "CTAs", 1, 1024, "CTAs resident on an SM.");
    v.field("max_threads_per_cta", max_threads_per_cta, "threads", 32, 4096, "Threads of one CTA.");
    v.field("registers", registers, "registers", 1024, 1 << 24, "32-bit registers of an SM.");
    v.field("register_allocation_unit", register_allocation_unit, "registers", 1, 65536,
            "Registers are given to a warp in multiples of this.");
    v.field("shared_bytes", shared_bytes, "bytes", 0, 1 << 30, "Shared memory of an SM, reserved part included.");
    v.field("shared_bytes_per_cta", shared_bytes_per_cta, "bytes", 0, 1 << 30,
            "Shared memory that one CTA may ask for, reserved part left out.");
    v.field("reserved_shared_bytes", reserved_shared_bytes, "bytes", 0, 65536,
            "Shared memory that the system keeps in every CTA.");
    v.field("shared_allocation_unit", shared_allocation_unit, "bytes", 1, 65536,
            "Shared memory is given to a CTA in multiples of this.");
  }
};

/// Math pipes of a sub-core: cycles between two warp instructions.
struct PipeParams {
  int alu_interval = 0;
  int fma_interval = 0;
  int fma_pipes = 0;
  int imad_interval = 0;
  int fma_wide_interval = 0;
  int half_interval = 0;
  int fp64_interval = 0;
  int double_matrix_interval = 0;
  int double_matrix_latency = 0;
  int xu_interval = 0;
  int conversion_interval = 0;
  int uniform_interval = 0;
  int branch_interval = 0;
  bool imad_shares_alu = false;
  bool half_on_fma = false;

  template <class V>
  void describe(V& v) {
    v.field("alu_interval", alu_interval, "cycles", 1, 64, "IADD3, LOP3, SHF, PRMT, ISETP and other integer work.");
    v.field("fma_interval", fma_interval, "cycles", 1, 64, "FFMA, FADD, FMUL, in each FMA pipe.");
    v.field("fma_pipes", fma_pipes, "pipes", 1, 2,
            "FMA pipes: FFMA, FADD and FMUL go to one that is free, products of integers to the first.");
    v.field("imad_interval", imad_interval, "cycles", 1, 64, "IMAD, IDP.");
    v.field("fma_wide_interval", fma_wide_interval, "cycles", 1, 64,
            "IMAD.WIDE, IMAD.HI, which are issued in two halves: the second half of this later.");
    v.field("half_interval", half_interval, "cycles", 1, 64, "HFMA2, HADD2, HMUL2.");
    v.field("fp64_interval", fp64_interval, "cycles", 1, 256, "DFMA, DADD, DMUL.");
    v.field("double_matrix_interval", double_matrix_interval, "cycles", 1, 60,
            "DMMA: for each 4 of k, with 8 rows as with 16.");
    v.field("double_matrix_latency", double_matrix_latency, "cycles", 0, 256,
            "DMMA: to the end of a chain's link, besides the cycles above, of which 8 rows cost half.");
    v.field("xu_interval", xu_interval, "cycles", 1, 64, "MUFU.");
    v.field("conversion_interval", conversion_interval, "cycles", 1, 64, "Conversions, POPC, FLO, S2R, LDC.");
    v.field("uniform_interval", uniform_interval, "cycles", 1, 64, "Uniform datapath.");
    v.field("branch_interval", branch_interval, "cycles", 1, 64, "Branches and convergence barriers.");
    v.flag("imad_shares_alu", imad_shares_alu, "IMAD occupies the integer pipe as well as the FMA pipe.");
    v.flag("half_on_fma", half_on_fma,
           "HFMA2, HADD2 and HMUL2 go to the first FMA pipe; else they have one of their own.");
  }
};

/// Issue stage and register file of a sub-core.
struct IssueParams {
  int drain_cycles = 0;
  int register_banks = 0;
  int register_read_window = 0;
  int barrier_latency = 0;
  int barrier_arrival_interval = 0;
  int s2r_latency = 0;
  int s2ur_latency = 0;
  int xu_latency = 0;
  int constant_latency = 0;
  int constant_word_cycles = 0;
  int constant_near_bytes = 0;
  int constant_near_miss_cycles = 0;
  int constant_operand_miss_cycles = 0;
  int constant_miss_latency = 0;
  int constant_memory_latency = 0;
  int other_latency = 0;
  int match_latency = 0;
  int match_value_cycles = 0;
  int redux_latency = 0;
  int taken_branch_latency = 0;
  int indirect_branch_latency = 0;
  int convergence_cycles = 0;
  int nanosleep_cycles = 0;
  int fence_latency = 0;
  int fence_memory_latency = 0;
  int fence_system_latency = 0;
  int fence_interval = 0;
  int fence_cta_interval = 0;

  template <class V>
  void describe(V& v) {
    v.field("drain_cycles", drain_cycles, "cycles", 1, 1024, "Cost of a stall count of 0 with yield.");
    v.field("register_banks", register_banks, "banks", 1, 2, "Register-file banks; a bank has one read port.");
    v.field("register_read_window", register_read_window, "cycles", 1, 16,
            "Cycles in which a fixed-latency instruction must read its sources.");
    v.field("barrier_latency", barrier_latency, "cycles", 1, 1024,
            "From the last arrival at a CTA barrier to the first issue after it.");
    v.field("barrier_arrival_interval", barrier_arrival_interval, "cycles", 0, 64,
            "The barrier unit takes one warp's arrival in this time.");
    v.field("s2r_latency", s2r_latency, "cycles", 1, 1024,
            "S2R of registers that are the same for all lanes: issue to dependent issue.");
    v.field("s2ur_latency", s2ur_latency, "cycles", 1, 1024, "S2UR: issue to dependent issue.");
    v.field("xu_latency", xu_latency, "cycles", 1, 1024, "MUFU and conversions: issue to dependent issue.");
    v.field("constant_latency", constant_latency, "cycles", 1, 1024, "LDC: issue to dependent issue.");
    v.field("constant_word_cycles", constant_word_cycles, "cycles", 0, 1024,
            "LDC: further cycles for each word after the first that the lanes name.");
    v.field("constant_near_bytes", constant_near_bytes, "bytes", 64, 65536,
            "Capacity of the caches that answer first, one for LDC and one for operands c[][] and ULDC, in lines of 64 "
            "bytes.");
    v.field("constant_near_miss_cycles", constant_near_miss_cycles, "cycles", 0, 1024,
            "LDC: further cycles for each line that is not in that cache.");
    v.field("constant_operand_miss_cycles", constant_operand_miss_cycles, "cycles", 0, 1024,
            "Operands c[][] and ULDC: further cycles for a line that is not in theirs.");
    v.field("constant_miss_latency", constant_miss_latency, "cycles", 0, 10000,
            "Further latency of the SM's first access to 256 bytes of constants.");
    v.field("constant_memory_latency", constant_memory_latency, "cycles", 0, 10000,
            "The same in a launch after all caches were emptied.");
    v.field("other_latency", other_latency, "cycles", 1, 1024,
            "Other variable-latency instructions (R2UR, VOTE, double conversions): issue to dependent issue.");
    v.field("match_latency", match_latency, "cycles", 1, 1024, "MATCH: issue to dependent issue.");
    v.field("match_value_cycles", match_value_cycles, "cycles", 0, 1024,
            "MATCH.ANY: further cycles for each value after the first that the lanes have.");
    v.field("redux_latency", redux_latency, "cycles", 1, 1024, "REDUX: issue to dependent issue.");
    v.field("taken_branch_latency", taken_branch_latency, "cycles", 1, 64,
            "A branch that is taken counts as a stall of no less than this.");
    v.field("indirect_branch_latency", indirect_branch_latency, "cycles", 1, 1024,
            "A jump through registers (BRX, RET, CALL of a function pointer) counts as a stall of no less than this.");
    v.field(
        "convergence_cycles", convergence_cycles, "cycles", 0, 64,
        "Extra cycles where paths of a warp part or meet: BSYNC, a branch that some lanes take, another path's turn.");
    v.field("nanosleep_cycles", nanosleep_cycles, "cycles", 1, 10000,
            "NANOSLEEP: from issue to the next issue when there is nothing to wait for, and from the timer's edge.");
    v.field("fence_latency", fence_latency, "cycles", 0, 100000,
            "MEMBAR of GPU scope of a warp that has not accessed global or local memory since its last one.");
    v.field("fence_memory_latency", fence_memory_latency, "cycles", 0, 100000, "The same of one that has.");
    v.field("fence_system_latency", fence_system_latency, "cycles", 0, 100000, "MEMBAR of system scope.");
    v.field("fence_interval", fence_interval, "cycles", 0, 1000,
            "An SM begins a fence of GPU or system scope in this time.");
    v.field("fence_cta_interval", fence_cta_interval, "cycles", 0, 1000, "And one of CTA scope in this.");
  }
};

/// Instruction fetch.
struct FetchParams {
  int first_level_bytes = 0;
  int second_level_bytes = 0;
  int launch_bytes = 0;
  int second_level_latency = 0;
  int second_level_interval = 0;
  int memory_latency = 0;
  int memory_interval = 0;
  int emptied_interval = 0;
  int lines_ahead = 0;
  int start_latency = 0;
  int launch_ahead_bytes = 0;
  int launch_interval = 0;

  template <class V>
  void describe(V& v) {
    v.field("first_level_bytes", first_level_bytes, "bytes", 128, 1 << 24,
            "Code that an SM issues at full rate once it has run.");
    v.field("second_level_bytes", second_level_bytes, "bytes", 128, 1 << 28, "Code that the level behind it holds.");
    v.field("launch_bytes", launch_bytes, "bytes", 0, 1 << 28,
            "Code from a kernel's beginning that its launch brings into the second level.");
    v.field("launch_ahead_bytes", launch_ahead_bytes, "bytes", 0, 1 << 28,
            "What of it is there when the first instructions are asked for.");
    v.field("launch_interval", launch_interval, "cycles", 0, 10000, "Cycles per line from then on, up to its end.");
    v.field("second_level_latency", second_level_latency, "cycles", 0, 10000,
            "From a jump to a 128-byte line that the second level holds to the first issue.");
    v.field("second_level_interval", second_level_interval, "cycles", 1, 10000,
            "Cycles per line from the second level.");
    v.field("memory_latency", memory_latency, "cycles", 0, 10000, "The same latency for a line in L2.");
    v.field("memory_interval", memory_interval, "cycles", 1, 10000, "Cycles per line from L2.");
    v.field("emptied_interval", emptied_interval, "cycles", 1, 10000,
            "Cycles per line from device memory, when the caches were emptied before the launch.");
    v.field("lines_ahead", lines_ahead, "lines", 0, 1024, "Lines behind the one in use that are asked for with it.");
    v.field(
        "start_latency", start_latency, "cycles", 0, 10000,
        "Further latency of an SM's first line, and of one from device memory, when the caches were emptied before.");
  }
};

/// Path of memory instructions from issue to the shared-memory and L1 data stage and back.
struct LsuParams {
  int queue_entries = 0;
  int queue_latency = 0;
  int address_interval = 0;
  int operand_cycles = 0;
  int matrix_port_cycles = 0;
  int sm_queue_registers = 0;
  int copy_registers = 0;
  int sm_interval = 0;
  int sm_queue_entries = 0;
  int copy_interval = 0;
  int line_interval = 0;
  int line_queue_entries = 0;
  int line_queue_entry_lines = 0;
  int idle_copy_wavefronts = 0;
  int copy_matrix_cycles = 0;
  int copy_fence_wavefronts = 0;
  int read_release = 0;
  int global_address_cycles = 0;
  int data_queue_wavefronts = 0;
  int own_store_cycles = 0;
  int shared_latency = 0;
  int wavefront_interval = 0;
  int data_width_bytes = 0;
  int own_wavefront_interval = 0;
  int wide_access_cycles = 0;
  int return_bytes_per_cycle = 0;
  int l1_latency = 0;
  int store_release_per_register = 0;
  int cached_copy_wavefronts = 0;
  int store_bytes_per_cycle = 0;
  int store_mask_packets = 0;
  int store_join_cycles = 0;
  int store_pause_cycles = 0;
  int store_queue_cycles = 0;
  int store_lines = 0;
  int store_queue_wavefronts = 0;
  int tag_lines_per_cycle = 0;
  int async_copy_latency = 0;
  int shuffle_latency = 0;
  int status_latency = 0;
  int shuffle_index_cycles = 0;
  int shuffle_predicate_cycles = 0;
  int atomic_latency = 0;
  int atomic_packet_cycles = 0;
  int local_store_line_cycles = 0;
  int compare_and_swap_wavefronts = 0;

  static constexpr int kMostCounted = 3;
  /// Of an instruction's latency from issue to use: the time in which so many registers are read, an address's at most.
  int reading_cycles(int registers) const {
    return operand_cycles * (registers < kMostCounted ? registers : kMostCounted);
  }

  template <class V>
  void describe(V& v) {  // NOLINT(readability-function-size): a table, one row a field
    v.field("queue_entries", queue_entries, "instructions", 1, 64,
            "Memory instructions that a sub-core holds before its issue stops.");
    v.field("queue_latency", queue_latency, "cycles", 1, 64, "From issue until an instruction can leave the sub-core.");
    v.field("address_interval", address_interval, "cycles", 1, 64,
            "A sub-core sends one memory instruction to the SM in this time.");
    v.field("operand_cycles", operand_cycles, "cycles", 0, 64,
            "Cycles that a sub-core takes to send one source register of a memory instruction.");
    v.field("matrix_port_cycles", matrix_port_cycles, "cycles", 0, 64,
            "Cycles in which no memory instruction reads a register, since a matrix instruction reads its own; at most "
            "all but one of those until another can follow.");
    v.field("sm_queue_registers", sm_queue_registers, "registers", 1, 1024,
            "The SM takes no further memory instruction while those that it holds have so many registers.");
    v.field("copy_registers", copy_registers, "registers", 0, 1024, "As how many of them an LDGSTS counts.");
    v.field("sm_interval", sm_interval, "cycles", 0, 64,
            "The SM accepts one memory instruction in this time; 0: all that are ready.");
    v.field("sm_queue_entries", sm_queue_entries, "instructions", 1, 1024,
            "Memory instructions of all sub-cores that the SM holds and serves in the order in which they came.");
    v.field("copy_interval", copy_interval, "cycles", 0, 64, "The SM serves one LDGSTS in this time.");
    v.field("line_interval", line_interval, "cycles", 0, 64,
            "A line of LDG, LDGSTS or an atomic leaves for L2 in this time.");
    v.field("line_queue_entries", line_queue_entries, "entries", 1, 4096,
            "Entries that such accesses hold until their lines have left; LDGSTS holds one more.");
    v.field("line_queue_entry_lines", line_queue_entry_lines, "lines", 1, 32, "Lines that an entry stands for.");
    v.field(
        "idle_copy_wavefronts", idle_copy_wavefronts, "wavefronts", 0, 64,
        "Cycles of the data stage that an LDGSTS takes behind an LDS of which no lane loads, as compilers put before "
        "copies; behind others it takes none.");
    v.field("copy_matrix_cycles", copy_matrix_cycles, "cycles", 0, 64,
            "Cycles of the data stage, and further ones at the entrance, of an LDGSTS that left its sub-core beside a "
            "matrix instruction.");
    v.field("copy_fence_wavefronts", copy_fence_wavefronts, "wavefronts", 0, 64,
            "Cycles of the data stage that LDGDEPBAR takes.");
    v.field(
        "read_release", read_release, "cycles", 1, 64,
        "From issue until source registers may be overwritten, when nothing waits for the way out of the sub-core.");
    v.field("global_address_cycles", global_address_cycles, "cycles", 0, 64,
            "Further cycles to read the 64-bit address of a global access.");
    v.field("data_queue_wavefronts", data_queue_wavefronts, "wavefronts", 1, 1024,
            "Wavefronts that may wait for the data stage before the SM serves no further instruction.");
    v.field("own_store_cycles", own_store_cycles, "cycles", 1, 1024,
            "Work of a sub-core that may wait for the data stage before the SM serves no further shared store of it.");
    v.field("shared_latency", shared_latency, "cycles", 1, 1024,
            "Conflict-free 32-bit LDS or LDSM.x1: issue to dependent issue.");
    v.field("wavefront_interval", wavefront_interval, "cycles", 1, 16,
            "Cycles of the data stage that one 128-byte wavefront takes.");
    v.field("data_width_bytes", data_width_bytes, "bytes", 32, 65536,
            "Width of the data stage: bytes that it moves in wavefront_interval; 128 is one wavefront.");
    v.field("own_wavefront_interval", own_wavefront_interval, "cycles", 1, 16,
            "Cycles between two wavefronts of the same instruction; others may use the cycles between.");
    v.field("wide_access_cycles", wide_access_cycles, "cycles", 0, 16,
            "Further latency of a 64- or 128-bit LDS per register after the first.");
    v.field("return_bytes_per_cycle", return_bytes_per_cycle, "bytes/cycle", 1, 1024,
            "Bytes that a sub-core's register file takes from loads.");
    v.field("l1_latency", l1_latency, "cycles", 1, 1024, "32-bit LDG that hits L1: issue to dependent issue.");
    v.field("store_release_per_register", store_release_per_register, "cycles", 0, 64,
            "Further cycles per data register until a store has read its sources.");
    v.field("cached_copy_wavefronts", cached_copy_wavefronts, "wavefronts", 0, 64,
            "Further wavefronts of the data stage that an LDGSTS through the L1 (.ca) takes.");
    v.field("store_bytes_per_cycle", store_bytes_per_cycle, "bytes/cycle", 1, 4096,
            "Bytes in sectors of global stores that the SM sends; stores wait for it in the SM's queue.");
    v.field("store_mask_packets", store_mask_packets, "packets", 0, 4,
            "Packets of 32 bytes that leave for L2 with a line's sectors if stores fill one of them partly.");
    v.field("store_join_cycles", store_join_cycles, "cycles", 0, 64,
            "Cycles of the port, at the least, that a line takes which joins what was stored to it before.");
    v.field("store_pause_cycles", store_pause_cycles, "cycles", 0, 4096,
            "Lines take no further stores when none has come for so long.");
    v.field("store_queue_cycles", store_queue_cycles, "cycles", 0, 4096,
            "Work of atomics that return values and of stores to local memory that may wait for the port before the SM "
            "serves no more.");
    v.field("store_lines", store_lines, "lines", 1, 4096,
            "Lines of global stores, the last ones, that take further stores.");
    v.field(
        "store_queue_wavefronts", store_queue_wavefronts, "wavefronts", 4, 4096,
        "Data of global stores and reductions, a register of a warp each, that may wait to be among those before the "
        "SM serves no more.");
    v.field("tag_lines_per_cycle", tag_lines_per_cycle, "lines", 1, 32,
            "128-byte lines of one instruction that the tag stage looks up in a cycle.");
    v.field("async_copy_latency", async_copy_latency, "cycles", 0, 1024,
            "From the arrival of the last sector of an LDGSTS to its completion.");
    v.field("atomic_latency", atomic_latency, "cycles", 0, 10000,
            "Further latency of a global atomic over a load that L2 holds.");
    v.field(
        "atomic_packet_cycles", atomic_packet_cycles, "cycles", 1, 64,
        "A packet of a global atomic with a value, whose lanes name different addresses of a line, leaves in no less.");
    v.field("local_store_line_cycles", local_store_line_cycles, "cycles", 1, 64,
            "A line of a store to local memory takes the port of stores for no less than this.");
    v.field(
        "compare_and_swap_wavefronts", compare_and_swap_wavefronts, "wavefronts", 1, 64,
        "Cycles of the data stage for each lane after the first of ATOMS.CAS at one address; other ATOMS take one.");
    v.field("shuffle_latency", shuffle_latency, "cycles", 1, 1024, "SHFL: issue to dependent issue.");
    v.field("status_latency", status_latency, "cycles", 1, 1024,
            "S2R of registers that differ from lane to lane, and of the warp's slot: issue to dependent issue.");
    v.field("shuffle_index_cycles", shuffle_index_cycles, "cycles", 0, 64, "The same with an index in a register.");
    v.field("shuffle_predicate_cycles", shuffle_predicate_cycles, "cycles", 0, 64,
            "The same where a predicate tells whether the lane was in range.");
  }
};

/// Operations on mbarrier objects (SYNCS).
struct MbarrierParams {
  int latency = 0;
  int interval = 0;
  int check_interval = 0;
  int own_interval = 0;
  int next_interval = 0;
  int wake_latency = 0;
  int resume_latency = 0;
  int try_wait_cycles = 0;

  template <class V>
  void describe(V& v) {
    v.field("latency", latency, "cycles", 1, 1024, "SYNCS with a result: issue to dependent issue.");
    v.field("interval", interval, "cycles", 1, 1024, "The SM serves one barrier of a SYNCS in this time.");
    v.field("check_interval", check_interval, "cycles", 1, 1024, "The same for PHASECHK.");
    v.field("own_interval", own_interval, "cycles", 1, 1024, "The same for instructions of one warp.");
    v.field("next_interval", next_interval, "cycles", 0, 1024,
            "From one barrier of an instruction to its next, where lanes name several.");
    v.field("wake_latency", wake_latency, "cycles", 1, 1024,
            "From the issue of the last arrival until a suspended warp goes on.");
    v.field("resume_latency", resume_latency, "cycles", 1, 1024,
            "PHASECHK.TRYWAIT of a warp that was suspended: from then on to dependent issue.");
    v.field("try_wait_cycles", try_wait_cycles, "cycles", 0, 1 << 30,
            "Longest time that PHASECHK.TRYWAIT suspends a warp.");
  }
};

/// The tensor cores of an SM together at the matrix instructions of warpgroups.
struct WarpgroupParams {
  int columns_per_cycle = 0;
  int operand_bytes_per_cycle = 0;
  int latency = 0;
  int sparse_latency = 0;
  int register_interval = 0;
  int sparse_register_interval = 0;
  double load_turns = 0;
  double register_load_turns = 0;
  double register_store_turns = 0;
  int patience = 0;
  int next_patience = 0;
  int store_patience = 0;
  int mbarrier_patience = 0;
  double forced_cycles = 0;
  double landed_cycles = 0;

  template <class V>
  void describe(V& v) {
    v.field("columns_per_cycle", columns_per_cycle, "columns", 1, 256,
            "Columns of 64 rows whose products, of 32 bytes of a stored row each, are summed in a cycle.");
    v.field("operand_bytes_per_cycle", operand_bytes_per_cycle, "bytes/cycle", 16, 1024,
            "Operands read from shared memory: B, and A unless it is in registers.");
    v.field("latency", latency, "cycles", 1, 1024,
            "Beside reading A and summing products: until a wait for the group ends.");
    v.field("sparse_latency", sparse_latency, "cycles", 0, 1024, "Longer for sparse instructions.");
    v.field("register_interval", register_interval, "cycles", 1, 256,
            "Least time between instructions with A in registers.");
    v.field("sparse_register_interval", sparse_register_interval, "cycles", 1, 256, "The same for sparse ones.");
    v.field("load_turns", load_turns, "cycles", 1.0, 64.0,
            "Cycles without operands that a wavefront of a load needs beside instructions with A in shared memory.");
    v.field("register_load_turns", register_load_turns, "cycles", 1.0, 64.0, "The same with A in registers.");
    v.field("register_store_turns", register_store_turns, "cycles", 1.0, 64.0,
            "And that a wavefront of a store needs.");
    v.field("patience", patience, "cycles", 0, 4096,
            "How long a load waits for a cycle in which no operands are read from shared memory.");
    v.field("next_patience", next_patience, "cycles", 0, 4096,
            "How much later a warp's next wavefront that finds none is served.");
    v.field(
        "store_patience", store_patience, "cycles", 0, 4096,
        "The same for each wavefront of a sub-core's stores to shared memory; and how long what only passes waits.");
    v.field("mbarrier_patience", mbarrier_patience, "cycles", 0, 4096,
            "How long an operation on an mbarrier waits for such a cycle.");
    v.field("forced_cycles", forced_cycles, "cycles", 0.0, 64.0,
            "What matrix instructions lose to each wavefront or operation that found none.");
    v.field("landed_cycles", landed_cycles, "cycles", 0.0, 64.0,
            "And to each line of a copy that is written to shared memory beside them; see WarpgroupUnit.");
  }
};

/// Bulk and tensor copies (TMA).
struct BulkParams {
  int latency = 0;
  int map_latency = 0;
  int places = 0;
  int place_latency = 0;
  int line_interval = 0;
  double bytes_per_cycle = 0;
  int multicast_latency = 0;
  int lane_latency = 0;
  int release_latency = 0;

  template <class V>
  void describe(V& v) {
    v.field("latency", latency, "cycles", 1, 10000,
            "Beside L2's: issue of a copy until its mbarrier counts what has come.");
    v.field("map_latency", map_latency, "cycles", 0, 10000,
            "An SM's first copy through a tensor map begins so much later, unless the map was prefetched.");
    v.field("places", places, "copies", 1, 1024,
            "Loads that have not asked for all their lines; the next one is not issued before one of them has.");
    v.field("place_latency", place_latency, "cycles", 0, 10000, "And so many cycles are over since.");
    v.field("line_interval", line_interval, "cycles", 1, 1000, "Requests for lines leave so far apart.");
    v.field("bytes_per_cycle", bytes_per_cycle, "bytes/cycle", 1.0, 10000.0,
            "What has come is written to shared memory no faster than this.");
    v.field("multicast_latency", multicast_latency, "cycles", 1, 10000,
            "A copy to several CTAs of a cluster is counted by the others so long after the CTA that asked for it.");
    v.field("lane_latency", lane_latency, "cycles", 0, 10000,
            "What lanes store to other CTAs (STAS, REDAS) leaves so much later than a copy would.");
    v.field("release_latency", release_latency, "cycles", 1, 10000,
            "Issue until the uniform registers of a copy may be written again.");
  }
};

/// Thread-block clusters.
struct ClusterParams {
  int barrier_latency = 0;
  int barrier_cta_cycles = 0;
  int barrier_cta_limit = 0;
  int arrival_interval = 0;
  int load_latency = 0;
  int pair_load_latency = 0;
  double packet_cycles = 0;
  double receive_cycles = 0;
  int atomic_latency = 0;
  int atomic_lane_cycles = 0;
  int arrive_latency = 0;
  int pair_arrive_latency = 0;
  int acknowledged_latency = 0;

  template <class V>
  void describe(V& v) {
    v.field("barrier_latency", barrier_latency, "cycles", 1, 100000,
            "From the last arrival at the barrier of a cluster of one or two CTAs until its warps go on.");
    v.field("barrier_cta_cycles", barrier_cta_cycles, "cycles", 0, 1000, "The same for each CTA after the second.");
    v.field("barrier_cta_limit", barrier_cta_limit, "CTAs", 1, 16, "CTAs beyond these add nothing.");
    v.field("arrival_interval", arrival_interval, "cycles", 0, 1000,
            "An SM sends an arrival at the barrier of a cluster in this time.");
    v.field("load_latency", load_latency, "cycles", 20, 100000,
            "32-bit LD of one lane from the shared memory of another CTA of the cluster: issue to dependent issue.");
    v.field("pair_load_latency", pair_load_latency, "cycles", 20, 100000,
            "The same in clusters on the last launch.first_sms SMs.");
    v.field("packet_cycles", packet_cycles, "cycles", 0.0, 1000.0,
            "An SM sends a packet of a sector to another of its cluster in this time.");
    v.field("receive_cycles", receive_cycles, "cycles", 0.0, 1000.0, "And receives one in this.");
    v.field("atomic_latency", atomic_latency, "cycles", 0, 100000, "Further latency of an atomic over a load.");
    v.field("atomic_lane_cycles", atomic_lane_cycles, "cycles", 0, 1000,
            "The same for each lane after the first at one address.");
    v.field("arrive_latency", arrive_latency, "cycles", 1, 100000,
            "From the issue of an arrival at an mbarrier of another CTA until it counts there.");
    v.field("pair_arrive_latency", pair_arrive_latency, "cycles", 1, 100000,
            "The same in clusters on the last launch.first_sms SMs.");
    v.field("acknowledged_latency", acknowledged_latency, "cycles", 0, 100000,
            "A fence of a CTA in a cluster is over so long after L2 has acknowledged what the SM's warps stored.");
  }
};

struct L1Params {
  int total_bytes = 0;
  int ways = 0;

  template <class V>
  void describe(V& v) {
    v.field("total_bytes", total_bytes, "bytes", 4096, 1 << 24, "Data array shared by L1 and shared memory.");
    v.field("ways", ways, "ways", 1, 1024, "Associativity of the L1.");
  }
};

/// Functions that the driver supplies: time of the calling warp.
struct DriverParams {
  int printf_cycles = 0;
  int printf_lane_cycles = 0;
  int printf_character_cycles = 0;
  int first_call_cycles = 0;
  int malloc_cycles = 0;
  int malloc_lane_cycles = 0;
  int free_cycles = 0;
  int free_lane_cycles = 0;

  template <class V>
  void describe(V& v) {
    v.field("printf_cycles", printf_cycles, "cycles", 0, 1000000, "A call of printf by one lane.");
    v.field("printf_lane_cycles", printf_lane_cycles, "cycles", 0, 1000000, "The same for every further lane.");
    v.field("printf_character_cycles", printf_character_cycles, "cycles", 0, 1000000,
            "The same for every character of the format.");
    v.field("first_call_cycles", first_call_cycles, "cycles", 0, 1000000,
            "Further time of an SM's first call of each of the three, when its code is in no cache.");
    v.field("malloc_cycles", malloc_cycles, "cycles", 0, 1000000, "A call of device malloc by one lane.");
    v.field("malloc_lane_cycles", malloc_lane_cycles, "cycles", 0, 1000000, "The same for every further lane.");
    v.field("free_cycles", free_cycles, "cycles", 0, 1000000, "A call of device free by one lane.");
    v.field("free_lane_cycles", free_lane_cycles, "cycles", 0, 1000000, "The same for every further lane.");
  }
};

struct SmParams {
  int sub_cores = 0;
  OccupancyParams occupancy;
  PipeParams pipes;
  FetchParams fetch;
  IssueParams issue;
  LsuParams lsu;
  MbarrierParams mbarrier;
  ClusterParams cluster;
  WarpgroupParams warpgroup;
  BulkParams bulk;
  L1Params l1;
  DriverParams driver;
  tensor_core::TensorCoreParams tensor_core;

  template <class V>
  void describe(V& v) {
    v.field("sub_cores", sub_cores, "sub-cores", 1, 16, "Sub-cores; warp w of an SM belongs to sub-core w mod this.");
    v.group("occupancy", occupancy, "Capacity limits that decide how many CTAs an SM holds.");
    v.group("pipes", pipes, "Math pipes of a sub-core: cycles between two warp instructions.");
    v.group("fetch", fetch, "Instruction caches.");
    v.group("issue", issue, "Issue stage, register file, barriers and fixed units.");
    v.group("lsu", lsu, "Memory instructions: queues, data stage, return path.");
    v.group("mbarrier", mbarrier, "Barriers in shared memory that count arrivals and bytes, where SYNCS does them.");
    v.group("cluster", cluster,
            "Clusters of CTAs, where there are any: their barrier, the shared memory of other CTAs.");
    v.group("warpgroup", warpgroup, "Matrix instructions of warpgroups, where there are any.");
    v.group("bulk", bulk, "Bulk and tensor copies (TMA), where there are any.");
    v.group("l1", l1, "L1 data cache.");
    v.group("driver", driver, "Functions that the driver supplies: time of the calling warp.");
    v.group("tensor_core", tensor_core, "One tensor core per sub-core.");
  }
};

}  // namespace stc::sm
