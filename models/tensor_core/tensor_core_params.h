// SPDX-License-Identifier: Apache-2.0
// Parameters of one tensor core (one per sub-core).
#pragma once

namespace stc::tensor_core {

/// Whether so many dot-product units compute a rectangle of D of 16 rows and 8 columns in a step.
constexpr bool form_a_tile(int units) { return units >= 1 && units <= 16 * 8 && (units & (units - 1)) == 0; }

/// Rates follow from unit counts; see mma_timing.h for the formulas.
struct TensorCoreParams {
  int dot_product_units = 0;
  int multipliers_per_unit = 0;
  int multiplier_bits = 0;
  int cycles_per_step = 0;
  int operand_registers_per_pass = 0;
  int cycles_per_pass = 0;
  int port_cycles = 0;
  int sparse_port_cycles = 0;
  int port_lead_cycles = 0;
  int integer_switch_cycles = 0;
  int sparse_switch_cycles = 0;
  int accumulator_registers = 0;
  bool scaled_activation_feed = false;
  int metadata_registers_per_pass = 0;
  int fill_cycles = 0;
  int block_latency = 0;
  int block_bits = 0;

  template <class V>
  void describe(V& v) {
    v.field("dot_product_units", dot_product_units, "units", 1, 128,
            "Dot-product units, a power of two; each produces one element of D per step.");
    v.field("multipliers_per_unit", multipliers_per_unit, "multipliers", 1, 64,
            "Multipliers of one dot-product unit for elements of multiplier_bits.");
    v.field("multiplier_bits", multiplier_bits, "bits", 4, 64,
            "Element width at which multipliers_per_unit holds; narrower elements get proportionally more.");
    v.field("cycles_per_step", cycles_per_step, "cycles", 1, 16, "Cycles between two steps of the dot-product array.");
    v.field("operand_registers_per_pass", operand_registers_per_pass, "registers", 1, 64,
            "Register operands that one pass of operand collection brings into the operand buffers.");
    v.field("cycles_per_pass", cycles_per_pass, "cycles", 1, 16, "Cycles that one pass of operand collection takes.");
    v.field("port_cycles", port_cycles, "cycles", 0, 64,
            "Cycles from its issue for which a dense matrix instruction has the register file's read ports.");
    v.field("sparse_port_cycles", sparse_port_cycles, "cycles", 0, 64, "The same of a sparse one.");
    v.field("port_lead_cycles", port_lead_cycles, "cycles", 0, 64,
            "From the end of arithmetic's reads to the first matrix instruction that may issue; 0: it does not wait "
            "for them.");
    v.field("integer_switch_cycles", integer_switch_cycles, "cycles", 0, 64,
            "Further cycles between a matrix instruction of floating point and one of integers behind it.");
    v.field("sparse_switch_cycles", sparse_switch_cycles, "cycles", 0, 64,
            "Further cycles between a dense matrix instruction and a sparse one behind it.");
    v.field("accumulator_registers", accumulator_registers, "registers", 0, 16,
            "Least number of collection slots that C takes, also when it is packed f16.");
    v.flag("scaled_activation_feed", scaled_activation_feed,
           "The activation path is M/N times as wide, so that B of an N:M instruction takes as many slots as dense B.");
    v.field(
        "metadata_registers_per_pass", metadata_registers_per_pass, "registers", 0, 64,
        "Metadata registers that a port of their own brings in each pass; 0: they take operand slots like A and B.");
    v.field("fill_cycles", fill_cycles, "cycles", 0, 64, "Latency besides the blocks: operand fetch and write-back.");
    v.field("block_latency", block_latency, "cycles", 1, 64, "Latency that every block of k adds.");
    v.field("block_bits", block_bits, "bits", 32, 1024, "Stored bits along k of one row of A in a block.");
  }
};

}  // namespace stc::tensor_core
