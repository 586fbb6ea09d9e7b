// SPDX-License-Identifier: Apache-2.0
#include "models/sm/matrix_results.h"

#include <algorithm>

namespace stc::sm {
namespace {

constexpr std::size_t kMany = 8;  // more than are on their way: the list stays in a few cache lines

}  // namespace

void MatrixResults::issued(const isa::Instruction& instruction, const RegisterSet& d, Cycle now, int latency) {
  if (results_.size() >= kMany) forget_complete(now);
  results_.push_back({&instruction, d, now, latency});
  any_ |= d;
}

[[gnu::noinline]] bool MatrixResults::still_overlap(const RegisterSet& registers, Cycle now) {
  forget_complete(now);
  return (any_ & registers).any();
}

void MatrixResults::forget_complete(Cycle now) {
  const auto complete = [now](const Result& r) { return r.issued + static_cast<Cycle>(r.latency) <= now; };
  results_.erase(std::remove_if(results_.begin(), results_.end(), complete), results_.end());
  any_.reset();
  for (const Result& result : results_) any_ |= result.d;
}

std::optional<dependence::Dependence> MatrixResults::early_use(const isa::Instruction& instruction, Cycle now) const {
  const isa::ResourceUse use = isa::resource_use(instruction);
  for (const Result& result : results_) {
    dependence::FixedWrite write{dependence::Writer::kMatrix, static_cast<std::uint8_t>(result.latency),
                                 result.producer->guard.index != isa::kPredicateTrue, result.producer->mma.m == 8};
    dependence::Dependence d;
    d.producer = result.producer->address / isa::kInstructionBytes;
    d.consumer = instruction.address / isa::kInstructionBytes;
    d.elapsed = static_cast<int>(now - result.issued);
    const auto breaks = [&](int resource, dependence::Hazard hazard, int needed) {
      d.resource = resource;
      d.hazard = hazard;
      d.needed = needed;
      return isa::is_general(resource) && result.d.test(static_cast<std::size_t>(resource)) && !d.holds();
    };
    for (const isa::ResourceRead& read : use.reads) {
      if (!isa::is_general(read.resource)) continue;
      const dependence::Reader reader = dependence::reader_of(instruction, read.slot);
      const int needed = dependence::read_after_write(read.resource, write, reader);
      if (breaks(read.resource, dependence::Hazard::kReadAfterWrite, needed)) return d;
    }
    for (const isa::ResourceWrite& second : use.writes) {
      const int needed = dependence::write_after_write(write, dependence::writer_of(instruction, second.word));
      if (breaks(second.resource, dependence::Hazard::kWriteAfterWrite, needed)) return d;
    }
  }
  return std::nullopt;
}

}  // namespace stc::sm
