// SPDX-License-Identifier: Apache-2.0
// What the 21 control bits of an instruction can say.
#pragma once

namespace stc::isa {

/// Longer stalls exist with yield alone. Cycles. Evidence: nvdisasm refuses the other codes, and nvcc writes none.
constexpr int kMostStallWithoutYield = 11;
/// Of the registers that a kernel states, hardware keeps the last two: an instruction that names one of them is
/// illegal.
constexpr int kHardwareRegisters = 2;
constexpr int kMostStatedRegisters = 255;

}  // namespace stc::isa
