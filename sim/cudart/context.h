// SPDX-License-Identifier: Apache-2.0
// Contexts: marks that host threads keep. There is the primary one, which the runtime makes current in each thread that
// it is used in, and those that programs create.
#pragma once

namespace stc::cuda {

/// Of this thread; null where there is none.
void* current_context();
/// The same, or the primary one: of what belongs to the device.
void* context_in_use();
/// What the runtime does in a thread that has none.
void use_primary_context();
/// It is destroyed, wherever it was current.
void forget_primary_context();

}  // namespace stc::cuda
