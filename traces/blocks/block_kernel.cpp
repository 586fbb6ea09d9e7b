// SPDX-License-Identifier: Apache-2.0
#include "traces/blocks/block_kernel.h"

#include <algorithm>

#include "models/core/architecture.h"
#include "models/isa/control_limits.h"
#include "traces/blocks/legal_codes.h"
#include "traces/gemm/control_codes.h"
#include "traces/gemm/instructions.h"

namespace stc::blocks {
namespace {

using gemm::constant;
using gemm::immediate;
using gemm::reg;
using isa::Opcode;
using Section = std::vector<Instruction>;

constexpr int kThreadIndex = 0x21, kClock = 0x50;  // SR_TID.X, SR_CLOCKLO
constexpr int kLoopPredicate = kBlockPredicates;
constexpr int kIdlePredicate = 0;
constexpr int kOutParameter = 0, kDataParameter = 8, kTimesParameter = 16, kMaskParameter = 20, kParameterBytes = 24;
constexpr std::uint32_t kMetadata = 0x44444444;  // the first two of four weights, everywhere
constexpr std::uint8_t kAllScoreboards = 0x3f;
constexpr int kReportBytes = 32, kWarpLanes = 32;
constexpr int kRegistersOfSm = 65536, kMostWarps = 32;
constexpr int kPasses = 2;
enum Part { kPrologue, kPass, kLoop, kEnd, kParts };

std::uint32_t parameter(int offset) {
  return architecture_of(kSmVersion).constants.parameters + static_cast<std::uint32_t>(offset);
}

Instruction clock(int pair) {
  Instruction i = gemm::zero_pair(pair);
  i.mod.special_register = kClock;
  i.control.wait_mask = kAllScoreboards;
  return i;
}

Instruction stalled(Instruction i, int cycles) {
  i.control.stall = static_cast<std::uint8_t>(cycles);
  return i;
}

Section prologue(const Reserved& r) {
  const int lane = r.lane(), warp = r.warp();
  const int shared = r.shared(4), global = r.global(4);
  const int base = static_cast<int>(architecture_of(kSmVersion).system_shared_bytes);
  Section s;
  s.push_back(gemm::uniform_load_pair(kDescriptorUniform, architecture_of(kSmVersion).constants.global_descriptor));
  s.push_back(gemm::uniform_mov(kZeroUniform, immediate(0)));
  s.push_back(gemm::uniform_mov(kZeroUniform + 1, immediate(0)));
  s.push_back(gemm::writes(gemm::read_special(lane, kThreadIndex), 1));
  s.push_back(gemm::shift_right(warp, lane, 5));
  s.push_back(gemm::lop3(lane, reg(lane), immediate(kWarpLanes - 1), reg(gemm::kRz), gemm::kAnd));
  s.push_back(gemm::imad(shared, reg(warp), immediate(kSharedWindow)));
  s.push_back(gemm::iadd3(shared, reg(shared), immediate(base)));
  for (const int log2 : {2, 3, 4})
    s.push_back(gemm::imad(r.shared(log2), reg(lane), immediate(1 << log2), reg(shared)));
  s.push_back(gemm::mov(global, constant(parameter(kDataParameter))));
  s.push_back(gemm::mov(global + 1, constant(parameter(kDataParameter + 4))));
  s.push_back(gemm::imad_wide(global, reg(warp), immediate(kGlobalWindow), reg(global)));
  for (const int log2 : {2, 3, 4}) {
    s.push_back(gemm::imad_wide(r.global(log2), reg(lane), immediate(1 << log2), reg(global)));
  }
  s.push_back(gemm::mov(r.out(), constant(parameter(kOutParameter))));
  s.push_back(gemm::mov(r.out() + 1, constant(parameter(kOutParameter + 4))));
  s.push_back(gemm::imad_wide(r.out(), reg(warp), immediate(kReportBytes), reg(r.out())));
  s.push_back(gemm::mov(r.metadata(), immediate(kMetadata)));
  s.push_back(gemm::mov(r.passes(), immediate(kPasses)));
  s.push_back(gemm::lop3(warp, reg(warp), constant(parameter(kMaskParameter)), reg(gemm::kRz), gemm::kAnd));
  s.push_back(gemm::isetp(kIdlePredicate, isa::Compare::kNe, reg(warp), reg(gemm::kRz)));
  s.push_back(stalled(gemm::when(gemm::exit_program(), kIdlePredicate), 5));
  return s;
}

Section pass(const Reserved& r) {
  Section s;
  s.push_back(gemm::mov(r.counter(), constant(parameter(kTimesParameter))));
  s.push_back(stalled(gemm::barrier(), 6));
  s.push_back(clock(r.start()));
  return s;
}

Section loop(const Block& block, const Reserved& r) {
  Section s;
  s.push_back(gemm::iadd3(r.counter(), reg(r.counter()), immediate(-1)));
  s.push_back(gemm::isetp(kLoopPredicate, isa::Compare::kNe, reg(r.counter()), reg(gemm::kRz)));
  s.insert(s.end(), block.body.begin(), block.body.end());
  s.push_back(stalled(gemm::when(gemm::branch(kLoop), kLoopPredicate), 5));
  return s;
}

Section end(const Block& block, const Reserved& r) {
  Section s;
  s.push_back(clock(r.stop()));
  s.push_back(gemm::iadd3(r.passes(), reg(r.passes()), immediate(-1)));
  s.push_back(gemm::isetp(kLoopPredicate, isa::Compare::kNe, reg(r.passes()), reg(gemm::kRz)));
  s.push_back(stalled(gemm::when(gemm::branch(kPass), kLoopPredicate), 5));
  const bool copies = std::any_of(block.body.begin(), block.body.end(),
                                  [](const Instruction& i) { return i.opcode == Opcode::kLdgsts; });
  if (copies) {
    s.push_back(stalled(gemm::commit_copies(), 2));
    s.push_back(stalled(gemm::wait_copies(0), 4));
  }
  Instruction report = gemm::store_quad(r.out(), 0, r.start());
  report.mem.descriptor = kDescriptorUniform;
  s.push_back(gemm::reads(report, 1));
  s.push_back(gemm::mov(r.start(), constant(parameter(kTimesParameter))));
  s.push_back(gemm::mov(r.start() + 1, immediate(0)));
  s.push_back(gemm::zero_pair(r.stop()));
  report.mem.data_register = static_cast<std::uint8_t>(r.start());
  report.mem.offset = 16;
  report.control.read_scoreboard = isa::kNoScoreboard;
  s.push_back(report);
  s.push_back(stalled(gemm::exit_program(), 5));
  return s;
}

}  // namespace

isa::Kernel kernel_of(const Block& block, const dependence::MatrixLatency& matrix_latency) {
  const Reserved r = block.reserved;
  isa::Kernel kernel;
  std::vector<Section> sections(kParts);
  sections[kPrologue] = prologue(r);
  sections[kPass] = pass(r);
  sections[kLoop] = loop(block, r);
  sections[kEnd] = end(block, r);
  for (Section& section : sections) {
    for (Instruction& i : section) i.sm = kSmVersion;
  }
  make_legal(sections, {kPrologue, kPass, kLoop, kLoop, kLoop, kEnd, kPass, kLoop, kEnd}, matrix_latency);
  kernel.name = block.name;
  kernel.sm_version = kSmVersion;
  kernel.code = gemm::assemble(sections, kSmVersion);
  kernel.registers = std::max(24, (r.first + Reserved::kCount + isa::kHardwareRegisters + 7) / 8 * 8);
  kernel.barriers = 1;
  kernel.max_threads = static_cast<std::uint32_t>(32 * std::min(kMostWarps, most_warps(kernel)));
  kernel.parameter_base = architecture_of(kSmVersion).constants.parameters;
  for (const int bytes : {8, 8, 4, 4}) {
    kernel.parameters.push_back({kernel.parameter_bytes, static_cast<std::uint32_t>(bytes)});
    kernel.parameter_bytes += static_cast<std::uint32_t>(bytes);
  }
  kernel.constant0.resize(kernel.parameter_base + kParameterBytes);
  return kernel;
}

int most_warps(const isa::Kernel& kernel) {
  return std::min(kMostWarps, kRegistersOfSm / (kWarpLanes * kernel.registers) / 4 * 4);
}

}  // namespace stc::blocks
