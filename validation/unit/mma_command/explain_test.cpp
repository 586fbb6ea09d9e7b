// SPDX-License-Identifier: Apache-2.0
// The explanation is of the number that the instruction really gives.
#include "sim/mma/explain.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "models/arith/convert.h"
#include "models/isa/mma/mma_catalogue.h"
#include "validation/gpus.h"

namespace stc::sim {
namespace {

TEST(Explain, TracesEndInTheInstructionsResult) {
  for (const int sm : {80, 90}) {
    const arith::Numerics numerics = validation::gpu_of(sm).numerics;
    for (const isa::MmaCatalogueEntry& entry : isa::mma_catalogue(sm)) {
      MmaCase mma = random_case(entry.op, std::max(0, entry.selectors - 1), 5);
      compute(mma, numerics);
      for (const auto& [row, column] : {std::pair{0, 0}, std::pair{9, 3}, std::pair{15, 7}}) {
        const isa::OutputTrace trace = isa::trace_output(entry.op, numerics, mma.in, row, column);
        const std::uint32_t d = mma.out[static_cast<std::size_t>(row * 8 + column)];
        EXPECT_EQ(trace.d, d) << entry.op.name();
        EXPECT_EQ(static_cast<int>(trace.products.size()), entry.op.stored_k());
        double exact = isa::element_value(entry.op.c, trace.c);
        for (const isa::ProductStep& product : trace.products) {
          exact += isa::element_value(entry.op.a, product.a) * isa::element_value(entry.op.b, product.b);
        }
        if (isa::is_integer(entry.op.a)) {
          EXPECT_EQ(static_cast<double>(trace.exact_sum), exact) << entry.op.name();
          continue;
        }
        const double last = isa::element_value(entry.op.c, trace.blocks.back().result);
        const double result = isa::element_value(entry.op.c, d);
        if (!trace.c_added_last) {
          EXPECT_EQ(trace.blocks.back().result, d) << entry.op.name();
        }
        EXPECT_NEAR(result, exact, 0.02 + std::fabs(exact) * 1e-3) << entry.op.name();
        EXPECT_EQ(trace.c_added_last, result != last) << entry.op.name();
      }
    }
  }
}

TEST(Explain, WarpgroupsAreFourWarpsOfSixteenRowsAndEightColumnsAfterOthers) {
  const arith::Numerics numerics = validation::gpu_of(90).numerics;
  for (isa::MmaCatalogueEntry entry : isa::warpgroup_catalogue(90)) {
    entry.op.n = 24;
    MmaCase mma = random_case(entry.op, std::max(0, entry.selectors - 1), 5);
    compute(mma, numerics);
    ASSERT_EQ(mma.out.size(), 64u * 24u) << entry.op.name();
    for (const auto& [row, column] : {std::pair{0, 0}, std::pair{25, 9}, std::pair{63, 23}, std::pair{47, 16}}) {
      const isa::OutputTrace trace = isa::trace_output(entry.op, numerics, mma.in, row, column);
      const std::uint32_t d = mma.out[static_cast<std::size_t>(row * 24 + column)];
      EXPECT_EQ(trace.d, d) << entry.op.name();
      // Products straight from the matrices, whatever the parts are.
      double exact = isa::element_value(entry.op.c, mma.in.c[static_cast<std::size_t>(row * 24 + column)]);
      for (int p = 0; p < entry.op.stored_k(); ++p) {
        const int k = selected_row(mma, row, p);
        exact += isa::element_value(entry.op.a, mma.in.a[static_cast<std::size_t>(row * entry.op.stored_k() + p)]) *
                 isa::element_value(entry.op.b, mma.in.b[static_cast<std::size_t>(k * 24 + column)]);
      }
      const double kept = entry.op.a == isa::NumberFormat::e4m3 || entry.op.a == isa::NumberFormat::e5m2 ? 4e-3 : 1e-3;
      EXPECT_NEAR(isa::element_value(entry.op.c, d), exact, 0.03 + std::fabs(exact) * kept) << entry.op.name();
    }
  }
  EXPECT_TRUE(isa::warpgroup_catalogue(80).empty());
}

TEST(Explain, TextShowsEveryStep) {
  const arith::Numerics numerics = validation::a100().numerics;
  MmaCase mma = random_case(isa::parse_mma_name("mma.sp.m16n8k32.f32.f16.f16.f32"), 1, 1);
  compute(mma, numerics);
  const std::string text = explain_text(mma, numerics, 3, 0);
  for (const char* part : {"Block 1 of 2", "Block 2 of 2", "aligned to exponent", "cut off", "toward zero"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  const auto json = explain_json(mma, numerics, 3, 0);
  EXPECT_EQ(json["blocks"].size(), 2u);
  EXPECT_EQ(json["products"].size(), 16u);
  EXPECT_EQ(json["blocks"][1]["result"], json["d"]);
}

}  // namespace
}  // namespace stc::sim
