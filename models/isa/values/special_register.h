// SPDX-License-Identifier: Apache-2.0
// Values that S2R, S2UR and CS2R read. Numbers as ptxas 13 encodes them for the PTX special registers.
#pragma once

#include "models/isa/values/execution.h"

namespace stc::isa {

/// Whether the simulator keeps this register.
bool models_special_register(int number);
/// Its values come by the way of memory instructions, and wait where these do: those that differ from lane to lane, and
/// the warp's slot (measured/h200/status.csv).
bool comes_through_memory_queue(int number);
/// Its value says where on the GPU, or when, the warp runs.
bool tells_place_or_time(int number);

/// All lanes of a special register. Faults on one that is not modelled.
void read_special_register(const Execution& x, int number, Vector& value);

/// 64-bit clock or timer pairs (CS2R.64): the register and its successor.
std::uint64_t read_special_register_64(const Execution& x, int number);

}  // namespace stc::isa
