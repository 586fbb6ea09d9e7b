// SPDX-License-Identifier: Apache-2.0
// A machine's own device memory in tests: some channels, each with a memory behind a checker of the base protocol.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "models/gpu/machine/own_memory.h"
#include "validation/timing/base_protocol_checker.h"
#include "validation/timing/waiting_memory.h"

namespace stc::timing {

/// `channels` memories made by `make`, each behind a checker.
template <class Memory>
struct Channels {
  template <class Make>
  Channels(int channels, Make make) {
    own.channels = channels;
    own.bind = [this, make](int channel, tlm::tlm_initiator_socket<>& socket) {
      memories.push_back(make(("memory" + std::to_string(channel)).c_str()));
      checkers.push_back(std::make_unique<BaseProtocolChecker>(("checker" + std::to_string(channel)).c_str()));
      socket.bind(checkers.back()->from_initiator);
      checkers.back()->to_target.bind(memories.back()->socket);
    };
  }
  int expect_protocol_kept() const {
    int transactions = 0;
    for (const auto& checker : checkers) {
      EXPECT_THAT(checker->broken_rules(), testing::IsEmpty());
      EXPECT_EQ(checker->under_way(), 0u);
      EXPECT_EQ(checker->held(), 0);
      transactions += checker->complete();
    }
    return transactions;
  }
  std::vector<std::unique_ptr<Memory>> memories;
  std::vector<std::unique_ptr<BaseProtocolChecker>> checkers;
  gpu::OwnMemory own;
};

inline Channels<WaitingMemory> waiting_memories(int channels, const WaitingMemoryOptions& options) {
  return {channels, [options](const char* name) { return std::make_unique<WaitingMemory>(name, options); }};
}

}  // namespace stc::timing
