// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/copy_arrival.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "models/isa/values/fault.h"

namespace stc::isa {
namespace {

std::string text(const Dim3& index) { return fmt::format("({}, {}, {})", index.x, index.y, index.z); }

}  // namespace

bool complete_copy_arrival(CtaState& cta, const Kernel& kernel, const CopyArrival& arrival) {
  std::uint64_t word;
  std::uint8_t* const place = cta.shared.data() + arrival.address;
  std::memcpy(&word, place, sizeof word);
  Mbarrier barrier(kernel.sm_version, word);
  if (const char* problem = barrier.apply(arrival.update)) {
    const std::int64_t bytes = arrival.update.transactions;
    throw_fault(arrival.by, kernel,
                fmt::format("{} at the mbarrier at shared address {:#x} of CTA {}: it brings {} arrivals and {} {} "
                            "bytes, {} and {} are missing",
                            problem, arrival.address, text(cta.index), arrival.update.arrivals,
                            bytes > 0 ? "expects" : "has", std::abs(bytes), barrier.pending(), barrier.transactions()));
  }
  const std::uint64_t now = barrier.word();
  std::memcpy(place, &now, sizeof now);
  return (now ^ word) >> 63 != 0;
}

void throw_exited_fault(const Kernel& kernel, const RemoteArrival& arrival) {
  throw_fault(arrival.arrival.by, kernel,
              fmt::format("arrives at the mbarrier at shared address {:#x} of CTA {} of the cluster, which has exited",
                          arrival.arrival.address, arrival.rank));
}

}  // namespace stc::isa
