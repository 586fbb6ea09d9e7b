// SPDX-License-Identifier: Apache-2.0
// Fragment layouts against rows of the PTX ISA's description, written out by hand, and the metadata maps that an H200
// confirmed.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "models/isa/mma/fragment_layout.h"
#include "models/isa/mma/mma_catalogue.h"
#include "models/isa/products/unpack_fragment.h"

namespace stc::isa {
namespace {

std::string text(const ElementPlace& place) {
  return "r" + std::to_string(place.reg) + " lane " + std::to_string(place.lane) + " bit " + std::to_string(place.bit);
}

TEST(FragmentLayout, MatchesThePtxDescription) {
  const MmaOp f16_k16 = parse_mma_name("mma.m16n8k16.f32.f16.f16.f32");
  EXPECT_EQ(text(place_in_a(f16_k16, 3, 11)), "r2 lane 13 bit 16");
  EXPECT_EQ(text(place_in_a(f16_k16, 11, 2)), "r1 lane 13 bit 0");
  EXPECT_EQ(text(place_in_b(f16_k16, 13, 5)), "r1 lane 22 bit 16");
  EXPECT_EQ(text(place_in_c(f16_k16, 10, 7)), "r3 lane 11 bit 0");
  EXPECT_EQ(text(place_in_c(parse_mma_name("mma.m16n8k16.f16.f16.f16.f16"), 10, 7)), "r1 lane 11 bit 16");
  const MmaOp tf32_k8 = parse_mma_name("mma.m16n8k8.f32.tf32.tf32.f32");
  EXPECT_EQ(text(place_in_a(tf32_k8, 9, 6)), "r3 lane 6 bit 0");
  EXPECT_EQ(text(place_in_b(tf32_k8, 6, 1)), "r1 lane 6 bit 0");
  const MmaOp s8_k32 = parse_mma_name("mma.m16n8k32.s32.s8.s8.s32");
  EXPECT_EQ(text(place_in_a(s8_k32, 15, 31)), "r3 lane 31 bit 24");
  EXPECT_EQ(text(place_in_b(s8_k32, 17, 2)), "r1 lane 8 bit 8");
  const MmaOp s4_k64 = parse_mma_name("mma.m16n8k64.s32.s4.s4.s32");
  EXPECT_EQ(text(place_in_a(s4_k64, 0, 41)), "r2 lane 1 bit 4");
  // Sparse A holds stored elements: those of dense columns 4t+16(r/2) and up.
  const MmaOp sparse = parse_mma_name("mma.sp.m16n8k32.f32.f16.f16.f32");
  EXPECT_EQ(text(place_in_a(sparse, 2, 13)), "r2 lane 10 bit 16");
  EXPECT_EQ(text(place_in_b(sparse, 29, 0)), "r3 lane 2 bit 16");
}

std::vector<std::uint32_t> random_words(int registers) {
  std::mt19937 engine(5);
  std::vector<std::uint32_t> words(static_cast<std::size_t>(registers) * 32);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(engine());
  return words;
}

std::vector<std::uint32_t> gathered(const GatherTable& table, NumberFormat format, const std::uint32_t* image) {
  std::vector<std::uint32_t> elements;
  for (std::size_t i = 0; i < table.word.size(); ++i) {
    const std::uint32_t bits = image[table.word[i]] >> table.bit[i];
    const auto byte = static_cast<std::uint8_t>(bits);
    switch (bits_of(format)) {
      case 8:
        elements.push_back(format == NumberFormat::s8 ? static_cast<std::uint32_t>(std::int8_t(byte)) : byte);
        break;
      case 16: elements.push_back(bits & 0xffffu); break;
      default: elements.push_back(bits);
    }
  }
  return elements;
}

TEST(FragmentLayout, UnpackingFollowsTheTables) {
  int unpacked = 0;
  for (const int sm : {80, 90}) {
    for (const MmaCatalogueEntry& entry : mma_catalogue(sm)) {
      const MmaOp& op = entry.op;
      const MmaTables& tables = mma_tables(op);
      const auto check = [&](auto unpack, const GatherTable& table, NumberFormat format, int registers) {
        const std::vector<std::uint32_t> image = random_words(registers);
        std::vector<std::uint32_t> elements(table.word.size());
        if (!unpack(op, image.data(), elements.data())) return;
        ++unpacked;
        EXPECT_EQ(elements, gathered(table, format, image.data())) << op.name();
      };
      check(unpack_a, tables.a, op.a, op.a_registers());
      check(unpack_b, tables.b, op.b, op.b_registers());
      check(unpack_c, tables.c, op.c, op.c_registers());
      const std::vector<std::uint32_t> image = random_words(op.c_registers());
      std::vector<std::uint32_t> again(image.size());
      EXPECT_TRUE(pack_c(op, gathered(tables.c, op.c, image.data()).data(), again.data()));
      EXPECT_EQ(again, image) << op.name();
    }
  }
  EXPECT_GT(unpacked, 100);
}

TEST(FragmentLayout, EveryBitOfEveryRegisterIsUsedOnce) {
  for (const int sm : {80, 90}) {
    for (const MmaCatalogueEntry& entry : mma_catalogue(sm)) {
      const MmaOp& op = entry.op;
      const MmaTables& tables = mma_tables(op);
      const auto check = [&](const GatherTable& table, int bits, int registers) {
        std::set<int> used;
        for (std::size_t i = 0; i < table.word.size(); ++i) {
          EXPECT_EQ(table.bit[i] % bits, 0);
          EXPECT_LT(table.word[i], registers * 32);
          EXPECT_TRUE(used.insert(table.word[i] * 32 + table.bit[i]).second) << op.name();
        }
        EXPECT_EQ(static_cast<int>(used.size()) * bits, registers * 1024) << op.name();
      };
      check(tables.a, bits_of(op.a), op.a_registers());
      check(tables.b, bits_of(op.b), op.b_registers());
      check(tables.c, bits_of(op.c), op.c_registers());
    }
  }
}

/// Lane within the quad and lowest bit of the nibble of one chunk (two stored elements, or one tf32).
struct Chunk {
  const char* op;
  int row, chunk, selector;
  int lane, bit;
};

TEST(MetadataMap, MatchesTheHardware) {
  const Chunk chunks[] = {
      {"mma.sp.m16n8k16.f32.f16.f16.f32", 5, 3, 2, 4 * 5 + 2, 12},
      {"mma.sp.m16n8k16.f32.f16.f16.f32", 13, 0, 3, 4 * 5 + 3, 16},
      {"mma.sp.m16n8k32.f32.f16.f16.f32", 2, 1, 0, 4 * 2 + 0, 4},
      {"mma.sp.m16n8k32.f32.f16.f16.f32", 2, 5, 0, 4 * 2 + 1, 4},
      {"mma.sp.m16n8k32.f32.bf16.bf16.f32", 10, 7, 1, 4 * 2 + 3, 28},
      {"mma.sp.m16n8k8.f32.tf32.tf32.f32", 9, 2, 1, 4 * 1 + 1, 24},
      {"mma.sp.m16n8k16.f32.tf32.tf32.f32", 1, 6, 1, 4 * 1 + 3, 8},
      {"mma.sp.m16n8k32.s32.s8.s8.s32", 7, 6, 0, 4 * 7 + 0, 24},
      {"mma.sp.m16n8k32.s32.s8.s8.s32", 15, 6, 1, 4 * 7 + 3, 24},
      {"mma.sp.m16n8k64.s32.s8.s8.s32", 3, 9, 0, 4 * 3 + 2, 4},
      {"mma.sp.m16n8k64.s32.u8.s8.s32", 11, 7, 0, 4 * 3 + 1, 28},
      {"mma.sp.m16n8k64.s32.s4.s4.s32", 8, 0, 1, 3, 0},
      {"mma.sp.m16n8k128.s32.s4.s4.s32", 0, 15, 0, 2, 28},
  };
  for (const Chunk& chunk : chunks) {
    const MmaOp op = parse_mma_name(chunk.op);
    const auto place = metadata_layout(op).place(chunk.row, chunk.chunk * op.pattern.n, chunk.selector);
    EXPECT_EQ(place.lane, chunk.lane) << chunk.op << " row " << chunk.row << " chunk " << chunk.chunk;
    EXPECT_EQ(place.bit, chunk.bit) << chunk.op << " row " << chunk.row << " chunk " << chunk.chunk;
    EXPECT_EQ(place.reg, 0);
  }
}

}  // namespace
}  // namespace stc::isa
