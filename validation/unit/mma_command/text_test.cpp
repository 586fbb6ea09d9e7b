// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

#include "sim/mma/op_list.h"
#include "sim/mma/tile_text.h"
#include "validation/gpus.h"

namespace stc::sim {
namespace {

TEST(TileText, StoredWeightsNameTheirRowOfB) {
  MmaCase mma = random_case(isa::parse_mma_name("mma.sp.m16n8k32.f32.f16.f16.f32"), 0, 4);
  compute(mma, validation::a100().numerics);
  const std::string text = tile_text(mma, false);
  for (int p = 0; p < 16; ++p) {
    const std::string cell =
        element_text(mma.op.a, mma.in.a[static_cast<std::size_t>(p)]) + "@" + std::to_string(selected_row(mma, 0, p));
    EXPECT_NE(text.find(cell), std::string::npos) << cell;
  }
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << "colour only when asked for";
  EXPECT_NE(tile_text(mma, true).find('\x1b'), std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
}

TEST(LaneMap, PrintsMetadataOfEverySelector) {
  const std::string text = lane_map_text(isa::parse_mma_name("mma.sp.m16n8k32.f32.f16.f16.f32"));
  EXPECT_NE(text.find("lane 13   bits  0-15 row  3, k 16-31   bits 16-31 row 11, k 16-31"), std::string::npos) << text;
  EXPECT_NE(text.find("Metadata, selector 1"), std::string::npos);
  EXPECT_EQ(text.find("Metadata, selector 2"), std::string::npos);
}

TEST(OpList, NamesRegistersAndBlocks) {
  const std::string text = op_list_text(validation::a100());
  EXPECT_NE(text.find("mma.sp.m16n8k32.f32.f16.f16.f32              4 4 4 1          2     2 x 8"), std::string::npos)
      << text;
  const auto json = op_list_json(validation::a100());
  EXPECT_GT(json["ops"].size(), 60u);
  EXPECT_EQ(json["ops"][0]["op"], "mma.m16n8k8.f32.f16.f16.f32");
}

}  // namespace
}  // namespace stc::sim
