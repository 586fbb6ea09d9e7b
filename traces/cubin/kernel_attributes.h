// SPDX-License-Identifier: Apache-2.0
// The .nv.info sections: what the compiler tells the driver about a module's functions and kernels.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "models/isa/state/kernel.h"
#include "traces/cubin/elf_image.h"

namespace stc::cubin {

/// Per function, from the module's .nv.info.
struct FunctionAttributes {
  std::uint32_t registers = 0;
  std::uint32_t frame_bytes = 0;
  std::uint32_t minimum_stack_bytes = 0;
};
/// By symbol index.
std::map<std::uint32_t, FunctionAttributes> read_function_attributes(const ElfImage& elf);

/// Per kernel, from .nv.info.NAME. Zero means: not stated.
struct KernelAttributes {
  std::vector<isa::KernelParameter> parameters;  ///< ordered
  std::uint32_t parameter_bytes = 0;
  std::uint32_t parameter_base = 0;
  std::uint32_t max_threads = 0;
  std::uint32_t barriers = 0;
  bool has_barriers = false;
  std::optional<isa::Dim3> cluster;    ///< CTAs per cluster
  std::uint32_t max_cluster_ctas = 0;  ///< most CTAs per cluster
};
KernelAttributes read_kernel_attributes(const ElfImage& elf, const Section& info);

}  // namespace stc::cubin
