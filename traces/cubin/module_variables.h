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

/// Whether the kernel needs to know where constant bank 3 lies in the generic address space.
bool points_to_constants(const isa::Kernel& kernel);

}  // namespace stc::cubin
