// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/poison.h"

#include <algorithm>

#include "models/isa/opcode_traits.h"
#include "models/isa/state/address_space.h"

namespace stc::isa {
namespace {

using Bytes = std::vector<std::uint8_t>;

template <class Use>
void for_each_register(const RegisterRange& range, Use use) {
  for (unsigned r = range.first; r < unsigned{range.first} + range.count; ++r) {
    if (r != kRegisterZero) use(r);
  }
}

/// First byte of [begin, begin + bytes) that is not marked as written, or -1.
std::int64_t first_unwritten(const Bytes& written, std::uint64_t begin, unsigned bytes) {
  for (std::uint64_t at = begin; at < begin + bytes; ++at) {
    if (at < written.size() && written[static_cast<std::size_t>(at)] == 0) return static_cast<std::int64_t>(at);
  }
  return -1;
}

void mark(Bytes& written, std::uint64_t begin, unsigned bytes) {
  for (std::uint64_t at = begin; at < begin + bytes && at < written.size(); ++at) {
    written[static_cast<std::size_t>(at)] = 1;
  }
}

Bytes& written_bytes(const Execution& x, Space space, std::size_t lane) {
  if (space == Space::kShared) return x.warp.cta->shared_written;
  if (space == Space::kLocal) return x.warp.local_written[lane];
  return (*x.warp.cta->cluster)[rank_of(static_cast<std::uint32_t>(x.result.address[lane]))]->shared_written;
}

std::uint64_t offset_of(const Execution& x, Space space, std::size_t lane) {
  const std::uint64_t address = x.result.address[lane];
  return space == Space::kDistributed ? offset_in_cta(static_cast<std::uint32_t>(address)) : address;
}

}  // namespace

const char* name_of(UnwrittenRead::Of of) {
  switch (of) {
    case UnwrittenRead::Of::kRegister: return "register";
    case UnwrittenRead::Of::kShared: return "shared memory";
    case UnwrittenRead::Of::kLocal: return "local memory";
  }
  return "?";
}

void Poison::fill(CtaState& cta) {
  std::fill(cta.shared.begin(), cta.shared.end(), kByte);
  cta.shared_written.assign(cta.shared.size(), 0);
}

void Poison::fill(WarpState& warp) {
  for (std::size_t i = 0; i < warp.r.size(); ++i) warp.r[i].fill(kByte * 0x01010101u);
  warp.written.assign(warp.r.size(), 0);
  warp.local_written.assign(kWarpSize, {});
}

void Poison::registers_read(const Execution& x) {
  if (noted(UnwrittenRead::Of::kRegister)) return;
  const RegisterUse use = register_use(x.instruction);
  for (int i = 0; i < use.source_count; ++i) {
    for_each_register(use.sources[static_cast<std::size_t>(i)], [&](unsigned r) {
      if (r >= x.warp.written.size()) return;  // the access itself is a fault
      const LaneMask unwritten = x.lanes & ~x.warp.written[r];
      if (unwritten != 0) note(x, UnwrittenRead::Of::kRegister, __builtin_ctz(unwritten), r);
    });
  }
}

void Poison::registers_written(const Instruction& instruction, WarpState& warp, LaneMask lanes) {
  const RegisterUse use = register_use(instruction);
  for (int i = 0; i < use.dest_count; ++i) {
    for_each_register(use.dests[static_cast<std::size_t>(i)], [&](unsigned r) {
      if (r < warp.written.size()) warp.written[r] |= lanes;
    });
  }
}

void Poison::memory_access(const Execution& x, Space space, unsigned bytes, bool write) {
  if (space != Space::kShared && space != Space::kDistributed && space != Space::kLocal) return;
  const auto of = space == Space::kLocal ? UnwrittenRead::Of::kLocal : UnwrittenRead::Of::kShared;
  const bool reads = !write || is_atomic(x.instruction.opcode);
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const std::uint64_t address = offset_of(x, space, static_cast<std::size_t>(lane));
    Bytes& written = written_bytes(x, space, static_cast<std::size_t>(lane));
    if (space == Space::kLocal && written.empty())
      written.resize(local_memory_bytes(x.context.kernel->local_bytes, x.context.kernel->stack_bytes));
    if (reads && !noted(of)) {
      const std::int64_t unwritten = first_unwritten(written, address, bytes);
      if (unwritten >= 0) note(x, of, lane, static_cast<std::uint64_t>(unwritten));
    }
  }
  if (!write) return;
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(m));
    mark(written_bytes(x, space, lane), offset_of(x, space, lane), bytes);
  }
}

bool Poison::noted(UnwrittenRead::Of of) const {
  return std::any_of(first_.begin(), first_.end(), [of](const UnwrittenRead& read) { return read.of == of; });
}

void Poison::note(const Execution& x, UnwrittenRead::Of of, int lane, std::uint64_t place) {
  if (noted(of)) return;
  UnwrittenRead read;
  read.of = of;
  read.place = place;
  read.instruction = x.instruction.address;
  read.mnemonic = mnemonic(x.instruction);
  read.cta = x.warp.cta->index;
  read.warp = x.warp.index_in_cta;
  read.lane = lane;
  first_.push_back(read);
}

}  // namespace stc::isa
