// SPDX-License-Identifier: Apache-2.0
// Which atomics wait for one another, as measured on an H200 (measured/h200/atomic_units.csv).
#include "models/memory/atomic_units.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/isa/state/global_memory.h"
#include "models/memory/address_hash.h"
#include "validation/gpus.h"

namespace stc::memory {
namespace {

const L2Params& h200() {
  static const MemoryParams params = validation::h200().memory;
  return params.l2;
}

/// The numbers behind `what` in the rows of that kind: bytes, value.
std::vector<std::pair<std::uint64_t, std::uint64_t>> measured(const std::string& what) {
  std::ifstream file("validation/measured/h200/atomic_units.csv");
  std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(what + ",", 0) != 0) continue;
    const std::size_t comma = line.find(',', what.size() + 1);
    rows.emplace_back(std::stoull(line.substr(what.size() + 1)), std::stoull(line.substr(comma + 1)));
  }
  return rows;
}

/// Ticks that the second of two warps' reductions at one address each waits, both sent at once.
Tick wait_of_second(AtomicUnits& units, std::uint64_t first, std::uint64_t second) {
  Tick waited = 0;
  for (const std::uint64_t address : {first, second}) {
    LineRequest request{SentQuery()};
    request.sectors = 1;
    request.atomic = true;
    request.packets = request.passes = 32;
    units.work_on(address / kLineBytes, request);
    waited = request.waited;
  }
  return waited;
}

TEST(AtomicUnits, LinesOfAKibibyteShareTwoUnitsAsMeasured) {
  const auto lines = measured("line");
  ASSERT_EQ(lines.size(), 4096U);
  std::set<std::uint64_t> sets;
  for (const auto& [byte, set] : lines) {
    sets.insert(set);
    const std::uint64_t block = byte / 1024 * 8, line = byte / kLineBytes;
    const std::uint64_t partner = block + (line & 2U);  // the first line of those with which this one takes turns
    EXPECT_EQ(set, lines[partner].second) << byte;
    EXPECT_EQ(atomic_unit_of(line, h200()), atomic_unit_of(partner, h200())) << byte;
    EXPECT_NE(lines[block].second, lines[block + 2].second);
  }
  EXPECT_EQ(sets.size(), 47U);
  EXPECT_EQ(h200().atomic_units, 48);
}

TEST(AtomicUnits, PairsOfLinesWaitAsMeasured) {
  const auto pairs = measured("pair");
  ASSERT_EQ(pairs.size(), 32U);
  AtomicUnits units(h200());
  const std::uint64_t alone = pairs[2].second, together = pairs[0].second;
  for (std::size_t i = 0; i < 8; ++i) {
    units.reset(nullptr, h200());
    const bool waits = wait_of_second(units, 0, pairs[i].first) > wait_of_second(units, 1U << 30U, (1U << 30U) + 256);
    EXPECT_EQ(waits, pairs[i].second > (alone + together) / 2) << pairs[i].first;
  }
}

TEST(AtomicUnits, SmallBuffersLieBehindOneAnotherAsCudaMallocPutsThem) {
  const auto buffers = measured("buffer");
  ASSERT_EQ(buffers.size(), 12U);
  isa::GlobalMemory memory;
  std::vector<std::uint64_t> addresses;
  addresses.reserve(buffers.size());
  for (const auto& [bytes, place] : buffers) {
    addresses.push_back(memory.allocate("b" + std::to_string(addresses.size()), bytes).address);
  }
  const std::uint64_t large = memory.allocate("large", 1 << 20).address;
  PackedPlaces places;
  places.lay_out(&memory);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    EXPECT_EQ(places.of(addresses[i] / kLineBytes) * kLineBytes, buffers[i].second);
  }
  EXPECT_EQ(places.of(addresses[8] / kLineBytes + 127) * kLineBytes,
            buffers[8].second + std::uint64_t{127} * kLineBytes);
  EXPECT_EQ(places.of(large / kLineBytes), large / kLineBytes);
  EXPECT_EQ(places.of(addresses[1] / kLineBytes + 1), addresses[1] / kLineBytes + 1);  // of no buffer
}

TEST(AtomicUnits, BuffersThatShareAKibibyteHoldEachOtherUp) {
  isa::GlobalMemory memory;
  const std::uint64_t first = memory.allocate("first", 32).address, second = memory.allocate("second", 8).address;
  AtomicUnits units(h200());
  units.reset(nullptr, h200());
  const Tick apart = wait_of_second(units, first, second);
  units.reset(&memory, h200());
  const Tick together = wait_of_second(units, first, second);
  EXPECT_EQ(together - apart, cycles_to_ticks(32 * h200().atomic_interval));
}

/// How long a request of `sectors` sectors, each lane at a word of its own, waits for one like it at its line and then
/// one at line `between`.
Tick wait_of_third(std::uint64_t between, std::uint8_t sectors, bool sums) {
  AtomicUnits units(h200());
  Tick waited = 0;
  for (const std::uint64_t line : {std::uint64_t{0}, between, std::uint64_t{0}}) {
    LineRequest request{SentQuery()};
    request.atomic = true;
    request.sectors = request.passes = sectors;
    request.waits_for_sum = sums;
    units.work_on(line, request);
    waited = request.waited;
  }
  return waited;
}

TEST(AtomicUnits, SumsWaitForOneAnotherAtTheirAddressAlone) {
  const L2Params l2 = h200();
  EXPECT_EQ(wait_of_third(0, 1, true), cycles_to_ticks(l2.atomic_interval + l2.atomic_sum_interval));
  EXPECT_EQ(wait_of_third(0, 1, false), cycles_to_ticks(2 * l2.atomic_interval));
  for (const bool sums : {false, true}) {  // line 1 has the same unit
    EXPECT_EQ(wait_of_third(1, 1, sums), cycles_to_ticks(2 * l2.atomic_interval));
    EXPECT_EQ(wait_of_third(1, 4, sums), cycles_to_ticks(8 * l2.atomic_sector_interval));
  }
}

}  // namespace
}  // namespace stc::memory
