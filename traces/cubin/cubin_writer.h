// SPDX-License-Identifier: Apache-2.0
// Kernels as a cubin: machine code and what a driver must know of them, in the layout of CUDA 13's compiler (ELF, ABI
// 8).
//   write_bytes("gemm.cubin", write_cubin({gemm::build_gemm(spec)}));
// The file reads back as the same kernels, by open_cubin() and by NVIDIA's disassemblers.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/state/kernel.h"

namespace stc::cubin {

/// The bytes of the file. Throws CubinError that names the kernel and what the writer does not know: instructions
/// without an encoding, variables, constant banks but parameters, calls of the driver's functions, kernels of several
/// architectures or none.
std::vector<std::uint8_t> write_cubin(const std::vector<isa::Kernel>& kernels);

}  // namespace stc::cubin
