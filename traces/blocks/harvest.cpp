// SPDX-License-Identifier: Apache-2.0
#include "traces/blocks/harvest.h"

#include <algorithm>
#include <set>

#include "models/isa/opcode_traits.h"
#include "traces/blocks/safe_body.h"

namespace stc::blocks {
namespace {

constexpr std::size_t kMostIdlePart = 5;  // of the instructions, one in so many may be left out

bool ends_block(const Instruction& i) {
  return isa::traits_of(i.opcode).unit == isa::ExecutionUnit::kBranch && i.opcode != isa::Opcode::kBssy &&
         i.opcode != isa::Opcode::kBmov;
}

bool is_jump(const Instruction& i) { return i.opcode == isa::Opcode::kBra; }

bool worth_running(const std::vector<Instruction>& code) {
  const auto idle = static_cast<std::size_t>(
      std::count_if(code.begin(), code.end(), [](const Instruction& i) { return !runs_in_block(i); }));
  return idle * kMostIdlePart <= code.size();
}

bool in_loop(const isa::Kernel& kernel, std::uint32_t address) {
  return std::any_of(kernel.code.begin(), kernel.code.end(), [address](const Instruction& i) {
    return is_jump(i) && i.target <= address && i.address >= address && i.target != i.address;
  });
}

}  // namespace

std::vector<Found> basic_blocks(const isa::Kernel& kernel, std::size_t least, std::size_t most) {
  std::set<std::uint32_t> targets;
  for (const Instruction& i : kernel.code) {
    if (is_jump(i) || i.opcode == isa::Opcode::kBssy) targets.insert(i.target);
  }
  std::vector<Found> all;
  Found current;
  const auto finish = [&] {
    if (current.code.size() > most) current.code.resize(most);
    if (current.code.size() >= least && worth_running(current.code)) {
      current.address = current.code.front().address;
      current.in_loop = in_loop(kernel, current.address);
      all.push_back(current);
    }
    current = {};
  };
  for (const Instruction& i : kernel.code) {
    if (targets.count(i.address) != 0) finish();
    if (ends_block(i)) {
      finish();
    } else {
      current.code.push_back(i);
    }
  }
  finish();
  return all;
}

}  // namespace stc::blocks
