// SPDX-License-Identifier: Apache-2.0
// Bulk and tensor copies and tensor maps: as an H200 does them.
#include <gmock/gmock.h>

#include <numeric>

#include "validation/unit/isa/bulk_machine.h"
#include "validation/unit/isa/tensor_cases.h"

namespace stc::isa {
namespace {

using testing::HasSubstr;

TEST(TensorMap, BytesAreTheDriversInBothDirections) {
  int same = 0;
  for (const MapCase& one : measured_maps()) {
    if (one.result != 0) continue;
    ASSERT_EQ(encoding_problem(one.map), "") << same;
    EXPECT_EQ(encode_tensor_map(one.map), one.bytes) << same;
    std::string problem;
    const TensorMap back = decode_tensor_map(one.bytes, problem);
    EXPECT_EQ(problem, "");
    EXPECT_EQ(encode_tensor_map(back), one.bytes) << same;
    ++same;
  }
  EXPECT_EQ(same, 44);
}

TEST(TensorMap, WhatTheDriverRefusesNamesItsField) {
  const auto problem_of = [](auto change) {
    TensorMap map;
    map.type = TensorType::kF16, map.rank = 2, map.address = 0x1000;
    map.size = {64, 64, 1, 1, 1}, map.stride[1] = 128, map.box = {64, 8, 1, 1, 1}, map.swizzle = 3;
    change(map);
    return encoding_problem(map);
  };
  EXPECT_EQ(problem_of([](TensorMap&) {}), "");
  EXPECT_EQ(problem_of([](TensorMap& m) { m.address = 0x1008; }), "address 0x1008 is no multiple of 16");
  EXPECT_EQ(problem_of([](TensorMap& m) { m.stride[1] = 136; }),
            "stride 136 of dimension 1 is no multiple of 16 below 2^40");
  EXPECT_EQ(problem_of([](TensorMap& m) { m.box[1] = 257; }), "box size 257 of dimension 1 is not within 1 and 256");
  EXPECT_EQ(problem_of([](TensorMap& m) { m.step[1] = 9; }), "element stride 9 of dimension 1 is not within 1 and 8");
  EXPECT_EQ(problem_of([](TensorMap& m) { m.size[0] = 0; }), "size 0 of dimension 0 is not within 1 and 2^32");
  EXPECT_EQ(problem_of([](TensorMap& m) { m.box[0] = 4; }), "the box has 8 bytes in dimension 0, no multiple of 16");
  EXPECT_EQ(problem_of([](TensorMap& m) { m.box[0] = 128; }),
            "the box has 256 bytes in dimension 0, more than the 128 of its swizzle");
  EXPECT_EQ(problem_of([](TensorMap& m) { m.rank = 6; }), "it has 6 dimensions");
  EXPECT_EQ(problem_of([](TensorMap& m) { m.interleave = 1; }), "interleaved slices need three dimensions or more");
  EXPECT_EQ(problem_of([](TensorMap& m) { m.type = TensorType::kU16, m.fills_with_nan = true; }),
            "NaN fills no elements of type u16");
}

bool modelled(const TileCase& one) { return unmodelled_feature(one.map).empty(); }

TEST(TensorCopy, LoadsWhatAnH200Loads) {
  int same = 0;
  for (TileCase& one : measured_tiles()) {
    if (!one.loads || one.status != "ok" || !modelled(one)) continue;
    BulkMachine m;
    for (std::size_t i = 0; i < m.data->data.size() / 2; ++i) {
      const auto value = static_cast<std::uint16_t>(i + 1);
      std::memcpy(m.data->data.data() + 2 * i, &value, 2);
    }
    one.map.address = m.data->address;
    EXPECT_EQ(one.map.box_bytes(), one.bytes) << one.row;
    m.begin_phase(one.bytes);
    m.run(m.tensor(Opcode::kUtmaldg, one.map, one.at, kBox + one.offset));
    EXPECT_EQ(fnv1a(m.cta.shared.data() + kBox, one.shown), one.hash) << one.row;
    EXPECT_TRUE(m.phase()) << one.row;
    ++same;
  }
  EXPECT_EQ(same, 40);
}

TEST(TensorCopy, StoresWhatAnH200Stores) {
  int same = 0;
  for (TileCase& one : measured_tiles()) {
    if (one.loads || one.status != "ok") continue;
    BulkMachine m;
    for (std::size_t i = 0; i < 8192; ++i) {
      const auto value = static_cast<std::uint16_t>(0x8000 + i);
      std::memcpy(m.cta.shared.data() + kBox + 2 * i, &value, 2);
    }
    one.map.address = m.data->address;
    m.run(m.tensor(Opcode::kUtmastg, one.map, one.at, kBox + one.offset));
    EXPECT_EQ(fnv1a(m.data->data.data(), one.shown), one.hash) << one.row;
    ++same;
  }
  EXPECT_EQ(same, 3);
}

TEST(TensorCopy, IsAnIllegalInstructionWhereItIsOneOnAnH200) {
  int same = 0;
  for (TileCase& one : measured_tiles()) {
    if (one.status != "illegal") continue;
    BulkMachine m;
    one.map.address = m.data->address;
    const Instruction in = m.tensor(one.loads ? Opcode::kUtmaldg : Opcode::kUtmastg, one.map, one.at, kBox);
    EXPECT_THAT(fault_of(m, in), HasSubstr("illegal instruction")) << one.row;
    ++same;
  }
  EXPECT_EQ(same, 15);
}

TensorMap plain_map(const BulkMachine& m) {
  TensorMap map;
  map.address = m.data->address;
  map.type = TensorType::kF16, map.rank = 2;
  map.size = {64, 64, 1, 1, 1}, map.stride[1] = 128, map.box = {64, 8, 1, 1, 1};
  return map;
}

TEST(TensorCopy, FaultsNameTheField) {
  BulkMachine m;
  const auto fault = [&](const TensorMap& map, std::uint32_t place) {
    return fault_of(m, m.tensor(Opcode::kUtmaldg, map, {}, place));
  };
  EXPECT_THAT(fault(plain_map(m), 0x840), HasSubstr("the destination 0x840 in shared memory is no multiple of 128"));
  EXPECT_THAT(fault(plain_map(m), 0xfe00), HasSubstr("the destination 0xfe00 and the 1024 bytes from there on leave"));
  EXPECT_THAT(fault(plain_map(m), 0x1000800), HasSubstr("the destination lies in CTA 1 of the cluster, which has 1"));
  TensorMap map = plain_map(m);
  map.stride[1] = 1 << 20;
  EXPECT_THAT(fault(map, kBox), HasSubstr("out-of-bounds 128-byte read at global address"));
  map = plain_map(m);
  map.rank = 3, map.interleave = 1;
  EXPECT_THAT(fault(map, kBox), AllOf(HasSubstr("the tensor map at 0x"), HasSubstr("interleaved")));
  Instruction in = m.tensor(Opcode::kUtmaldg, plain_map(m), {}, kBox);
  m.memory.translate(m.map_place, 128)[0x0b] = 0x80;
  EXPECT_THAT(fault_of(m, in), HasSubstr("its format word 0x80000310 has bits that are none of its fields"));
  in.mod.variant = 3;
  m.place(plain_map(m));
  EXPECT_THAT(fault_of(m, in), HasSubstr("it has 2 dimensions, the instruction 3"));
  m.set_long(4, m.map_place + 32);
  EXPECT_THAT(fault_of(m, in), HasSubstr("is no multiple of 64"));
  m.set_long(4, 16);
  EXPECT_THAT(fault_of(m, in), HasSubstr("there is no tensor map at 0x10"));
}

TEST(TensorCopy, PrefetchTouchesTheSectorsOfTheBox) {
  BulkMachine m;
  const ExecuteResult& result = m.run(m.tensor(Opcode::kUtmapf, plain_map(m), {-8, 60}, 0));
  EXPECT_EQ(result.bulk.kind, BulkTransfer::Kind::kPrefetch);
  ASSERT_EQ(result.bulk.lines.size(), 4u);  // rows 60 to 63
  EXPECT_EQ(result.bulk.lines[0].line, m.data->address / 128 + 60);
  EXPECT_EQ(result.bulk.lines[0].sectors, 0xf);
}

/// As an H200 counts them: rows outside of the tensor ask L2 for eight lines of zeros in turn, four of a line share a
/// request (measured/h200/copies_outside.csv: 2304 requests for 9216 rows).
TEST(TensorCopy, RowsOutsideAskForZeros) {
  BulkMachine m;
  TensorMap map = plain_map(m);
  map.box = {64, 40, 1, 1, 1};
  const auto lines_at = [&](TensorCoordinates at) {
    m.begin_phase(map.box_bytes());
    return m.run(m.tensor(Opcode::kUtmaldg, map, at, kBox)).bulk.lines;
  };
  constexpr std::uint64_t kZeros = BulkTransfer::kFirstZeroLine;
  const std::vector<BulkTransfer::Line> outside = lines_at({0, 64});
  ASSERT_EQ(outside.size(), 40u);
  for (std::size_t row = 0; row < 40; ++row) {
    const int fills = row < 8 ? 4 : row < 32 ? 0 : 1;
    EXPECT_EQ(outside[row].line, kZeros + row % 8) << row;
    EXPECT_EQ(outside[row].rows, fills) << row;
    EXPECT_EQ(outside[row].sectors, 0xf) << row;
  }
  const std::vector<BulkTransfer::Line> across = lines_at({0, 62});
  ASSERT_EQ(across.size(), 40u);
  EXPECT_EQ(across[1].line, m.data->address / 128 + 63);
  EXPECT_EQ(across[1].rows, 1);
  EXPECT_EQ(across[2].line, kZeros);
  const std::vector<BulkTransfer::Line> columns = lines_at({-16, 0});  // 32 bytes of each row
  ASSERT_EQ(columns.size(), 80u);
  EXPECT_EQ(columns[0].sectors, 0x7);
  EXPECT_EQ(columns[1].line, kZeros);
  EXPECT_EQ(columns[1].sectors, 0x1);
  map.box = {64, 8, 1, 1, 1};
  EXPECT_EQ(lines_at({0, 0}).size(), 8u);
}

TEST(TensorCopy, TellsWhichMapItNeedsAndWhichMayHaveChanged) {
  BulkMachine m;
  m.begin_phase(1024);
  EXPECT_EQ(m.run(m.tensor(Opcode::kUtmaldg, plain_map(m), {}, kBox)).bulk.map, m.map_place);
  EXPECT_EQ(m.run(m.tensor(Opcode::kUtmastg, plain_map(m), {}, kBox)).bulk.map, m.map_place);
  EXPECT_EQ(m.run(m.tensor(Opcode::kUtmapf, plain_map(m), {}, 0)).bulk.map, m.map_place);
  m.begin_phase(16);
  EXPECT_EQ(m.run(m.block(true, m.data->address, 0x1000, 16)).bulk.map, 0u);
  m.set_long(4, m.map_place);
  for (const bool prefetches : {false, true}) {
    Instruction in = make(Opcode::kUtmacctl, kRegisterZero, uniform(4));
    in.mod.variant = prefetches ? 1 : 0;
    const ExecuteResult& result = m.run(in);
    EXPECT_EQ(result.bulk.map, m.map_place);
    EXPECT_EQ(result.bulk.kind, prefetches ? BulkTransfer::Kind::kMap : BulkTransfer::Kind::kNoMap);
    EXPECT_FALSE(result.is_write);
  }
}

TEST(BulkCopy, BlocksBothWays) {
  BulkMachine m;
  std::iota(m.data->data.begin(), m.data->data.begin() + 512, std::uint8_t{3});
  m.begin_phase(48);
  m.run(m.block(true, m.data->address + 32, 0x1010, 48));
  EXPECT_TRUE(std::equal(m.data->data.begin() + 32, m.data->data.begin() + 80, m.cta.shared.begin() + 0x1010));
  EXPECT_EQ(m.cta.shared[0x100f], 0xa5);
  EXPECT_EQ(m.cta.shared[0x1040], 0xa5);
  EXPECT_TRUE(m.phase());
  m.run(m.block(false, m.data->address + 0x10000, 0x1010, 32));
  EXPECT_TRUE(std::equal(m.data->data.begin() + 32, m.data->data.begin() + 64, m.data->data.begin() + 0x10000));
  EXPECT_EQ(m.data->data[0x10020], 0);
  EXPECT_THAT(fault_of(m, m.block(true, m.data->address + 8, 0x1000, 16)), HasSubstr("is no multiple of 16"));
  EXPECT_THAT(fault_of(m, m.block(false, m.data->address, 0x1008, 16)),
              HasSubstr("the source 0x1008 in shared memory is no multiple of 16"));
}

TEST(BulkCopy, MulticastReachesTheSamePlaceOfEveryCta) {
  BulkMachine m;
  CtaState other;
  other.shared.assign(0x10000, 0);
  other.cluster_rank = 1;
  const CtaCluster cluster{&m.cta, &other};
  m.cta.cluster = &cluster;
  std::iota(m.data->data.begin(), m.data->data.begin() + 64, std::uint8_t{1});
  m.begin_phase(64);
  std::copy_n(m.cta.shared.begin() + kBarrier, 8, other.shared.begin() + kBarrier);
  Instruction in = m.block(true, m.data->address, 0x1000, 64);
  BulkForm form = BulkForm::of(in.mod.variant);
  form.multicast = true;
  in.mod.variant = form.bits();
  m.set_uniform(12, 4 | 2u << 16);
  m.run(in);
  EXPECT_EQ(m.cta.shared[0x1000], 0xa5);
  EXPECT_TRUE(std::equal(m.data->data.begin(), m.data->data.begin() + 64, other.shared.begin() + 0x1000));
  EXPECT_FALSE(m.phase());
  m.set_uniform(12, 4 | 3u << 16);
  m.context.copies_take_time = true;
  const ExecuteResult& result = m.run(in);
  EXPECT_TRUE(std::equal(m.data->data.begin(), m.data->data.begin() + 64, m.cta.shared.begin() + 0x1000));
  ASSERT_EQ(result.bulk.arrivals.size(), 2u);
  EXPECT_EQ(result.bulk.arrivals[1].rank, 1u);
  EXPECT_EQ(result.bulk.arrivals[1].arrival.update.transactions, -64);
  m.set_uniform(12, 4);
  EXPECT_THAT(fault_of(m, in), HasSubstr("its mask names no CTA"));
}

}  // namespace
}  // namespace stc::isa
