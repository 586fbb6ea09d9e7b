// SPDX-License-Identifier: Apache-2.0
// Blocks of compiled kernels and random ones: they touch their own memory and registers alone, are the same for the
// same seed, and their kernels keep every dependence around the loop.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "models/isa/resource_use.h"
#include "traces/blocks/block_kernel.h"
#include "traces/blocks/harvest.h"
#include "traces/blocks/legal_codes.h"
#include "traces/blocks/random_blocks.h"
#include "traces/blocks/safe_body.h"
#include "traces/cubin/cubin.h"
#include "traces/cubin/cubin_writer.h"
#include "traces/cubin/instruction_members.h"
#include "traces/gemm/instructions.h"

namespace stc::blocks {
namespace {

using isa::Opcode;

int cycles_of_matrix(const isa::MmaOp&) { return 24; }

const isa::Kernel& gemm_kernel() {
  static const isa::Kernel kernel = cubin::open_cubin("traces/kernels/sm_90/f16_sp24_128x128x64_w64x64_s3.cubin")
                                        .decode("f16_sp24_128x128x64_w64x64_s3");
  return kernel;
}

InstructionPool gemm_pool() {
  InstructionPool pool;
  pool.add(gemm_kernel());
  return pool;
}

std::vector<std::vector<std::uint32_t>> members(const std::vector<Instruction>& code) {
  std::vector<std::vector<std::uint32_t>> all;
  for (const Instruction& i : code) {
    const cubin::MemberValues values = cubin::members_of(i);
    all.emplace_back(values.begin(), values.end());
  }
  return all;
}

/// Of all that the body writes, nothing is the surrounding code's, and addresses are nothing else.
void expect_contained(const Block& block) {
  for (const Instruction& i : block.body) {
    const isa::ResourceUse use = isa::resource_use(i);
    for (const isa::ResourceWrite& write : use.writes) {
      EXPECT_FALSE(isa::is_general(write.resource) && write.resource >= block.reserved.first);
      EXPECT_NE(write.resource, isa::kFirstPredicate + kBlockPredicates);
    }
    if (i.opcode == Opcode::kLdg || i.opcode == Opcode::kLdsm || i.opcode == Opcode::kLdgsts) {
      EXPECT_GE(i.mem.address_register, block.reserved.first);
    }
    EXPECT_TRUE(runs_in_block(i));
  }
}

TEST(Blocks, OfACompiledKernelAreItsStraightCode) {
  const std::vector<Found> blocks = basic_blocks(gemm_kernel(), 12, 320);
  ASSERT_FALSE(blocks.empty());
  EXPECT_TRUE(std::any_of(blocks.begin(), blocks.end(), [](const Found& f) { return f.in_loop; }));
  EXPECT_TRUE(std::any_of(blocks.begin(), blocks.end(), [](const Found& f) { return !f.in_loop; }));
  for (const Found& found : blocks) {
    EXPECT_GE(found.code.size(), 12u);
    EXPECT_LE(found.code.size(), 320u);
    for (const Instruction& i : found.code) {
      EXPECT_TRUE(i.opcode != Opcode::kBra && i.opcode != Opcode::kExit) << i.address;
    }
    Block block;
    ASSERT_TRUE(make_safe(found.code, block));
    ASSERT_EQ(block.body.size(), found.code.size());
    expect_contained(block);
  }
}

TEST(Blocks, WhatCannotRunAloneWaitsAndDoesNothing) {
  Instruction barrier = gemm::barrier();
  barrier.control.stall = 6;
  barrier.control.wait_mask = 9;
  Instruction guarded = gemm::when(gemm::isetp(6, isa::Compare::kNe, gemm::reg(3), gemm::reg(4)), 2);
  Block block;
  ASSERT_TRUE(make_safe({barrier, guarded}, block));
  EXPECT_EQ(block.body[0].opcode, Opcode::kNop);
  EXPECT_EQ(block.body[0].control.stall, 6);
  EXPECT_EQ(block.body[0].control.wait_mask, 9);
  EXPECT_EQ(block.body[1].guard.index, isa::kPredicateTrue);
  EXPECT_EQ(block.body[1].dest_predicate0, kBlockPredicates - 1);
}

TEST(Blocks, OfOneSeedAreTheSame) {
  const InstructionPool pool = gemm_pool();
  std::set<std::vector<std::vector<std::uint32_t>>> bodies;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Mix mix{"matrix_memory", {{Kind::kSparseMatrix, 2}, {Kind::kMatrixLoad, 1}, {Kind::kAlu, 2}}};
    const Block block = random_block(pool, mix, seed);
    EXPECT_EQ(members(block.body), members(random_block(pool, mix, seed).body));
    bodies.insert(members(block.body));
    expect_contained(block);
  }
  EXPECT_EQ(bodies.size(), 20u);
}

TEST(Blocks, BecomeKernelsThatCubinsHold) {
  const InstructionPool pool = gemm_pool();
  const Mix mix{"matrix_math", {{Kind::kSparseMatrix, 1}, {Kind::kAlu, 2}, {Kind::kImad, 1}}};
  Block block = random_block(pool, mix, 7);
  block.name = "a_block";
  const isa::Kernel kernel = kernel_of(block, cycles_of_matrix);
  EXPECT_EQ(kernel.registers, 128) << "104 of the body, those around it and the two that hardware keeps";
  EXPECT_EQ(most_warps(kernel), 16);
  const isa::Kernel read = cubin::Cubin(cubin::write_cubin({kernel}), "blocks.cubin").decode("a_block");
  EXPECT_EQ(members(read.code), members(kernel.code));
}

}  // namespace
}  // namespace stc::blocks
