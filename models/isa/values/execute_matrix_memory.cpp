// SPDX-License-Identifier: Apache-2.0
// LDSM, STSM (8x8 matrices of 16-bit elements in shared memory), MOVM and LDGSTS.
#include <fmt/format.h>
#include <algorithm>

#include "models/isa/values/execution.h"
#include "models/isa/values/handlers.h"
#include "models/isa/values/lane_address.h"
#include "models/isa/values/load_log.h"

namespace stc::isa {
namespace {

constexpr unsigned kRowBytes = 16;
constexpr unsigned kRows = 8;

/// Addresses of the 8 * matrices rows, checked, and where their bytes are if these are moved; lanes 8i .. 8i+7 point at
/// the rows of matrix i.
void row_pointers(Execution& x, bool write, LanePointers& p) {
  const unsigned matrices = x.instruction.mem.matrices;
  if (x.lanes != kAllLanes) {
    throw_fault(x.instruction, x.warp, x.context, -1,
                fmt::format("executed by lanes 0x{:08x}; all 32 must take part", x.lanes));
  }
  window_addresses(x);
  x.lanes = matrices == 4 ? kAllLanes : (1u << (kRows * matrices)) - 1u;
  if (moves_data(x)) {
    translate_shared(x, kRowBytes, write, p);
  } else {
    check_shared(x, kRowBytes, write);
  }
  x.lanes = kAllLanes;
}

/// Exchanges rows and columns of an 8x8 matrix of 16-bit elements in fragment order.
STC_INLINE void transpose(const Vector& from, Vector& to) {
  const auto* in = reinterpret_cast<const unsigned char*>(from.data());
  auto* out = reinterpret_cast<unsigned char*>(to.data());
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t column = 0; column < kRows; ++column) {
      std::memcpy(out + 2 * (column * kRows + row), in + 2 * (row * kRows + column), 2);
    }
  }
}

}  // namespace

STC_VECTOR void execute_ldsm(Execution& x) {
  const Instruction& in = x.instruction;
  LanePointers p;
  row_pointers(x, false, p);
  if (!moves_data(x)) return;
  for (unsigned matrix = 0; matrix < in.mem.matrices; ++matrix) {
    // Register of lane t = word t % 4 of row t / 4: the rows one after the other.
    Vector rows;
    for (std::size_t row = 0; row < kRows; ++row)
      std::memcpy(rows.data() + 4 * row, p[std::size_t{kRows} * matrix + row], kRowBytes);
    if (in.dest == kRegisterZero) continue;
    Vector& to = dest_register(x, in.dest + static_cast<int>(matrix));
    if (in.mem.transposed) {
      transpose(rows, to);
    } else {
      to = rows;
    }
  }
}

void execute_stsm(Execution& x) {
  const Instruction& in = x.instruction;
  LanePointers p;
  row_pointers(x, true, p);
  for (unsigned matrix = 0; matrix < in.mem.matrices && moves_data(x); ++matrix) {
    Vector rows = source_register(
        x, in.mem.data_register == kRegisterZero ? kRegisterZero : in.mem.data_register + static_cast<int>(matrix));
    if (in.mem.transposed) {
      const Vector copy = rows;
      transpose(copy, rows);
    }
    for (std::size_t row = 0; row < kRows; ++row) {
      std::memcpy(p[std::size_t{kRows} * matrix + row], rows.data() + 4 * row, kRowBytes);
    }
  }
  set_shared_roles(*x.warp.cta, x.result.address, x.result.access_lanes, DataRole::kOther);
}

void execute_movm(Execution& x) {
  Vector out;
  transpose(source_register(x, x.instruction.a.index), out);
  write(x, x.instruction.dest, out);
}

namespace {

template <unsigned kBytes>
STC_INLINE void copy_lanes(LaneMask lanes, const LanePointers& from, const LanePointers& to) {
  if (lanes == kAllLanes) {
    for (std::size_t i = 0; i < kWarpSize; ++i) std::memcpy(to[i], from[i], kBytes);
    return;
  }
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto u = static_cast<std::size_t>(__builtin_ctz(m));
    std::memcpy(to[u], from[u], kBytes);
  }
}

/// Shared side of every lane into result.shared_address, and the host bytes behind it.
STC_INLINE void copy_targets(Execution& x, LanePointers& to) {
  const MemoryFields& mem = x.instruction.mem;
  std::uint32_t base = static_cast<std::uint32_t>(mem.shared_offset);
  if (mem.uniform_on_shared_side && mem.uniform_register != kUniformZero) {
    base += x.warp.ur[mem.uniform_register & 63u];
  }
  const Vector& shared = source_register(x, mem.shared_register);
  for (std::size_t i = 0; i < kWarpSize; ++i) x.result.address[i] = shared[i] + base;
  if (moves_data(x)) {
    translate_shared(x, mem.bytes, true, to);
  } else {
    check_shared(x, mem.bytes, true);
  }
  for (std::size_t i = 0; i < kWarpSize; ++i) {
    x.result.shared_address[i] = static_cast<std::uint32_t>(x.result.address[i]);
  }
}

/// Global side of every lane into result.address, as the registers give it.
STC_INLINE void copy_sources(Execution& x) {
  const MemoryFields& mem = x.instruction.mem;
  std::uint64_t offset = static_cast<std::uint64_t>(std::int64_t{mem.offset});
  if (!mem.uniform_on_shared_side && mem.uniform_register != kUniformZero) {
    offset += x.warp.ur[mem.uniform_register & 63u];
    if (mem.uniform_is_64bit) offset += std::uint64_t{x.warp.ur[(mem.uniform_register + 1u) & 63u]} << 32;
  }
  const Vector& low = source_register(x, mem.address_register);
  const Vector& high = mem.address_64bit ? source_register(x, pair_high(mem.address_register)) : kZeroVector;
  for (std::size_t i = 0; i < kWarpSize; ++i) {
    x.result.address[i] = ((std::uint64_t{high[i]} << 32) | low[i]) + offset;
  }
}

void copy_part_again(Execution& x, const LoggedLoad& load) {
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const auto u = static_cast<std::size_t>(__builtin_ctz(m));
    std::memcpy(load.to[u], load.from[u], load.counts[u]);
  }
}

/// .ZFILL: the first bytes of each lane from global memory, the rest zero.
void copy_partial(Execution& x, const LanePointers& to) {
  const unsigned bytes = x.instruction.mem.bytes;
  LanePointers from;
  std::array<std::uint8_t, kWarpSize> count;
  translate_partial(x, bytes, from, count);
  if (!moves_data(x)) return;
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const auto u = static_cast<std::size_t>(__builtin_ctz(m));
    std::memcpy(to[u], from[u], count[u]);
    std::memset(to[u] + count[u], 0, bytes - count[u]);
  }
  if (LoggedLoad* const load = log_load(x, copy_part_again, from)) {
    load->to = to;
    load->counts = count;
  }
}

STC_INLINE void copy_lanes(const Execution& x, const LanePointers& from, const LanePointers& to) {
  switch (x.instruction.mem.bytes) {
    case 16: copy_lanes<16>(x.lanes, from, to); break;
    case 8: copy_lanes<8>(x.lanes, from, to); break;
    default: copy_lanes<4>(x.lanes, from, to); break;
  }
}

void copy_again(Execution& x, const LoggedLoad& load) { copy_lanes(x, load.from, load.to); }

STC_INLINE void copy_whole(Execution& x, const LanePointers& to) {
  LanePointers from;
  translate_global(x, x.instruction.mem.bytes, false, from);
  if (!moves_data(x)) return;
  copy_lanes(x, from, to);
  if (LoggedLoad* const load = log_load(x, copy_again, from)) load->to = to;
}

}  // namespace

/// Every executing lane writes shared memory: zeros where the copy predicate is false, and such a lane's global
/// address is not looked at.
STC_VECTOR void execute_ldgsts(Execution& x) {
  const Instruction& in = x.instruction;
  const LaneMask lanes = x.lanes;
  const LaneMask copied = lanes & predicate_lanes(x.warp, in.source_predicate0);
  LanePointers to;
  copy_targets(x, to);
  for (LaneMask m = moves_data(x) ? lanes & ~copied : 0; m != 0; m &= m - 1) {
    std::memset(to[static_cast<std::size_t>(__builtin_ctz(m))], 0, in.mem.bytes);
  }
  DataRole role = DataRole::kOther;
  if (copied != 0) {
    x.lanes = copied;
    copy_sources(x);
    if (in.mem.partial_source) {
      copy_partial(x, to);
    } else {
      copy_whole(x, to);
    }
    x.lanes = lanes;
    role = x.result.role;
  }
  set_shared_roles(*x.warp.cta, x.result.shared_address, lanes, role);
  // Reported as a global read of the copied lanes; shared_address holds the other side.
  x.result.space = Space::kGlobal;
  x.result.is_write = false;
  x.result.access_lanes = copied;
  x.result.shared_lanes = lanes;
  x.result.bytes_per_lane = in.mem.bytes;
  x.result.role = role;
}

}  // namespace stc::isa
