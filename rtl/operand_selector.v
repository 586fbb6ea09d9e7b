// SPDX-License-Identifier: Apache-2.0
// The operand selector: one M:1 multiplexer of WIDTH bits before each multiplier passes the activation that the
// weight's index names. An index steers the multiplexers of all columns of its row.
module operand_selector #(
  parameter M = 4,
  parameter BITS = 2,
  parameter WIDTH = 16,
  parameter ROWS = 8,
  parameter COLUMNS = 4,
  parameter MULTIPLIERS = 8
) (
  input wire [COLUMNS*MULTIPLIERS*M*WIDTH-1:0] activations,       // [column][multiplier][input]
  input wire [ROWS*MULTIPLIERS*BITS-1:0] selects,                 // [row][multiplier]
  output wire [ROWS*COLUMNS*MULTIPLIERS*WIDTH-1:0] selected       // [row][column][multiplier]
);
  genvar r, c, p;
  generate
    for (r = 0; r < ROWS; r = r + 1) begin : row
      for (c = 0; c < COLUMNS; c = c + 1) begin : column
        for (p = 0; p < MULTIPLIERS; p = p + 1) begin : multiplier
          wire [M*WIDTH-1:0] inputs = activations[(c * MULTIPLIERS + p)*M*WIDTH +: M*WIDTH];
          assign selected[((r * COLUMNS + c) * MULTIPLIERS + p)*WIDTH +: WIDTH] =
              inputs[selects[(r * MULTIPLIERS + p)*BITS +: BITS]*WIDTH +: WIDTH];
        end
      end
    end
  endgenerate
endmodule
