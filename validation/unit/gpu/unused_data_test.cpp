// SPDX-License-Identifier: Apache-2.0
// Which data of a GEMM need not be moved where its products are not computed. That runs which leave them where they are
// count the same and store the same, validation/timing/threads_test.cpp compares.
#include "models/isa/values/unused_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "models/isa/opcode_traits.h"
#include "models/isa/text/listing.h"
#include "traces/cubin/cubin.h"

namespace stc::isa {
namespace {

Kernel sparse_gemm() { return cubin::read_cubin("traces/kernels/sm_80/f16_sp24_256x128x64_w64x64_s3.cubin").front(); }

const Instruction& first_of(const Kernel& kernel, Opcode opcode) {
  return *std::find_if(kernel.code.begin(), kernel.code.end(),
                       [opcode](const Instruction& in) { return in.opcode == opcode; });
}

void append(Kernel& kernel, Instruction in) {
  in.address = static_cast<std::uint32_t>(kernel.code.size()) * kInstructionBytes;
  kernel.code.push_back(in);
}

TEST(UnusedData, IsWhatProductsAloneAreMadeOf) {
  const Kernel kernel = sparse_gemm();
  const UnusedData unused(kernel);
  ASSERT_FALSE(unused.empty());
  for (const Instruction& in : kernel.code) {
    const bool data = in.opcode == Opcode::kLdsm || in.opcode == Opcode::kLdgsts;
    const bool metadata = in.opcode == Opcode::kLds && in.dest != kRegisterZero;
    if (data || metadata || in.opcode == Opcode::kStg) {
      EXPECT_EQ(unused.moved_by(in), in.opcode != Opcode::kStg) << listing_text(in);
    }
  }
}

TEST(UnusedData, IsNotWhatIsStored) {
  Kernel kernel = sparse_gemm();
  const Instruction load = first_of(kernel, Opcode::kLdsm);
  Instruction store = first_of(kernel, Opcode::kStg);
  store.mem.data_register = load.dest;
  store.address = first_of(kernel, Opcode::kHmma).address;
  kernel.code[store.address / kInstructionBytes] = store;
  const UnusedData unused(kernel);
  const auto loads_it = [&](const Instruction& in) { return in.opcode == Opcode::kLdsm && !unused.moved_by(in); };
  EXPECT_TRUE(std::any_of(kernel.code.begin(), kernel.code.end(), loads_it));
  EXPECT_FALSE(unused.moved_by(first_of(kernel, Opcode::kLdgsts))) << "what it copies is loaded and stored";
}

TEST(UnusedData, IsNotInSharedMemoryThatAnAtomicReads) {
  Kernel kernel = sparse_gemm();
  Instruction atomic = first_of(kernel, Opcode::kLdsm);
  atomic.opcode = Opcode::kAtoms;
  append(kernel, atomic);
  const UnusedData unused(kernel);
  EXPECT_FALSE(unused.moved_by(first_of(kernel, Opcode::kLdgsts)));
  EXPECT_TRUE(unused.moved_by(first_of(kernel, Opcode::kLdsm)));
}

/// Operands of warpgroups: nothing but products and mbarriers looks at shared memory, unless it is stored from there.
TEST(UnusedData, IsWhatTensorCopiesBringForWarpgroups) {
  const Kernel whole = cubin::read_cubin("traces/kernels/sm_90/f16_sp24_128x256x64_wg64x256_s4_c2x1.cubin").front();
  const auto copies_move = [](const Kernel& kernel) {
    const UnusedData unused(kernel);
    return !unused.moved_by(first_of(kernel, Opcode::kUtmaldg));
  };
  EXPECT_FALSE(copies_move(whole));
  for (const Opcode opcode : {Opcode::kUtmastg, Opcode::kUblkred, Opcode::kAtoms}) {
    Kernel kernel = whole;
    Instruction reader = first_of(kernel, Opcode::kUtmaldg);
    reader.opcode = opcode;
    append(kernel, reader);
    EXPECT_TRUE(copies_move(kernel)) << listing_text(reader);
  }
}

TEST(UnusedData, IsNotLookedForWithoutProductsOrBehindCalls) {
  Kernel kernel = sparse_gemm();
  Instruction call = first_of(kernel, Opcode::kBra);
  call.opcode = Opcode::kCall;
  append(kernel, call);
  EXPECT_TRUE(UnusedData(kernel).empty());
  kernel = sparse_gemm();
  for (Instruction& in : kernel.code) {
    if (is_matrix(in.opcode)) in.opcode = Opcode::kNop;
  }
  EXPECT_TRUE(UnusedData(kernel).empty());
}

}  // namespace
}  // namespace stc::isa
