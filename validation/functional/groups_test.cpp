// SPDX-License-Identifier: Apache-2.0
// The kernels of sample_groups.cu: values against the host's, and the instructions that an H200 executed
// (measured/h200/groups.csv).
#include <functional>
#include <map>
#include <set>

#include "sim/base/csv_table.h"
#include "validation/functional/kernel_fixture.h"

namespace stc::functional {
namespace {

using u32 = std::uint32_t;
using Words = std::vector<u32>;

Words lane_values() {
  Words values(32);
  u32 state = 12345;
  for (u32& v : values) v = (state = state * 1664525u + 1013904223u) >> 24;
  return values;
}

/// The lanes that are in a group with each lane.
Words masks_where(const std::function<u32(u32)>& group) {
  Words masks(32);
  for (u32 i = 0; i < 32; ++i) {
    for (u32 j = 0; j < 32; ++j) masks[i] |= group(i) == group(j) ? 1u << j : 0u;
  }
  return masks;
}

const std::map<std::string, Words>& groups() {
  static const std::map<std::string, Words> all = [] {
    std::map<std::string, Words> sets = {{"whole", masks_where([](u32) { return 0u; })}};
    for (const u32 size : {16u, 8u, 4u, 2u, 1u}) {
      sets[std::to_string(size)] = masks_where([size](u32 i) { return i / size; });
    }
    for (const u32 count : {2u, 3u, 5u}) {
      sets["mod" + std::to_string(count)] = masks_where([count](u32 i) { return i % count; });
    }
    return sets;
  }();
  return all;
}

class Group {
 public:
  Group(const Words& values, u32 mask) : values_(values), mask_(mask) {}
  u32 sum() const {
    return fold([](u32 a, u32 b) { return a + b; });
  }
  u32 greatest() const {
    return fold([](u32 a, u32 b) { return std::max(a, b); });
  }
  u32 where(const std::function<bool(u32)>& f) const {
    u32 lanes = 0;
    for (u32 i = 0; i < 32; ++i) lanes |= (mask_ >> i & 1) != 0 && f(values_[i]) ? 1u << i : 0u;
    return lanes;
  }
  u32 mask() const { return mask_; }
  u32 rank(u32 lane) const { return static_cast<u32>(__builtin_popcount(mask_ & ((1u << lane) - 1))); }
  u32 first() const { return values_[static_cast<std::size_t>(__builtin_ctz(mask_))]; }

 private:
  template <class F>
  u32 fold(F f) const {
    u32 result = 0;
    for (u32 i = 0; i < 32; ++i) {
      if ((mask_ >> i & 1) != 0) result = f(result, values_[i]);
    }
    return result;
  }
  const Words& values_;
  const u32 mask_;
};

/// What lane `lane` of value `v` writes; `g` is the group that `masks` gives it.
using Reference = std::function<u32(const Words& values, const Group& g, u32 lane, u32 v)>;

u32 odd(u32 v) { return v & 1; }

Group tile(const Words& values, u32 lane, u32 size) {
  return {values, masks_where([size](u32 i) { return i / size; })[lane]};
}
/// Bits of the group, counted from its first lane.
u32 in_tile(u32 lanes, u32 lane) { return lanes >> (lane / 4 * 4) & 15; }

Group alike(const Words& values, u32 lane, const std::function<u32(u32)>& label) {
  return {values, Group(values, ~0u).where([&](u32 v) { return label(v) == label(values[lane]); })};
}

u32 tile_votes(const Words& values, u32 lane, u32 v) {
  const Group g = tile(values, lane, 4);
  const u32 any = g.where([](u32 x) { return (x & 2) != 0; }) != 0, all = g.where(odd) == g.mask();
  return in_tile(g.where(odd), lane) + 16 * any + 32 * all +
         64 * in_tile(g.where([v](u32 x) { return (x & 3) == (v & 3); }), lane);
}

u32 sides_coalesced(const Words& values, u32 lane, u32 v) {
  const Group g = alike(values, lane, odd);
  if (odd(v) != 0) return g.sum() + g.rank(lane) + g.first();
  u32 ballot = 0;
  for (u32 i = 0; i < 32; ++i) {
    if ((g.mask() >> i & 1) != 0 && (values[i] & 2) != 0) ballot |= 1u << g.rank(i);
  }
  return g.sum() * 3 + ballot;
}

u32 sum_of_places(const Words& values) {
  u32 sum = 0;
  for (const u32 v : values) sum += odd(v) != 0 ? v : v + 1;
  return sum;
}

const std::map<std::string, Reference>& kernels() {
  static const std::map<std::string, Reference> all = {
      {"mask_add", [](auto&, auto& g, u32, u32) { return g.sum(); }},
      {"mask_max", [](auto&, auto& g, u32, u32) { return g.greatest(); }},
      {"mask_ballot", [](auto&, auto& g, u32, u32) { return g.where(odd); }},
      {"mask_any", [](auto&, auto& g, u32, u32) { return u32{g.where(odd) != 0}; }},
      {"mask_all", [](auto&, auto& g, u32, u32) { return u32{g.where(odd) == g.mask()}; }},
      {"mask_match_any", [](auto&, auto& g, u32, u32 v) { return g.where([v](u32 x) { return (x & 3) == (v & 3); }); }},
      {"mask_match_all",
       [](auto&, auto& g, u32, u32) {
         const u32 ones = g.where(odd);
         return ones == 0 || ones == g.mask() ? g.mask() + 1 : 0u;
       }},
      {"mask_shuffle", [](auto& values, auto&, u32 lane, u32) { return values[lane ^ 1]; }},
      {"mask_sync", [](auto&, auto&, u32, u32) { return ~0u; }},
      {"tile16_add", [](auto& values, auto&, u32 lane, u32) { return tile(values, lane, 16).sum(); }},
      {"tile4_add", [](auto& values, auto&, u32 lane, u32) { return tile(values, lane, 4).sum(); }},
      {"tile4_votes", [](auto& values, auto&, u32 lane, u32 v) { return tile_votes(values, lane, v); }},
      {"labeled_add",
       [](auto& values, auto&, u32 lane, u32) {
         const Group g = alike(values, lane, [](u32 v) { return v % 3; });
         return g.sum() * 64 + g.rank(lane);
       }},
      {"sides_coalesced", [](auto& values, auto&, u32 lane, u32 v) { return sides_coalesced(values, lane, v); }},
      {"sides_add",
       [](auto& values, auto&, u32 lane, u32) {
         return Group(values, lane % 2 != 0 ? 0xaaaaaaaau : 0x55555555u).sum() * (lane % 2 != 0 ? 1 : 3);
       }},
      {"places_ballot",
       [](auto& values, auto&, u32, u32 v) {
         const u32 votes = Group(values, ~0u).where([](u32 x) { return (x & (odd(x) != 0 ? 2u : 4u)) != 0; });
         return odd(v) != 0 ? votes : votes * 3;
       }},
      {"places_add", [](auto& values, auto&, u32, u32 v) { return sum_of_places(values) * (odd(v) != 0 ? 1 : 3); }},
      {"places_shuffle",
       [](auto& values, auto&, u32 lane, u32 v) {
         const u32 other = values[lane ^ 1] * (odd(values[lane ^ 1]) != 0 ? 1 : 7);
         return other * (odd(v) != 0 ? 1 : 3);
       }},
  };
  return all;
}

class Groups : public KernelFixture {
 protected:
  struct Outcome {
    Words out;
    std::uint64_t instructions = 0;
  };
  Outcome launch(const std::string& kernel, const std::string& set) {
    memory_ = {};
    const auto out = reserve("out", 64 * 4), in = upload("in", lane_values()),
               masks = upload("masks", groups().at(set));
    Outcome outcome;
    outcome.instructions =
        run(load("sample_groups", kernel), {1, 1, 1}, {32, 1, 1}, Arguments().add(out).add(in).add(masks));
    outcome.out = download<u32>("out");
    return outcome;
  }
};

TEST_P(Groups, EveryGroupGetsItsOwnResult) {
  const Words values = lane_values();
  for (const auto& [name, reference] : kernels()) {
    for (const auto& [set, masks] : groups()) {
      SCOPED_TRACE(name + ", groups " + set);
      const Words out = launch(name, set).out;
      for (u32 lane = 0; lane < 32; ++lane) {
        ASSERT_EQ(out[lane], reference(values, Group(values, masks[lane]), lane, values[lane])) << lane;
      }
    }
  }
}

/// The counts are an H200's, of its own code, as ncu's source view has them: it counts a WARPSYNC.EXCLUSIVE or
/// .COLLECTIVE once, the hardware's counters once a group (foreign.csv).
class GroupsOfAnH200 : public Groups {
 protected:
  /// Times that a group comes again to a WARPSYNC.EXCLUSIVE or .COLLECTIVE, all of which the kernel executes with the
  /// whole warp. Groups are those of the masks, but for kernels that make their own.
  std::uint64_t again(const std::string& kernel, const std::string& set) {
    constexpr int kCollective = 2, kExclusive = 3;
    static const std::map<std::string, std::uint64_t> own{{"tile16_add", 2}, {"tile4_votes", 8}, {"labeled_add", 3}};
    const Words& masks = groups().at(set);
    const auto known = own.find(kernel);
    const std::uint64_t parts = known != own.end() ? known->second : std::set<u32>(masks.begin(), masks.end()).size();
    const isa::Kernel loaded = load("sample_groups", kernel);
    const auto parting = [](const isa::Instruction& i) {
      return i.opcode == isa::Opcode::kWarpsync && (i.mod.variant == kExclusive || i.mod.variant == kCollective);
    };
    return (parts - 1) * static_cast<std::uint64_t>(std::count_if(loaded.code.begin(), loaded.code.end(), parting));
  }
};

TEST_P(GroupsOfAnH200, ExecuteAsManyInstructions) {
  const sim::CsvTable table("validation/measured/h200/groups.csv");
  for (const sim::CsvRow& row : table.rows()) {
    const std::string &kernel = row.text("kernel"), &groups = row.text("groups");
    EXPECT_EQ(launch(kernel, groups).instructions - again(kernel, groups), row.number("warp_instructions"))
        << kernel << ", groups " << groups;
  }
  EXPECT_EQ(table.rows().size(), 90u);
}

INSTANTIATE_TEST_SUITE_P(Sm, Groups, ::testing::Values(80, 90));
INSTANTIATE_TEST_SUITE_P(Sm, GroupsOfAnH200, ::testing::Values(90));

}  // namespace
}  // namespace stc::functional
