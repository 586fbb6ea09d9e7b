// SPDX-License-Identifier: Apache-2.0
// Models:   memory instructions that wait for data from L2 or from other SMs (the pending-request table).
// Evidence: models/sm/line_queue.h bounds how many lines wait to leave.
// Abstracts: a bound on how many instructions wait.
// Timing:   an instruction is complete with the last of the parts that it waits for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/sm/event_queue.h"
#include "models/sm/memory_instruction.h"

namespace stc::sm {

struct PendingRead {
  int parts_left = 0;
  std::uint32_t asked = 0;   // bit per line of the instruction: L2 was asked for it and L1 keeps it
  Cycle latest = 0;          // arrival
  std::uint64_t order = 0;   // of the event of its arrival
  std::uint32_t number = 0;  // tells it from others that had its token
  MemoryInstruction instruction;
};

class PendingReads {
 public:
  /// Returns the token by which the instruction, which waits for `parts`, is known.
  std::uint32_t open(const MemoryInstruction& instruction, int parts) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(reads_.size()));
      reads_.emplace_back();
    }
    const std::uint32_t token = free_.back();
    free_.pop_back();
    if (!free_.empty()) expect(free_.back());
    PendingRead& read = reads_[token];
    read.instruction = instruction;
    read.parts_left = parts;
    read.latest = 0;
    read.asked = 0;
    read.number = ++opened_;
    return token;
  }
  /// It will be looked at soon.
  void expect(std::uint32_t token) const { reads_[token].instruction.expect(); }
  PendingRead& operator[](std::uint32_t token) { return reads_[token]; }
  /// A part comes at `arrival`. Returns whether it is the last.
  bool part_arrives(std::uint32_t token, Cycle arrival) {
    PendingRead& read = reads_[token];
    read.latest = std::max(read.latest, arrival);
    return --read.parts_left == 0;
  }
  /// Forgets the token and returns its instruction, which holds until the next one is opened.
  const MemoryInstruction& close(std::uint32_t token) {
    free_.push_back(token);
    return reads_[token].instruction;
  }
  void reset() { *this = {}; }

 private:
  std::vector<PendingRead> reads_;   // by token
  std::vector<std::uint32_t> free_;  // tokens
  std::uint32_t opened_ = 0;
};

}  // namespace stc::sm
