// SPDX-License-Identifier: Apache-2.0
#include "models/isa/opcode_check.h"

namespace stc::isa {

/// Where it does not compile, the compiler's message names the row.
template <Opcode kRow>
struct RowOfOpcodesDef {
  static_assert(kRow == Opcode::kInvalid, "columns of a row of opcodes.def contradict each other: opcode_check.h");
};
template struct RowOfOpcodesDef<first_contradiction()>;
static_assert(contradiction(traits_of(Opcode::kInvalid)) == nullptr);

}  // namespace stc::isa
