// SPDX-License-Identifier: Apache-2.0
// A dot-product unit of 8-bit integers: sixteen exact products of signed numbers and a 32-bit accumulator. The sum
// wraps, as matrix instructions without .satfinite do. No clock: stages and their registers are left out.
module s8_product (
  input wire [7:0] a,
  input wire [7:0] b,
  output wire [15:0] p
);
  assign p = $signed(a) * $signed(b);
endmodule

module integer_dot_unit #(
  parameter MULTIPLIERS = 16
) (
  input wire [MULTIPLIERS*8-1:0] weights,
  input wire [MULTIPLIERS*8-1:0] activations,
  input wire [31:0] c,
  output wire [31:0] d
);
  wire [MULTIPLIERS*16-1:0] products;
  genvar i;
  generate
    for (i = 0; i < MULTIPLIERS; i = i + 1) begin : product
      s8_product multiply (.a(weights[i*8 +: 8]), .b(activations[i*8 +: 8]), .p(products[i*16 +: 16]));
    end
  endgenerate

  reg signed [19:0] sum;  // of 16 products, which reach 2^14 each
  integer t;
  always @* begin
    sum = 0;
    for (t = 0; t < MULTIPLIERS; t = t + 1) sum = sum + $signed(products[t*16 +: 16]);
  end
  assign d = c + {{12{sum[19]}}, sum};
endmodule
