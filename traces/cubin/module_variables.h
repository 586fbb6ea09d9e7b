// SPDX-License-Identifier: Apache-2.0
// The __device__ and __constant__ variables of a module.
#pragma once

#include <vector>

#include "models/isa/state/kernel.h"
#include "traces/cubin/elf_image.h"

namespace stc::cubin {

constexpr char kConstantVariables[] = ".nv.constant3";  ///< section of the __constant__ ones

/// All of them, whether a kernel uses them or not.
std::vector<isa::ModuleVariable> module_variables(const ElfImage& elf);

}  // namespace stc::cubin
