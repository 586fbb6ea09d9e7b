// SPDX-License-Identifier: Apache-2.0
// When memory instructions leave their sub-core, when the SM serves them, and what takes the data stage.
#include "models/sm/lsu.h"
#include "models/sm/memory_queues.h"
#include "validation/gpus.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace stc::sm {
namespace {

/// An Lsu that is fed with instructions at chosen cycles. Each is known by its scoreboard: `written` and `read` hold
/// the cycle in which it is released.
class LsuTest : public testing::Test {
 protected:
  MemoryInstruction shared_load(int sub_core, int id, int wavefronts = 1) const {
    MemoryInstruction load;
    load.kind = MemoryKind::kSharedLoad;
    load.sub_core = static_cast<std::uint8_t>(sub_core);
    load.warp = static_cast<std::uint8_t>(sub_core);
    load.write_scoreboard = load.read_scoreboard = static_cast<std::uint8_t>(id);
    load.wavefronts = wavefronts;
    load.data_registers = load.source_registers = 1;
    return load;
  }
  MemoryInstruction of_kind(MemoryKind kind, int sub_core) const {
    MemoryInstruction other;
    other.kind = kind;
    other.sub_core = static_cast<std::uint8_t>(sub_core);
    other.bypass_l1 = true;
    other.wavefronts = 1;
    other.lines.count = 1;
    other.lines.lines[0] = LineAccess();
    other.lines.lines[0].sectors = 1;
    return other;
  }
  void issue(Cycle cycle, MemoryInstruction instruction) {
    instruction.issued = cycle;
    issues_.emplace(cycle, instruction);
  }
  /// When the registers of the last of four loads of four wavefronts, a cycle apart, may be overwritten.
  Cycle fourth_of(std::uint8_t registers) {
    for (int i = 0; i < 4; ++i) {
      MemoryInstruction load = shared_load(0, i, 4);
      load.source_registers = registers;
      issue(static_cast<Cycle>(i), load);
    }
    run();
    return read(3);
  }
  /// Runs 100 cycles; lines arrive `memory_latency` after they were asked for, which the LSU learns `told_after`.
  void run(Cycle memory_latency = 1000) {
    SmParams sm = validation::a100().sm;
    sm.lsu = params;
    released.clear();
    room.clear();
    status_room.clear();
    EventQueue events;
    SmStatistics statistics;
    std::multimap<Cycle, std::uint32_t> asked;
    Cycle cycle = 0;
    line_requests = 0;
    Lsu lsu(
        sm, events, statistics,
        [&](const LineQuery& query) {
          if (!query.write) asked.emplace(cycle, query.token);
          ++line_requests;
        },
        [](const MemoryInstruction&, const RemotePart&, std::uint32_t, Cycle) {});
    lsu.reset(4096, 0);
    for (int sub_core = 0; collecting_until != 0 && sub_core < sm.sub_cores; ++sub_core) {
      lsu.matrix_operands(sub_core, 0, collecting_until, 1);
    }
    for (Cycle now = 0; now < 100; ++now) {
      cycle = now;
      while (events.due(now)) {
        const Event event = events.pop();
        if (event.kind == Event::Kind::kDataArrived) lsu.data_arrived(event.index, event.cycle);
        if (event.kind == Event::Kind::kReleaseScoreboard) released[event.index].push_back(event.cycle);
      }
      for (auto [from, to] = issues_.equal_range(now); from != to; ++from) {
        lsu.next_place() = from->second;
        lsu.enqueue();
      }
      if (now == matrix_at) lsu.matrix_operands(0, now, now, 100);
      lsu.tick(now);
      lsu.end_cycle();
      while (!asked.empty() && asked.begin()->first + told_after <= now) {
        lsu.response(asked.begin()->second, asked.begin()->first + memory_latency);
        asked.erase(asked.begin());
      }
      room.push_back(lsu.has_room(0, MemoryKind::kSharedLoad));
      status_room.push_back(lsu.has_room(0, MemoryKind::kStatus));
    }
    issues_.clear();
  }
  /// Cycle in which the value of load `id` is there.
  Cycle written(int id) { return std::max(released.at(id).at(0), released.at(id).at(1)); }
  /// Cycle in which its address may be overwritten.
  Cycle read(int id) { return std::min(released.at(id).at(0), released.at(id).at(1)); }

  LsuParams params = validation::a100().sm.lsu;
  Cycle told_after = 0;
  int line_requests = 0;
  Cycle matrix_at = kNever;    ///< when sub-core 0 issues a matrix instruction
  Cycle collecting_until = 0;  ///< all sub-cores collect operands of a matrix instruction until then
  std::map<std::uint32_t, std::vector<Cycle>> released;
  std::vector<bool> room, status_room;

 private:
  std::multimap<Cycle, MemoryInstruction> issues_;
};

TEST_F(LsuTest, ALoadAloneTakesItsLatency) {
  issue(5, shared_load(0, 1));
  run();
  EXPECT_EQ(written(1), 5u + static_cast<Cycle>(params.shared_latency));
  EXPECT_EQ(read(1), 5u + static_cast<Cycle>(params.read_release));
}

TEST_F(LsuTest, AShuffleTakesLongerByWhatItsInstructionSays) {
  MemoryInstruction shuffle = shared_load(0, 1);
  shuffle.kind = MemoryKind::kShuffle;
  issue(5, shuffle);
  shuffle.further_latency = 8;
  shuffle.write_scoreboard = shuffle.read_scoreboard = 2;
  issue(45, shuffle);
  run();
  EXPECT_EQ(written(1), 5u + static_cast<Cycle>(params.shuffle_latency));
  EXPECT_EQ(written(2), 45u + static_cast<Cycle>(params.shuffle_latency) + 8);
}

TEST_F(LsuTest, ASubCoreSendsOneInPerAddressInterval) {
  params.address_interval = 3;
  issue(0, shared_load(0, 1));
  issue(1, shared_load(0, 2));
  issue(1, shared_load(1, 3));
  run();
  EXPECT_EQ(written(2) - written(1), 3u);
  EXPECT_EQ(written(3) - written(1), 1u);
}

/// A warp's wavefronts are two cycles apart, and its next load follows them; another warp's takes the cycles between.
TEST_F(LsuTest, LoadsOfAnotherWarpOfTheSubCoreTakeTheCyclesBetween) {
  MemoryInstruction second = shared_load(0, 2, 4);
  const auto behind_the_first = [&] {
    issue(0, shared_load(0, 1, 4));
    issue(1, second);
    run();
    return written(2) - written(1);
  };
  EXPECT_EQ(behind_the_first(), 8u);
  second.warp = 4;
  EXPECT_EQ(behind_the_first(), static_cast<Cycle>(params.address_interval));
}

TEST_F(LsuTest, WhatReadsNoRegisterIsSentInACycle) {
  params.address_interval = 3;
  MemoryInstruction idle = shared_load(0, 1);
  idle.source_registers = 0;
  issue(0, idle);
  issue(1, shared_load(0, 2));
  run();
  EXPECT_EQ(written(2) - written(1), 2u);  // the sub-core's wavefronts are two cycles apart
}

TEST_F(LsuTest, ItsQueueHasRoomAgainWhenTheFirstHasLeft) {
  params.queue_entries = 2;
  issue(0, shared_load(0, 1));
  issue(1, shared_load(0, 2));
  run();
  EXPECT_TRUE(room[0]);
  for (std::size_t now = 1; now < static_cast<std::size_t>(params.queue_latency); ++now) EXPECT_FALSE(room[now]) << now;
  EXPECT_TRUE(room[static_cast<std::size_t>(params.queue_latency)]);
}

TEST_F(LsuTest, ItsQueueHasOnePlaceMoreForSpecialRegisters) {
  params.queue_entries = 2;
  MemoryInstruction status = shared_load(0, 3);
  status.kind = MemoryKind::kStatus;
  issue(0, shared_load(0, 1));
  issue(1, shared_load(0, 2));
  issue(2, status);
  run();
  EXPECT_FALSE(room[1]);
  EXPECT_TRUE(status_room[1]);
  EXPECT_FALSE(status_room[2]);
}

TEST_F(LsuTest, ASpecialRegisterComesBehindWhatTheSmServesBefore) {
  MemoryInstruction status = shared_load(0, 1);
  status.kind = MemoryKind::kStatus;
  status.source_registers = 0;
  issue(5, status);
  run();
  EXPECT_EQ(written(1), 5u + static_cast<Cycle>(params.status_latency));
  const Cycle alone = written(1) - 5;
  for (int i = 2; i < 10; ++i) issue(0, shared_load(0, i, 8));
  issue(1, status);
  run();
  EXPECT_GT(written(1) - 1, alone + 20) << "behind loads of eight wavefronts";
}

TEST_F(LsuTest, AFullSmMakesSubCoresWait) {
  // Loads of four wavefronts: the second is served, and so leaves its place, four cycles after the first.
  params.address_interval = 1;
  params.operand_cycles = 0;
  params.data_queue_wavefronts = 1;
  const auto fourth_leaves = [&](int entries) {
    params.sm_queue_entries = entries;
    return fourth_of(1) + static_cast<Cycle>(params.queue_latency - params.read_release);
  };
  EXPECT_EQ(fourth_leaves(3), 3u + static_cast<Cycle>(params.queue_latency));
  EXPECT_EQ(fourth_leaves(2), 4u + static_cast<Cycle>(params.queue_latency));
}

TEST_F(LsuTest, AGlobalStoreTakesTheSmACycleForEachRegisterOfData) {
  const auto load_behind = [&](std::uint8_t registers) {
    MemoryInstruction store = of_kind(MemoryKind::kGlobalStore, 0);
    store.data_registers = registers;
    issue(0, store);
    issue(0, shared_load(1, 1));
    run();
    return written(1);
  };
  EXPECT_EQ(load_behind(4), load_behind(3) + 1);
  EXPECT_EQ(load_behind(8), load_behind(3) + 5);
}

TEST_F(LsuTest, LinesOfGlobalStoresTakeTheirSubCoreAsLongAsWavefronts) {
  constexpr std::size_t kLines = 8;
  for (std::uint8_t i = 0; i < 5; ++i) {
    MemoryInstruction store = of_kind(MemoryKind::kGlobalStore, 0);
    store.lines.count = kLines;
    for (std::size_t line = 0; line < kLines; ++line) store.lines.lines[line] = {line, 1, 1};
    store.write_scoreboard = i;
    issue(i, store);
  }
  run();
  EXPECT_EQ(released.at(4).at(0) - released.at(3).at(0), kLines * static_cast<Cycle>(params.own_wavefront_interval));
}

TEST_F(LsuTest, TheSmServesInTheOrderOfArrival) {
  params.address_interval = 2;
  params.data_queue_wavefronts = 1;
  issue(0, shared_load(0, 1, 4));
  issue(1, shared_load(0, 2, 4));
  issue(3, shared_load(1, 3));
  run();
  // Eight wavefronts come first, from cycle queue_latency on; alone it would pass at 3 + queue_latency.
  EXPECT_EQ(written(3), 8u + static_cast<Cycle>(params.shared_latency));
}

TEST_F(LsuTest, AFenceTakesTheDataStage) {
  params.operand_cycles = 0;
  params.copy_fence_wavefronts = 3;
  issue(0, of_kind(MemoryKind::kCopyFence, 0));
  issue(1, shared_load(1, 1));
  run();
  EXPECT_EQ(written(1), 3u + static_cast<Cycle>(params.shared_latency));
}

TEST_F(LsuTest, ACopyBehindAnIdleLoadTakesTheDataStage) {
  params.operand_cycles = 0;
  params.copy_interval = 1;
  params.idle_copy_wavefronts = 6;
  const auto load_behind_two_copies = [&](bool idle) {
    MemoryInstruction first = shared_load(3, 2);
    first.idle = idle;
    issue(0, first);
    issue(1, of_kind(MemoryKind::kAsyncCopy, 0));
    issue(2, of_kind(MemoryKind::kAsyncCopy, 1));
    issue(3, shared_load(2, 1));
    run();
    return written(1) - static_cast<Cycle>(params.shared_latency);
  };
  EXPECT_EQ(load_behind_two_copies(true), 7u);  // of which the second takes nothing
  EXPECT_EQ(load_behind_two_copies(false), 3u);
}

TEST_F(LsuTest, ACopyBesideAMatrixInstructionTakesLonger) {
  params.operand_cycles = 0;
  params.copy_interval = 1;
  params.copy_matrix_cycles = 3;
  params.idle_copy_wavefronts = 4;
  const auto load_behind_copy = [&](Cycle collected, bool idle) {
    collecting_until = collected;
    MemoryInstruction first = shared_load(1, 2);
    first.idle = idle;
    issue(0, first);
    issue(1, of_kind(MemoryKind::kAsyncCopy, 0));
    issue(2, shared_load(2, 1));
    run();
    return written(1);
  };
  EXPECT_EQ(load_behind_copy(100, false) - load_behind_copy(5, false), 3u);  // at the entrance
  EXPECT_EQ(load_behind_copy(100, true) - load_behind_copy(5, true), 3u);    // in the data stage
}

TEST_F(LsuTest, RegistersAreReadBesideThoseOfMatrixInstructions) {
  params.address_interval = 1;
  params.operand_cycles = 2;
  params.matrix_port_cycles = 5;
  const auto begin = static_cast<Cycle>(params.queue_latency);  // of reading the first one's four registers
  const auto loads = [&](Cycle matrix) {
    matrix_at = matrix;
    MemoryInstruction first = shared_load(0, 1);
    first.source_registers = 4;
    issue(0, first);
    issue(1, shared_load(0, 2));
    run();
    return std::pair(written(1), written(2));
  };
  const auto [first, second] = loads(kNever);
  EXPECT_EQ(second - first, 6u);                                  // the time of three registers is part of a latency
  EXPECT_EQ(loads(begin + 3), std::pair(first + 5, second + 5));  // while the first one's are read
  EXPECT_EQ(loads(begin + 9), std::pair(first, second + 5));      // the second's
  EXPECT_EQ(loads(begin + 10), std::pair(first, second));
  EXPECT_EQ(loads(begin - 2), std::pair(first + 3, second + 3));  // it has the ports three cycles longer
}

TEST_F(LsuTest, WhatTheSmServesFirstIsWaitedForUntilItsRegistersAreRead) {
  params.operand_cycles = 2;
  params.matrix_port_cycles = 50;
  matrix_at = static_cast<Cycle>(params.queue_latency) + 1;  // sub-core 0 reads the first one's register for 51 cycles
  issue(0, shared_load(0, 1));
  issue(1, shared_load(1, 2));
  run();
  EXPECT_EQ(written(1), 50u + static_cast<Cycle>(params.shared_latency));
  EXPECT_GE(written(2), written(1));
}

TEST_F(LsuTest, TheSmTakesNothingMoreBeyondSoManyRegisters) {
  params.address_interval = 1;
  params.operand_cycles = 0;
  params.data_queue_wavefronts = 1;
  const auto fourth_leaves = [&](int registers) {
    params.sm_queue_registers = registers;
    return fourth_of(2);
  };
  EXPECT_LT(fourth_leaves(12), fourth_leaves(2));
}

TEST_F(LsuTest, CopiesCountAsMoreRegistersThanTheyRead) {
  params.address_interval = 1;
  params.operand_cycles = 0;
  params.sm_queue_registers = 4;
  const auto load_leaves = [&](int counts) {
    params.copy_registers = counts;
    issue(0, shared_load(0, 3, 20));  // keeps the others waiting
    issue(1, of_kind(MemoryKind::kAsyncCopy, 0));
    issue(2, of_kind(MemoryKind::kAsyncCopy, 0));
    issue(3, shared_load(0, 1));
    run();
    return read(1);
  };
  EXPECT_LT(load_leaves(1), load_leaves(2));
}

TEST(MemoryQueues, AMatrixInstructionWaitsForTheRegisterThatIsBeingRead) {
  LsuParams params = validation::a100().sm.lsu;
  params.operand_cycles = 2;
  MemoryQueues queues(params, 1);
  queues.reset();
  MemoryInstruction& load = queues.next_place();
  load = {};
  load.source_registers = 3;
  queues.push();
  const auto begin = static_cast<Cycle>(params.queue_latency);
  EXPECT_EQ(queues.register_read(0, begin), begin);
  ASSERT_NE(queues.move(begin), nullptr);
  EXPECT_EQ(queues.register_read(0, begin), begin);
  EXPECT_EQ(queues.register_read(0, begin + 1), begin + 2);
  EXPECT_EQ(queues.register_read(0, begin + 5), begin + 6);
  EXPECT_EQ(queues.register_read(0, begin + 7), begin + 7);
}

TEST_F(LsuTest, LinesThatWaitForTheirWayToL2HoldUpWhatFollows) {
  params.operand_cycles = 0;
  params.copy_interval = 1;
  params.line_interval = 3;
  params.line_queue_entry_lines = 4;
  // Each copy of five lines holds two entries for its lines and one more, each load of five two.
  const auto load_behind = [&](MemoryKind kind, int entries) {
    params.line_queue_entries = entries;
    for (int i = 0; i < 3; ++i) {
      MemoryInstruction access = of_kind(kind, i);
      access.lines.count = 5;
      issue(static_cast<Cycle>(i), access);
    }
    issue(3, shared_load(3, 1));
    run();
    return written(1) - static_cast<Cycle>(params.shared_latency);
  };
  EXPECT_EQ(load_behind(MemoryKind::kAsyncCopy, 9), 3u);   // room for all three
  EXPECT_EQ(load_behind(MemoryKind::kAsyncCopy, 8), 16u);  // the third waits until five lines have left
  EXPECT_EQ(load_behind(MemoryKind::kAsyncCopy, 5), 31u);  // each waits for the one before
  EXPECT_EQ(load_behind(MemoryKind::kGlobalLoad, 6), 3u);
  EXPECT_EQ(load_behind(MemoryKind::kGlobalLoad, 5), 16u);
}

TEST_F(LsuTest, CopiesAreServedACopyIntervalApart) {
  params.operand_cycles = 0;
  params.copy_interval = 5;
  issue(0, of_kind(MemoryKind::kAsyncCopy, 0));
  issue(1, shared_load(1, 1));
  run();
  EXPECT_EQ(written(1), 5u + static_cast<Cycle>(params.shared_latency));
}

TEST_F(LsuTest, RowsThatArriveLeaveTheDataStageToLoads) {
  params.operand_cycles = 0;
  const auto load_beside_arrival = [&](bool bypass) {
    MemoryInstruction copy = of_kind(MemoryKind::kAsyncCopy, 0);
    copy.bypass_l1 = bypass;
    copy.wavefronts = 6;
    issue(0, copy);
    issue(40, shared_load(1, 1));
    run(40 + static_cast<Cycle>(params.queue_latency));
    return written(1) - 40;
  };
  EXPECT_EQ(load_beside_arrival(true), static_cast<Cycle>(params.shared_latency));
  EXPECT_EQ(load_beside_arrival(false), 6 + static_cast<Cycle>(params.shared_latency));
}

/// A load finds in L1 what a store left there; atomics leave nothing.
TEST_F(LsuTest, LoadsFindWhatStoresLeftInL1) {
  params.atomic_latency = 0;  // all within the cycles that are run
  const auto access = [&](MemoryKind kind, std::uint32_t words, int id = 0) {
    MemoryInstruction one = of_kind(kind, 0);
    one.bypass_l1 = false;
    one.data_registers = 1;
    one.write_scoreboard = one.read_scoreboard = static_cast<std::uint8_t>(id);
    one.lines.lines[0].words = words;
    return one;
  };
  const auto load_after = [&](MemoryKind kind, std::uint32_t touched, std::uint32_t loaded) {
    issue(0, access(kind, touched));
    issue(20, access(MemoryKind::kGlobalLoad, loaded, 1));
    run(60);
    return written(1) - 20;
  };
  const auto hit = static_cast<Cycle>(params.l1_latency);
  EXPECT_EQ(load_after(MemoryKind::kGlobalStore, 0xff, 0xff), hit);
  EXPECT_EQ(load_after(MemoryKind::kGlobalStore, 0x55, 0x11), hit) << "half of the sector was stored, and is loaded";
  EXPECT_GT(load_after(MemoryKind::kGlobalStore, 0x55, 0x13), hit) << "one of its words was not stored";
  EXPECT_GT(load_after(MemoryKind::kGlobalAtomic, 0xff, 0xff), hit);
}

/// The first load brings a sector of line 5; a read past L1 of another of its sectors, or of another line, follows;
/// then comes a load of that sector again.
TEST_F(LsuTest, WhatIsReadPastL1LeavesNoneOfItsLineThere) {
  const auto requests = [&](MemoryKind kind, std::uint64_t line, std::uint8_t sectors, bool past) {
    const auto access = [](MemoryInstruction of, std::uint64_t number, std::uint8_t of_sectors) {
      of.lines.lines[0].line = number;
      of.lines.lines[0].sectors = of_sectors;
      of.lines.lines[0].words = 0xffffffff;
      return of;
    };
    MemoryInstruction load = of_kind(MemoryKind::kGlobalLoad, 0);
    load.bypass_l1 = false;
    MemoryInstruction between = of_kind(kind, 0);
    between.bypass_l1 = past;
    issue(0, access(load, 5, 1));
    issue(40, access(between, line, sectors));
    issue(70, access(load, 5, 1));
    run(10);
    return line_requests;
  };
  EXPECT_EQ(requests(MemoryKind::kGlobalLoad, 5, 1, false), 1);
  EXPECT_EQ(requests(MemoryKind::kGlobalLoad, 5, 2, true), 3) << "a load with scope of the GPU";
  EXPECT_EQ(requests(MemoryKind::kAsyncCopy, 5, 2, true), 3);
  EXPECT_EQ(requests(MemoryKind::kAsyncCopy, 6, 1, true), 2) << "of another line";
  EXPECT_EQ(requests(MemoryKind::kAsyncCopy, 5, 1, false), 1) << "through L1";
}

/// A store of halves of words to local memory leaves no word that a load could take, until the other halves are there.
TEST_F(LsuTest, LoadsFetchWordsThatStoresLeftInPart) {
  const auto access = [&](MemoryKind kind, int id, const LineBytes& bytes = {}) {
    MemoryInstruction one = of_kind(kind, 0);
    one.bypass_l1 = false;
    one.local = true;
    one.data_registers = 1;
    one.write_scoreboard = one.read_scoreboard = static_cast<std::uint8_t>(id);
    one.lines.lines[0].words = 0xff;
    if (kind == MemoryKind::kGlobalStore) one.stored_bytes = {bytes};
    return one;
  };
  const auto load_after = [&](const std::vector<LineBytes>& stores) {
    Cycle at = 0;
    for (const LineBytes& bytes : stores) issue(at, access(MemoryKind::kGlobalStore, 0, bytes)), at += 10;
    issue(at, access(MemoryKind::kGlobalLoad, 1));
    run(60);
    return written(1) - at;
  };
  const LineBytes low{0xff, 0xff, 0, 0}, high{0, 0, 0xff, 0xff}, some_high{0, 0, 0xfe, 0xff};
  const auto hit = static_cast<Cycle>(params.l1_latency);
  EXPECT_GT(load_after({low}), hit);
  EXPECT_EQ(load_after({low, high}), hit);
  EXPECT_GT(load_after({low, some_high}), hit);
}

TEST_F(LsuTest, ALoadOfALineOnItsWayWaitsForItWheneverItsTimeIsTold) {
  const auto load = [&](int id, std::uint8_t sectors) {
    MemoryInstruction other = of_kind(MemoryKind::kGlobalLoad, 0);
    other.bypass_l1 = false;
    other.data_registers = 1;
    other.write_scoreboard = other.read_scoreboard = static_cast<std::uint8_t>(id);
    other.lines.lines[0].sectors = sectors;
    other.lines.lines[0].words = 0xff;
    return other;
  };
  for (const Cycle told : {Cycle{0}, Cycle{20}}) {
    told_after = told;
    issue(0, load(1, 1));
    issue(10, load(2, 1));  // both sectors are on their way, asked for by different loads
    issue(14, load(3, 2));
    issue(18, load(4, 3));
    run(60);
    EXPECT_EQ(line_requests, 2);
    const auto in_l1 = static_cast<Cycle>(params.queue_latency);
    EXPECT_EQ(written(2), written(1) + in_l1) << told;
    EXPECT_EQ(written(4), written(3) + in_l1) << told;
    EXPECT_EQ(written(3), written(1) + 14) << told;
  }
}

}  // namespace
}  // namespace stc::sm
