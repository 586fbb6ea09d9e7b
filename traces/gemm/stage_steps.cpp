// SPDX-License-Identifier: Apache-2.0
// Counters, addresses and predicates that move on with every k-tile. Addresses of copies move at the beginning of the
// k-tile that copies and not behind the copies of the one before: nobody waits for a copy to have read its addresses.
#include "traces/gemm/instructions.h"
#include "traces/gemm/program_parts.h"

namespace stc::gemm {
namespace {

/// Bytes to the next stage, or from the last to the first.
Bundle stage_step(const GemmDesign& d, int wraps) {
  return {mov(d.r.step, immediate(d.stage_bytes)),
          when(mov(d.r.step, immediate(std::int64_t{1 - d.stages()} * d.stage_bytes)), wraps)};
}

Bundle add_step(const GemmDesign& d, const std::vector<int>& registers) {
  Bundle bundle;
  for (const int r : registers) bundle.push_back(iadd3(r, reg(r), reg(d.r.step)));
  return bundle;
}

std::vector<int> write_registers(const GemmDesign& d) {
  std::vector<int> registers{d.r.write_stage};
  for (std::size_t s = 0; s < d.a.segments().size(); ++s) registers.push_back(d.r.write_a + static_cast<int>(s));
  for (std::size_t s = 0; s < d.b.segments().size(); ++s) registers.push_back(d.r.write_b + static_cast<int>(s));
  if (d.sparse) registers.push_back(d.r.write_e);
  return registers;
}

std::vector<int> read_registers(const GemmDesign& d) {
  std::vector<int> registers{d.r.read_stage, d.r.read_a, d.r.read_b};
  if (d.sparse) registers.push_back(d.r.read_e);
  return registers;
}

}  // namespace

Bundles tile_chores(const GemmDesign& d) {
  const int last = (d.stages() - 1) * d.stage_bytes;
  Bundles chores;
  chores.push_back({isetp(kPredicateMore, isa::Compare::kGt, reg(d.r.tiles_left), immediate(d.stages() - 1)),
                    isetp(kPredicateLoop, isa::Compare::kGt, reg(d.r.tiles_left), immediate(1))});
  chores.push_back(stage_step(d, kPredicateWrapWrite));
  chores.push_back(add_step(d, write_registers(d)));
  // The halves of a pointer follow each other: a bundle ends where its last result must be waited for.
  Bundle part{iadd3(d.r.tiles_left, reg(d.r.tiles_left), immediate(-1))};
  for (const Bundle& source : advance_sources(d)) {
    part.push_back(source.front());
    chores.push_back(std::move(part));
    part.assign(source.begin() + 1, source.end());
  }
  for (const Instruction& i : partial_copy_predicates(d)) part.push_back(i);
  if (!part.empty()) chores.push_back(std::move(part));
  chores.push_back({isetp(kPredicateWrapRead, isa::Compare::kEq, reg(d.r.read_stage), immediate(last)),
                    isetp(kPredicateWrapWrite, isa::Compare::kEq, reg(d.r.write_stage), immediate(last))});
  return chores;
}

Bundle read_step(const GemmDesign& d) { return stage_step(d, kPredicateWrapRead); }

Bundle move_reading(const GemmDesign& d) { return add_step(d, read_registers(d)); }

}  // namespace stc::gemm
