// SPDX-License-Identifier: Apache-2.0
// Kinds of relocations in linked cubins, with nvlink's names.
#pragma once

#include <cstdint>

namespace stc::cubin {

enum RelocationKind : std::uint32_t {
  kRelocation64 = 0x02,         ///< R_CUDA_64: 8 bytes of data
  kRelocationGeneric64 = 0x04,  ///< R_CUDA_G64: the same as a generic pointer
  kRelocationLow32 = 0x38,      ///< R_CUDA_ABS32_LO_32: lower half, in an immediate operand
  kRelocationHigh32 = 0x39,     ///< R_CUDA_ABS32_HI_32: upper half
  kRelocationCall47 = 0x3a,     ///< R_CUDA_ABS47_34: target of CALL.ABS
  kRelocationCall55 = 0x4b      ///< R_CUDA_ABS55_16_34: and where branch offsets are split
};

}  // namespace stc::cubin
