// SPDX-License-Identifier: Apache-2.0
// Host time of one executed warp instruction, by kind. The matrix instructions have their own benchmark.
#include <benchmark/benchmark.h>

#include <string>

#include "models/isa/values/execute.h"

namespace {

using namespace stc::isa;

/// A warp of 64 registers in a CTA with 48 KiB of shared memory and two global buffers.
struct Machine {
  Kernel kernel;
  GlobalMemory memory;
  CtaState cta;
  WarpState warp{64};
  ExecuteContext context;
  ExecuteResult result;

  Machine() {
    kernel.name = "bench";
    kernel.sm_version = 80;
    kernel.parameter_base = 0x160;
    kernel.registers = 64;
    memory.allocate("in", 1 << 20);
    memory.allocate("out", 1 << 20);
    cta.block = {256, 1, 1};
    cta.shared.resize(48 << 10);
    cta.shared_role.resize(cta.shared.size() / 16);
    cta.constant0 = launch_constants(kernel, {132, 1024}, {1, 1, 1}, cta.block, std::vector<std::uint8_t>(64));
    start_warp(warp, kernel, cta, 0);
    for (std::size_t r = 0; r < 64; ++r) {
      for (std::size_t lane = 0; lane < kWarpSize; ++lane) warp.r[r][lane] = static_cast<std::uint32_t>(r * 77 + lane);
    }
    const std::uint64_t base = memory.allocations()[0].address;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
      warp.r[2][lane] = static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(16 * lane);  // R2:R3 global
      warp.r[3][lane] = static_cast<std::uint32_t>(base >> 32);
      warp.r[4][lane] = static_cast<std::uint32_t>(16 * lane);  // R4 shared
    }
    context.kernel = &kernel;
    context.memory = &memory;
  }
};

Operand reg(int index) {
  Operand o;
  o.kind = Operand::Kind::kRegister;
  o.index = static_cast<std::uint8_t>(index);
  return o;
}
Operand constant(std::uint32_t offset) {
  Operand o;
  o.kind = Operand::Kind::kConstant;
  o.value = offset;
  return o;
}
Operand immediate(std::uint32_t value) {
  Operand o;
  o.kind = Operand::Kind::kImmediate;
  o.value = value;
  return o;
}
Instruction alu(Opcode opcode, Operand a, Operand b, Operand c = {}) {
  Instruction i;
  i.opcode = opcode;
  i.dest = 40;
  i.a = a;
  i.b = b;
  i.c = c;
  return i;
}
Instruction access(Opcode opcode, int bytes, int address, bool wide_address) {
  Instruction i;
  i.opcode = opcode;
  i.dest = 40;
  i.mem.bytes = static_cast<std::uint8_t>(bytes);
  i.mem.address_register = static_cast<std::uint8_t>(address);
  i.mem.address_64bit = wide_address;
  i.mem.data_register = 8;
  return i;
}

void run(benchmark::State& state, const Instruction& instruction, LaneMask lanes) {
  Machine m;
  m.warp.p[0] = lanes;
  Instruction i = instruction;
  if (lanes != ~LaneMask{0}) i.guard.index = 0;
  for (auto _ : state) {
    execute(i, m.warp, m.context, m.result);
    benchmark::DoNotOptimize(m.warp.r.data());
  }
}

void add(const std::string& name, const Instruction& instruction) {
  benchmark::RegisterBenchmark(name.c_str(), run, instruction, ~LaneMask{0});
}

void register_all() {  // NOLINT(readability-function-size): a table, one row an instruction
  Instruction i = alu(Opcode::kIadd3, reg(10), reg(11), reg(12));
  add("IADD3", i);
  benchmark::RegisterBenchmark("IADD3 half the lanes", run, i, LaneMask{0x55555555});
  i.dest_predicate0 = 0;
  add("IADD3 with carry", i);
  add("IADD3 constant", alu(Opcode::kIadd3, reg(10), constant(0x160), reg(255)));
  add("IMAD", alu(Opcode::kImad, reg(10), reg(11), reg(12)));
  add("IMAD.MOV", alu(Opcode::kImad, reg(255), reg(255), reg(12)));
  i = alu(Opcode::kImadWide, reg(10), immediate(4), reg(12));
  i.mod.is_signed = true;
  add("IMAD.WIDE", i);
  i = alu(Opcode::kLop3, reg(10), reg(11), reg(12));
  i.mod.lut = 0x96;
  add("LOP3", i);
  i = alu(Opcode::kShf, reg(10), immediate(4), reg(12));
  i.mod.right = i.mod.high = true;
  add("SHF", i);
  i = alu(Opcode::kPrmt, reg(10), immediate(0x5410), reg(12));
  add("PRMT", i);
  i = alu(Opcode::kLea, reg(10), reg(11));
  i.mod.shift = 4;
  add("LEA", i);
  i = alu(Opcode::kIsetp, reg(10), reg(11));
  i.mod.compare = Compare::kLt;
  i.mod.is_signed = true;
  i.dest_predicate0 = 1;
  add("ISETP", i);
  add("MOV", alu(Opcode::kMov, {}, reg(11)));
  i = alu(Opcode::kCs2r, {}, {});
  i.mod.special_register = 0xff;
  i.mod.is_64bit = true;
  add("CS2R zero", i);
  add("FADD", alu(Opcode::kFadd, reg(10), reg(11)));
  add("FFMA", alu(Opcode::kFfma, reg(10), reg(11), reg(12)));
  i = alu(Opcode::kHfma2, reg(10), reg(11), reg(12));
  i.mod.dest_type = ScalarType::kF16x2;
  add("HFMA2", i);
  add("F2FP", alu(Opcode::kF2fp, reg(10), reg(11)));
  i = alu(Opcode::kMufu, {}, reg(11));
  add("MUFU.RCP", i);
  add("LDG.32", access(Opcode::kLdg, 4, 2, true));
  add("LDG.128", access(Opcode::kLdg, 16, 2, true));
  add("STG.64", access(Opcode::kStg, 8, 2, true));
  add("LDS.128", access(Opcode::kLds, 16, 4, false));
  add("STS.128", access(Opcode::kSts, 16, 4, false));
  i = access(Opcode::kLdsm, 16, 4, false);
  i.mem.matrices = 4;
  add("LDSM.x4", i);
  i.mem.transposed = true;
  add("LDSM.T.x4", i);
  i = access(Opcode::kLdgsts, 16, 2, true);
  i.mem.shared_register = 4;
  add("LDGSTS.128", i);
  i = alu(Opcode::kShfl, reg(10), immediate(1), immediate(0x1f));
  i.mod.shuffle = ShuffleMode::kBfly;
  add("SHFL", i);
  i = alu(Opcode::kUiadd3, {}, immediate(3), {});
  i.dest = 4;
  add("UIADD3", i);
  add("NOP", alu(Opcode::kNop, {}, {}));
  add("BRA", alu(Opcode::kBra, {}, {}));
}

}  // namespace

int main(int argc, char** argv) {
  register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
