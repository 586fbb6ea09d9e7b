// SPDX-License-Identifier: Apache-2.0
// Loads and stores of global, shared, local, generic and constant memory.
#include <fmt/format.h>

#include "models/isa/state/address_space.h"
#include "models/isa/values/execution.h"
#include "models/isa/values/handlers.h"
#include "models/isa/values/lane_address.h"
#include "models/isa/values/late_access.h"
#include "models/isa/values/load_log.h"

namespace stc::isa {
namespace {

STC_INLINE std::uint32_t load_narrow(const std::uint8_t* p, unsigned bytes, bool sign_extend) {
  if (bytes == 1) {
    return sign_extend ? static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int8_t>(*p))) : *p;
  }
  std::uint16_t half;
  std::memcpy(&half, p, sizeof half);
  return sign_extend ? static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int16_t>(half))) : half;
}

/// Reads `kWords` words per lane into consecutive registers.
template <int kWords>
STC_INLINE void load_words(Execution& x, int dest, const LanePointers& p) {
  if (dest == kRegisterZero) return;
  Vector* to[kWords];
  for (int w = 0; w < kWords; ++w) to[w] = &dest_register(x, dest + w);
  const auto lane = [&](std::size_t i) {
    for (std::size_t w = 0; w < kWords; ++w) (*to[w])[i] = load32(p[i] + 4 * w);
  };
  if (x.lanes == kAllLanes) {
    for (std::size_t i = 0; i < kWarpSize; ++i) lane(i);
  } else {
    for (LaneMask m = x.lanes; m != 0; m &= m - 1) lane(static_cast<std::size_t>(__builtin_ctz(m)));
  }
}

template <int kWords>
STC_INLINE void store_words(Execution& x, int source, const LanePointers& p) {
  const Vector* from[kWords];
  for (int w = 0; w < kWords; ++w) {
    from[w] = &source_register(x, source == kRegisterZero ? kRegisterZero : source + w);
  }
  const auto lane = [&](std::size_t i) {
    std::uint32_t words[kWords];
    for (std::size_t w = 0; w < kWords; ++w) words[w] = (*from[w])[i];
    std::memcpy(p[i], words, sizeof words);
  };
  if (x.lanes == kAllLanes) {
    for (std::size_t i = 0; i < kWarpSize; ++i) lane(i);
  } else {
    for (LaneMask m = x.lanes; m != 0; m &= m - 1) lane(static_cast<std::size_t>(__builtin_ctz(m)));
  }
}

STC_INLINE void load_lanes(Execution& x, const LanePointers& p) {
  const Instruction& in = x.instruction;
  switch (in.mem.bytes) {
    case 4: load_words<1>(x, in.dest, p); return;
    case 8: load_words<2>(x, in.dest, p); return;
    case 16: load_words<4>(x, in.dest, p); return;
    default: {
      if (in.dest == kRegisterZero) return;
      Vector& to = dest_register(x, in.dest);
      for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
        const auto u = static_cast<std::size_t>(__builtin_ctz(m));
        to[u] = load_narrow(p[u], in.mem.bytes, in.mem.sign_extend);
      }
    }
  }
}

STC_INLINE void store_lanes(Execution& x, const LanePointers& p) {
  const Instruction& in = x.instruction;
  switch (in.mem.bytes) {
    case 4: store_words<1>(x, in.mem.data_register, p); return;
    case 8: store_words<2>(x, in.mem.data_register, p); return;
    case 16: store_words<4>(x, in.mem.data_register, p); return;
    default: {
      const Vector& from = source_register(x, in.mem.data_register);
      for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
        const auto u = static_cast<std::size_t>(__builtin_ctz(m));
        std::memcpy(p[u], &from[u], in.mem.bytes);
      }
    }
  }
}

STC_VECTOR void store(Execution& x, const LanePointers& p) { store_lanes(x, p); }

void load_again(Execution& x, const LoggedLoad& load) { load_lanes(x, load.from); }

}  // namespace

STC_VECTOR void execute_ldg(Execution& x) {
  LanePointers p;
  global_addresses(x);
  translate_global(x, x.instruction.mem.bytes, false, p);
  if (!moves_data(x)) return;
  load_lanes(x, p);
  log_load(x, load_again, p);
}

STC_VECTOR void execute_stg(Execution& x) {
  LanePointers p;
  global_addresses(x);
  translate_global(x, x.instruction.mem.bytes, true, p);
  store_memory(x, p, store);
}

STC_VECTOR void execute_lds(Execution& x) {
  LanePointers p;
  window_addresses(x);
  translate_shared(x, x.instruction.mem.bytes, false, p);
  if (moves_data(x)) load_lanes(x, p);
}

STC_VECTOR void execute_sts(Execution& x) {
  LanePointers p;
  window_addresses(x);
  translate_shared(x, x.instruction.mem.bytes, true, p);
  if (moves_data(x)) store_lanes(x, p);
  // What a register held is not tracked: data that went through registers count as kOther.
  set_shared_roles(*x.warp.cta, x.result.address, x.lanes, DataRole::kOther);
}

void execute_ldl(Execution& x) {
  LanePointers p;
  window_addresses(x);
  translate_local(x, x.instruction.mem.bytes, false, p);
  load_lanes(x, p);
}

void execute_stl(Execution& x) {
  LanePointers p;
  window_addresses(x);
  translate_local(x, x.instruction.mem.bytes, true, p);
  store_lanes(x, p);
}

void execute_ld(Execution& x) {
  LanePointers p;
  global_addresses(x);
  translate_generic(x, x.instruction.mem.bytes, false, p);
  load_lanes(x, p);
  if (LoggedLoad* const load = log_load(x, load_again, p)) load->lanes = lanes_in_global(x);
}

void execute_st(Execution& x) {
  LanePointers p;
  global_addresses(x);
  translate_generic(x, x.instruction.mem.bytes, true, p);
  store_memory(x, p, store);
}

void execute_qspc(Execution& x) {
  global_addresses(x);
  enum Asked : std::uint16_t { kOwnShared, kLocal, kGlobal, kClusterShared };
  const std::uint16_t asked = x.instruction.mod.variant;
  const LaneMask inside = lanes_where([&](std::size_t i) {
    const std::uint64_t upper = x.result.address[i] & ~0xffffffffULL;
    if (upper == kLocalWindow) return asked == kLocal;
    if (upper != kSharedWindow) return asked == kGlobal;
    const bool own = rank_of(static_cast<std::uint32_t>(x.result.address[i])) == x.warp.cta->cluster_rank;
    return asked == kClusterShared || (asked == kOwnShared && own);
  });
  write_predicate(x, x.instruction.dest_predicate0, inside);
}

void execute_ldc(Execution& x) {
  const Instruction& in = x.instruction;
  const unsigned bytes = in.mem.bytes;
  const Vector& index = source_register(x, in.mem.address_register);
  // Indexed modes other than the plain sum split the index register into bank and offset.
  if (in.mod.variant != 0) {
    throw_fault(in, x.warp, x.context, -1, fmt::format("LDC address mode {} is not modelled", in.mod.variant));
  }
  x.result.space = Space::kConstant;
  x.result.access_lanes = x.lanes;
  x.result.bytes_per_lane = in.mem.bytes;
  const std::uint32_t uniform = in.mem.uniform_register == kUniformZero ? 0u : x.warp.ur[in.mem.uniform_register & 63u];
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const auto u = static_cast<std::size_t>(__builtin_ctz(m));
    const std::uint32_t offset = index[u] + uniform + in.b.value + static_cast<std::uint32_t>(in.mem.offset);
    x.result.address[u] = offset;
    if ((offset & (bytes - 1)) != 0) {
      throw_address_fault(in, x.warp, x.context, static_cast<int>(u), fmt::format("misaligned {}-byte read", bytes),
                          Space::kConstant, offset);
    }
    const std::uint8_t* p = constant_data(x, in.b.bank, offset, bytes);
    require_launch_word(x, in.b.bank, offset);
    if (in.dest == kRegisterZero) continue;
    if (bytes < 4) {
      dest_register(x, in.dest)[u] = load_narrow(p, bytes, in.mem.sign_extend);
      continue;
    }
    for (unsigned w = 0; w < bytes / 4; ++w)
      dest_register(x, in.dest + static_cast<int>(w))[u] = load32(p + std::size_t{4} * w);
  }
}

}  // namespace stc::isa
