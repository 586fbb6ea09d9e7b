// SPDX-License-Identifier: Apache-2.0
#include "models/sm/cluster_network.h"

#include <bitset>

#include "models/isa/state/address_space.h"
#include "models/sm/coalescer.h"

namespace stc::sm {
namespace {

// How accesses become packets: loads, stores and atomics of 1 to 32 sectors (micro_cluster).
constexpr std::uint64_t kHalfSector = 16;
constexpr int kSectorsPerRequest = 4;

/// Half sectors that a store touches, but one for a whole sector that it fills.
int store_packets(const std::uint64_t* addresses, isa::LaneMask lanes, int bytes_per_lane) {
  std::vector<std::pair<std::uint64_t, std::bitset<2 * kHalfSector>>> sectors;
  for (isa::LaneMask m = lanes; m != 0; m &= m - 1) {
    const std::uint64_t address = addresses[__builtin_ctz(m)];
    const std::uint64_t number = address / (2 * kHalfSector);
    auto sector = std::find_if(sectors.begin(), sectors.end(), [&](const auto& s) { return s.first == number; });
    if (sector == sectors.end()) sector = sectors.insert(sectors.end(), {number, {}});
    for (int i = 0; i < bytes_per_lane; ++i) {
      sector->second.set(static_cast<std::size_t>(address % (2 * kHalfSector)) + static_cast<std::size_t>(i));
    }
  }
  int packets = 0;
  for (const auto& [number, bytes] : sectors) {
    const unsigned long touched = bytes.to_ulong();
    packets += bytes.all() ? 1 : ((touched & 0xffff) != 0) + ((touched >> kHalfSector) != 0);
  }
  return packets;
}

}  // namespace

std::vector<RemotePart> remote_parts(const std::uint64_t* addresses, isa::LaneMask lanes, int bytes_per_lane,
                                     bool writes, bool atomic) {
  std::vector<RemotePart> parts;
  while (lanes != 0) {
    RemotePart part;
    part.rank = isa::rank_of(static_cast<std::uint32_t>(addresses[__builtin_ctz(lanes)]));
    isa::LaneMask there = 0;
    for (isa::LaneMask m = lanes; m != 0; m &= m - 1) {
      const int lane = __builtin_ctz(m);
      if (isa::rank_of(static_cast<std::uint32_t>(addresses[lane])) == part.rank) there |= 1u << lane;
    }
    lanes &= ~there;
    LineList lines;
    coalesce(addresses, there, bytes_per_lane, lines);
    const int sectors = lines.sectors();
    const int requests = (sectors + kSectorsPerRequest - 1) / kSectorsPerRequest;
    part.packets = atomic ? requests + sectors : writes ? store_packets(addresses, there, bytes_per_lane) : requests;
    part.reply_packets = atomic || !writes ? sectors : 0;
    part.wavefronts = shared_wavefronts(addresses, there, bytes_per_lane,
                                        writes && !atomic ? SharedAccess::kStore : SharedAccess::kLoad)
                          .total;
    part.atomic = atomic;
    if (atomic) part.passes = atomic_passes(addresses, there) - 1;
    parts.push_back(part);
  }
  return parts;
}

}  // namespace stc::sm
