// SPDX-License-Identifier: Apache-2.0
// Line tables of a cubin's .debug_line: rows by section of code.
#pragma once

#include <cstdint>
#include <map>

#include "traces/cubin/elf_image.h"
#include "traces/cubin/source_lines.h"

namespace stc::cubin {

/// Rows by section index and address in the section; a row without a file ends those before it. CubinError when the
/// table is damaged; empty when there is none.
using LineRows = std::map<std::uint32_t, std::map<std::uint32_t, SourceLine>>;
LineRows read_line_tables(const ElfImage& elf);

}  // namespace stc::cubin
