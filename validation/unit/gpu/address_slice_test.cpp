// SPDX-License-Identifier: Apache-2.0
// What a walk for addresses alone executes of a GEMM. That it touches the lines of a whole run, validation/timing/
// sampling_test.cpp compares.
#include "models/gpu/sampling/address_slice.h"

#include <gtest/gtest.h>

#include <string>

#include "models/isa/opcode_traits.h"
#include "models/isa/text/listing.h"
#include "traces/cubin/cubin.h"

namespace stc::gpu {
namespace {

isa::Kernel library_kernel(const std::string& name) {
  return cubin::read_cubin("traces/kernels/sm_80/" + name + ".cubin").front();
}

TEST(AddressSlice, HoldsAccessesOfGlobalMemoryAndBranches) {
  const isa::Kernel kernel = library_kernel("f16_sp24_256x128x64_w64x64_s3");
  const AddressSlice slice(kernel);
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    switch (kernel.code[i].opcode) {
      case isa::Opcode::kLdgsts:
      case isa::Opcode::kStg:
      case isa::Opcode::kBra:
      case isa::Opcode::kExit: EXPECT_TRUE(slice.next(i) == i) << isa::listing_text(kernel.code[i]); break;
      default: break;
    }
  }
}

// Registers of products are used again behind the loop, for addresses.
TEST(AddressSlice, LeavesOutWhatOnlyMovesData) {
  const isa::Kernel kernel = library_kernel("f16_sp24_256x128x64_w64x64_s3");
  const AddressSlice slice(kernel);
  std::size_t held = 0;
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    held += slice.next(i) == i ? 1 : 0;
    const bool data = isa::is_matrix(kernel.code[i].opcode) || kernel.code[i].opcode == isa::Opcode::kLdsm;
    EXPECT_FALSE(data && slice.next(i) == i) << isa::listing_text(kernel.code[i]);
  }
  EXPECT_LT(held, kernel.code.size() / 2);
}

}  // namespace
}  // namespace stc::gpu
