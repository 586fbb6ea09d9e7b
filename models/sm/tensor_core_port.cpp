// SPDX-License-Identifier: Apache-2.0
#include "models/sm/tensor_core_port.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/isa/execute.h"
#include "models/isa/mma_operands.h"

namespace stc::sm {
namespace {

bool overlap(const isa::RegisterRange& x, int first, int count) {
  return x.first < first + count && first < x.first + x.count;
}

}  // namespace

TensorCorePort::TensorCorePort(const char* name, const tensor_core::TensorCoreParams& params) : unit_(name, params) {
  unit_.on_result = [this](std::uint64_t tag, const std::vector<std::uint32_t>& d) { write_back(tag, d); };
}

void TensorCorePort::issue(WarpContext& warp, const isa::Instruction& instruction, const arith::Numerics& numerics) {
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
  pending_.push_back({request.tag, &warp, warp.generation, &instruction});
  unit_.issue(std::move(request));
}

void TensorCorePort::check(const WarpContext& warp, const isa::Instruction& instruction) const {
  for (const Pending& pending : pending_) {
    if (pending.warp != &warp || pending.generation != warp.generation) continue;
    const int first = pending.instruction->dest, count = pending.instruction->mma.c_registers();
    if (first == isa::kRegisterZero) continue;
    const isa::RegisterUse use = isa::register_use(instruction);
    const auto hits = [&](const isa::RegisterRange& range) { return overlap(range, first, count); };
    if (std::any_of(use.sources.begin(), use.sources.begin() + use.source_count, hits) ||
        std::any_of(use.dests.begin(), use.dests.begin() + use.dest_count, hits)) {
      throw isa::SimulatedFault(fmt::format("{}: {} at {:#x} uses R{} to R{} before {} at {:#x} has completed them",
                                            unit_.name(), isa::mnemonic(instruction), instruction.address, first,
                                            first + count - 1, isa::mnemonic(*pending.instruction),
                                            pending.instruction->address));
    }
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
  if (alive) isa::write_mma_result(*done->instruction, d.data(), done->warp->state);
  pending_.erase(done);
}

}  // namespace stc::sm
