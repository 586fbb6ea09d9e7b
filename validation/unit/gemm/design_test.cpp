// SPDX-License-Identifier: Apache-2.0
// Matrix instructions for patterns, what follows from a tile, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "models/isa/mma/mma_catalogue.h"
#include "traces/gemm/gemm_builder.h"

namespace stc::gemm {
namespace {

using isa::NumberFormat;
using testing::HasSubstr;

/// Values and cycles depend on a matrix instruction's MmaOp alone: where a GPU has the pattern, the instruction that is
/// built for it is the GPU's own.
TEST(MatrixInstruction, IsTheNativeOneWhereThereIsOne) {
  for (const int sm : {80, 90}) {
    for (const auto type : {NumberFormat::f16, NumberFormat::bf16, NumberFormat::tf32, NumberFormat::s8}) {
      const char* name = type == NumberFormat::tf32 ? "1:2" : "2:4";
      const isa::MmaOp sparse = matrix_instruction(sparsity::Pattern::parse(name), type);
      EXPECT_TRUE(isa::find_mma(sm, sparse).op == sparse) << sparse.name();
      EXPECT_TRUE(sparse.pattern == isa::nvidia_pattern(type)) << sparse.name();
      const isa::MmaOp dense = matrix_instruction({}, type);
      EXPECT_TRUE(isa::find_mma(sm, dense).op == dense) << dense.name();
    }
  }
  EXPECT_TRUE(isa::nvidia_pattern(NumberFormat::s4) == sparsity::Pattern::parse("4:8/2"));
}

struct Shape {
  const char* pattern;
  NumberFormat type;
  int k, stored;
};
void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.pattern << " " << isa::name_of(shape.type); }

class Instruction : public testing::TestWithParam<Shape> {};

TEST_P(Instruction, HasWholeGroupsAndWholeRegisters) {
  const Shape& shape = GetParam();
  const isa::MmaOp op = matrix_instruction(sparsity::Pattern::parse(shape.pattern), shape.type);
  EXPECT_EQ(op.k, shape.k);
  EXPECT_EQ(op.stored_k(), shape.stored);
  EXPECT_EQ(op.a_registers() * 32 * 32, 16 * op.stored_k() * isa::bits_of(op.a));
  EXPECT_EQ(op.b_registers() * 32 * 32, 8 * op.k * isa::bits_of(op.b));
}

INSTANTIATE_TEST_SUITE_P(
    All, Instruction,
    testing::Values(Shape{"dense", NumberFormat::f16, 16, 16}, Shape{"2:4", NumberFormat::f16, 32, 16},
                    Shape{"2:4", NumberFormat::s8, 64, 32}, Shape{"1:2", NumberFormat::tf32, 16, 8},
                    Shape{"dense", NumberFormat::tf32, 8, 8}, Shape{"1:4", NumberFormat::f16, 64, 16},
                    Shape{"2:6", NumberFormat::bf16, 48, 16}, Shape{"1:8", NumberFormat::f16, 128, 16},
                    Shape{"3:8", NumberFormat::f16, 64, 24},   // 16 stored are no whole groups of 3
                    Shape{"6:8", NumberFormat::f16, 32, 24},   // nor of 6
                    Shape{"1:16", NumberFormat::f16, 128, 8},  // 256 deep would need 32 activation registers
                    Shape{"3:8", NumberFormat::tf32, 32, 12}, Shape{"8:16", NumberFormat::s8, 64, 32}));

TEST(Geometry, IsThatOfTheCompiledKernels) {
  GemmSpec spec;
  EXPECT_EQ(geometry(spec).dynamic_shared_bytes, 98304u);
  EXPECT_EQ(geometry(spec).threads, 128u);
  EXPECT_EQ(geometry(spec).raster_group, 16);
  spec.pattern = {2, 4};
  EXPECT_EQ(geometry(spec).dynamic_shared_bytes, 76800u);
  EXPECT_EQ(geometry(spec).metadata_k, 64);
  EXPECT_EQ(geometry(spec).metadata_bytes(4096, 4096), 64u * 256 * 128);
  spec.warp_n = 32;
  EXPECT_EQ(geometry(spec).threads, 256u);
}

TEST(Geometry, SharesMetadataOnlyAsFarAsTheTileGoes) {
  GemmSpec spec;
  spec.pattern = {1, 2};  // four instructions could share a register
  EXPECT_EQ(geometry(spec).metadata_instructions, 2);
  spec.tile_k = 128;
  EXPECT_EQ(geometry(spec).metadata_instructions, 4);
}

std::string refusal(const GemmSpec& spec) {
  try {
    build_gemm(spec);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Refusal, NamesWhatIsWrong) {
  GemmSpec spec;
  EXPECT_EQ(refusal(spec), "accepted");
  spec.pattern = {2, 6};
  EXPECT_THAT(refusal(spec), HasSubstr("tile k is 64, but must be a multiple of 48"));
  spec = {};
  spec.pattern = {5, 8};
  EXPECT_THAT(refusal(spec), HasSubstr("registers a thread, but there are 255"));
  spec = {};
  spec.pattern = {3, 40};
  EXPECT_THAT(refusal(spec), HasSubstr("at most 32"));
  spec = {};
  spec.type = NumberFormat::e4m3;
  EXPECT_THAT(refusal(spec), HasSubstr("f16, bf16, tf32, s8"));
  spec = {};
  spec.warp_n = 24;
  EXPECT_THAT(refusal(spec), HasSubstr("warp tile n is 24"));
  spec = {};
  spec.stages = 1;
  EXPECT_THAT(refusal(spec), HasSubstr("stages is 1"));
  spec = {};
  spec.tile_m = 192;
  EXPECT_THAT(refusal(spec), HasSubstr("6 warps"));
}

}  // namespace
}  // namespace stc::gemm
