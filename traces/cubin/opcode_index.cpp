// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/opcode_index.h"

#include <array>
#include <cstddef>
#include <vector>

namespace stc::cubin {
namespace {

class OpcodeIndex {
 public:
  OpcodeIndex() {
    for (const OpcodeRows part :
         {integer_opcodes(), float_opcodes(), conversion_opcodes(), matrix_opcodes(), memory_opcodes(),
          mbarrier_opcodes(), control_opcodes(), warpgroup_opcodes(), bulk_opcodes()}) {
      for (const OpcodeRow& row : part) add(row);
    }
  }
  const OpcodeRow* find(unsigned opcode, CodeFamily family) const { return rows_[index_of(family)][opcode]; }
  const std::vector<unsigned>& opcodes(isa::Opcode operation, CodeFamily family) const {
    return opcodes_[index_of(family)][static_cast<std::size_t>(operation)];
  }

 private:
  static std::size_t index_of(CodeFamily family) { return static_cast<std::size_t>(family); }
  void add(const OpcodeRow& row) {
    for (unsigned form = 0; form < 16; ++form) {
      if (!((row.forms >> form) & 1)) continue;
      const unsigned opcode = row.base | ((form & 7) << 9) | ((form >> 3) << 12);
      for (const CodeFamily family : {kAmpere, kHopper}) {
        if (row.only_in.value_or(family) != family) continue;
        rows_[index_of(family)][opcode] = &row;
        add_operation(row.opcode, family, opcode);
        for (const isa::Opcode variant : row.variants) add_operation(variant, family, opcode);
      }
    }
  }
  void add_operation(isa::Opcode operation, CodeFamily family, unsigned opcode) {
    if (operation == isa::Opcode::kInvalid) return;
    opcodes_[index_of(family)][static_cast<std::size_t>(operation)].push_back(opcode);
  }

  std::array<std::array<const OpcodeRow*, 8192>, 2> rows_{};
  std::array<std::array<std::vector<unsigned>, isa::kOpcodeCount>, 2> opcodes_;
};

const OpcodeIndex& opcode_index() {
  static const OpcodeIndex index;
  return index;
}

}  // namespace

const OpcodeRow* find_row(unsigned opcode, CodeFamily family) { return opcode_index().find(opcode, family); }

const std::vector<unsigned>& opcodes_of(isa::Opcode operation, CodeFamily family) {
  return opcode_index().opcodes(operation, family);
}

}  // namespace stc::cubin
