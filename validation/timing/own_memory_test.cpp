// SPDX-License-Identifier: Apache-2.0
// A device memory of the user's own behind the TLM-2.0 boundary: the base protocol is kept whatever way the memory
// answers, and every read arrives with its last sector, not before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "models/memory/external_memory.h"
#include "validation/gpus.h"
#include "validation/timing/base_protocol_checker.h"
#include "validation/timing/memory_rig.h"
#include "validation/timing/waiting_memory.h"

namespace stc::timing {
namespace {

using memory::kAllSectors;
using testing::HasSubstr;
using testing::IsEmpty;
using Style = WaitingMemoryOptions::Style;

/// The memory system with memories of a test's own on `channels` channels, each behind a checker.
struct OwnMemoryRig {
  explicit OwnMemoryRig(const WaitingMemoryOptions& options,
                        const memory::MemoryParams& params = validation::a100().memory, int channels = 1,
                        const std::vector<int>& gpc_of_sm = MemoryRig::gpcs(4))
      : boundary("device_memory", channels), rig(params, gpc_of_sm, &boundary) {
    for (int i = 0; i < channels; ++i) {
      checkers.push_back(std::make_unique<BaseProtocolChecker>(("checker" + std::to_string(i)).c_str()));
      memories.push_back(std::make_unique<WaitingMemory>(("memory" + std::to_string(i)).c_str(), options));
      boundary.socket(i).bind(checkers.back()->from_initiator);
      checkers.back()->to_target.bind(memories.back()->socket);
    }
    boundary.reset(0, &values, params.hbm);
  }
  double read(int sm, std::uint64_t line, std::uint8_t sectors = 1) {
    MemoryRig::advance(10000);
    const double sent = MemoryRig::now();
    rig.sm[static_cast<std::size_t>(sm)]->request(line, sectors, false, ++token);
    MemoryRig::advance(10000);
    return rig.sm[static_cast<std::size_t>(sm)]->arrival(token) - sent;
  }
  void expect_protocol_kept() const {
    for (const auto& checker : checkers) {
      EXPECT_THAT(checker->broken_rules(), IsEmpty());
      EXPECT_EQ(checker->under_way(), 0u);
      EXPECT_EQ(checker->held(), 0) << "transactions that were never released";
    }
    EXPECT_TRUE(boundary.idle());
  }
  const WaitingMemory& memory() const { return *memories.front(); }

  isa::GlobalMemory values;
  memory::ExternalMemory boundary;
  MemoryRig rig;
  std::vector<std::unique_ptr<BaseProtocolChecker>> checkers;
  std::vector<std::unique_ptr<WaitingMemory>> memories;
  std::uint32_t token = 0;
};

class EachWayToAnswer : public testing::TestWithParam<std::pair<Style, bool>> {};

TEST_P(EachWayToAnswer, TakesTheTimeOfTheMemory) {
  WaitingMemoryOptions options;
  std::tie(options.style, options.annotate) = GetParam();
  OwnMemoryRig own(options);
  const double added = options.take + options.latency;
  const std::uint64_t near = own.rig.line_of(0), far = own.rig.line_of(1);
  const memory::L2Params& l2 = own.rig.params.l2;
  EXPECT_NEAR(own.read(0, near), l2.near_latency + added, 0.01);
  EXPECT_NEAR(own.read(0, near), l2.near_latency, 0.01) << "now it is in L2";
  EXPECT_NEAR(own.read(0, far), l2.near_latency + l2.far_extra_latency + added, 0.01);
  EXPECT_NEAR(own.read(0, far), l2.near_latency, 0.01);
  EXPECT_EQ(own.memory().requests.size(), 2u);
  own.expect_protocol_kept();
}

INSTANTIATE_TEST_SUITE_P(All, EachWayToAnswer,
                         testing::Values(std::pair(Style::kFourPhases, false), std::pair(Style::kFourPhases, true),
                                         std::pair(Style::kTakenAtOnce, false), std::pair(Style::kAnsweredAtOnce, true),
                                         std::pair(Style::kCompletedAtOnce, true)));

class ManyRequests : public testing::TestWithParam<std::pair<Style, bool>> {};

TEST_P(ManyRequests, KeepTheProtocolAndGetOneAnswerEach) {
  WaitingMemoryOptions options;
  std::tie(options.style, options.annotate) = GetParam();
  options.take = 2.5;
  options.spread = 300;
  memory::MemoryParams params = validation::a100().memory;
  params.l2.capacity_mib = 0.125;
  params.l2.half_extra_latency = 31;
  params.l2.second_half_gpcs = 0b10;
  params.crossbar.coalesced_requests = 3;
  OwnMemoryRig own(options, params, 3, {0, 0, 0, 0, 1, 1, 1, 1});
  std::mt19937 random(3);
  std::vector<int> reads(own.rig.sm.size());
  for (std::uint32_t i = 0; i < 6000; ++i) {
    const auto sm = random() % own.rig.sm.size();
    const bool write = random() % 4 == 0, atomic = !write && random() % 8 == 0;
    own.rig.sm[sm]->request(random() % 2000, static_cast<std::uint8_t>(1 + random() % 15), write, i, atomic);
    reads[sm] += write ? 0 : 1;
    if (i % 4 == 0) MemoryRig::advance(1);
  }
  MemoryRig::advance(100000);
  int overtaken = 0;
  for (const auto& memory : own.memories) overtaken += memory->overtaken;
  EXPECT_GT(overtaken, options.style == Style::kCompletedAtOnce ? -1 : 100) << "or the test tests little";
  for (std::size_t sm = 0; sm < reads.size(); ++sm) EXPECT_EQ(own.rig.sm[sm]->answers(), reads[sm]);
  own.expect_protocol_kept();
}

INSTANTIATE_TEST_SUITE_P(All, ManyRequests,
                         testing::Values(std::pair(Style::kFourPhases, false), std::pair(Style::kFourPhases, true),
                                         std::pair(Style::kTakenAtOnce, false),
                                         std::pair(Style::kCompletedAtOnce, true)));

TEST(OwnMemory, ReadsOfALineOnItsWayAreMergedAndArriveWithIt) {
  WaitingMemoryOptions options;
  options.latency = 1000;
  OwnMemoryRig own(options);
  const memory::L2Params& l2 = own.rig.params.l2;
  const std::uint64_t line = own.rig.line_of(1);
  own.rig.sm[1]->request(line, 1, false, 1);
  MemoryRig::advance(400);
  own.rig.sm[3]->request(line, 1, false, 2);  // at home
  own.rig.sm[0]->request(line, 1, false, 3);  // over the other partition
  MemoryRig::advance(200);
  own.rig.sm[2]->request(line, 1, false, 4);  // finds a copy that is on its way
  MemoryRig::advance(5000);
  EXPECT_EQ(own.memory().requests.size(), 1u);
  const double first = own.rig.sm[1]->arrival(1);
  EXPECT_NEAR(first, l2.near_latency + 1001, 0.01);
  EXPECT_NEAR(own.rig.sm[3]->arrival(2), first + l2.lookup_interval, 0.01);  // behind SM 0 at the slice
  EXPECT_NEAR(own.rig.sm[0]->arrival(3), first + l2.far_extra_latency / 2, 0.01);
  EXPECT_NEAR(own.rig.sm[2]->arrival(4), first + l2.far_extra_latency / 2, 0.01);
  own.expect_protocol_kept();
}

void expect_arrival_with_the_later(Style style) {
  WaitingMemoryOptions options;
  options.style = style;
  options.spread = 500;  // the first transaction is the slower one
  OwnMemoryRig own(options);
  const std::uint64_t line = own.rig.line_of(0);
  own.rig.sm[0]->request(line, 0b0001, false, 1);
  MemoryRig::advance(10);
  own.rig.sm[0]->request(line, 0b1101, false, 2);  // needs another transaction, which comes sooner
  MemoryRig::advance(5000);
  ASSERT_EQ(own.memory().requests.size(), 2u);
  EXPECT_EQ(own.memory().requests[1].bytes, 64u) << "not what is on its way already";
  EXPECT_NEAR(own.rig.sm[0]->arrival(1), own.rig.params.l2.near_latency + 701, 0.01);
  EXPECT_NEAR(own.rig.sm[0]->arrival(2), own.rig.params.l2.near_latency + 701, 0.01);
}

TEST(OwnMemory, AReadOfTwoTransactionsArrivesWithTheLater) { expect_arrival_with_the_later(Style::kFourPhases); }
TEST(OwnMemory, AnnotatedAnswersCountFromTheirTimeOn) { expect_arrival_with_the_later(Style::kCompletedAtOnce); }

TEST(OwnMemory, WhatIsOnItsWayIsNotAskedForAgain) {
  OwnMemoryRig own({});
  const std::uint64_t line = own.rig.line_of(0);
  own.rig.sm[0]->request(line, 0b0001, false, 1, true);  // an atomic fetches nothing but its sector
  MemoryRig::advance(10);
  own.rig.sm[0]->request(line, 0b0010, false, 2);  // a read also the sector's neighbour
  MemoryRig::advance(5000);
  ASSERT_EQ(own.memory().requests.size(), 2u);
  EXPECT_EQ(own.memory().requests[1].address, line * memory::kLineBytes + 32);
  EXPECT_EQ(own.memory().requests[1].bytes, 32u);
}

TEST(OwnMemory, AnAtomicWaitsForItsSectors) {
  OwnMemoryRig own({});
  for (const int home : {0, 1}) {
    const double sent = MemoryRig::now();
    own.rig.sm[0]->request(own.rig.line_of(home), 1, false, 9, true);
    MemoryRig::advance(5000);
    const memory::L2Params& l2 = own.rig.params.l2;
    EXPECT_NEAR(own.rig.sm[0]->arrival(9) - sent, l2.near_latency + home * l2.far_extra_latency + 201, 0.01);
  }
}

TEST(OwnMemory, ReadsThatAGpcCoalescesArriveTogether) {
  memory::MemoryParams params = validation::a100().memory;
  params.crossbar.coalesced_requests = 4;
  OwnMemoryRig own({}, params, 1, {0, 0, 0, 0});
  const std::uint64_t line = own.rig.line_of(0);
  for (std::uint32_t sm = 0; sm < 4; ++sm) own.rig.sm[sm]->request(line, kAllSectors, false, sm);
  MemoryRig::advance(5000);
  EXPECT_EQ(own.rig.crossbar.coalesced_sectors(), 12u);
  for (std::uint32_t sm = 0; sm < 4; ++sm) {
    EXPECT_NEAR(own.rig.sm[sm]->arrival(sm), own.rig.sm[0]->arrival(0), 4.0);
    EXPECT_GT(own.rig.sm[sm]->arrival(sm), params.l2.near_latency + 200);
  }
  EXPECT_NEAR(own.read(2, line, kAllSectors), params.l2.near_latency, 0.01) << "nobody is joined any more";
}

TEST(OwnMemory, AReadWaitsBehindWritesThatTheMemoryTakesSlowly) {
  WaitingMemoryOptions options;
  options.take = 10;
  memory::MemoryParams params = validation::a100().memory;
  params.l2.dirty_mib = 0;  // every store is written at once
  OwnMemoryRig own(options, params);
  for (std::uint64_t i = 0; i < 100; ++i) own.rig.sm[0]->request(5000 + i, kAllSectors, true, 0);
  MemoryRig::advance(1);
  own.rig.sm[0]->request(own.rig.line_of(0), 1, false, 1);
  MemoryRig::advance(10000);
  EXPECT_GT(own.rig.sm[0]->arrival(1), params.l2.near_latency + 1000 + 200);
  EXPECT_LT(own.rig.sm[0]->arrival(1), params.l2.near_latency + 1020 + 200);
  EXPECT_EQ(own.boundary.statistics().dram_write_sectors, 400u);
  own.expect_protocol_kept();
}

TEST(OwnMemory, WritesCarryBytesOneTransactionForEachRunOfSectors) {
  memory::MemoryParams params = validation::a100().memory;
  params.l2.dirty_mib = 0;
  OwnMemoryRig own({}, params);
  isa::Allocation& buffer = own.values.allocate("d", 256);
  for (std::size_t i = 0; i < buffer.data.size(); ++i) buffer.data[i] = static_cast<std::uint8_t>(i + 1);
  own.rig.sm[0]->request(buffer.address / memory::kLineBytes, 0b1011, true, 0);
  MemoryRig::advance(1000);
  ASSERT_EQ(own.memory().requests.size(), 2u);
  EXPECT_EQ(own.memory().requests[0].address, buffer.address);
  EXPECT_EQ(own.memory().requests[0].bytes, 64u);
  EXPECT_EQ(own.memory().requests[1].address, buffer.address + 96);
  EXPECT_EQ(own.memory().requests[1].bytes, 32u);
  EXPECT_TRUE(own.memory().requests[1].write);
  EXPECT_EQ(own.memory().stored.at(buffer.address + 63), 64);
  EXPECT_EQ(own.memory().stored.at(buffer.address + 96), 97);
  EXPECT_EQ(own.memory().stored.count(buffer.address + 64), 0u);
}

TEST(OwnMemory, AReadDoesNotOvertakeAWriteOfItsLine) {
  OwnMemoryRig own({});
  Tick long_queue = 500 * kTicksPerCycle, none = 0;
  own.boundary.write({7, kAllSectors, DataRole::kOther}, long_queue);
  own.boundary.read({7, kAllSectors, DataRole::kOther}, 0, none);
  MemoryRig::advance(5000);
  ASSERT_EQ(own.memory().requests.size(), 2u);
  EXPECT_TRUE(own.memory().requests[0].write);
  own.expect_protocol_kept();
}

TEST(OwnMemory, NeedsAChannel) { EXPECT_THROW(memory::ExternalMemory("device_memory", 0), std::invalid_argument); }

TEST(OwnMemory, AfterAResetOldAnswersReachNobody) {
  WaitingMemoryOptions options;
  options.latency = 1000;
  OwnMemoryRig own(options);
  const std::uint64_t line = own.rig.line_of(0);
  own.rig.sm[0]->request(line, 1, false, 1);
  MemoryRig::advance(500);
  own.rig.crossbar.reset(0, own.rig.params);
  own.boundary.reset(0, nullptr, own.rig.params.hbm);
  own.rig.l2_0.reset(false, own.rig.params);
  own.rig.sm[0]->request(line, 1, false, 2);
  MemoryRig::advance(5000);
  EXPECT_EQ(own.rig.sm[0]->answers(), 1);
  EXPECT_NEAR(own.rig.sm[0]->arrival(2), 500 + own.rig.params.l2.near_latency + 1001, 0.01);
  own.expect_protocol_kept();
}

TEST(OwnMemory, AnErrorOfTheMemoryEndsTheSimulation) {
  WaitingMemoryOptions options;
  options.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  OwnMemoryRig own(options);
  own.rig.sm[0]->request(3, 1, false, 1);
  try {
    MemoryRig::advance(5000);
    FAIL() << "nobody noticed";
  } catch (const sc_core::sc_report& report) {
    EXPECT_THAT(report.get_msg(), HasSubstr("TLM_ADDRESS_ERROR_RESPONSE to 64 bytes at 0x180"));
  }
}

}  // namespace
}  // namespace stc::timing
