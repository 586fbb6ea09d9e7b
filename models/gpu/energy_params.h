// SPDX-License-Identifier: Apache-2.0
// What events of a GPU cost in joules. Operands of random values, at the boost clock, unless said otherwise.
#pragma once

namespace stc::gpu {

/// Matrix instructions, operands in registers.
struct TensorEnergyParams {
  double f16_mac = 0;
  double tf32_mac = 0;
  double s8_mac = 0;
  double selected_mac = 0;
  double register_byte = 0;
  double zero_share = 0;

  template <class V>
  void describe(V& v) {
    v.field("f16_mac", f16_mac, "pJ", 0.0, 1e4,
            "A multiply-accumulate of f16 or bf16, zeros left out by 2:4 not counted.");
    v.field("tf32_mac", tf32_mac, "pJ", 0.0, 1e4, "The same in tf32.");
    v.field("s8_mac", s8_mac, "pJ", 0.0, 1e4, "The same of 8-bit integers.");
    v.field("selected_mac", selected_mac, "pJ", 0.0, 1e4,
            "What a multiply-accumulate of a sparse instruction costs beyond a dense one.");
    v.field("register_byte", register_byte, "pJ", 0.0, 1e4,
            "A byte of a matrix operand read from or written to registers.");
    v.field("zero_share", zero_share, "of the energy", 0.0, 1.0,
            "Of all these, what is left when the operands are zeros.");
  }
};

/// Bits that cross a level; what lies between it and the registers is part of its cost, levels above are not counted
/// again.
struct MemoryEnergyParams {
  double shared_bit = 0;
  double l1_bit = 0;
  double l2_bit = 0;
  double dram_read_bit = 0;
  double dram_write_bit = 0;
  double zero_share = 0;

  template <class V>
  void describe(V& v) {
    v.field(
        "shared_bit", shared_bit, "pJ", 0.0, 1e4,
        "A bit of a wavefront of shared loads and stores (1024 bits); copies pay for their bits between L2 and SM.");
    v.field("l1_bit", l1_bit, "pJ", 0.0, 1e4, "A bit that the L1 serves.");
    v.field("l2_bit", l2_bit, "pJ", 0.0, 1e4, "A bit between an SM and L2.");
    v.field("dram_read_bit", dram_read_bit, "pJ", 0.0, 1e4, "A bit read from device memory into L2.");
    v.field("dram_write_bit", dram_write_bit, "pJ", 0.0, 1e4, "A bit written from L2 to device memory.");
    v.field("zero_share", zero_share, "of the energy", 0.0, 1.0, "Of all these, what is left when the bits are zeros.");
  }
};

struct EnergyParams {
  double constant_watts = 0;
  double limit_watts = 0;
  double limit_exponent = 0;
  double sm_cycle = 0;
  double warp_instruction = 0;
  double thread_instruction = 0;
  TensorEnergyParams tensor;
  MemoryEnergyParams memory;

  template <class V>
  void describe(V& v) {
    v.field("constant_watts", constant_watts, "W", 0.0, 1e4, "Of the whole board while no kernel runs, clocks up.");
    v.field("limit_watts", limit_watts, "W", 1.0, 1e4,
            "The board's power limit: a kernel that would take more runs at a lower clock.");
    v.field("limit_exponent", limit_exponent, "power of the clock", 0.0, 4.0,
            "What an event costs goes with this power of the clock, since the voltage falls with it.");
    v.field("sm_cycle", sm_cycle, "pJ", 0.0, 1e6, "A cycle of an SM that holds a CTA.");
    v.field("warp_instruction", warp_instruction, "pJ", 0.0, 1e6, "Fetch, decode and issue of an instruction.");
    v.field("thread_instruction", thread_instruction, "pJ", 0.0, 1e6,
            "An instruction of one lane, mean over arithmetic in f32 and integers.");
    v.group("tensor", tensor, "Matrix instructions.");
    v.group("memory", memory, "Memories.");
  }
};

}  // namespace stc::gpu
