// SPDX-License-Identifier: Apache-2.0
// The metadata unit: selects of one step's multiplexers out of the metadata registers of 32 lanes. Where an index lies
// is what models/sparsity/metadata_layout.h says: fields of whole indices, field q in lane 4 g + (selector *
// LANES_USED + t) mod 4. Weights of 16 bits: t = q, fields of 16 bits, rows g and g + 8 in the halves of a register.
// Weights of 8 bits: fields of 32 bits, t = 2 q for row g and 2 q + 1 for row g + 8. No clock: the registers that hold
// metadata belong to the operand buffers.
module metadata_unit #(
  parameter BITS = 2,         // of an index
  parameter STORED = 16,      // weights of a row in an instruction
  parameter SELECTORS = 2,    // instructions that share a register
  parameter LANES_USED = 2,   // of a quad, by one of them
  parameter REGISTERS = 1,
  parameter FIELD_BITS = 16,  // of a field: 16, or 32 for weights of 8 bits
  parameter ROWS = 8,         // of a step
  parameter MULTIPLIERS = 8,  // of a dot-product unit
  parameter STEP_BITS = 3     // names one of SELECTORS x 2 x STORED / MULTIPLIERS places
) (
  input wire [REGISTERS*1024-1:0] metadata,  // [register][lane], 32 bits each
  input wire [STEP_BITS-1:0] place,          // (selector * 2 + upper rows) * slices + slice of k
  output wire [ROWS*MULTIPLIERS*BITS-1:0] selects
);
  localparam SLICES = STORED / MULTIPLIERS;
  localparam PER_FIELD = FIELD_BITS / BITS;

  // Lowest bit of index i of a row.
  function integer bit_of(input integer row, input integer i, input integer selector);
    integer t;
    begin
      t = selector * LANES_USED + (FIELD_BITS == 16 ? i / PER_FIELD : 2 * (i / PER_FIELD) + row / 8);
      bit_of = (t / 4) * 1024 + ((row % 8) * 4 + t % 4) * 32 + (FIELD_BITS == 16 ? (row / 8) * 16 : 0) +
               (i % PER_FIELD) * BITS;
    end
  endfunction

  genvar r, p, s;
  generate
    for (r = 0; r < ROWS; r = r + 1) begin : row
      for (p = 0; p < MULTIPLIERS; p = p + 1) begin : multiplier
        wire [SELECTORS*2*SLICES*BITS-1:0] candidates;
        for (s = 0; s < SELECTORS * 2 * SLICES; s = s + 1) begin : candidate
          assign candidates[s*BITS +: BITS] =
              metadata[bit_of(r + 8 * ((s / SLICES) % 2), (s % SLICES) * MULTIPLIERS + p, s / SLICES / 2) +: BITS];
        end
        assign selects[(r * MULTIPLIERS + p)*BITS +: BITS] = candidates[place*BITS +: BITS];
      end
    end
  endgenerate
endmodule
