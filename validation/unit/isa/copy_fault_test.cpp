// SPDX-License-Identifier: Apache-2.0
// Descriptors, tensor maps and barriers that are wrong: each fault names kernel, instruction, CTA, warp and the field,
// whether it is found at issue or when the copy has landed.
#include <gmock/gmock.h>

#include <functional>

#include "models/isa/values/copy_arrival.h"
#include "validation/unit/isa/bulk_machine.h"

namespace stc::isa {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Matcher;

/// The whole of what comes before the field.
Matcher<const std::string&> says(const std::string& mnemonic, const std::string& field) {
  return AllOf(testing::StartsWith("kernel 'tested', instruction " + mnemonic + " at 0x0120, CTA (3, 2, 1), warp 5"),
               HasSubstr(field));
}

/// Warp 5 of CTA 0 of a cluster of three, whose CTA 2 has exited.
struct Asker : BulkMachine {
  Asker() {
    other.shared.assign(0x10000, 0);
    other.cluster_rank = 1;
    other.index = {4, 2, 1};
    cta.cluster = &cluster;
    warp.index_in_cta = 5;
    warp.pc = 0x120;
    begin_phase(1 << 10);
    std::memcpy(other.shared.data() + kBarrier, cta.shared.data() + kBarrier, 8);
    map.address = data->address;
    map.type = TensorType::kF16, map.rank = 2;
    map.size = {64, 64, 1, 1, 1}, map.stride[1] = 128, map.box = {64, 8, 1, 1, 1};
  }
  Instruction load(const TensorCoordinates& at = {}, std::uint32_t place = kBox) {
    return tensor(Opcode::kUtmaldg, map, at, place);
  }
  Instruction store(const TensorCoordinates& at = {}, std::uint32_t place = kBox) {
    return tensor(Opcode::kUtmastg, map, at, place);
  }
  Instruction reduce(AtomicOp op) {
    Instruction in = tensor(Opcode::kUtmaredg, map, {}, kBox);
    in.mem.atomic = op;
    return in;
  }
  Instruction multicast(std::uint32_t mask) {
    Instruction in = block(true, data->address, kBox, 64);
    BulkForm form = BulkForm::of(in.mod.variant);
    form.multicast = true;
    in.mod.variant = form.bits();
    set_uniform(12, 4 | mask << 16);
    return in;
  }
  /// From the own shared memory to that of the CTA of `place`.
  Instruction between(std::uint32_t from, std::uint32_t place, std::uint32_t barrier) {
    Instruction in = block(true, 0, place, 64);
    in.mod.variant = static_cast<std::uint16_t>(in.mod.variant | 16);
    set_uniform(4, from);
    set_uniform(9, barrier);
    return in;
  }
  Instruction by_lanes(Opcode opcode, std::uint32_t place, std::uint32_t barrier) {
    set(2, place), set(3, barrier);
    Instruction in = make(opcode);
    in.mem.address_register = 2, in.mem.data_register = 4, in.mem.bytes = 8;
    in.mem.atomic = AtomicOp::kAdd;
    in.mod.source_type = ScalarType::kU64;
    return in;
  }
  Instruction syncs(Opcode opcode, std::uint32_t barrier) {
    set(2, barrier);
    Instruction in = make(opcode);
    in.mem.address_register = 2, in.mem.bytes = 8;
    in.b = reg(4);
    in.sm = 90;
    return in;
  }
  Instruction with_barrier(Instruction in, std::uint32_t barrier) {
    set_uniform(9, barrier);
    return in;
  }
  std::uint8_t* map_bytes() { return memory.translate(map_place, kTensorMapBytes); }

  TensorMap map;
  CtaState other;
  CtaCluster cluster{&cta, &other, nullptr};
};

struct Wrong {
  const char *name, *mnemonic, *field;
  std::function<Instruction(Asker&)> ask;
};

void expect_all(const std::vector<Wrong>& cases) {
  for (const Wrong& one : cases) {
    Asker m;
    EXPECT_THAT(fault_of(m, one.ask(m)), says(one.mnemonic, one.field)) << one.name;
  }
}

TEST(CopyFaults, TensorMaps) {
  expect_all({
      {"none", "UTMALDG.2D", "there is no tensor map at 0x10",
       [](Asker& m) {
         const Instruction in = m.load();
         m.set_long(4, 16);
         return in;
       }},
      {"place", "UTMASTG.2D", "the address of the tensor map, 0x",
       [](Asker& m) {
         const Instruction in = m.store();
         m.set_long(4, m.map_place + 32);
         return in;
       }},
      {"format", "UTMAREDG.2D.ADD", "its format word 0x80000310 has bits that are none of its fields",
       [](Asker& m) {
         const Instruction in = m.reduce(AtomicOp::kAdd);
         m.map_bytes()[0x0b] = 0x80;
         return in;
       }},
      {"type", "UTMAPF.L2.2D", "element type 15 is unknown",
       [](Asker& m) {
         const Instruction in = m.tensor(Opcode::kUtmapf, m.map, {}, 0);
         m.map_bytes()[0x09] = 0x07, m.map_bytes()[0x08] = 0x90;
         return in;
       }},
      {"rank", "UTMALDG.3D", "it has 2 dimensions, the instruction 3",
       [](Asker& m) {
         Instruction in = m.load();
         in.mod.variant = 3;
         return in;
       }},
      {"by columns", "UTMALDG.2D.IM2COL", "it is tiled, the instruction one by columns",
       [](Asker& m) {
         Instruction in = m.load();
         in.mod.variant = 2 | 32;
         return in;
       }},
      {"slices", "UTMALDG.3D", "it asks for interleaved",
       [](Asker& m) {
         m.map.rank = 3, m.map.interleave = 1;
         return m.load();
       }},
      {"reduction", "UTMAREDG.2D.AND", "no such reduction of elements of type f16",
       [](Asker& m) { return m.reduce(AtomicOp::kAnd); }},
      {"buffer", "UTMALDG.2D", "out-of-bounds 128-byte read at global address 0x",
       [](Asker& m) {
         m.map.stride[1] = 1 << 20;
         return m.load();
       }},
      {"buffer stored", "UTMASTG.2D", "out-of-bounds 128-byte write at global address 0x",
       [](Asker& m) {
         m.map.stride[1] = 1 << 20;
         return m.store();
       }},
  });
}

TEST(CopyFaults, Coordinates) {
  expect_all({
      {"part", "UTMALDG.2D", "coordinate 4 of dimension 0 is no multiple of 16 bytes with elements of type f16",
       [](Asker& m) {
         return m.load({4, 0});
       }},
      {"negative", "UTMASTG.2D", "a store from coordinate -1 of dimension 1 on",
       [](Asker& m) {
         return m.store({0, -1});
       }},
      {"pixel", "UTMALDG.3D.IM2COL", "coordinate 9 of dimension 1 is not within -1 and 7",
       [](Asker& m) {
         m.map.rank = 3, m.map.by_columns = true, m.map.pixels = 8;
         m.map.size = {64, 8, 8, 1, 1}, m.map.stride = {0, 128, 1024}, m.map.lower[0] = -1;
         Instruction in = m.load({0, 9, 0});
         in.c = uniform(20);
         return in;
       }},
  });
}

TEST(CopyFaults, PlacesInSharedMemory) {
  expect_all({
      {"box", "UTMALDG.2D", "the destination 0x840 in shared memory is no multiple of 128",
       [](Asker& m) { return m.load({}, 0x840); }},
      {"box behind", "UTMALDG.2D",
       "the destination 0xfe00 and the 1024 bytes from there on leave the CTA's 65536 bytes",
       [](Asker& m) { return m.load({}, 0xfe00); }},
      {"source", "UTMASTG.2D", "the source 0x840 in shared memory is no multiple of 128",
       [](Asker& m) { return m.store({}, 0x840); }},
      {"block", "UBLKCP.S.G", "the destination 0x808 in shared memory is no multiple of 16",
       [](Asker& m) { return m.block(true, m.data->address, 0x808, 16); }},
      {"stored block", "UBLKCP.G.S", "the source 0xfff0 and the 32 bytes from there on leave",
       [](Asker& m) { return m.block(false, m.data->address, 0xfff0, 32); }},
      {"global", "UBLKCP.S.G", "is no multiple of 16",
       [](Asker& m) { return m.block(true, m.data->address + 8, kBox, 16); }},
      {"no such CTA", "UBLKCP.S.G", "the destination lies in CTA 3 of the cluster, which has 3",
       [](Asker& m) { return m.block(true, m.data->address, 0x3000800, 16); }},
      {"exited", "UBLKCP.S.S", "the destination lies in CTA 2 of the cluster, which has exited",
       [](Asker& m) { return m.between(kBox, 0x2000800, 0x2000400); }},
      {"mask", "UBLKCP.S.G.MULTICAST", "its mask names no CTA", [](Asker& m) { return m.multicast(0); }},
      {"mask of an exited CTA", "UBLKCP.S.G.MULTICAST",
       "the destination lies in CTA 2 of the cluster, which has exited", [](Asker& m) { return m.multicast(7); }},
      {"own source", "UBLKCP.S.S", "the source 0x804 in shared memory is no multiple of 16",
       [](Asker& m) { return m.between(0x804, 0x1000800, 0x1000400); }},
      {"lanes", "STAS.64", "the destination 0x804 in shared memory is no multiple of 8",
       [](Asker& m) { return m.by_lanes(Opcode::kStas, 0x1000804, 0x1000400); }},
      {"reducing lanes", "REDAS.ADD.64", "the destination 0x10000 and the 8 bytes from there on leave",
       [](Asker& m) { return m.by_lanes(Opcode::kRedas, 0x1010000, 0x1000400); }},
  });
}

TEST(CopyFaults, Barriers) {
  expect_all({
      {"box", "UTMALDG.2D", "the mbarrier 0x404 in shared memory is no multiple of 8",
       [](Asker& m) { return m.with_barrier(m.load(), 0x404); }},
      {"block", "UBLKCP.S.G", "the mbarrier 0x10000 and the 8 bytes from there on leave",
       [](Asker& m) { return m.with_barrier(m.block(true, m.data->address, kBox, 16), 0x10000); }},
      {"cluster", "UBLKCP.S.S", "the mbarrier 0x402 in shared memory is no multiple of 8",
       [](Asker& m) { return m.between(kBox, 0x1000800, 0x1000402); }},
      {"lanes", "STAS.64", "the mbarrier 0x401 in shared memory is no multiple of 8",
       [](Asker& m) { return m.by_lanes(Opcode::kStas, 0x1000800, 0x1000401); }},
      {"exchange", "SYNCS.EXCH.64", "misaligned 8-byte write at shared address 0x404",
       [](Asker& m) { return m.syncs(Opcode::kSyncsExchange, 0x404); }},
      {"check", "SYNCS.PHASECHK.TRANS64", "out-of-bounds 8-byte read at shared address 0x10000",
       [](Asker& m) { return m.syncs(Opcode::kSyncsPhase, 0x10000); }},
      {"arrivals", "SYNCS.ARRIVE.TRANS64.A1T0", "mbarrier: more arrivals than are pending at shared address 0x400",
       [](Asker& m) {
         m.set(4, 0);
         return m.syncs(Opcode::kSyncsArrive, 0x400);
       }},
  });
}

/// What is found when bytes have landed or an arrival has come to its CTA.
std::string late_fault(Asker& m, CtaState& at, const CopyArrival& arrival) {
  try {
    complete_copy_arrival(at, m.kernel, arrival);
  } catch (const SimulatedFault& fault) {
    return fault.what();
  }
  return {};
}

void fill_up(CtaState& cta) {
  std::uint64_t word;
  std::memcpy(&word, cta.shared.data() + kBarrier, sizeof word);
  Mbarrier barrier(90, word);
  ASSERT_EQ(barrier.apply({0, -(1 << 20) + 1 - barrier.transactions(), false}), nullptr);
  word = barrier.word();
  std::memcpy(cta.shared.data() + kBarrier, &word, sizeof word);
}

TEST(CopyFaults, CopiesThatHaveLanded) {
  const std::vector<Wrong> cases = {
      {"box", "UTMALDG.2D", "1024 bytes", [](Asker& m) { return m.load(); }},
      {"block", "UBLKCP.S.G", "16 bytes", [](Asker& m) { return m.block(true, m.data->address, kBox, 16); }},
      {"cluster", "UBLKCP.S.S", "64 bytes", [](Asker& m) { return m.between(kBox, 0x1000800, 0x1000400); }},
      {"multicast", "UBLKCP.S.G.MULTICAST", "64 bytes", [](Asker& m) { return m.multicast(2); }},
      {"lanes", "STAS.64", "8 bytes", [](Asker& m) { return m.by_lanes(Opcode::kStas, 0x1000800, 0x1000400); }},
      {"reducing", "REDAS.ADD.64", "8 bytes",
       [](Asker& m) { return m.by_lanes(Opcode::kRedas, 0x1000800, 0x1000400); }}};
  for (const Wrong& one : cases) {
    Asker m;
    m.context.copies_take_time = true;
    const ExecuteResult& result = m.run(one.ask(m));
    ASSERT_FALSE(result.bulk.arrivals.empty()) << one.name;
    const RemoteArrival& arrival = result.bulk.arrivals[0];
    CtaState& at = arrival.rank == 0 ? m.cta : m.other;
    EXPECT_EQ(late_fault(m, at, arrival.arrival), "") << one.name;
    fill_up(at);
    EXPECT_THAT(late_fault(m, at, arrival.arrival),
                says(one.mnemonic,
                     "more bytes on their way than a barrier counts at the mbarrier at shared address "
                     "0x400 of CTA (" +
                         std::to_string(at.index.x) + ", 2, 1): it brings 0 arrivals and has " + one.field))
        << one.name;
  }
}

TEST(CopyFaults, ArrivalsThatComeLater) {
  Asker m;
  m.context.copies_take_time = true;
  Instruction in = m.syncs(Opcode::kSyncsArrive, 0x1000400);
  in.mod.variant = 1;
  in.mod.mbarrier = MbarrierArrival::kOne;
  ASSERT_EQ(m.run(in).remote_arrivals.size(), 1u);
  const RemoteArrival arrival = m.result.remote_arrivals[0];
  EXPECT_THAT(late_fault(m, m.other, arrival.arrival),
              says("SYNCS.ARRIVE.TRANS64.RED.A1T0",
                   "more arrivals than are pending at the mbarrier at shared address 0x400 of CTA (4, "
                   "2, 1): it brings 32 arrivals and has 0 bytes, 0 and 1024 are missing"));
  try {
    throw_exited_fault(m.kernel, arrival);
  } catch (const SimulatedFault& fault) {
    EXPECT_THAT(fault.what(), says("SYNCS.ARRIVE.TRANS64.RED.A1T0",
                                   "arrives at the mbarrier at shared address 0x400 of CTA 1 of the "
                                   "cluster, which has exited"));
  }
  Asker copies;
  copies.context.copies_take_time = true;
  ASSERT_TRUE(copies.run(copies.syncs(Opcode::kArrives, 0x400)).arrives_after_copies);
  EXPECT_THAT(late_fault(copies, copies.cta, copies.result.copy_arrival),
              says("ARRIVES.LDGSTSBAR.64.ARVCNT",
                   "more arrivals than are pending at the mbarrier at shared address 0x400 of CTA (3, 2, 1)"));
}

}  // namespace
}  // namespace stc::isa
