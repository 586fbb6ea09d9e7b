// SPDX-License-Identifier: Apache-2.0
// The __device__ and __constant__ variables of a module.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/state/kernel.h"
#include "traces/cubin/elf_image.h"

namespace stc::cubin {

constexpr char kConstantVariables[] = ".nv.constant3";  ///< section of the __constant__ ones

/// For one of several variables of one name.
std::string name_with_place(const Symbol& symbol, const Section& home);

struct ListedVariable {
  std::uint32_t symbol = 0;
  isa::ModuleVariable variable;
};

/// All of them, whether a kernel uses them or not; `initial` is without addresses. Names differ: of several of one
/// name, as strings of linked files may be, all but the first have their place in it.
std::vector<ListedVariable> module_variables(const ElfImage& elf);

}  // namespace stc::cubin
