// SPDX-License-Identifier: Apache-2.0
// Counters, stages and predicates that move on with every k-tile. Stages and counters are the same for all lanes and
// lie in uniform registers.
#include "traces/gemm/instructions.h"
#include "traces/gemm/program_parts.h"

namespace stc::gemm {
namespace {

/// The stage behind `stage`, and whether it is not the first one again.
Bundle next_stage(const GemmDesign& d, int stage, int next, int turns) {
  return {uniform_add(next, uniform(stage), immediate(d.stage_bytes)),
          uniform_not_equal(turns, uniform(stage), immediate(std::int64_t{d.stages() - 1} * d.stage_bytes))};
}

Instruction take_next(int stage, int next, int turns) {
  return uniform_select(stage, uniform(next), uniform(isa::kUniformZero), turns);
}

void append(Bundle& to, const Bundle& from) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

Bundle begin_tile(const GemmDesign& d) {
  Bundle bundle{uniform_add(kUniformCopied, uniform(kUniformTile), immediate(d.stages() - 1)),
                isetp(kPredicateDone, isa::Compare::kLe, reg(d.r.tiles), uniform(kUniformCopied))};
  append(bundle, next_stage(d, kUniformRead, kUniformNextRead, kUniformTurnsRead));
  append(bundle, next_stage(d, kUniformWrite, kUniformNextWrite, kUniformTurnsWrite));
  return bundle;
}

Bundle aim_copies(const GemmDesign& d) {
  Bundle bundle;
  const auto target = [&](int to, int from) {
    bundle.push_back(sum(d.spec.sm_version, to, reg(from), uniform(kUniformWrite)));
  };
  for (int s = 0; s < static_cast<int>(d.a.segments().size()); ++s) target(d.r.target_a + s, d.r.write_a + s);
  for (int s = 0; s < static_cast<int>(d.b.segments().size()) && d.shared_target == 0; ++s) {
    target(d.r.target_b + s, d.r.write_b + s);
  }
  if (d.sparse) target(d.r.target_e, d.r.write_e);
  append(bundle, partial_copy_predicates(d));
  bundle.push_back(take_next(kUniformWrite, kUniformNextWrite, kUniformTurnsWrite));
  return bundle;
}

Bundle turn_stage(const GemmDesign& d) {
  return {take_next(kUniformRead, kUniformNextRead, kUniformTurnsRead),
          uniform_add(kUniformTile, uniform(kUniformTile), immediate(1)),
          isetp(kPredicateLast, isa::Compare::kLe, reg(d.r.tiles), uniform(kUniformTile))};
}

}  // namespace stc::gemm
