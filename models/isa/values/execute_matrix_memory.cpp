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

typedef std::uint64_t EightAddresses __attribute__((vector_size(64)));

STC_INLINE std::uint64_t highest_of(const EightLanes& lanes) {
  std::uint32_t highest = 0;
  for (std::size_t i = 0; i < kEight; ++i) highest = lanes[i] > highest ? lanes[i] : highest;
  return highest;
}
STC_INLINE std::uint32_t lowest_of(const EightLanes& lanes) {
  std::uint32_t lowest = ~0u;
  for (std::size_t i = 0; i < kEight; ++i) lowest = lanes[i] < lowest ? lanes[i] : lowest;
  return lowest;
}

/// Whether rows of 16 bytes of shared memory, of which the first lane's begins at `first`, lie there; false if
/// `pattern` is null.
STC_INLINE bool are_inside(const LanePattern* pattern, std::uint32_t first, const CtaState& cta) {
  return pattern != nullptr && (pattern->bits | first) % kRowBytes == 0 && std::int64_t{first} + pattern->least >= 0 &&
         std::int64_t{first} + pattern->most + std::int64_t{kRowBytes} <= static_cast<std::int64_t>(cta.shared.size());
}

STC_INLINE void note_rows(Execution& x, bool write, std::uint32_t first) {
  x.result.space = Space::kShared;
  x.result.is_write = write;
  x.result.access_lanes = kAllLanes;
  x.result.bytes_per_lane = kRowBytes;
  if (!write) x.result.role = shared_role(*x.warp.cta, first);
}

/// Addresses of the rows of four matrices whose bytes are not moved. Returns false, and has looked at none, where
/// somebody wants to know more of them, or something is wrong.
STC_VECTOR bool look_at_rows(Execution& x, bool write) {
  const CtaState& cta = *x.warp.cta;
  if (cta.cluster_rank != 0 || x.context.poison != nullptr || x.context.unset_symbols != nullptr) return false;
  const MemoryFields& mem = x.instruction.mem;
  std::uint32_t base = static_cast<std::uint32_t>(mem.offset);
  if (mem.uniform_register != kUniformZero) base += x.warp.ur[mem.uniform_register & 63u];
  const std::uint32_t scale = mem.index_scale;
  const KnownLanes rows = known_lanes(x, mem.address_register);
  const std::uint32_t first = rows.first + base;
  // Of a store the bytes get a role, at each address.
  const bool needs_none = x.context.takes_lines && !write;
  if (needs_none && scale == 1 && are_inside(rows.pattern, first, cta) && rows.pattern->rows_apart) {
    x.result.rows_apart = true;
    note_rows(x, write, first);
    return true;
  }
  const std::uint32_t* low = source_register(x, mem.address_register).data();
  EightLanes bits{}, highest{};
  for (std::size_t i = 0; i < kWarpSize; i += kEight) {
    EightLanes address;
    STC_LOAD_EIGHT(address, low + i);
    address = address * scale + base;
    bits |= address;
    highest = address > highest ? address : highest;
    const auto wide = __builtin_convertvector(address, EightAddresses);
    std::memcpy(&x.result.address[i], &wide, sizeof wide);
  }
  if (STC_OR_EIGHT(bits) % kRowBytes != 0 || highest_of(highest) + kRowBytes > cta.shared.size()) return false;
  note_rows(x, write, static_cast<std::uint32_t>(x.result.address[0]));
  return true;
}

/// Addresses of the 8 * matrices rows, checked, and where their bytes are if these are moved; lanes 8i .. 8i+7 point at
/// the rows of matrix i.
void row_pointers(Execution& x, bool write, LanePointers& p) {
  const unsigned matrices = x.instruction.mem.matrices;
  if (x.lanes != kAllLanes) {
    throw_fault(x.instruction, x.warp, x.context, -1,
                fmt::format("executed by lanes 0x{:08x}; all 32 must take part", x.lanes));
  }
  if (matrices == 4 && !moves_data(x) && look_at_rows(x, write)) return;
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

/// Whether each eight lanes from `to` on write the eight rows of a line of shared memory, in any order.
STC_INLINE bool fill_lines(const std::uint32_t* to) {
  EightLanes differ{}, used{};
  for (std::size_t i = 0; i < kWarpSize; i += kEight) {
    EightLanes rows;
    STC_LOAD_EIGHT(rows, to + i);
    differ |= (rows ^ to[i]) / (kRows * kRowBytes);
    used |= (EightLanes{} + 1u) << (rows / kRowBytes % kRows + static_cast<std::uint32_t>(i));
  }
  return STC_OR_EIGHT(differ) == 0 && STC_OR_EIGHT(used) == ~0u;
}

STC_INLINE void set_roles_of_copy(CtaState& cta, const std::array<std::uint32_t, kWarpSize>& to, DataRole role) {
  if (cta.shared_role.size() < (cta.shared.size() + 15) / 16) return;
  if (!fill_lines(to.data())) return set_shared_roles(cta, to, kAllLanes, role);
  for (std::size_t i = 0; i < kWarpSize; i += kEight) {
    std::memset(&cta.shared_role[std::size_t{to[i] / (kRows * kRowBytes)} * kRows], static_cast<int>(role), kRows);
  }
}

STC_INLINE void note_copy(Execution& x, const Allocation& from) {
  x.context.buffer = &from;
  x.result.role = from.role;
  x.result.space = Space::kGlobal;
  x.result.is_write = false;
  x.result.access_lanes = x.result.shared_lanes = kAllLanes;
  x.result.bytes_per_lane = kRowBytes;
}

/// The same of rows that are known to bring lines to lines: `to` and `from` are added to the registers.
STC_INLINE bool copy_known_lines(Execution& x, std::uint32_t to, std::uint64_t from) {
  constexpr std::uint32_t kLine = kRows * kRowBytes;
  const MemoryFields& mem = x.instruction.mem;
  CtaState& cta = *x.warp.cta;
  const KnownLanes shared = known_lanes(x, mem.shared_register), low = known_lanes(x, mem.address_register);
  const KnownLanes high = known_lanes(x, pair_high(mem.address_register));
  to += shared.first;
  if (!are_inside(shared.pattern, to, cta) || low.pattern == nullptr || !high.uniform()) return false;
  if (!shared.pattern->rows_apart || !low.pattern->within_word(low.first)) return false;
  from += std::uint64_t{high.first} << 32 | low.first;
  const unsigned bit = 1u << (to % kLine / kRowBytes), from_bit = 1u << (from % kLine / kRowBytes);
  if ((shared.pattern->keeps_lines & shared.pattern->fills_lines & bit) == 0) return false;
  if (from % kRowBytes != 0 || (low.pattern->whole_lines & from_bit) == 0) return false;
  const Allocation* const all =
      x.context.memory->find(from + static_cast<std::uint64_t>(low.pattern->least),
                             static_cast<std::uint64_t>(low.pattern->most - low.pattern->least) + kRowBytes);
  if (all == nullptr || cta.shared_role.size() < (cta.shared.size() + 15) / 16) return false;
  for (std::size_t i = 0; i < x.result.copied_lines.size(); ++i) {
    const std::size_t lane = kEight * i;
    const std::int64_t by{static_cast<std::int32_t>(low.pattern->by[lane])};
    x.result.copied_lines[i] = (from + static_cast<std::uint64_t>(by)) / kLine;
    std::memset(&cta.shared_role[std::size_t{(to + shared.pattern->by[lane]) / kLine} * kRows],
                static_cast<int>(all->role), kRows);
  }
  x.result.rows_apart = true;
  note_copy(x, *all);
  return true;
}

/// A copy of 16 bytes by all lanes whose bytes are not moved. Returns false, and has changed nothing that the general
/// way does not set anew, where somebody wants to know more of the addresses, or something is wrong with one.
STC_INLINE bool look_at_copy(Execution& x) {
  const MemoryFields& mem = x.instruction.mem;
  CtaState& cta = *x.warp.cta;
  const bool plain = mem.bytes == kRowBytes && !mem.partial_source && mem.address_64bit && cta.cluster_rank == 0 &&
                     x.context.poison == nullptr && x.context.unset_symbols == nullptr;
  if (!plain) return false;
  std::uint32_t base = static_cast<std::uint32_t>(mem.shared_offset);
  std::uint64_t offset = static_cast<std::uint64_t>(std::int64_t{mem.offset});
  if (mem.uniform_register != kUniformZero) {
    const std::uint32_t word = x.warp.ur[mem.uniform_register & 63u];
    if (mem.uniform_on_shared_side) {
      base += word;
    } else {
      offset += word;
      if (mem.uniform_is_64bit) offset += std::uint64_t{x.warp.ur[(mem.uniform_register + 1u) & 63u]} << 32;
    }
  }
  if (x.context.takes_lines && copy_known_lines(x, base, offset)) return true;
  const std::uint32_t* shared = source_register(x, mem.shared_register).data();
  const std::uint32_t* low = source_register(x, mem.address_register).data();
  const std::uint32_t* high = source_register(x, pair_high(mem.address_register)).data();
  EightLanes bits{}, highest{}, lowest_from = ~EightLanes{}, highest_from{}, differ{};
  const std::uint64_t first = ((std::uint64_t{high[0]} << 32) | low[0]) + offset;
  const auto above = static_cast<std::uint32_t>(first >> 32);
  for (std::size_t i = 0; i < kWarpSize; i += kEight) {
    EightLanes to, from, top;
    STC_LOAD_EIGHT(to, shared + i);
    STC_LOAD_EIGHT(from, low + i);
    STC_LOAD_EIGHT(top, high + i);
    to += base;
    bits |= to;
    highest = to > highest ? to : highest;
    STC_STORE_EIGHT(&x.result.shared_address[i], to);
    const EightLanes sum = from + static_cast<std::uint32_t>(offset);
    top += static_cast<std::uint32_t>(offset >> 32) - reinterpret_cast<EightLanes>(sum < from);
    differ |= top ^ above;
    bits |= sum;
    lowest_from = sum < lowest_from ? sum : lowest_from;
    highest_from = sum > highest_from ? sum : highest_from;
    const auto wide = __builtin_convertvector(sum, EightAddresses) | (std::uint64_t{above} << 32);
    std::memcpy(&x.result.address[i], &wide, sizeof wide);
  }
  if (STC_OR_EIGHT(differ) != 0 || STC_OR_EIGHT(bits) % kRowBytes != 0) return false;
  if (highest_of(highest) + kRowBytes > cta.shared.size()) return false;
  const std::uint32_t lowest = lowest_of(lowest_from);
  const Allocation* const all =
      x.context.memory->find(std::uint64_t{above} << 32 | lowest, highest_of(highest_from) - lowest + kRowBytes);
  if (all == nullptr) return false;
  set_roles_of_copy(cta, x.result.shared_address, all->role);
  note_copy(x, *all);
  return true;
}

}  // namespace

/// Every executing lane writes shared memory: zeros where the copy predicate is false, and such a lane's global
/// address is not looked at.
STC_VECTOR void execute_ldgsts(Execution& x) {
  const Instruction& in = x.instruction;
  const LaneMask lanes = x.lanes;
  const LaneMask copied = lanes & predicate_lanes(x.warp, in.source_predicate0);
  if (copied == kAllLanes && !moves_data(x) && look_at_copy(x)) return;
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
