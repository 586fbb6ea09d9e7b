// SPDX-License-Identifier: Apache-2.0
// One step of a tensor core: 8 x 4 dot-product units of 8 f16 multipliers each (256 multiply-accumulates), or of 16
// 8-bit ones (512), behind metadata unit and operand selector. scripts/rtl writes the parameters of a pattern.
module step_array #(
  parameter M = 4,
  parameter BITS = 2,
  parameter STORED = 16,
  parameter SELECTORS = 2,
  parameter LANES_USED = 2,
  parameter REGISTERS = 1,
  parameter WIDTH = 16,        // of an element; 8: signed integers
  parameter MULTIPLIERS = 8,   // of a dot-product unit
  parameter FIELD_BITS = 16,
  parameter STEP_BITS = 3
) (
  input wire [REGISTERS*1024-1:0] metadata,
  input wire [STEP_BITS-1:0] place,
  input wire [8*MULTIPLIERS*WIDTH-1:0] weights,          // [row][multiplier]
  input wire [4*MULTIPLIERS*M*WIDTH-1:0] activations,    // [column][multiplier][input]
  input wire [8*4*32-1:0] accumulators,                  // [row][column]
  output wire [8*MULTIPLIERS*BITS-1:0] selects,
  output wire [8*4*MULTIPLIERS*WIDTH-1:0] selected,      // [row][column][multiplier]
  output wire [8*4*32-1:0] sums
);
  metadata_unit #(.BITS(BITS), .STORED(STORED), .SELECTORS(SELECTORS), .LANES_USED(LANES_USED),
                  .REGISTERS(REGISTERS), .FIELD_BITS(FIELD_BITS), .MULTIPLIERS(MULTIPLIERS),
                  .STEP_BITS(STEP_BITS)) steer (
      .metadata(metadata), .place(place), .selects(selects));
  operand_selector #(.M(M), .BITS(BITS), .WIDTH(WIDTH), .MULTIPLIERS(MULTIPLIERS)) choose (
      .activations(activations), .selects(selects), .selected(selected));
  genvar u;
  generate
    for (u = 0; u < 32; u = u + 1) begin : unit
      if (WIDTH == 16) begin : f16
        dot_product_unit add (.weights(weights[(u / 4)*128 +: 128]), .activations(selected[u*128 +: 128]),
                              .c(accumulators[u*32 +: 32]), .d(sums[u*32 +: 32]));
      end else begin : s8
        integer_dot_unit add (.weights(weights[(u / 4)*128 +: 128]), .activations(selected[u*128 +: 128]),
                              .c(accumulators[u*32 +: 32]), .d(sums[u*32 +: 32]));
      end
    end
  endgenerate
endmodule
