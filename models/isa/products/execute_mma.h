// SPDX-License-Identifier: Apache-2.0
// The values of a matrix instruction on register images. execute_mma() in execute.h is the form on a warp.
//
// Sparse instructions gather first: each stored element's index, read from the metadata through an m-input multiplexer,
// names the row of B that it multiplies. Nothing asks whether indices are ordered or distinct, as on an H200. The
// products then go through the dense path in stored order.
#pragma once

#include <cstdint>
#include <vector>

#include "models/arith/numerics.h"
#include "models/isa/mma/fragment_layout.h"

namespace stc::isa {

/// Operands as matrices, each element's register bits in the low end of a word (integers sign- or zero-extended).
struct MmaMatrices {
  std::vector<std::uint32_t> a;       ///< [16][stored k]
  std::vector<std::uint32_t> b;       ///< [k][8]
  std::vector<std::uint32_t> c;       ///< [16][8]
  std::vector<std::uint16_t> select;  ///< [16][stored k]: row of B; empty when dense
};

/// Reads matrices out of register images [registers][32]. `e` and `selector` are ignored by dense operations.
MmaMatrices unpack_registers(const MmaOp& op, const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                             const std::uint32_t* e, int selector);

/// The inverse for one operand: writes `count` elements of `bits` bits into a zeroed image [registers][32].
void pack_registers(const GatherTable& table, int bits, const std::uint32_t* elements, int registers,
                    std::uint32_t* image);

/// D[16][8] of matrices laid out as in MmaMatrices; `select` is null when dense.
void mma_matrices(const MmaOp& op, const arith::Numerics& numerics, const std::uint32_t* a, const std::uint32_t* b,
                  const std::uint16_t* select, const std::uint32_t* c, std::uint32_t* d);

/// As the other mma_registers(), with the tables of the operation at hand.
void mma_registers(const MmaTables& tables, const arith::Numerics& numerics, const std::uint32_t* a,
                   const std::uint32_t* b, const std::uint32_t* c, const std::uint32_t* e, int selector,
                   std::uint32_t* d);

/// D registers from A, B, C (and metadata) registers, all images [registers][32]. d may be c.
void mma_registers(const MmaOp& op, const arith::Numerics& numerics, const std::uint32_t* a, const std::uint32_t* b,
                   const std::uint32_t* c, const std::uint32_t* e, int selector, std::uint32_t* d);

}  // namespace stc::isa
