// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/lane_address.h"

#include <fmt/format.h>

#include "models/isa/state/address_space.h"
#include "models/isa/values/poison.h"
#include "models/isa/values/unset_symbols.h"

namespace stc::isa {
namespace {

STC_INLINE int first_lane(LaneMask lanes) { return __builtin_ctz(lanes); }

/// Bitwise OR, smallest and largest address of the executing lanes.
struct Extent {
  std::uint64_t bits = 0;
  std::uint64_t low = ~std::uint64_t{0};
  std::uint64_t high = 0;
};

STC_INLINE Extent extent_of(const std::array<std::uint64_t, kWarpSize>& address, LaneMask lanes) {
  Extent e;
  if (lanes == kAllLanes) {
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      e.bits |= address[i];
      e.low = address[i] < e.low ? address[i] : e.low;
      e.high = address[i] > e.high ? address[i] : e.high;
    }
    return e;
  }
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const std::uint64_t a = address[static_cast<std::size_t>(first_lane(m))];
    e.bits |= a;
    e.low = a < e.low ? a : e.low;
    e.high = a > e.high ? a : e.high;
  }
  return e;
}

/// Of a lane that does not execute the offset may be anything: its pointer is a number that nobody follows.
STC_INLINE std::uint8_t* host_pointer(std::uintptr_t host, std::uint64_t offset) {
  return reinterpret_cast<std::uint8_t*>(host + offset);  // NOLINT(performance-no-int-to-ptr)
}

[[noreturn]] void access_fault(const Execution& x, int lane, Space space, unsigned bytes, bool write,
                               const char* problem) {
  throw_address_fault(x.instruction, x.warp, x.context, lane,
                      fmt::format("{} {}-byte {}", problem, bytes, write ? "write" : "read"), space,
                      x.result.address[static_cast<std::size_t>(lane)] +
                          (space == Space::kShared ? shared_base(x.warp.cta->cluster_rank) : 0));
}

void check_alignment(const Execution& x, Space space, unsigned bytes, bool write, std::uint64_t bits) {
  if ((bits & (bytes - 1)) == 0) return;
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const int lane = first_lane(m);
    if ((x.result.address[static_cast<std::size_t>(lane)] & (bytes - 1)) != 0) {
      access_fault(x, lane, space, bytes, write, "misaligned");
    }
  }
}

void watch_access(const Execution& x, Space space, unsigned bytes, bool write) {
  if (x.context.poison != nullptr) x.context.poison->memory_access(x, space, bytes, write);
  if (x.context.unset_symbols != nullptr && space == Space::kGlobal) {
    x.context.unset_symbols->global_access(x, bytes, write);
  }
}

void note_access(Execution& x, Space space, unsigned bytes, bool write) {
  if (x.context.poison != nullptr || x.context.unset_symbols != nullptr) watch_access(x, space, bytes, write);
  x.result.space = space;
  x.result.is_write = write;
  x.result.access_lanes = x.lanes;
  x.result.bytes_per_lane = static_cast<std::uint8_t>(bytes);
}

/// Local memory of one lane, created on first use.
std::vector<std::uint8_t>& local_of(Execution& x, std::size_t lane) {
  auto& local = x.warp.local;
  if (local.empty()) local.resize(kWarpSize);
  if (local[lane].empty()) {
    const std::uint8_t contents = x.context.poison != nullptr ? Poison::kByte : 0;
    local[lane].resize(local_memory_bytes(x.context.kernel->local_bytes, x.context.kernel->stack_bytes), contents);
  }
  return local[lane];
}

std::uint8_t* window_pointer(Execution& x, int lane, Space space, std::uint64_t offset, unsigned bytes, bool write) {
  std::vector<std::uint8_t>& memory =
      space == Space::kShared ? x.warp.cta->shared : local_of(x, static_cast<std::size_t>(lane));
  if (offset + bytes > memory.size()) access_fault(x, lane, space, bytes, write, "out-of-bounds");
  return memory.data() + offset;
}

/// Shared addresses carry the CTA's rank in its cluster; from here on they are offsets in its memory.
STC_INLINE void take_rank_off(Execution& x) {
  const std::uint32_t base = shared_base(x.warp.cta->cluster_rank);
  if (base == 0) return;
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    std::uint64_t& address = x.result.address[static_cast<std::size_t>(first_lane(m))];
    address = static_cast<std::uint32_t>(address) - base;
  }
}

}  // namespace

CtaState& cta_behind(const Execution& x, int lane, unsigned bytes, bool write) {
  const auto address = static_cast<std::uint32_t>(x.result.address[static_cast<std::size_t>(lane)]);
  const CtaCluster& cluster = *x.warp.cta->cluster;
  const std::uint32_t rank = rank_of(address);
  const std::string what = fmt::format("{}-byte {}", bytes, write ? "write" : "read");
  const auto fault = [&](const std::string& problem) {
    throw_address_fault(x.instruction, x.warp, x.context, lane, what + problem, Space::kDistributed, address);
  };
  if (rank >= cluster.size()) fault(fmt::format(" in CTA {} of a cluster of {} CTAs", rank, cluster.size()));
  if (cluster[rank] == nullptr) fault(fmt::format(" in CTA {} of the cluster, which has exited,", rank));
  if (offset_in_cta(address) + bytes > cluster[rank]->shared.size()) {
    fault(fmt::format(" out of the bounds of CTA {} of the cluster, which has {} bytes,", rank,
                      cluster[rank]->shared.size()));
  }
  return *cluster[rank];
}

STC_VECTOR void global_addresses(Execution& x) {
  const MemoryFields& mem = x.instruction.mem;
  std::uint64_t base = static_cast<std::uint64_t>(std::int64_t{mem.offset});
  if (mem.uniform_register != kUniformZero) {
    base += x.warp.ur[mem.uniform_register & 63u];
    if (mem.uniform_is_64bit) base += std::uint64_t{x.warp.ur[(mem.uniform_register + 1u) & 63u]} << 32;
  }
  const std::uint32_t* low = source_register(x, mem.address_register).data();
  auto& address = x.result.address;
  if (mem.address_64bit) {
    const std::uint32_t* high = source_register(x, pair_high(mem.address_register)).data();
    for (std::size_t i = 0; i < kWarpSize; ++i) address[i] = ((std::uint64_t{high[i]} << 32) | low[i]) + base;
  } else {
    for (std::size_t i = 0; i < kWarpSize; ++i) address[i] = low[i] + base;
  }
}

STC_VECTOR void window_addresses(Execution& x) {
  const MemoryFields& mem = x.instruction.mem;
  std::uint32_t base = static_cast<std::uint32_t>(mem.offset);
  if (mem.uniform_register != kUniformZero) base += x.warp.ur[mem.uniform_register & 63u];
  const std::uint32_t scale = mem.index_scale;
  const std::uint32_t* low = source_register(x, mem.address_register).data();
  auto& address = x.result.address;
  for (std::size_t i = 0; i < kWarpSize; ++i) address[i] = static_cast<std::uint32_t>(low[i] * scale + base);
}

STC_VECTOR void translate_global(Execution& x, unsigned bytes, bool write, LanePointers& pointers) {
  note_access(x, Space::kGlobal, bytes, write);
  const auto& address = x.result.address;
  const Extent e = extent_of(address, x.lanes);
  check_alignment(x, Space::kGlobal, bytes, write, e.bits);
  GlobalMemory& memory = *x.context.memory;
  const std::uint64_t span = e.high - e.low + bytes;
  if (const Allocation* all = memory.find(e.low, span)) {
    x.context.buffer = all;
    x.result.role = all->role;
    const auto host = reinterpret_cast<std::uintptr_t>(memory.translate(e.low, span));
    for (std::size_t i = 0; i < kWarpSize; ++i) pointers[i] = host_pointer(host, address[i] - e.low);
    return;
  }
  x.context.buffer = nullptr;
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const int lane = first_lane(m);
    const auto u = static_cast<std::size_t>(lane);
    pointers[u] = memory.translate(address[u], bytes);
    if (pointers[u] == nullptr) access_fault(x, lane, Space::kGlobal, bytes, write, "out-of-bounds");
  }
  x.result.role = memory.find(address[static_cast<std::size_t>(first_lane(x.lanes))], bytes)->role;
}

void translate_partial(Execution& x, unsigned bytes, LanePointers& pointers,
                       std::array<std::uint8_t, kWarpSize>& count) {
  note_access(x, Space::kGlobal, bytes, false);
  x.context.buffer = nullptr;
  GlobalMemory& memory = *x.context.memory;
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const int lane = first_lane(m);
    const auto u = static_cast<std::size_t>(lane);
    std::uint64_t& address = x.result.address[u];
    const auto left_out = static_cast<unsigned>(address & (bytes - 1));
    address -= left_out;
    count[u] = static_cast<std::uint8_t>(bytes - left_out);
    pointers[u] = memory.translate(address, count[u]);
    if (pointers[u] == nullptr) access_fault(x, lane, Space::kGlobal, count[u], false, "out-of-bounds");
  }
  const auto first = static_cast<std::size_t>(first_lane(x.lanes));
  x.result.role = memory.find(x.result.address[first], count[first])->role;
}

namespace {

STC_INLINE void look_at_shared(Execution& x, unsigned bytes, bool write) {
  take_rank_off(x);
  note_access(x, Space::kShared, bytes, write);
  CtaState& cta = *x.warp.cta;
  const auto& address = x.result.address;
  const Extent e = extent_of(address, x.lanes);
  check_alignment(x, Space::kShared, bytes, write, e.bits);
  if (e.high + bytes > cta.shared.size()) {
    for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
      const int lane = first_lane(m);
      window_pointer(x, lane, Space::kShared, address[static_cast<std::size_t>(lane)], bytes, write);
    }
  }
  if (!write) x.result.role = shared_role(cta, address[static_cast<std::size_t>(first_lane(x.lanes))]);
}

}  // namespace

STC_VECTOR void check_shared(Execution& x, unsigned bytes, bool write) { look_at_shared(x, bytes, write); }

STC_VECTOR void translate_shared(Execution& x, unsigned bytes, bool write, LanePointers& pointers) {
  look_at_shared(x, bytes, write);
  const auto host = reinterpret_cast<std::uintptr_t>(x.warp.cta->shared.data());
  for (std::size_t i = 0; i < kWarpSize; ++i) pointers[i] = host_pointer(host, x.result.address[i]);
}

void translate_local(Execution& x, unsigned bytes, bool write, LanePointers& pointers) {
  note_access(x, Space::kLocal, bytes, write);
  const auto& address = x.result.address;
  check_alignment(x, Space::kLocal, bytes, write, extent_of(address, x.lanes).bits);
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const int lane = first_lane(m);
    const auto u = static_cast<std::size_t>(lane);
    pointers[u] = window_pointer(x, lane, Space::kLocal, address[u], bytes, write);
  }
}

void translate_distributed(Execution& x, unsigned bytes, bool write, LanePointers& pointers) {
  const auto& address = x.result.address;
  if (x.warp.cta->cluster == nullptr) {
    access_fault(x, first_lane(x.lanes), Space::kShared, bytes, write, "out-of-bounds");
  }
  check_alignment(x, Space::kDistributed, bytes, write, extent_of(address, x.lanes).bits);
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const int lane = first_lane(m);
    const auto u = static_cast<std::size_t>(lane);
    CtaState& cta = cta_behind(x, lane, bytes, write);
    pointers[u] = cta.shared.data() + offset_in_cta(static_cast<std::uint32_t>(address[u]));
  }
  note_access(x, Space::kDistributed, bytes, write);
}

void translate_generic(Execution& x, unsigned bytes, bool write, LanePointers& pointers) {
  const auto window_of = [&](int lane) {
    const std::uint64_t a = x.result.address[static_cast<std::size_t>(lane)];
    if ((a & ~0xffffffffULL) == kSharedWindow) {
      return rank_of(static_cast<std::uint32_t>(a)) == x.warp.cta->cluster_rank ? Space::kShared : Space::kDistributed;
    }
    if ((a & ~0xffffffffULL) == kLocalWindow) return Space::kLocal;
    return Space::kGlobal;
  };
  LaneMask in_shared = 0, in_local = 0, in_others = 0;
  for (LaneMask m = x.lanes; m != 0; m &= m - 1) {
    const int lane = first_lane(m);
    const auto u = static_cast<std::size_t>(lane);
    const Space space = window_of(lane);
    if (space == Space::kGlobal) continue;
    (space == Space::kShared ? in_shared : space == Space::kLocal ? in_local : in_others) |= 1u << lane;
    x.result.address[u] &= 0xffffffffULL;
  }
  const LaneMask all = x.lanes;
  const auto part = [&](LaneMask lanes, auto translate) {
    if (lanes == 0) return;
    LanePointers some;
    x.lanes = lanes;
    translate(x, bytes, write, some);
    x.lanes = all;
    for (LaneMask m = lanes; m != 0; m &= m - 1) {
      const auto u = static_cast<std::size_t>(first_lane(m));
      pointers[u] = some[u];
    }
  };
  const LaneMask in_global = all & ~(in_shared | in_local | in_others);
  const LaneMask first = all & (0u - all);
  // The part that holds the first lane comes last, so that its space and role are what the result reports.
  const auto in_order = [&](bool first_part) {
    if (((in_global & first) != 0) == first_part) part(in_global, translate_global);
    if (((in_shared & first) != 0) == first_part) part(in_shared, translate_shared);
    if (((in_local & first) != 0) == first_part) part(in_local, translate_local);
    if (((in_others & first) != 0) == first_part) part(in_others, translate_distributed);
  };
  in_order(false);
  in_order(true);
  x.result.access_lanes = all;
}

DataRole shared_role(const CtaState& cta, std::uint64_t address) {
  const std::size_t chunk = static_cast<std::size_t>(address >> 4);
  return chunk < cta.shared_role.size() ? static_cast<DataRole>(cta.shared_role[chunk]) : DataRole::kOther;
}

}  // namespace stc::isa
