// SPDX-License-Identifier: Apache-2.0
#include "models/sm/tensor_core_port.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/core/time_base.h"
#include "models/isa/products/execute_mma.h"
#include "models/isa/products/mma_operands.h"
#include "models/isa/values/fault.h"

namespace stc::sm {

TensorCorePort::TensorCorePort(sc_core::sc_module_name name, const tensor_core::TensorCoreParams& params,
                               const arith::Numerics& numerics)
    : sc_module(name), unit_("unit", params, numerics) {
  unit_.clock(clock_);
  unit_.request(request_);
  unit_.ready(ready_);
  unit_.result(result_);
  SC_METHOD(drive_clock);
  sensitive << edge_;
  dont_initialize();
}

void TensorCorePort::issue(WarpContext& warp, const isa::Instruction& instruction, const RegisterSet& results,
                           const arith::Numerics& numerics) {
  if (!ready_.read() || offered_.valid) throw std::logic_error(std::string(name()) + ": issued before its door opens");
  const isa::MmaOp& op = instruction.mma;
  const isa::MmaOperands in(instruction, warp.state);
  const auto image = [](const std::uint32_t* from, int registers) {
    return std::vector<std::uint32_t>(from, from + std::ptrdiff_t{registers} * isa::kWarpSize);
  };
  offered_.valid = true;
  offered_.tag = issued_++;
  offered_.op = op;
  offered_.selector = instruction.selector;
  offered_.a = image(in.a, op.a_registers());
  offered_.b = image(in.b, op.b_registers());
  offered_.c = image(in.c, op.c_registers());
  if (op.sparse) offered_.e = image(in.e, isa::mma_tables(op).metadata_registers);
  pending_.push_back({&warp, warp.generation, &instruction, results, offered_, &numerics, false});
  if (pending_.size() == 1 && !clock_.read()) edge_.notify(until_arbitration());
}

/// Rises at the arbitration point of a cycle; falls in its second half, when the unit has settled.
void TensorCorePort::drive_clock() {
  const bool rises = !clock_.read();
  clock_.write(rises);
  if (rises) {
    request_.write(std::exchange(offered_, {}));
    edge_.notify(to_time(kArbitration / 2));
    return;
  }
  for (const tensor_core::MmaResult& result : result_.read().ended) {
    if (result.valid) take(result);
  }
  if (!pending_.empty() || !ready_.read()) edge_.notify(to_time(kTicksPerCycle - kArbitration / 2));
}

void TensorCorePort::settle(const WarpContext& warp, const RegisterSet& registers) {
  for (Pending& p : pending_) {
    const bool meant = p.warp == &warp && p.generation == warp.generation && !p.settled;
    if (!meant || (p.results & registers).none()) continue;
    const tensor_core::MmaRequest& r = p.request;
    std::vector<std::uint32_t> d(static_cast<std::size_t>(r.op.c_registers()) * isa::kWarpSize);
    isa::mma_registers(r.op, *p.numerics, r.a.data(), r.b.data(), r.c.data(), r.e.data(), r.selector, d.data());
    isa::write_mma_result(*p.instruction, d.data(), p.warp->state);
    p.settled = true;
  }
}

void TensorCorePort::take(const tensor_core::MmaResult& result) {
  const auto done =
      std::find_if(pending_.begin(), pending_.end(), [&](const Pending& p) { return p.request.tag == result.tag; });
  if (!result.error.empty()) {
    on_fault(std::make_exception_ptr(isa::SimulatedFault(result.error)));
  } else if (done->warp->generation == done->generation && !done->warp->state.exited() && !done->settled) {
    // The registers of a warp that has ended belong to somebody else.
    isa::write_mma_result(*done->instruction, result.d.data(), done->warp->state);
  }
  pending_.erase(done);
}

}  // namespace stc::sm
