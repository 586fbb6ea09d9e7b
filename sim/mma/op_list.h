// SPDX-License-Identifier: Apache-2.0
// Every matrix instruction of a GPU with its registers, blocks and timing; and where an instruction's elements lie.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/gpu/gpu_params.h"
#include "models/isa/mma/mma_op.h"

namespace stc::sim {

std::string op_list_text(const gpu::GpuParams& gpu);
nlohmann::ordered_json op_list_json(const gpu::GpuParams& gpu);

/// Lane by lane: the elements in each register of A, B, C and D, and the metadata bits for every selector.
std::string lane_map_text(const isa::MmaOp& op);
/// The same: elements as [row, k] and so on, by lane and register, low bits first.
nlohmann::ordered_json lane_map_json(const isa::MmaOp& op);

}  // namespace stc::sim
