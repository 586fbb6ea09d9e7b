// SPDX-License-Identifier: Apache-2.0
// One warp with some memory, for tests of single operations.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "models/core/architecture.h"
#include "models/isa/values/execute.h"
#include "validation/instructions.h"

namespace stc::isa {

/// A warp of 32 registers, a CTA of 4096 shared bytes, 64 parameter bytes, local memory of the default size.
class Machine {
 public:
  Machine() {
    kernel.name = "tested";
    kernel.sm_version = 80;
    kernel.parameter_base = architecture_of(kernel.sm_version).constants.parameters;
    kernel.registers = 32;
    kernel.parameter_bytes = 64;
    cta.index = {3, 2, 1};
    cta.grid = {8, 8, 8};
    cta.block = {64, 1, 1};
    cta.shared.resize(4096);
    cta.shared_role.resize(256);
    cta.constant0 = launch_constants(kernel, {132, 1024}, cta.grid, cta.block, std::vector<std::uint8_t>(64));
    start_warp(warp, kernel, cta, 0);
    context.kernel = &kernel;
    context.memory = &memory;
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const ExecuteResult& run(const Instruction& i) {
    last = i;
    last.address = warp.pc;
    execute(last, warp, context, result);
    return result;
  }
  /// Executes in every lane with the given values in R0, R1, R2 and returns lane 0 of `dest`.
  std::uint32_t eval(const Instruction& i, std::uint32_t r0, std::uint32_t r1 = 0, std::uint32_t r2 = 0) {
    set(0, r0), set(1, r1), set(2, r2);
    run(i);
    return warp.r[i.dest][0];
  }
  void set(int r, std::uint32_t value) { warp.r[static_cast<std::size_t>(r)].fill(value); }
  void set64(int r, std::uint64_t value) {
    set(r, static_cast<std::uint32_t>(value));
    set(r + 1, static_cast<std::uint32_t>(value >> 32));
  }
  std::uint32_t get(int r, int lane = 0) const {
    return warp.r[static_cast<std::size_t>(r)][static_cast<std::size_t>(lane)];
  }
  std::uint64_t get64(int r, int lane = 0) const {
    return static_cast<std::uint64_t>(get(r + 1, lane)) << 32 | get(r, lane);
  }
  /// R[r] of lane i = base + stride * i.
  void set_lanes(int r, std::uint32_t base, std::uint32_t stride) {
    for (std::uint32_t i = 0; i < 32; ++i) warp.r[static_cast<std::size_t>(r)][i] = base + stride * i;
  }
  void set_address_lanes(int r, std::uint64_t base, std::uint32_t stride) {
    for (std::uint32_t i = 0; i < 32; ++i) {
      const std::uint64_t a = base + std::uint64_t{stride} * i;
      warp.r[static_cast<std::size_t>(r)][i] = static_cast<std::uint32_t>(a);
      warp.r[static_cast<std::size_t>(r) + 1][i] = static_cast<std::uint32_t>(a >> 32);
    }
  }
  bool predicate(int p, int lane = 0) const { return ((warp.p[static_cast<std::size_t>(p)] >> lane) & 1u) != 0; }

  Kernel kernel;
  GlobalMemory memory;
  CtaState cta;
  WarpState warp{32};
  ExecuteContext context;
  ExecuteResult result{};
  Instruction last;  ///< what is still to be done for it names it
};

/// Text of the fault that executing `i` raises; empty when there is none.
inline std::string fault_of(Machine& m, const Instruction& i) {
  try {
    m.run(i);
  } catch (const SimulatedFault& fault) {
    return fault.what();
  }
  return {};
}

}  // namespace stc::isa
