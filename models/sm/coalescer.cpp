// SPDX-License-Identifier: Apache-2.0
#include "models/sm/coalescer.h"

#include <algorithm>

#include "models/isa/values/execution.h"
#include "models/memory/line_request.h"

namespace stc::sm {
namespace {

using memory::kLineBytes;
using memory::kSectorBytes;

constexpr int kBanks = 32;
constexpr std::uint64_t kLineSectors = kLineBytes / kSectorBytes;

/// Whether lanes that lie side by side, from `addresses` on, name words of all banks, kWords each.
template <int kWords, class Address>
bool takes_all_banks(const Address* addresses) {
  constexpr unsigned kBytes = 4 * kWords, kPlaces = kBanks / kWords;
  std::uint32_t used = 0;
  Address all = 0;
  for (unsigned lane = 0; lane < kPlaces; ++lane) {
    all |= addresses[lane];
    used |= 1u << (addresses[lane] / kBytes % kPlaces);
  }
  return used == ~0u >> (32 - kPlaces) && (kWords == 1 || all % kBytes == 0);
}

constexpr int kRowBytes = 16, kRowsAtATime = 8;  // which take all banks

/// Whether each eight of `count` rows of 16 bytes, one after the other, lie in different banks: as nearly all do that
/// matrices are read from and copied to.
template <class Address>
STC_INLINE bool rows_take_all_banks(const Address* addresses, int count) {
  Address all = 0;
  std::uint32_t missing = 0;
  for (int first = 0; first < count; first += kRowsAtATime) {
    std::uint32_t used = 0;
    for (int i = 0; i < kRowsAtATime; ++i) {
      const Address address = addresses[first + i];
      all |= address;
      used |= 1u << (static_cast<std::uint32_t>(address) / kRowBytes % kRowsAtATime);
    }
    missing |= ~used & 0xffu;
  }
  return missing == 0 && all % kRowBytes == 0;
}
STC_VECTOR bool free_of_conflicts(const std::uint32_t* addresses, int rows) {
  return rows_take_all_banks(addresses, rows);
}
STC_VECTOR bool free_of_conflicts(const std::uint64_t* addresses, int rows) {
  return rows_take_all_banks(addresses, rows);
}

/// Whether no bank holds two different words of those that the lanes name, kWords each; false where they do not begin
/// at a multiple of that.
template <int kWords, class Address>
bool conflict_free(const Address* addresses, isa::LaneMask lanes) {
  constexpr unsigned kBytes = 4 * kWords, kPlaces = kBanks / kWords;  // kWords banks belong together
  const int first = lanes != 0 ? __builtin_ctz(lanes) : 0;
  if (lanes >> first == ~0u >> (32 - kPlaces) && takes_all_banks<kWords>(addresses + first)) return true;  // mostly
  std::array<Address, kPlaces> held;
  std::uint32_t used = 0;
  for (isa::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const Address address = addresses[__builtin_ctz(rest)];
    if (kWords > 1 && address % kBytes != 0) return false;
    const Address words = address / kBytes;
    const auto place = static_cast<std::size_t>(words % kPlaces);
    if ((used >> place & 1u) == 0) {
      used |= 1u << place;
      held[place] = words;
    } else if (held[place] != words) {
      return false;
    }
  }
  return true;
}

template <class Address>
bool conflict_free(const Address* addresses, isa::LaneMask lanes, int words_per_lane) {
  switch (words_per_lane) {
    case 1: return conflict_free<1>(addresses, lanes);
    case 2: return conflict_free<2>(addresses, lanes);
    default: return conflict_free<4>(addresses, lanes);
  }
}

/// Cycles that the banks need for the words of some lanes: the largest number of distinct words in one bank.
template <class Address>
int passes(const Address* addresses, isa::LaneMask lanes, int words_per_lane) {
  if (conflict_free(addresses, lanes, words_per_lane)) return lanes != 0 ? 1 : 0;  // as most accesses are
  std::array<std::array<std::uint64_t, 128>, kBanks> words;
  std::array<int, kBanks> count{};
  int most = 0;
  for (isa::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t first = static_cast<std::uint64_t>(addresses[__builtin_ctz(rest)]) / 4;
    for (int w = 0; w < words_per_lane; ++w) {
      const std::uint64_t word = first + static_cast<std::uint64_t>(w);
      const auto bank = static_cast<std::size_t>(word % kBanks);
      auto* begin = words[bank].data();
      auto* end = begin + count[bank];
      if (std::find(begin, end, word) == end) {
        *end = word;
        most = std::max(most, ++count[bank]);
      }
    }
  }
  return most;
}

/// Whether every one of `lanes` finds its own address in the lane `distance` away, or that lane idle.
template <class Address>
bool shares_with(const Address* addresses, isa::LaneMask lanes, unsigned distance) {
  for (isa::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest)), other = lane ^ distance;
    if ((lanes >> other & 1u) != 0 && addresses[other] != addresses[lane]) return false;
  }
  return true;
}

template <class Address>
void serve(const Address* addresses, isa::LaneMask lanes, int words, Wavefronts& result) {
  const int needed = passes(addresses, lanes, words);
  result.total += needed;
  result.conflicts += std::max(0, needed - 1);
  if (lanes == 0) ++result.idle;
}

/// Whole warp, half-warps or quarter-warps. A load serves two of them at once where all neighbours want the same words.
template <class Address>
Wavefronts wavefronts(const Address* addresses, isa::LaneMask lanes, int bytes_per_lane, SharedAccess access) {
  const int words = std::max(1, bytes_per_lane / 4);
  Wavefronts result;
  if (lanes == 0) return result;
  if (lanes == ~isa::LaneMask{0} && bytes_per_lane == kRowBytes && free_of_conflicts(addresses, isa::kWarpSize)) {
    result.total = result.parts = words;
    return result;
  }
  const bool together = words > 1 && access == SharedAccess::kLoad &&
                        (shares_with(addresses, lanes, 1) || shares_with(addresses, lanes, 2));
  result.parts = together ? words / 2 : words;
  const int part = isa::kWarpSize / result.parts;
  const isa::LaneMask of_part = 0xffffffffu >> (isa::kWarpSize - part);
  for (int first = 0; first < isa::kWarpSize; first += part) serve(addresses, lanes & of_part << first, words, result);
  return result;
}

}  // namespace

int LineList::sectors() const {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += __builtin_popcount(lines[static_cast<std::size_t>(i)].sectors);
  return sum;
}

Wavefronts shared_wavefronts(const std::uint32_t* addresses, isa::LaneMask lanes, int bytes_per_lane,
                             SharedAccess access) {
  return wavefronts(addresses, lanes, bytes_per_lane, access);
}

Wavefronts shared_wavefronts(const std::uint64_t* addresses, isa::LaneMask lanes, int bytes_per_lane,
                             SharedAccess access) {
  return wavefronts(addresses, lanes, bytes_per_lane, access);
}

Wavefronts matrix_wavefronts(const std::uint64_t* addresses, int matrices) {
  Wavefronts result;
  if (free_of_conflicts(addresses, kRowsAtATime * matrices)) {
    result.total = matrices;
    return result;
  }
  for (int matrix = 0; matrix < matrices; ++matrix) {
    const int needed = passes(addresses, 0xffu << (8 * matrix), 4);
    result.total += needed;
    result.conflicts += std::max(0, needed - 1);
  }
  return result;
}

int atomic_passes(const std::uint64_t* addresses, isa::LaneMask lanes) {
  int most = 0;
  for (isa::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = addresses[__builtin_ctz(rest)];
    int same = 0;
    for (isa::LaneMask other = lanes; other != 0; other &= other - 1) {
      same += addresses[__builtin_ctz(other)] == address ? 1 : 0;
    }
    most = std::max(most, same);
  }
  return most;
}

int distinct_addresses(const std::uint64_t* addresses, isa::LaneMask lanes) {
  int count = 0;
  for (isa::LaneMask rest = lanes; rest != 0; ++count) {
    const std::uint64_t address = addresses[__builtin_ctz(rest)];
    for (isa::LaneMask other = rest; other != 0; other &= other - 1) {
      if (addresses[__builtin_ctz(other)] == address) rest &= ~(1u << __builtin_ctz(other));
    }
  }
  return count;
}

namespace {

/// The line in the list, added if it is not there.
LineAccess& line_in(LineList& list, std::uint64_t line) {
  // Neighbours usually share the line of the lane before.
  for (int i = list.count - 1; i >= 0; --i) {
    if (list.lines[static_cast<std::size_t>(i)].line == line) return list.lines[static_cast<std::size_t>(i)];
  }
  LineAccess& fresh = list.lines[static_cast<std::size_t>(list.count++)] = {};
  fresh.line = line;
  return fresh;
}

constexpr int kLanesOfALine = 8, kWideBytes = 16;  // of whole lines by 16 bytes

/// Whether each kLanes lanes' 16 bytes make up a row of a line or a part of it, one after the other.
template <int kLanes>
STC_INLINE bool are_whole_rows(const std::uint64_t* addresses) {
  std::uint64_t differ = 0;
  for (int first = 0; first < isa::kWarpSize; first += kLanes) {
    const std::uint64_t begin = addresses[first];
    differ |= begin % (std::uint64_t{kLanes} * kWideBytes);
    for (std::uint64_t i = 0; i < kLanes; ++i) {
      differ |= addresses[static_cast<std::uint64_t>(first) + i] ^ (begin + kWideBytes * i);
    }
  }
  return differ == 0;
}
STC_VECTOR bool are_whole_lines(const std::uint64_t* addresses) { return are_whole_rows<kLanesOfALine>(addresses); }
STC_VECTOR bool are_half_lines(const std::uint64_t* addresses) { return are_whole_rows<kLanesOfALine / 2>(addresses); }

bool coalesce_whole_lines(const std::uint64_t* addresses, LineList& list) {
  if (!are_whole_lines(addresses)) return false;
  for (int first = 0; first < isa::kWarpSize; first += kLanesOfALine) {
    LineAccess& access = line_in(list, addresses[first] / kLineBytes);
    access.sectors = memory::kAllSectors;
    access.words = ~0u;
  }
  return true;
}

}  // namespace

void coalesce(const std::uint64_t* addresses, isa::LaneMask lanes, int bytes_per_lane, LineList& list) {
  list.count = 0;
  if (bytes_per_lane == kWideBytes && lanes == ~isa::LaneMask{0} && coalesce_whole_lines(addresses, list)) return;
  for (isa::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = addresses[__builtin_ctz(rest)];
    const std::uint64_t begin = address % kLineBytes;
    const std::uint64_t end = begin + static_cast<std::uint64_t>(bytes_per_lane) - 1;
    const auto first = static_cast<unsigned>(begin / kSectorBytes), last = static_cast<unsigned>(end / kSectorBytes);
    const auto first_word = static_cast<unsigned>(begin / 4), last_word = static_cast<unsigned>(end / 4);
    LineAccess& access = line_in(list, address / kLineBytes);
    access.sectors = static_cast<std::uint8_t>(access.sectors | ((2u << last) - (1u << first)));
    access.words |= (2u << last_word) - (1u << first_word);
  }
}

namespace {

/// Whether lanes' rows lie in shared memory as in global memory, but for a swizzle: kLanes lanes in one line, two and
/// two in a sector.
template <std::size_t kLanes>
STC_INLINE bool keeps_sectors(const std::uint32_t* to) {
  std::uint32_t differ = 0;
  for (std::size_t first = 0; first < isa::kWarpSize; first += kLanes) {
    for (std::size_t i = 0; i < kLanes; ++i) differ |= (to[first + i] ^ to[first]) / kLineBytes;
  }
  for (std::size_t lane = 0; lane < isa::kWarpSize; lane += 2) differ |= (to[lane] ^ to[lane + 1]) / kSectorBytes;
  return differ == 0;
}
STC_VECTOR bool keeps_whole_lines(const std::uint32_t* to) { return keeps_sectors<kLanesOfALine>(to); }
STC_VECTOR bool keeps_half_lines(const std::uint32_t* to) { return keeps_sectors<kLanesOfALine / 2>(to); }

/// Each four lanes bring a half of another line, in ascending order: as rows of 64 bytes do.
bool coalesce_half_lines(const std::uint64_t* addresses, LineList& list) {
  constexpr int kLanes = kLanesOfALine / 2;
  if (!are_half_lines(addresses)) return false;
  for (int first = kLanes; first < isa::kWarpSize; first += kLanes) {
    if (addresses[first] / kLineBytes <= addresses[first - kLanes] / kLineBytes) return false;
  }
  for (int first = 0; first < isa::kWarpSize; first += kLanes) {
    const bool second = addresses[first] % kLineBytes != 0;
    LineAccess& access = list.lines[static_cast<std::size_t>(list.count++)] = {};
    access.line = addresses[first] / kLineBytes;
    access.sectors = second ? 0b1100 : 0b0011;
    access.words = second ? 0xffff0000u : 0x0000ffffu;
  }
  return true;
}

/// The requests of a copy: what `list` does not say of them.
struct CopyRequests {
  std::array<std::uint32_t, isa::kWarpSize> shared_line;
  std::array<std::uint16_t, isa::kWarpSize> pairs;  ///< bit 4 * g + s: sector g of global memory into sector s
};

void add_pair(std::uint64_t from, std::uint32_t to, CopyRequests& requests, LineList& list) {
  const std::uint64_t line = from / kLineBytes;
  const auto shared_line = static_cast<std::uint32_t>(to / kLineBytes);
  const auto sector = static_cast<unsigned>(from % kLineBytes / kSectorBytes);
  const auto pair = static_cast<std::uint16_t>(1u << (kLineSectors * sector + to % kLineBytes / kSectorBytes));
  int free = list.count;  // request that can take the pair
  for (int i = list.count - 1; i >= 0; --i) {
    const auto at = static_cast<std::size_t>(i);
    if (list.lines[at].line != line || requests.shared_line[at] != shared_line) continue;
    if ((requests.pairs[at] & pair) != 0) return;
    if ((list.lines[at].sectors >> sector & 1) == 0) free = i;
  }
  const auto at = static_cast<std::size_t>(free);
  if (free == list.count) {
    ++list.count;
    list.lines[at] = {};
    list.lines[at].line = line;
    requests.shared_line[at] = shared_line;
    requests.pairs[at] = 0;
  }
  LineAccess& access = list.lines[at];
  access.sectors = static_cast<std::uint8_t>(access.sectors | (1u << sector));
  access.words |= 0xffu << (8 * sector);
  requests.pairs[at] = static_cast<std::uint16_t>(requests.pairs[at] | pair);
}

}  // namespace

void coalesce_lines(const std::array<std::uint64_t, 4>& lines, LineList& list) {
  list.count = 0;
  for (const std::uint64_t line : lines) {
    LineAccess& access = line_in(list, line);
    access.sectors = memory::kAllSectors;
    access.words = ~0u;
  }
}

void coalesce_copy(const std::uint64_t* from, const std::uint32_t* to, isa::LaneMask lanes, LineList& list) {
  list.count = 0;
  if (lanes == ~isa::LaneMask{0}) {
    if (keeps_whole_lines(to) && coalesce_whole_lines(from, list)) return;
    if (keeps_half_lines(to) && coalesce_half_lines(from, list)) return;
  }
  CopyRequests requests;
  for (isa::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    add_pair(from[lane], to[lane], requests, list);
  }
}

void coalesce_local(const std::uint64_t* offsets, isa::LaneMask lanes, int bytes_per_lane, std::uint64_t first_line,
                    LineList& list) {
  std::array<std::uint64_t, isa::kWarpSize> words;
  for (isa::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(rest));
    words[lane] = (first_line + offsets[lane] / 4) * kLineBytes + 4 * lane;
  }
  coalesce(words.data(), lanes, std::min(4, bytes_per_lane), list);
  const int first = list.count;
  for (int word = 1; word < bytes_per_lane / 4; ++word) {
    for (int i = 0; i < first && list.count < static_cast<int>(list.lines.size()); ++i) {
      LineAccess& next = list.lines[static_cast<std::size_t>(list.count++)] = list.lines[static_cast<std::size_t>(i)];
      next.line += static_cast<std::uint64_t>(word);
    }
  }
}

void count_packets(const std::uint64_t* addresses, isa::LaneMask lanes, AtomicKind kind, LineList& list) {
  for (int i = 0; i < list.count; ++i) {
    LineAccess& access = list.lines[static_cast<std::size_t>(i)];
    int packets = 0, flits = 0, passes = 0, here = 0;
    for (std::uint64_t s = 0; s < kLineSectors; ++s) {
      const std::uint64_t sector = access.line * kLineSectors + s;
      isa::LaneMask in_sector = 0;
      for (isa::LaneMask m = lanes; m != 0; m &= m - 1) {
        if (addresses[__builtin_ctz(m)] / kSectorBytes == sector) in_sector |= m & (0u - m);
      }
      if (in_sector == 0) continue;
      const int most = atomic_passes(addresses, in_sector), count = __builtin_popcount(in_sector);
      packets = std::max(packets, most);
      flits += most;
      passes += kind == AtomicKind::kDouble && count > most ? 2 * most : most;
      here += count;
    }
    const int length = kind == AtomicKind::kCompareAndSwap && here > packets ? 2 : 1;
    access.packets = static_cast<std::uint8_t>(packets);
    access.flits = static_cast<std::uint8_t>(length * flits);
    access.headers = static_cast<std::uint8_t>(here > packets ? packets : 0);
    access.passes = static_cast<std::uint8_t>(length * passes);
  }
}

}  // namespace stc::sm
