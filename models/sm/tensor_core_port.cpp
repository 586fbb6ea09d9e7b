// SPDX-License-Identifier: Apache-2.0
#include "models/sm/tensor_core_port.h"

#include <algorithm>

#include "models/isa/execute_mma.h"
#include "models/isa/mma_operands.h"

namespace stc::sm {

TensorCorePort::TensorCorePort(const char* name, const tensor_core::TensorCoreParams& params) : unit_(name, params) {
  unit_.on_result = [this](std::uint64_t tag, const std::vector<std::uint32_t>& d) { write_back(tag, d); };
}

void TensorCorePort::issue(WarpContext& warp, const isa::Instruction& instruction, const RegisterSet& results,
                           const arith::Numerics& numerics) {
  const isa::MmaOp& op = instruction.mma;
  const isa::MmaOperands in(instruction, warp.state);
  const auto image = [](const std::uint32_t* from, int registers) {
    return std::vector<std::uint32_t>(from, from + std::ptrdiff_t{registers} * isa::kWarpSize);
  };
  tensor_core::MmaRequest request;
  request.op = op;
  request.numerics = &numerics;
  request.selector = instruction.selector;
  request.a = image(in.a, op.a_registers());
  request.b = image(in.b, op.b_registers());
  request.c = image(in.c, op.c_registers());
  if (op.sparse) request.e = image(in.e, isa::mma_tables(op).metadata_registers);
  request.tag = issued_++;
  pending_.push_back({request.tag, &warp, warp.generation, &instruction, results, request, false});
  unit_.issue(std::move(request));
}

void TensorCorePort::settle(const WarpContext& warp, const RegisterSet& registers) {
  for (Pending& p : pending_) {
    const bool meant = p.warp == &warp && p.generation == warp.generation && !p.settled;
    if (!meant || (p.results & registers).none()) continue;
    const tensor_core::MmaRequest& r = p.request;
    std::vector<std::uint32_t> d(static_cast<std::size_t>(r.op.c_registers()) * isa::kWarpSize);
    isa::mma_registers(r.op, *r.numerics, r.a.data(), r.b.data(), r.c.data(), r.e.data(), r.selector, d.data());
    isa::write_mma_result(*p.instruction, d.data(), p.warp->state);
    p.settled = true;
  }
}

void TensorCorePort::reset() {
  unit_.reset();
  pending_.clear();
}

void TensorCorePort::write_back(std::uint64_t tag, const std::vector<std::uint32_t>& d) {
  const auto done = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& p) { return p.tag == tag; });
  // The registers of a warp that has ended belong to somebody else.
  const bool alive = done->warp->generation == done->generation && !done->warp->state.exited();
  if (alive && !done->settled) isa::write_mma_result(*done->instruction, d.data(), done->warp->state);
  pending_.erase(done);
}

}  // namespace stc::sm
