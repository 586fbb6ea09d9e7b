// SPDX-License-Identifier: Apache-2.0
// A dot-product unit: eight f16 products and an f32 accumulator, added as models/arith/fused_dot.h defines it with the
// A100's numbers: exact products, every term cut to a multiple of 2^(largest exponent - 24), an exact sum, rounded
// toward zero. No clock: stages and their registers are left out.
module f16_product (
  input wire [15:0] a,
  input wire [15:0] b,
  output wire negative,
  output wire [21:0] magnitude,       // 20 bits below the point
  output wire signed [8:0] exponent,
  output wire finite,                 // and not zero
  output wire infinite,
  output wire nan
);
  wire [10:0] sa = {a[14:10] != 0, a[9:0]}, sb = {b[14:10] != 0, b[9:0]};
  wire signed [8:0] ea = a[14:10] != 0 ? $signed({4'b0, a[14:10]}) - 9'sd15 : -9'sd14;
  wire signed [8:0] eb = b[14:10] != 0 ? $signed({4'b0, b[14:10]}) - 9'sd15 : -9'sd14;
  wire top_a = a[14:10] == 5'd31, top_b = b[14:10] == 5'd31;
  wire nan_a = top_a && a[9:0] != 0, nan_b = top_b && b[9:0] != 0;
  wire zero_a = a[14:0] == 0, zero_b = b[14:0] == 0;
  wire infinite_any = (top_a && !nan_a) || (top_b && !nan_b);
  assign negative = a[15] ^ b[15];
  assign magnitude = sa * sb;
  assign exponent = ea + eb;
  assign nan = nan_a || nan_b || (infinite_any && (zero_a || zero_b));
  assign infinite = infinite_any && !nan;
  assign finite = !nan && !infinite && !zero_a && !zero_b;
endmodule

module dot_product_unit #(
  parameter MULTIPLIERS = 8
) (
  input wire [MULTIPLIERS*16-1:0] weights,
  input wire [MULTIPLIERS*16-1:0] activations,
  input wire [31:0] c,
  output reg [31:0] d
);
  localparam TERMS = MULTIPLIERS + 1;  // the last one is C
  localparam signed [8:0] NONE = -9'sd200;

  wire [TERMS-1:0] negative, finite, infinite, nan;
  wire [27:0] magnitude[0:TERMS-1];        // 24 bits below the point
  wire signed [8:0] exponent[0:TERMS-1];

  genvar i;
  generate
    for (i = 0; i < MULTIPLIERS; i = i + 1) begin : product
      wire [21:0] exact;
      f16_product multiply (.a(weights[i*16 +: 16]), .b(activations[i*16 +: 16]), .negative(negative[i]),
                            .magnitude(exact), .exponent(exponent[i]), .finite(finite[i]), .infinite(infinite[i]),
                            .nan(nan[i]));
      assign magnitude[i] = {2'b0, exact, 4'b0};
    end
  endgenerate
  wire c_top = c[30:23] == 8'd255, c_normal = c[30:23] != 0;
  assign negative[MULTIPLIERS] = c[31];
  assign nan[MULTIPLIERS] = c_top && c[22:0] != 0;
  assign infinite[MULTIPLIERS] = c_top && c[22:0] == 0;
  assign finite[MULTIPLIERS] = !c_top && c[30:0] != 0;
  assign magnitude[MULTIPLIERS] = {3'b0, c_normal, c[22:0], 1'b0};
  assign exponent[MULTIPLIERS] = c_normal ? $signed({1'b0, c[30:23]}) - 9'sd127 : -9'sd126;

  // The largest exponent, by halves as a tree of comparators would.
  reg signed [8:0] largest[0:2*TERMS-2];
  integer n;
  always @* begin
    for (n = 0; n < TERMS; n = n + 1) largest[TERMS-1+n] = finite[n] ? exponent[n] : NONE;
    for (n = TERMS - 2; n >= 0; n = n - 1)
      largest[n] = largest[2*n+1] > largest[2*n+2] ? largest[2*n+1] : largest[2*n+2];
  end

  reg signed [31:0] sum;
  reg [31:0] size;
  reg [8:0] far;
  reg [27:0] aligned;
  integer t;
  always @* begin
    sum = 0;
    for (t = 0; t < TERMS; t = t + 1) begin
      far = largest[0] - exponent[t];
      aligned = far > 9'd27 ? 28'd0 : magnitude[t] >> far[4:0];
      if (finite[t]) sum = negative[t] ? sum - $signed({4'b0, aligned}) : sum + $signed({4'b0, aligned});
    end
    size = sum < 0 ? -sum : sum;
  end

  // Leading one, result exponent (never below that of subnormals), cut to 24 bits.
  reg [4:0] top;
  reg signed [9:0] place;
  reg signed [9:0] shift;
  reg [54:0] shifted;
  reg [31:0] code;
  integer k;
  always @* begin
    top = 0;
    for (k = 0; k < 32; k = k + 1) if (size[k]) top = k[4:0];
    place = $signed({5'b0, top}) + largest[0] - 10'sd24;
    if (place < -10'sd126) place = -10'sd126;
    shift = place - 10'sd23 - (largest[0] - 10'sd24);
    shifted = shift <= 0 ? {23'b0, size} << (-shift) : {23'b0, size} >> shift;
    code = {(place + 10'sd126), 23'b0} + shifted[31:0];
    if (code > 32'h7f800000) code = 32'h7f800000;
    if (|nan || (|(infinite & negative) && |(infinite & ~negative)))
      d = 32'h7fffffff;
    else if (|infinite)
      d = |(infinite & negative) ? 32'hff800000 : 32'h7f800000;
    else if (shifted[31:0] == 0)
      d = 0;
    else
      d = {sum < 0, code[30:0]};
  end
endmodule
