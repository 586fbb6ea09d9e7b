// SPDX-License-Identifier: Apache-2.0
// What goes from a CTA to shared memory of its cluster and is counted there by an mbarrier: blocks (UBLKCP.S.S,
// UBLKRED.S.S), asynchronous stores and reductions of the lanes of a warp (STAS, REDAS).
#include <algorithm>

#include "models/isa/state/address_space.h"
#include "models/isa/values/bulk_parts.h"
#include "models/isa/values/handlers.h"

namespace stc::isa {
namespace {

/// Both addresses of a lane: of the data and of the mbarrier.
struct LanePlaces {
  std::uint32_t data = 0, barrier = 0;
};
LanePlaces places_of(const Execution& x, std::size_t lane) {
  const int first = x.instruction.mem.address_register;
  return {source_register(x, first)[lane], source_register(x, pair_high(first))[lane]};
}

/// Each lane sends the words of its data to its place.
void send_lanes(Execution& x, const std::optional<AtomicForm>& reduction) {
  const MemoryFields& mem = x.instruction.mem;
  begin_transfer(x, BulkTransfer::Kind::kToCluster,
                 mem.bytes * static_cast<std::uint32_t>(__builtin_popcount(x.lanes)));
  x.result.bulk.role = DataRole::kOther;
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(m));
    const LanePlaces places = places_of(x, lane);
    const Landing to = landing_at(x, places.data, false, 0, mem.bytes, mem.bytes);
    std::uint32_t words[4]{};
    for (int w = 0; w * 4 < mem.bytes; ++w) {
      const bool zero = mem.data_register == kRegisterZero;
      words[w] = zero ? 0 : source_register(x, mem.data_register + w)[lane];
    }
    put_part(reduction, to.ctas[0]->shared.data() + to.offset, words, mem.bytes);
    mark_written(*to.ctas[0], to.offset, mem.bytes, DataRole::kOther);
    arrive_at(x, to, places.barrier, mem.bytes);
  }
}

}  // namespace

void copy_between_shared(Execution& x, const std::optional<AtomicForm>& reduction) {
  const std::uint32_t from = offset_in_cta(scalar_operand(x, x.instruction.a));
  const std::uint32_t bytes = (scalar_operand(x, x.instruction.c) & 0xffff) * kTilePart;
  CtaState& own = *x.warp.cta;
  require_shared(x, own, from, bytes, kTilePart, "the source");
  const Landing to = landing_at(x, scalar_operand(x, x.instruction.b), false, 0, bytes, kTilePart);
  begin_transfer(x, BulkTransfer::Kind::kToCluster, bytes);
  for (std::uint32_t at = 0; at < bytes; at += kTilePart) {
    x.result.bulk.role = shared_role(own, from + at);
    put_part(reduction, to.ctas[0]->shared.data() + to.offset + at, own.shared.data() + from + at, kTilePart);
    mark_written(*to.ctas[0], to.offset + at, kTilePart, x.result.bulk.role);
  }
  arrive_at(x, to, scalar_operand(x, x.instruction.b, 1), bytes);
}

void execute_async_store(Execution& x) { send_lanes(x, std::nullopt); }

void execute_async_reduction(Execution& x) {
  const Instruction& in = x.instruction;
  send_lanes(x, AtomicForm{in.mem.atomic, in.mod.source_type, false});
}

}  // namespace stc::isa
