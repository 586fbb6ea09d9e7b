// SPDX-License-Identifier: Apache-2.0
#include "models/isa/products/warpgroup_mma.h"

#include <cstddef>

#include "models/isa/products/execute_mma.h"
#include "models/isa/state/warp.h"

namespace stc::isa {

MmaOp part_of_warpgroup(const MmaOp& op) {
  MmaOp part = op;
  part.m = 16;
  part.n = 8;
  return part;
}

void warpgroup_rows(const MmaOp& op, const arith::Numerics& numerics, const std::uint32_t* a, const std::uint32_t* b,
                    const std::uint32_t* c, const std::uint32_t* e, int selector, std::uint32_t* d) {
  const MmaTables& tables = mma_tables(part_of_warpgroup(op));
  const std::ptrdiff_t b_words = std::ptrdiff_t{tables.b_registers} * kWarpSize;
  const std::ptrdiff_t c_words = std::ptrdiff_t{tables.c_registers} * kWarpSize;
  for (int part = 0; part < op.n / tables.op.n; ++part) {
    mma_registers(tables, numerics, a, b + part * b_words, c + part * c_words, e, selector, d + part * c_words);
  }
}

}  // namespace stc::isa
