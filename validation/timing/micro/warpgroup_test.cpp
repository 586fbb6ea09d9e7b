// SPDX-License-Identifier: Apache-2.0
// Chains of warpgroup matrix instructions (micro_wgmma.cu) against what an H200 took for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "models/gpu/machine/machine.h"
#include "models/sm/data_stage.h"
#include "models/sm/operand_schedule.h"
#include "models/sm/warpgroup_unit.h"
#include "sim/config/gpu_config.h"
#include "sim/micro/run_point.h"
#include "validation/gpus.h"

namespace stc::micro {
namespace {

sm::WarpgroupTiming timing(int interval, int latency) {
  sm::WarpgroupTiming t;
  t.interval = static_cast<std::uint16_t>(interval);
  t.latency = static_cast<std::uint16_t>(latency);
  return t;
}

/// When a wait for it ends.
std::optional<sm::Cycle> known(const std::optional<sm::WarpgroupUnit::Work>& work) {
  if (!work) return std::nullopt;
  return work->known;
}

TEST(WarpgroupUnit, BeginsWhenTheLastOfFourWarpsHasIssued) {
  sm::WarpgroupUnit unit(sm::WarpgroupParams(), 64);
  for (const int warp : {0, 1, 2}) EXPECT_EQ(known(unit.issue(8, warp, timing(32, 82), 100)), std::nullopt);
  EXPECT_EQ(known(unit.issue(8, 3, timing(32, 82), 107)), 189u);
}

TEST(WarpgroupUnit, WarpsMayRunAhead) {
  sm::WarpgroupUnit unit(sm::WarpgroupParams(), 64);
  for (const int time : {10, 14})
    for (const int warp : {0, 2, 3})
      EXPECT_EQ(known(unit.issue(0, warp, timing(32, 82), static_cast<sm::Cycle>(time))), std::nullopt);
  EXPECT_EQ(known(unit.issue(0, 1, timing(32, 82), 20)), 102u);
  EXPECT_EQ(known(unit.issue(0, 1, timing(64, 114), 24)), 166u);  // from 52 on
}

TEST(WarpgroupUnit, OneInstructionAtATimeWhoeverBringsIt) {
  sm::WarpgroupUnit unit(sm::WarpgroupParams(), 64);
  for (const int first : {0, 4}) {
    for (const int warp : {0, 1, 2}) unit.issue(first, warp, timing(18, 54), 10);
  }
  EXPECT_EQ(known(unit.issue(4, 3, timing(18, 54), 10)), 64u);
  EXPECT_EQ(known(unit.issue(0, 3, timing(18, 54), 10)), 82u);
  unit.reset();
  for (const int warp : {0, 1, 2}) unit.issue(0, warp, timing(18, 54), 5);
  EXPECT_EQ(known(unit.issue(0, 3, timing(18, 54), 5)), 59u);
}

/// What copies write beside instructions that read operands in every cycle costs these something, but for as many lines
/// as they take cycles to read A.
TEST(WarpgroupUnit, LinesOfCopiesCostWhereOperandsAreReadAlways) {
  sm::WarpgroupParams params;
  params.landed_cycles = 0.25;
  sm::WarpgroupUnit unit(params, 64);
  sm::WarpgroupTiming full = timing(128, 162), half = timing(128, 162);
  full.reads = 128, full.reads_a = 16, half.reads = 80, half.reads_a = 16;
  EXPECT_EQ(unit.lost_to_copies(100, half), 0u) << "there are cycles between";
  EXPECT_EQ(unit.lost_to_copies(16, full), 0u);
  EXPECT_EQ(unit.lost_to_copies(40, full), 6u) << "a quarter of 24";
  EXPECT_EQ(unit.lost_to_copies(0, full), 0u);
  EXPECT_EQ(unit.lost_to_copies(40, full), 2u) << "16 more went with the one before";
  full.registers = true, full.reads_a = 0;
  EXPECT_EQ(unit.lost_to_copies(2, full), 0u);
  EXPECT_EQ(unit.lost_to_copies(2, full), 1u) << "parts of a cycle add up";
}

TEST(WarpgroupUnit, WhatOthersTakeDelaysTheNext) {
  sm::WarpgroupUnit unit(sm::WarpgroupParams(), 64);
  const auto issue = [&](sm::Cycle now) {
    for (const int warp : {0, 1, 2}) unit.issue(0, warp, timing(32, 82), now);
    return known(unit.issue(0, 3, timing(32, 82), now));
  };
  EXPECT_EQ(issue(10), 92u);
  EXPECT_EQ(unit.busy_until(), 42u);
  unit.delay(5);
  EXPECT_EQ(issue(11), 129u) << "from 47 on";
}

constexpr sm::Cycle kAlways = 100000;  // later than anything ends

TEST(OperandSchedule, OthersGetTheCyclesBetween) {
  using Access = sm::OperandSchedule::Access;
  sm::WarpgroupParams params;
  params.load_turns = 1.5, params.register_load_turns = 2, params.register_store_turns = 1.25;
  sm::OperandSchedule schedule(params);
  const auto behind = [&](sm::Cycle now, sm::Cycle cycles, sm::Cycle at_most = kAlways) {
    return schedule.behind(now, cycles, Access::kOther, at_most);
  };
  EXPECT_EQ(behind(3, 4), 7u) << "nothing is read";
  schedule.add(100, 132, 16);  // every other cycle
  EXPECT_EQ(behind(90, 4), 94u);
  EXPECT_EQ(behind(98, 4), 104u) << "two before it, two in four cycles";
  EXPECT_EQ(behind(104, 4), 112u);
  EXPECT_EQ(behind(128, 4), 134u) << "two in it, two behind";
  schedule.add(200, 232, 32);  // all of them
  EXPECT_EQ(behind(199, 1), 200u);
  EXPECT_EQ(schedule.gap_from(199, 300), 199u);
  EXPECT_EQ(schedule.gap_from(200, 300), 232u);
  EXPECT_EQ(schedule.gap_from(200, 220), 220u) << "no longer than that";
  EXPECT_EQ(behind(199, 2), 233u);
  schedule.add(232, 264, 32);
  EXPECT_EQ(behind(210, 4, 264), sm::kNever) << "not before 264, but in 268";
  schedule.add(264, 296, 24);
  EXPECT_EQ(behind(264, 8), 296u) << "a quarter of the cycles; what came to nothing took none";
  schedule.reset(0);
  EXPECT_EQ(behind(264, 8), 272u);
  EXPECT_EQ(schedule.gap_from(264, 300), 264u);
}

/// Wavefronts of loads, and of stores beside instructions with A in registers, need more of the cycles between.
TEST(OperandSchedule, LoadsNeedMoreTurns) {
  using Access = sm::OperandSchedule::Access;
  sm::WarpgroupParams params;
  params.load_turns = 1.5, params.register_load_turns = 2, params.register_store_turns = 1.25;
  sm::OperandSchedule schedule(params);
  const auto behind = [&](sm::Cycle now, sm::Cycle cycles, Access access) {
    return schedule.behind(now, cycles, access, kAlways);
  };
  schedule.add(100, 132, 16, true);
  EXPECT_EQ(behind(100, 4, Access::kLoad), 116u);
  EXPECT_EQ(behind(116, 4, Access::kLoad), 132u);
  schedule.add(132, 164, 16, true);
  EXPECT_EQ(behind(132, 1, Access::kStore), 135u) << "2.5 cycles";
  EXPECT_EQ(behind(135, 1, Access::kStore), 137u) << "5 of two that follow each other";
  EXPECT_EQ(behind(137, 1, Access::kOther), 139u) << "others";
  schedule.add(164, 196, 16);
  EXPECT_EQ(behind(164, 4, Access::kLoad), 176u);
  EXPECT_EQ(behind(176, 4, Access::kStore), 184u);
  EXPECT_EQ(behind(300, 4, Access::kLoad), 304u) << "nothing is read";
}

/// Beside instructions that read operands in every cycle loads wait their time, each warp for itself, and whoever waits
/// at an mbarrier a time of its own; what they take is told once.
TEST(DataStage, WhoeverFindsNoCycleIsServedAfterAWhile) {
  using Access = sm::OperandSchedule::Access;
  sm::SmParams params = validation::h200().sm;
  params.warpgroup.patience = 150, params.warpgroup.next_patience = 37, params.warpgroup.store_patience = 75;
  params.warpgroup.mbarrier_patience = 100, params.warpgroup.forced_cycles = 1.5;
  sm::DataStage stage(params.lsu, params.warpgroup, 8);
  EXPECT_EQ(stage.mbarrier_from(50), 50u);
  stage.operands().add(100, 10000, 9900);
  const auto load = [&](sm::Cycle now, int way, int wavefronts) {
    return stage.reserve(now, way, wavefronts, 0, Access::kLoad);
  };
  EXPECT_EQ(load(200, 0, 1), 350u);
  EXPECT_EQ(load(201, 0, 1), 387u) << "the warp's next";
  EXPECT_EQ(load(201, 1, 1), 351u) << "another's waits for itself";
  EXPECT_EQ(load(202, 2, 4), 463u) << "three more wavefronts";
  EXPECT_EQ(stage.reserve(210, 5, 2, 0, Access::kStore), 360u) << "75 for each";
  EXPECT_EQ(stage.backlog_below(1), 0u) << "nobody behind them waits for them";
  EXPECT_EQ(stage.mbarrier_from(220), 320u);
  EXPECT_EQ(stage.forced_cycles(), 15u) << "1.5 for each of nine wavefronts and an operation";
  EXPECT_EQ(stage.forced_cycles(), 0u);
}

/// As an H200's chains and single instructions have it.
TEST(WarpgroupTime, FollowsFromColumnsAndBytes) {
  const auto of = [](int columns, bool sparse, bool from_memory) {
    isa::Kernel kernel;
    isa::Instruction in;
    in.opcode = isa::Opcode::kHgmma;
    in.mma.m = 64, in.mma.n = static_cast<std::uint16_t>(columns), in.mma.k = sparse ? 32 : 16;
    in.mma.sparse = sparse, in.mma.warpgroup = true;
    if (sparse) in.mma.pattern.n = 2, in.mma.pattern.m = 4;
    if (!from_memory) in.a.kind = isa::Operand::Kind::kRegister;
    kernel.code.push_back(in);
    const sm::WarpgroupTiming timing =
        sm::classify(kernel, sim::read_gpu_config("configs/gpus/h200.yaml").params.sm).front().warpgroup;
    return std::pair<int, int>(timing.interval, timing.latency);
  };
  EXPECT_EQ(of(8, false, true), std::make_pair(18, 54));
  EXPECT_EQ(of(64, false, true), std::make_pair(32, 82));
  EXPECT_EQ(of(256, false, true), std::make_pair(128, 178));
  EXPECT_EQ(of(64, true, true), std::make_pair(48, 84));
  EXPECT_EQ(of(8, false, false), std::make_pair(13, 38));
  EXPECT_EQ(of(64, true, false), std::make_pair(32, 68));
}

/// BAR.SYNC.DEFER_BLOCKING lets a warp go on to what needs nothing of the others: operands in shared memory are theirs.
TEST(WarpgroupIssue, WaitsForTheBarrierBeforeIt) {
  isa::Kernel kernel;
  for (const isa::Opcode opcode :
       {isa::Opcode::kHgmma, isa::Opcode::kUtmastg, isa::Opcode::kUblkcp, isa::Opcode::kIadd3}) {
    isa::Instruction in;
    in.opcode = opcode;
    in.mma.m = 64, in.mma.n = 8, in.mma.k = 16, in.mma.warpgroup = true;
    kernel.code.push_back(in);
  }
  const auto infos = sm::classify(kernel, sim::read_gpu_config("configs/gpus/h200.yaml").params.sm);
  EXPECT_TRUE(infos[0].waits_at_barrier);
  EXPECT_TRUE(infos[1].waits_at_barrier);
  EXPECT_TRUE(infos[2].waits_at_barrier);
  EXPECT_FALSE(infos[3].waits_at_barrier);
}

struct Chain {
  int columns;
  bool sparse;
  const char* a;  ///< "memory", "registers"
};

/// Cycles an instruction in validation/measured/h200/wgmma_times.csv.
double measured_interval(const Chain& chain, int warpgroups) {
  std::ifstream file("validation/measured/h200/wgmma_times.csv");
  const std::string key = std::string("f32.f16.f16,") + chain.a + "," + std::to_string(chain.columns) + "," +
                          (chain.sparse ? "1" : "0") + ",0,0,128," + std::to_string(warpgroups) + ",";
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key, 0) != 0) continue;
    std::istringstream rest(line.substr(key.size()));
    double one = 0, two = 0, cycles = 0, instructions = 0;
    char comma = 0;
    rest >> one >> comma >> two >> comma >> cycles >> comma >> instructions;
    return cycles / instructions / warpgroups;
  }
  ADD_FAILURE() << "no row " << key;
  return 0;
}

double simulated_cycles(const Chain& chain, int warpgroups, int passes, gpu::Machine& machine) {
  Point point;
  point.cubin = "micro_wgmma";
  point.kernel =
      std::string("micro_wgmma_") + (chain.sparse ? "sp_" : "dense_") + std::to_string(chain.columns) + "_" + chain.a;
  point.args = "out " + std::to_string(passes);
  point.warps = static_cast<std::uint32_t>(4 * warpgroups);
  point.shared_bytes = 66560;
  point.measured = {0, 0, 0};
  return Runner(machine, "validation/kernels", true).run(point).simulated.at(0);
}

/// Without the start, whose code comes from L2: that of the hardware had come before.
double simulated_interval(const Chain& chain, int warpgroups, gpu::Machine& machine) {
  const double more =
      simulated_cycles(chain, warpgroups, 24, machine) - simulated_cycles(chain, warpgroups, 8, machine);
  return more / (16 * 4 * warpgroups);
}

TEST(WarpgroupTime, ChainsTakeWhatTheyTookOnSilicon) {
  const sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/h200.yaml");
  gpu::Machine machine("gpu", gpu.params);
  double sum = 0;
  int count = 0;
  for (const int columns : {8, 32, 64, 128, 256}) {
    for (const bool sparse : {false, true}) {
      for (const char* a : {"memory", "registers"}) {
        if (sparse && columns == 8 && a[0] == 'r') continue;  // 16.2 cycles, 18 here: DEVIATIONS T35
        const Chain chain{columns, sparse, a};
        const double measured = measured_interval(chain, 2), simulated = simulated_interval(chain, 2, machine);
        const double error = simulated / measured - 1;
        EXPECT_NEAR(error, 0, 0.03) << columns << " columns, " << (sparse ? "sparse, " : "dense, ") << a << ": "
                                    << simulated << " cycles, measured " << measured;
        sum += std::abs(error);
        ++count;
      }
    }
  }
  EXPECT_EQ(count, 19);
  EXPECT_LT(sum / count, 0.015);
}

/// Wavefronts a cycle of shared memory that `kind` of micro_wgmma_beside.cu gets through beside a chain. Without the
/// start, whose code comes from L2: that of the hardware had come before.
double simulated_wavefronts(const Chain& chain, int kind, int instruction_cycles, gpu::Machine& machine) {
  const auto run = [&](int what, int passes) {
    Point point;
    point.cubin = "micro_wgmma_beside";
    point.kernel = std::string("micro_wgmma_beside_") + (chain.sparse ? "sp_" : "dense_") +
                   std::to_string(chain.columns) + "_" + chain.a;
    point.args = "out " + std::to_string(passes) + " " + std::to_string(what) + " 4 " +
                 std::to_string(4 * passes * instruction_cycles);
    point.warps = 8;
    point.shared_bytes = 132096;
    point.measured = {0, 0, 0};
    return static_cast<double>(Runner(machine, "validation/kernels", true).run(point).run.total.shared_wavefronts);
  };
  const auto more = [&](int what) { return run(what, 96) - run(what, 32); };
  return (more(kind) - more(0)) / (64 * 4 * instruction_cycles);
}

/// The same of wgmma_beside.csv, of four warps; `others` as the file calls them.
double measured_wavefronts(const Chain& chain, const std::string& others) {
  std::ifstream file("validation/measured/h200/wgmma_beside.csv");
  const std::string key =
      std::to_string(chain.columns) + "," + chain.a + "," + (chain.sparse ? "1" : "0") + "," + others + ",4,";
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key, 0) != 0) continue;
    std::istringstream rest(line.substr(line.rfind(',') + 1));
    double sum = 0, time = 0, count = 0;
    char colon = 0;
    while (rest >> time >> colon >> count) {
      sum += count / time;
      rest >> colon;
    }
    return 4 * sum;
  }
  ADD_FAILURE() << "no row " << key;
  return 0;
}

/// Loads get half to two thirds of it.
TEST(WarpgroupBeside, LoadsGetLess) {
  const sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/h200.yaml");
  gpu::Machine machine("gpu", gpu.params);
  for (const Chain& chain :
       {Chain{64, false, "registers"}, Chain{128, false, "registers"}, Chain{256, false, "registers"},
        Chain{128, false, "memory"}, Chain{256, false, "memory"}}) {
    for (const auto& [kind, others] : {std::pair{1, "ld128"}, std::pair{3, "ldsm4"}}) {
      const double measured = measured_wavefronts(chain, others);
      const double simulated = simulated_wavefronts(chain, kind, chain.columns / 2, machine);
      if (std::getenv("STC_SHOW") != nullptr)
        std::printf("%d %s %s: %.3f (%.3f)\n", chain.columns, chain.a, others, simulated, measured);
      EXPECT_NEAR(simulated / measured, 1, 0.1) << chain.columns << " columns, " << chain.a << ", " << others;
    }
  }
}

/// Stores get what operands leave, or one in a while where they leave nothing (DEVIATIONS T35).
TEST(WarpgroupBeside, StoresGetWhatOperandsLeave) {
  const sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/h200.yaml");
  gpu::Machine machine("gpu", gpu.params);
  for (const Chain& chain :
       {Chain{64, false, "registers"}, Chain{128, false, "registers"}, Chain{256, false, "registers"},
        Chain{128, false, "memory"}, Chain{256, false, "memory"}}) {
    const double measured = measured_wavefronts(chain, "st128");
    const double simulated = simulated_wavefronts(chain, 4, chain.columns / 2, machine);
    if (std::getenv("STC_SHOW") != nullptr)
      std::printf("%d %s st128: %.3f (%.3f)\n", chain.columns, chain.a, simulated, measured);
    EXPECT_NEAR(simulated / measured, 1, chain.columns > 64 ? 0.1 : 0.2)
        << chain.columns << " columns, " << chain.a << ": " << simulated << ", " << measured;
  }
  for (const Chain& full : {Chain{64, false, "memory"}, Chain{128, true, "memory"}, Chain{256, true, "memory"}}) {
    const int cycles = 16 + full.columns / (full.sparse ? 2 : 4);
    const double measured = measured_wavefronts(full, "st128");
    const double simulated = simulated_wavefronts(full, 4, cycles, machine);
    EXPECT_NEAR(simulated, measured, 0.03) << full.columns << " columns";
  }
}

/// The unit takes one instruction at a time, whoever brings it.
TEST(WarpgroupTime, TwoWarpgroupsShareTheUnit) {
  const sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/h200.yaml");
  gpu::Machine machine("gpu", gpu.params);
  const Chain chain{128, false, "memory"};
  EXPECT_NEAR(simulated_interval(chain, 1, machine), simulated_interval(chain, 2, machine), 0.5);
}

}  // namespace
}  // namespace stc::micro
