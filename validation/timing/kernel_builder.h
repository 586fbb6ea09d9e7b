// SPDX-License-Identifier: Apache-2.0
// Small kernels for cycle tests, written instruction by instruction with their control codes.
//
//   KernelBuilder k(64);                                   // 64 registers
//   k.add(hmma(dense_f16(), 16, 0, 4, 16), stall(8));      // D=R16, A=R0, B=R4, C=R16; 8 cycles to the next issue
//   k.exit();
//   gpu::Machine machine("gpu", params);
//   RunStatistics s = k.run(machine, {.threads = 128});
#pragma once

#include <cstdint>
#include <string>

#include "models/gpu/machine/machine.h"

namespace stc::timing {

isa::MmaOp mma_op(int k, isa::NumberFormat input, isa::NumberFormat accumulator);
/// N:M over `k` dense elements.
isa::MmaOp sparse_mma_op(int k, isa::NumberFormat input, isa::NumberFormat accumulator, int n, int m);

isa::Control stall(int cycles);

isa::Instruction mma(const isa::MmaOp& op, int d, int a, int b, int c, int metadata = 255);
isa::Instruction alu(int d, int a, int b);  ///< IADD3 Rd, Ra, Rb, RZ
isa::Instruction ffma(int d, int a, int b, int c);
isa::Instruction lane_id(int d);  ///< S2R Rd, SR_LANEID
isa::Instruction immediate(int d, std::uint32_t value);
isa::Instruction shift_left(int d, int a, int bits);
isa::Instruction load_shared(int d, int address, int bytes);
isa::Instruction load_matrix(int d, int address, int matrices);
isa::Instruction barrier();
/// BAR.SYNC.DEFER_BLOCKING
isa::Instruction deferring_barrier();
isa::Instruction nop();
isa::Instruction branch_to(int number);  ///< BRA to the kernel's instruction of that number

/// An A100 with every instruction at hand when it is wanted, for tests of what follows fetch.
gpu::GpuParams gpu_without_fetch();

class KernelBuilder {
 public:
  explicit KernelBuilder(int registers);
  KernelBuilder& add(isa::Instruction instruction, isa::Control control);
  /// Adds EXIT; nothing may follow.
  KernelBuilder& exit();

  struct Shape {
    std::uint32_t ctas = 1;
    std::uint32_t threads = 32;
    std::uint32_t shared_bytes = 16384;
  };
  gpu::RunStatistics run(gpu::Machine& machine, Shape shape) const;

 private:
  isa::Kernel kernel_;
};

}  // namespace stc::timing
