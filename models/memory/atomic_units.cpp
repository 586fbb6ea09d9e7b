// SPDX-License-Identifier: Apache-2.0
#include "models/memory/atomic_units.h"

#include <algorithm>

#include "models/memory/address_hash.h"

namespace stc::memory {

AtomicUnits::AtomicUnits(const L2Params& params)
    : params_(params), units_(static_cast<std::size_t>(params.atomic_units)) {}

/// What comes behind an atomic at the same address waits for its result: at once if it is the next packet, or the next
/// request `at_same_line`.
double AtomicUnits::cycles_of(const LineRequest& request, bool at_same_line) const {
  if (request.packets == 1 && !at_same_line) {
    return std::max(params_.atomic_interval, request.passes * params_.atomic_sector_interval);
  }
  const double one_by_one = request.waits_for_sum ? request.packets * params_.atomic_sum_interval : 0.0;
  return std::max(request.passes * params_.atomic_interval, one_by_one);
}

void AtomicUnits::work_on(std::uint64_t line, LineRequest& request) {
  Unit& unit = units_[atomic_unit_of(places_.of(line), params_)];
  const double cycles = cycles_of(request, unit.line == line);
  unit.line = line;
  const Tick wait = unit.server.reserve(request.now, cycles);
  // A lone packet's own time is part of the latency.
  const double first = cycles / request.packets;
  const double behind =
      std::max(cycles - first, static_cast<double>(request.leaves_in) * (1.0 - 1.0 / request.packets));
  request.waited = std::max(request.waited, wait + cycles_to_ticks(behind));
}

void AtomicUnits::reset(const isa::GlobalMemory* values, const L2Params& params) {
  params_ = params;
  places_.lay_out(values);
  for (Unit& unit : units_) unit = {};
}

}  // namespace stc::memory
