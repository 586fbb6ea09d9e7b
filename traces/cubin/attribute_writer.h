// SPDX-License-Identifier: Apache-2.0
// The records of .nv.info sections, for kernels that are written: what kernel_attributes.h reads.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/state/kernel.h"

namespace stc::cubin {

/// Registers that the file asks for: those of the kernel, and no fewer than its code uses and hardware keeps.
int stated_registers(const isa::Kernel& kernel);

/// A kernel's part of the module's .nv.info; `symbol` is the kernel.
void append_function_attributes(std::vector<std::uint8_t>& to, std::uint32_t symbol, const isa::Kernel& kernel);

/// .nv.info.NAME; `constants` is the symbol of constant bank 0.
std::vector<std::uint8_t> kernel_attributes(const isa::Kernel& kernel, std::uint32_t constants);

}  // namespace stc::cubin
