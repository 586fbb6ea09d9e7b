// SPDX-License-Identifier: Apache-2.0
#include "validation/timing/kernel_builder.h"

#include "validation/gpus.h"
#include "validation/instructions.h"

namespace stc::timing {

using isa::imm;
using isa::make;
using isa::reg;

isa::MmaOp mma_op(int k, isa::NumberFormat input, isa::NumberFormat accumulator) {
  isa::MmaOp op;
  op.k = static_cast<std::uint16_t>(k);
  op.a = op.b = input;
  op.c = accumulator;
  return op;
}

isa::MmaOp sparse_mma_op(int k, isa::NumberFormat input, isa::NumberFormat accumulator, int n, int m) {
  isa::MmaOp op = mma_op(k, input, accumulator);
  op.sparse = true;
  op.pattern.n = n;
  op.pattern.m = m;
  return op;
}

isa::Control stall(int cycles) {
  isa::Control control;
  control.stall = static_cast<std::uint8_t>(cycles);
  return control;
}

isa::Instruction mma(const isa::MmaOp& op, int d, int a, int b, int c, int metadata) {
  isa::Instruction instruction = make(isa::is_integer(op.a) ? isa::Opcode::kImma : isa::Opcode::kHmma, d);
  instruction.mma = op;
  instruction.a = reg(a);
  instruction.b = reg(b);
  instruction.c = reg(c);
  instruction.metadata_register = static_cast<std::uint8_t>(metadata);
  return instruction;
}

isa::Instruction alu(int d, int a, int b) {
  isa::Instruction instruction = make(isa::Opcode::kIadd3, d);
  instruction.a = reg(a);
  instruction.b = reg(b);
  instruction.c = reg(isa::kRegisterZero);
  return instruction;
}

isa::Instruction ffma(int d, int a, int b, int c) {
  isa::Instruction instruction = make(isa::Opcode::kFfma, d);
  instruction.a = reg(a);
  instruction.b = reg(b);
  instruction.c = reg(c);
  return instruction;
}

isa::Instruction lane_id(int d) { return make(isa::Opcode::kS2r, d); }

isa::Instruction immediate(int d, std::uint32_t value) {
  isa::Instruction instruction = make(isa::Opcode::kMov, d);
  instruction.b = imm(value);
  return instruction;
}

isa::Instruction shift_left(int d, int a, int bits) {
  isa::Instruction instruction = make(isa::Opcode::kShf, d);
  instruction.a = reg(a);
  instruction.b = imm(static_cast<std::uint32_t>(bits));
  instruction.c = reg(isa::kRegisterZero);
  return instruction;
}

isa::Instruction load_shared(int d, int address, int bytes) {
  isa::Instruction instruction = make(isa::Opcode::kLds, d);
  instruction.mem.address_register = static_cast<std::uint8_t>(address);
  instruction.mem.bytes = static_cast<std::uint8_t>(bytes);
  return instruction;
}

isa::Instruction load_matrix(int d, int address, int matrices) {
  isa::Instruction instruction = make(isa::Opcode::kLdsm, d);
  instruction.mem.address_register = static_cast<std::uint8_t>(address);
  instruction.mem.bytes = 16;
  instruction.mem.matrices = static_cast<std::uint8_t>(matrices);
  return instruction;
}

isa::Instruction barrier() { return make(isa::Opcode::kBar, isa::kRegisterZero); }
isa::Instruction deferring_barrier() {
  isa::Instruction instruction = barrier();
  instruction.mod.bar = isa::BarMode::kSync;
  instruction.mod.variant = 16;
  return instruction;
}
isa::Instruction nop() { return make(isa::Opcode::kNop, isa::kRegisterZero); }
isa::Instruction branch_to(int number) {
  isa::Instruction instruction = make(isa::Opcode::kBra, isa::kRegisterZero);
  instruction.target = static_cast<std::uint32_t>(number) * isa::kInstructionBytes;
  return instruction;
}

gpu::GpuParams gpu_without_fetch() {
  gpu::GpuParams gpu = validation::a100();
  gpu.sm.fetch.second_level_latency = 0;
  gpu.sm.fetch.second_level_interval = 1;
  return gpu;
}

KernelBuilder::KernelBuilder(int registers) {
  kernel_.name = "built";
  kernel_.registers = registers;
}

KernelBuilder& KernelBuilder::add(isa::Instruction instruction, isa::Control control) {
  instruction.address = static_cast<std::uint32_t>(kernel_.code.size()) * isa::kInstructionBytes;
  instruction.control = control;
  kernel_.code.push_back(instruction);
  return *this;
}

KernelBuilder& KernelBuilder::exit() { return add(make(isa::Opcode::kExit, isa::kRegisterZero), stall(5)); }

gpu::RunStatistics KernelBuilder::run(gpu::Machine& machine, Shape shape) const {
  isa::GlobalMemory memory;
  isa::Kernel kernel = kernel_;
  kernel.sm_version = machine.params().sm_version;
  kernel.parameter_base = architecture_of(kernel.sm_version).constants.parameters;
  kernel.constant0.resize(kernel.parameter_base);
  gpu::Launch launch;
  launch.kernel = &kernel;
  launch.grid.x = shape.ctas;
  launch.block.x = shape.threads;
  launch.dynamic_shared_bytes = shape.shared_bytes;
  launch.memory = &memory;
  launch.options.values = isa::Values::kAddresses;
  launch.options.max_cycles = 10'000'000;
  launch.options.check_dependences = true;
  return machine.run(launch);
}

}  // namespace stc::timing
