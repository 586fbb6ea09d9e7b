// SPDX-License-Identifier: Apache-2.0
// Which lane's register holds which matrix element of a warp-wide matrix instruction, and where its metadata lies.
//
// One rule covers every format. With g = lane / 4, t = lane % 4 and e elements in a 32-bit register (low bits first):
//   A  register r, element i: row g + 8 (r mod 2), stored k = e t + i + 4 e (r / 2)
//   B  register r, element i: column g, k = e t + i + 4 e r
//   C, D  32-bit: register r: row g + 8 (r / 2), column 2 t + r mod 2;  16-bit: row g + 8 r, columns 2 t and 2 t + 1
// For a sparse instruction "stored k" counts the stored elements of a row; B is never compressed.
// Source: PTX ISA, matrix fragments of mma.m16n8k*; checked on an H200.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/isa/mma/mma_op.h"
#include "models/sparsity/metadata_layout.h"

namespace stc::isa {

/// Where an element lies in an operand's registers.
struct ElementPlace {
  int reg = 0;
  int lane = 0;
  int bit = 0;
};

ElementPlace place_in_a(const MmaOp& op, int row, int stored);
ElementPlace place_in_b(const MmaOp& op, int k, int column);
ElementPlace place_in_c(const MmaOp& op, int row, int column);

/// Element i of a matrix lies in word `word[i]` (register * 32 + lane) of the operand's registers, from bit `bit[i]`.
struct GatherTable {
  std::vector<std::int32_t> word;
  std::vector<std::int32_t> bit;
};

/// Everything about an instruction's registers that does not depend on their contents.
struct MmaTables {
  MmaOp op;
  GatherTable a;  ///< [16][stored k]
  GatherTable b;  ///< [k][8]
  GatherTable c;  ///< [16][8]
  std::vector<GatherTable>
      index;  ///< per selector, [16][stored k]: the multiplexer's index bits of each stored element
  std::vector<std::uint16_t> index_base;  ///< [16][stored k]: row of B that index 0 selects
  int index_scale = 1;                    ///< rows of B from one index to the next (elements per index)
  std::uint32_t index_mask = 0;
  bool index_in_eights = false;  ///< the indices of eight neighbours of a row lie in one word, whatever the selector
  int metadata_registers = 0;
  int a_registers = 0, b_registers = 0, c_registers = 0;
};

/// Metadata layout of a sparse instruction.
sparsity::MetadataLayout metadata_layout(const MmaOp& op);

/// Built on first use and kept for the life of the program; safe to call from several threads.
const MmaTables& mma_tables(const MmaOp& op);

}  // namespace stc::isa
